package rpc

// The chunks of a Call, from when it offers them until its Reply.

import (
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/dissect/flow"
)

// maxSegments is how many segments of one Call are followed.
const maxSegments = 1 << 10

// open adds the segments of a Call: from now on they may be used.
func (t *transfers) open(c *call, h *rpcrdma.Message) {
	if !h.HasChunks() {
		return
	}
	if c.law.Cut {
		c.x.ChunksCut, c.hidden = true, h.Segments()
		t.sides[c.Dir].memory.hidden += c.hidden
		return
	}
	c.room = min(maxSegments, maxRegions-t.sides[c.Dir].memory.regions)
	c.openReads()
	for chunk := range h.Writes.Chunks() {
		first := len(c.segments)
		for s := range chunk.Segments() {
			c.addSegment(s)
		}
		c.x.Writes = append(c.x.Writes, Chunk{Segments: c.segments[first:]})
	}
	first := len(c.segments)
	for s := range h.Reply.Segments() {
		c.addSegment(s)
	}
	c.x.ReplyChunk.Segments = c.segments[first:]
	c.settleChunks()
	t.offer(c)
	c.x.ChunksCut = c.hidden > 0
}

// addSegment adds a segment within the limit, and reuses the memory of its Moves.
func (c *call) addSegment(s rpcrdma.Segment) {
	n := len(c.segments)
	if n >= c.room {
		c.hidden++
		return
	}
	if n < cap(c.segments) {
		c.segments = c.segments[:n+1]
		c.segments[n] = Segment{Segment: s, Moves: c.segments[n].Moves[:0]}
		return
	}
	c.segments = append(c.segments, Segment{Segment: s})
}

// openReads adds the Read chunks.
func (c *call) openReads() {
	chunks := 0
	for p := range c.law.Reads.Positions() {
		if chunks++; chunks > rpcrules.MaxChunks {
			break
		}
		first := len(c.segments)
		for s := range c.law.Reads.Chunk(p) {
			c.addSegment(s)
		}
		c.x.Reads = append(c.x.Reads, Chunk{Position: p, Segments: c.segments[first:]})
	}
	for s := range c.law.Reads.Segments() {
		c.unread += uint64(s.Length)
	}
	c.hidden = c.law.Reads.Count() - len(c.segments)
}

// settleChunks makes the chunks slices of c.segments, which may have moved while it grew.
func (c *call) settleChunks() {
	at := 0
	settle := func(chunk *Chunk) {
		n := len(chunk.Segments)
		chunk.Segments = c.segments[at : at+n : at+n]
		at += n
	}
	for i := range c.x.Reads {
		settle(&c.x.Reads[i])
	}
	for i := range c.x.Writes {
		settle(&c.x.Writes[i])
	}
	settle(&c.x.ReplyChunk)
}

// offer makes regions of the segments of a Call.
func (t *transfers) offer(c *call) {
	c.regions = c.regions[:0]
	wanted := t.opts.OnMessage != nil
	left := t.opts.MaxMessage // octets that may be kept of the Call
	for i := range c.x.Reads {
		chunk := &c.x.Reads[i]
		left = t.offerChunk(c, chunk, false, left, wanted || chunk.Position == 0)
	}
	left = t.opts.MaxMessage // of the Reply
	for i := range c.x.Writes {
		left = t.offerChunk(c, &c.x.Writes[i], true, left, wanted)
	}
	t.offerChunk(c, &c.x.ReplyChunk, true, t.opts.MaxMessage, true)
	t.sides[c.Dir].memory.hidden += c.hidden
}

// offerChunk makes regions of the segments of a chunk. If wanted, up to left octets of them are kept. It returns how many
// more octets may be kept.
func (t *transfers) offerChunk(c *call, chunk *Chunk, write bool, left int, wanted bool) int {
	for i := range chunk.Segments {
		s, keep := &chunk.Segments[i], 0
		if wanted {
			keep = int(min(int64(left), int64(s.Length)))
			left -= keep
		}
		c.regions = append(c.regions, t.newRegion(c, len(c.regions), write, keep))
		t.out.Advertise(1-c.Dir, s.Handle)
	}
	return left
}

// newRegion makes a region of a segment; nil if it has no octets, or there are too many.
func (t *transfers) newRegion(c *call, place int, write bool, keep int) *region {
	s := &c.segments[place]
	if s.Length == 0 {
		return nil
	}
	var r *region
	if n := len(t.regions); n > 0 {
		r = t.regions[n-1]
		t.regions = t.regions[:n-1]
	} else {
		r = new(region)
	}
	*r = region{Segment: s.Segment, call: c, place: place, write: write, keep: keep, xid: c.x.XID}
	r.early = t.usedEarly(c, r)
	if !t.sides[c.Dir].memory.offer(r) {
		c.hidden++
		t.freeRegion(r)
		return nil
	}
	return r
}

// maxIdleRegions is how many regions are kept for reuse.
const maxIdleRegions = 1 << 10

func (t *transfers) freeRegion(r *region) {
	t.bufs.give(r.data)
	r.data, r.call = nil, nil
	if len(t.regions) < maxIdleRegions {
		t.regions = append(t.regions, r)
	}
}

// shut ends the use of the regions of a Call. Later operations are late.
func (t *transfers) shut(c *call, frame uint64) {
	memory := &t.sides[c.Dir].memory
	memory.hidden -= c.hidden
	for _, r := range c.regions {
		if r == nil {
			continue
		}
		if r.ended.frame == 0 {
			r.ended = ended{frame: frame, gaps: t.stream.gaps[c.Dir]}
			memory.retire(r)
		}
		t.freeRegion(r)
	}
	c.regions = c.regions[:0]
}

// invalidate ends the use of all regions of a side with an STag that a Send has invalidated.
func (t *transfers) invalidate(d flow.Direction, stag uint32, frame uint64) {
	memory := &t.sides[d].memory
	for r := memory.live.get(stag); r != nil; {
		next := r.next
		r.ended = ended{frame, true, t.stream.gaps[d]}
		memory.retire(r)
		r = next
	}
}

// owner returns the Call of a side that offers a TO of an STag to be written, or read; nil if it is not known.
func (t *transfers) owner(d flow.Direction, stag uint32, to uint64, write bool) *call {
	if r, _ := t.sides[d].memory.find(stag, to, write); r != nil {
		return r.call
	}
	return nil
}
