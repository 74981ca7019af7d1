package rpc

// The chunks of a Requester's Calls: registering their memory, and what came into it.

import (
	"errors"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// parts is what a Call consists of on a connection.
type parts struct {
	payload []byte // inline octets
	body    bool   // there are none, but a Position Zero Read chunk
	reads   rpcrdma.ReadList
	writes  rpcrdma.WriteList
	answer  rpcrdma.WriteChunk // the Reply chunk
	sinks   [][]byte           // of Call.Results: the memory of their Write chunks; nil for those without
	long    []byte             // the memory of the Reply chunk
	stags   []uint32           // that are registered
}

// arrange registers the memory of a Call.
func (r *Requester) arrange(p *pending, l limits) error {
	where := &r.where
	if err := l.place(p.Call, where); err != nil {
		return err
	}
	a := &arranging{r, l, &p.parts, nil}
	a.sources(p.Call, where)
	a.targets(p.Call, where)
	if a.err != nil {
		r.reclaim(p)
	}
	return a.err
}

// reclaim takes back the memory of a Call.
func (r *Requester) reclaim(p *pending) (err error) {
	for _, stag := range p.parts.stags {
		remote := r.invalidated != 0 && stag == r.invalidated
		if remote {
			r.invalidated = 0
		}
		err = errors.Join(err, r.memory.Deregister(stag, remote))
	}
	p.parts.stags = nil
	return err
}

// An arranging registers the memory of a Call, until an error.
type arranging struct {
	*Requester
	limits
	parts *parts
	err   error
}

// chunk registers octets, and returns the segments of a chunk, valid until the next one.
func (a *arranging) chunk(octets []byte, write bool) []rpcrdma.Segment {
	if a.err != nil {
		return nil
	}
	stag, to, err := a.memory.Register(octets, write)
	if a.err = err; err != nil {
		return nil
	}
	a.parts.stags = append(a.parts.stags, stag)
	segments := a.chunked[:0]
	for left := len(octets); left > 0; {
		n := min(left, a.segment)
		segments = append(segments, rpcrdma.Segment{Handle: stag, Length: uint32(n), Offset: to})
		to += uint64(n)
		left -= n
	}
	a.chunked = segments
	return segments
}

// sources puts arguments into Read chunks, and the rest where the placement says.
func (a *arranging) sources(c *Call, where *placement) {
	done := 0
	for i, g := range c.Arguments {
		if !where.arguments[i] {
			continue
		}
		end := g.At + g.Length
		for _, s := range a.chunk(c.Message[g.At:end:end], false) {
			a.parts.reads = a.parts.reads.Append(uint32(g.At), s)
		}
		a.parts.payload = joined(a.parts.payload, c.Message[done:g.At])
		done = end + roundup(g.Length)
	}
	a.parts.payload = joined(a.parts.payload, c.Message[done:])
	if a.parts.body = where.body; where.body {
		var reads rpcrdma.ReadList
		for _, s := range a.chunk(a.parts.payload, false) {
			reads = reads.Append(0, s)
		}
		a.parts.reads = append(reads, a.parts.reads...)
	}
}

// targets makes the Write chunks and the Reply chunk.
func (a *arranging) targets(c *Call, where *placement) {
	p := a.parts
	p.sinks = make([][]byte, len(c.Results))
	for i := range where.results[:where.last()] {
		if where.results[i] {
			if p.sinks[i] = c.Results[i].Into; p.sinks[i] == nil {
				p.sinks[i] = make([]byte, c.Results[i].Longest)
			}
			p.writes = p.writes.Append(a.chunk(p.sinks[i], true)...)
		} else {
			p.writes = p.writes.Append() // its result comes inline (RFC 8166, section 4.3.2.3)
		}
	}
	if where.reply > 0 {
		p.long = make([]byte, where.reply)
		p.answer = p.answer.Append(a.chunk(p.long, true)...)
	}
}

// reply returns the Reply with a header and octets inline. ok is false if its chunks are not those that were offered,
// or it is not a Reply to the Call.
func (p *parts) reply(m *rpcrdma.Message, payload []byte) (r Reply, ok bool) {
	long, good := returned(p.answer, m.Reply)
	switch {
	case !good, len(m.Reads) > 0:
		return r, false
	case m.Form == rpcrdma.FormBody:
		payload = p.long[:long]
	case long > 0:
		return r, false
	}
	if r.Results, ok = p.results(m.Writes); !ok || rpcrdma.CheckRPC(payload, m.XID, true) != nil {
		return r, false
	}
	r.Message = payload
	return r, true
}

// results returns what came in the Write chunks. A Write list without chunks leaves all unused.
func (p *parts) results(list rpcrdma.WriteList) (results [][]byte, ok bool) {
	results = make([][]byte, len(p.sinks))
	if len(list) == 0 {
		return results, true
	}
	offered := slices.Collect(p.writes.Chunks())
	i := 0
	for c := range list.Chunks() {
		if i == len(offered) {
			return nil, false
		}
		n, good := returned(offered[i], c)
		if !good {
			return nil, false
		}
		if p.sinks[i] != nil && n > 0 {
			results[i] = p.sinks[i][:n]
		}
		i++
	}
	return results, i == len(offered)
}

// returned compares a chunk with the one that was offered, and returns the octets in it. They fill it from its first
// segment on (RFC 8166, section 3.4.6). A chunk that does not come back is unused.
func returned(offered, c rpcrdma.WriteChunk) (octets int, ok bool) {
	if !c.Present() {
		return 0, true
	}
	if len(c) != len(offered) {
		return 0, false
	}
	full, at := true, len(c)-c.Count()*rpcrdma.SegmentLen
	for s := range c.Segments() {
		var o rpcrdma.Segment
		n, _ := o.Decode(offered[at:])
		at += n
		if s.Handle != o.Handle || s.Offset != o.Offset || s.Length > o.Length || !full && s.Length > 0 {
			return 0, false
		}
		full = s.Length == o.Length
		octets += int(s.Length)
	}
	return octets, true
}
