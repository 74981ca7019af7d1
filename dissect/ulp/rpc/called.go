package rpc

// Calls, as they come.

import (
	"fmt"
	"hash/maphash"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// begin begins a Call with its first message, or finds the open one that the message repeats.
func (f *follower) begin(m *record.Message, h *rpcrdma.Message) (c *call, again bool) {
	side := &f.sides[m.Dir]
	hash := f.hash()
	if old := side.calls.byXID.get(h.XID); old != nil {
		if old.hash == hash {
			return old, true
		}
		f.out.found(&m.Origin, rpcrules.XIDReuse.Breach(h.Dialect,
			fmt.Sprintf("XID %#08x of the Call in frame %d", h.XID, old.Request.Frame),
			"another XID, for that is open"))
		old.Outcome = f.stream.fate(old)
		f.close(old, m.LastFrame)
	} else if side.calls.over.refused && h.Dialect == rpcrdma.DialectVersion1 {
		f.checkRepeated(m, h, hash)
	}
	if side.calls.n >= maxOpen {
		oldest := side.calls.oldest
		oldest.Outcome = record.OutcomeUnknown
		f.close(oldest, m.LastFrame)
	}
	c = f.pool.take()
	c.hash, c.gaps, c.unmatched = hash, f.stream.gaps, f.stream.unmatched
	c.Conn, c.Kind, c.Dir, c.Request, c.Outcome = m.Conn, record.UpperTransaction, m.Dir, m.Span, record.Unanswered
	c.Name, c.ID, c.Upper = unnamed, uint64(h.XID), &c.x
	c.x.XID, c.x.Dialect, c.x.Reverse, c.x.Name = h.XID, h.Dialect, m.Dir == record.S2C, unnamed
	side.calls.add(c)
	return c, false
}

// checkRepeated judges whether a Call was refused before.
func (f *follower) checkRepeated(m *record.Message, h *rpcrdma.Message, hash uint64) {
	if e, ok := f.sides[m.Dir].calls.over.find(h.XID); ok && e.refused && e.hash == hash {
		f.out.found(&m.Origin, rpcrules.Repeat.Breach(
			fmt.Sprintf("the Call that frame %d refused", e.frame), "another one, or none"))
	}
}

// hash tells messages apart that have the same XID. The credits do not count.
func (f *follower) hash() uint64 {
	const behindCredits = 12
	return maphash.Bytes(f.seed, f.raw[min(len(f.raw), behindCredits):])
}

// faulty takes a message that takes the place of a Call, but is at fault. ends says that it ends the sequence that
// it is a part of.
func (f *follower) faulty(m *record.Message, h *rpcrdma.Message, fault *rpcrules.Fault, ends bool) {
	q := &f.sides[m.Dir].sequence
	c, again := q.call, q.again
	switch own := q.active && c != nil && c.x.XID == h.XID; {
	case own && !ends: // an intruder with the XID of the Call in progress, which goes on
		c.law.Fault = fault
		f.report(m, h, c)
		return
	case own:
		q.drop(&f.bufs)
	default:
		c, again = f.begin(m, h)
	}
	if again {
		c.x.Repeats++
		f.report(m, h, c)
		return
	}
	f.pool.keep(c, h, 1, fault)
	f.describe(c, m, h, &payload{Span: m.Span, parts: 1})
	c.joined = true // nobody puts it together
	f.out.foundAll(&m.Origin, f.law.Called(rpcrules.Side(m.Dir), &c.law, f.out.scratch[:0]))
	if h.Err == nil {
		f.transfers.open(c, h) // a Responder that does not mind the fault uses them
	}
	f.invalidate(m, h, nil)
	f.report(m, h, c)
}

// describe notes what the transport says of a Call.
func (f *follower) describe(c *call, m *record.Message, h *rpcrdma.Message, p *payload) {
	c.Request = p.Span
	c.msn = m.First.Untagged.MSN
	half := &c.x.Call
	*half = p.half(h)
	if m.Opcode.HasInvalidateSTag() {
		half.Invalidates, half.InvalidatedSTag = true, m.First.InvalidateSTag
	}
}

// called takes a Call that is whole but for its Read chunks.
func (f *follower) called(m *record.Message, h *rpcrdma.Message, c *call, p *payload) {
	var fault *rpcrules.Fault
	v := f.out.scratch[:0]
	if h.Form == rpcrdma.FormInline {
		fault, v = rpcrules.CheckPayload(h, p.octets, p.len, v)
	}
	f.pool.keep(c, h, p.parts, fault)
	f.describe(c, m, h, p)
	f.out.foundAll(&m.Origin, f.law.Called(rpcrules.Side(m.Dir), &c.law, v))
	f.transfers.open(c, h)
	c.x.Call.Len = c.len()
	if h.Form == rpcrdma.FormInline {
		f.reader.read(c, &m.Origin, p.octets, p.cut())
		if c.unread == 0 {
			f.reader.passCall(c, p.octets)
		} else if f.opts.OnMessage != nil {
			c.inline = f.bufs.put(c.inline, 0, p.octets, f.opts.MaxMessage)
		}
	}
	f.invalidate(m, h, nil)
	f.report(m, h, c)
	f.claim(c, c.Request.LastFrame)
}

// len is the number of octets of the Call before it was reduced; 0 if not all of its chunks are followed.
func (c *call) len() uint64 {
	if c.x.ChunksCut {
		return 0
	}
	n := c.x.Call.Inline
	for i := range c.x.Reads {
		chunk := c.x.Reads[i].Offered()
		n += chunk + -chunk&3
	}
	return n
}

// close ends a Call: it is reported, and frame is where its memory is not to be used any more.
func (f *follower) close(c *call, frame uint64) {
	side := &f.sides[c.Dir]
	if q := &side.sequence; q.call == c {
		q.drop(&f.bufs)
	}
	if !c.joined {
		f.reader.joinCall(c, c.origin())
	}
	c.Octets = c.x.Call.Len + c.x.Reply.Len
	f.out.Transaction(&c.Transaction)
	f.transfers.shut(c, frame)
	side.calls.remove(c)
	side.calls.over.add(ending{c.x.XID, c.hash, frame, c.Outcome == record.Refused && !c.denied})
	f.pool.give(c)
}
