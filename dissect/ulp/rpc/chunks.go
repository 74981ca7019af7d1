package rpc

// The chunks of a Call, from when it offers them until its Reply.

import (
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
)

// maxSegments is how many segments of one Call are followed.
const maxSegments = 1 << 10

// open enters the segments of a Call: they may be used from now on.
func (f *follower) open(c *call, h *rpcrdma.Message) {
	if !h.HasChunks() {
		return
	}
	if c.law.Cut {
		c.x.ChunksCut, c.hidden = true, h.Segments()
		f.sides[c.Dir].memory.hidden += c.hidden
		return
	}
	c.room = min(maxSegments, maxRegions-f.sides[c.Dir].memory.regions)
	f.openReads(c)
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
	f.offer(c)
	c.x.ChunksCut = c.hidden > 0
}

// addSegment adds a segment, if there are not too many, and keeps the memory of its Moves.
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

// openReads enters the Read chunks, one by one.
func (f *follower) openReads(c *call) {
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

// settleChunks makes the chunks parts of c.segments, which may have moved while it grew.
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
func (f *follower) offer(c *call) {
	c.regions = c.regions[:0]
	wanted := f.opts.OnMessage != nil
	left := f.opts.MaxMessage // octets that may be kept of the Call
	for i := range c.x.Reads {
		chunk := &c.x.Reads[i]
		left = f.offerChunk(c, chunk, false, left, wanted || chunk.Position == 0)
	}
	left = f.opts.MaxMessage // of the Reply
	for i := range c.x.Writes {
		left = f.offerChunk(c, &c.x.Writes[i], true, left, wanted)
	}
	f.offerChunk(c, &c.x.ReplyChunk, true, f.opts.MaxMessage, true)
	f.sides[c.Dir].memory.hidden += c.hidden
}

// offerChunk makes regions of the segments of a chunk, whose octets are to be kept, left of them, or not. It returns
// how many octets may be kept beside these.
func (f *follower) offerChunk(c *call, chunk *Chunk, write bool, left int, wanted bool) int {
	for i := range chunk.Segments {
		s, keep := &chunk.Segments[i], 0
		if wanted {
			keep = int(min(int64(left), int64(s.Length)))
			left -= keep
		}
		c.regions = append(c.regions, f.newRegion(c, len(c.regions), write, keep))
		f.reporter.Advertise(1-c.Dir, s.Handle)
	}
	return left
}

// newRegion makes a region of a segment; nil if it has no octets, or there are too many.
func (f *follower) newRegion(c *call, place int, write bool, keep int) *region {
	s := &c.segments[place]
	if s.Length == 0 {
		return nil
	}
	var r *region
	if n := len(f.regions); n > 0 {
		r = f.regions[n-1]
		f.regions = f.regions[:n-1]
	} else {
		r = new(region)
	}
	*r = region{Segment: s.Segment, call: c, place: place, write: write, keep: keep, xid: c.x.XID}
	r.early = f.forestalled(c, r)
	if !f.sides[c.Dir].memory.offer(r) {
		c.hidden++
		f.freeRegion(r)
		return nil
	}
	return r
}

// maxIdleRegions is how many regions a Follower keeps to use them again.
const maxIdleRegions = 1 << 10

func (f *follower) freeRegion(r *region) {
	f.bufs.give(r.data)
	r.data, r.call = nil, nil
	if len(f.regions) < maxIdleRegions {
		f.regions = append(f.regions, r)
	}
}

// shut ends the use of the regions of a Call; what comes later is late.
func (f *follower) shut(c *call, frame uint64) {
	side := &f.sides[c.Dir]
	side.memory.hidden -= c.hidden
	for _, r := range c.regions {
		if r == nil {
			continue
		}
		if r.ended.frame == 0 {
			r.ended = ended{frame: frame, gaps: side.gaps}
			side.memory.bury(r)
		}
		f.freeRegion(r)
	}
	c.regions = c.regions[:0]
}
