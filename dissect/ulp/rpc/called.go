package rpc

// Receiving Calls.

import (
	"fmt"
	"hash/maphash"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// begin opens a Call at its first message, or returns the open one that the message repeats.
func (f *follower) begin(m *record.Message, h *rpcrdma.Message) (c *call, again bool) {
	side := &f.sides[m.Dir]
	hash := f.hash()
	if old := side.calls.byXID.get(h.XID); old != nil {
		if old.hash == hash {
			return old, true
		}
		old.Outcome = f.fate(old)
		reuse := rpcrules.XIDReuse.Breach(h.Dialect,
			fmt.Sprintf("XID 0x%08x of the Call in %s", h.XID, m.Conn.Frames.Text(flow.At(old.Request.Frame, 0))), "another XID, for that is open")
		reuse.Doubt = unless(old.Outcome == record.Unanswered)
		f.out.found(&m.Origin, reuse)
		f.close(old, m.LastFrame)
	} else if side.calls.over.refused && h.Dialect == rpcrdma.DialectVersion1 {
		f.checkRepeated(m, h, hash)
	}
	if side.calls.n >= maxOpen {
		oldest := side.calls.open.Idlest()
		oldest.Outcome = record.OutcomeUnknown
		f.close(oldest, m.LastFrame)
	}
	c = f.pool.take()
	c.hash, c.gaps, c.unmatched = hash, f.stream.gaps, f.stream.unmatched
	c.Conn, c.Kind, c.Dir, c.Request, c.Outcome = m.Conn, record.UpperTransaction, m.Dir, m.Span, record.Unanswered
	c.Name, c.ID, c.Upper = unnamed, uint64(h.XID), &c.x
	c.x.XID, c.x.Dialect, c.x.Reverse, c.x.Name = h.XID, h.Dialect, m.Dir == flow.S2C, unnamed
	side.calls.add(c)
	return c, false
}

// checkRepeated reports a Call that was refused before.
func (f *follower) checkRepeated(m *record.Message, h *rpcrdma.Message, hash uint64) {
	if e, ok := f.sides[m.Dir].calls.over.find(h.XID); ok && e.refused && e.hash == hash {
		f.out.found(&m.Origin, rpcrules.Repeat.Breach(
			fmt.Sprintf("the Call that %s refused", m.Conn.Frames.Text(flow.At(e.frame, 0))), "another one, or none"))
	}
}

// hash distinguishes messages with the same XID. It ignores the credits.
func (f *follower) hash() uint64 {
	const behindCredits = 12
	return maphash.Bytes(f.seed, f.raw[min(len(f.raw), behindCredits):])
}

// faulty handles a faulty message in the place of a Call. ends says that it ends its sequence.
func (f *follower) faulty(m *record.Message, h *rpcrdma.Message, fault *rpcrules.Fault, ends bool) {
	q := &f.sides[m.Dir].sequence
	c, again := q.call, q.again
	switch own := q.active && c != nil && c.x.XID == h.XID; {
	case own && !ends: // not part of the Call in progress, which continues
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
	c.joined = true // it cannot be put together
	f.out.foundAll(&m.Origin, f.law.Called(rpcrules.Side(m.Dir), &c.law, f.out.scratch[:0]))
	if h.Err == nil {
		f.transfers.open(c, h) // a Responder that ignores the fault uses them
	}
	f.invalidate(m, h, nil)
	f.report(m, h, c)
}

// describe stores what the transport header says about a Call.
func (f *follower) describe(c *call, m *record.Message, h *rpcrdma.Message, p *payload) {
	c.Request = p.Span
	c.msn = m.First.Untagged.MSN
	half := &c.x.Call
	*half = p.half(h)
	if m.Opcode.HasInvalidateSTag() {
		half.Invalidates, half.InvalidatedSTag = true, m.First.InvalidateSTag
	}
}

// called handles a Call that is whole except for its Read chunks.
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

// len is the length of the Call in octets before reduction; 0 if some of its chunks are not followed.
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

// close ends and reports a Call. frame is where its memory ceases to be available.
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
