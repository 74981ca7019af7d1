package rpc

// Calls, as they come.

import (
	"errors"
	"fmt"
	"hash/maphash"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
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
		f.found(&m.Origin, rpcrules.XIDReuse.Breach(h.Dialect,
			fmt.Sprintf("XID %#08x of the Call in frame %d", h.XID, old.Request.Frame),
			"another XID, for that is open"))
		f.giveUp(old)
		f.close(old, m.LastFrame)
	} else if side.calls.over.refused && h.Dialect == rpcrdma.DialectVersion1 {
		f.checkRepeated(m, h, hash)
	}
	if side.calls.n >= maxOpen {
		oldest := side.calls.oldest
		oldest.Outcome = record.OutcomeUnknown
		f.close(oldest, m.LastFrame)
	}
	c = f.newCall()
	c.hash, c.gaps, c.unmatched = hash, [2]uint32{f.sides[0].gaps, f.sides[1].gaps}, f.unmatched
	c.Conn, c.Kind, c.Dir, c.Request, c.Outcome = m.Conn, record.UpperTransaction, m.Dir, m.Span, record.Unanswered
	c.Name, c.ID, c.Upper = unnamed, uint64(h.XID), &c.x
	c.x.XID, c.x.Dialect, c.x.Reverse, c.x.Name = h.XID, h.Dialect, m.Dir == record.S2C, unnamed
	side.calls.add(c)
	return c, false
}

// checkRepeated judges whether a Call was refused before.
func (f *follower) checkRepeated(m *record.Message, h *rpcrdma.Message, hash uint64) {
	if e, ok := f.sides[m.Dir].calls.over.find(h.XID); ok && e.refused && e.hash == hash {
		f.found(&m.Origin, rpcrules.Repeat.Breach(
			fmt.Sprintf("the Call that frame %d refused", e.frame), "another one, or none"))
	}
}

// Limits of the chunk lists that are kept, in octets: of one Call, and of all that are open.
const (
	maxLists      = 1 << 15
	maxListsInAll = 1 << 22
)

// keep keeps the header of a Call.
func (f *follower) keep(c *call, h *rpcrdma.Message, parts int, fault *rpcrules.Fault) {
	f.lists -= c.law.Len()
	c.law.Keep(h, parts, fault, min(maxLists, maxListsInAll-f.lists))
	f.lists += c.law.Len()
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
		q.drop(f)
	default:
		c, again = f.begin(m, h)
	}
	if again {
		c.x.Repeats++
		f.report(m, h, c)
		return
	}
	f.keep(c, h, 1, fault)
	f.describe(c, m, h, &payload{Span: m.Span, parts: 1})
	c.joined = true // nobody puts it together
	f.foundAll(&m.Origin, f.law.Called(rpcrules.Side(m.Dir), &c.law, f.violations[:0]))
	if h.Err == nil {
		f.open(c, h) // a Responder that does not mind the fault uses them
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
	v := f.violations[:0]
	if h.Form == rpcrdma.FormInline {
		fault, v = rpcrules.CheckPayload(h, p.octets, p.len, v)
	}
	f.keep(c, h, p.parts, fault)
	f.describe(c, m, h, p)
	f.foundAll(&m.Origin, f.law.Called(rpcrules.Side(m.Dir), &c.law, v))
	f.open(c, h)
	c.x.Call.Len = c.len()
	if h.Form == rpcrdma.FormInline {
		f.read(c, &m.Origin, p.octets, p.cut())
		if c.unread == 0 {
			f.passCall(c, p.octets)
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

// read reads a Call, which is there but for what is in Read chunks at Positions other than 0: what it calls, and
// whether its chunks are as they may be.
func (f *follower) read(c *call, o *record.Origin, message []byte, cut bool) {
	v := f.violations[:0]
	if len(c.law.Reads) > 0 {
		inline := c.x.Call.Inline
		if c.law.Form == rpcrdma.FormBody {
			inline = c.law.Reads.Length(0)
		}
		v = rpcrules.CheckPositions(c.x.Dialect, c.law.Reads, inline, v)
	}
	var h oncrpc.Call
	n, err := h.Decode(message)
	if err != nil {
		f.foundAll(o, v)
		f.readCut(c, &h, n, err)
		return
	}
	c.x.Procedure, c.x.Protection, c.x.Known = h.Procedure(), h.Protection(), true
	if !f.identify(c, message, n) && !c.x.Reverse {
		f.nfs.callbacks = true
	}
	f.name(c)
	c.law.Compound = c.x.Procedure.IsCompound()
	v = f.eligible.Call(&c.law, message, cut, f.law.Threshold(rpcrules.Side(1-c.Dir)), v)
	f.foundAll(o, f.nfs.call(f, c, v))
}

// readCut notes what a Call calls of whose header only the begin is there.
func (f *follower) readCut(c *call, h *oncrpc.Call, n int, err error) {
	if n < oncrpc.CallLen || !errors.Is(err, field.ErrShort) {
		return
	}
	c.x.Procedure, c.x.Protection, c.x.Known = h.Procedure(), oncrpc.Unknown, true
	f.nfs.callbacks = true
	f.name(c)
}

// identify finds the operations of a COMPOUND. It is false if there may be others.
func (f *follower) identify(c *call, message []byte, n int) bool {
	x := &c.x
	x.compound, x.Operations, x.Callbacks = false, x.Operations[:0], x.Callbacks[:0]
	if p, ok := x.Procedure.AsCallback(); ok && x.Reverse {
		x.Procedure = p
	}
	if !x.Procedure.IsCompound() && !x.Procedure.IsCBCompound() {
		return true
	}
	body, off, ok := x.Protection.Unwrap(message[n:])
	if !ok {
		return false
	}
	off += n
	ops := &f.operations
	ops.Positions = f.eligible.Positions(&c.law)
	if x.compound = x.walk(ops, message[:off+len(body)], off); !x.compound {
		return false
	}
	for len(x.Operations)+len(x.Callbacks) < MaxOperations && ops.Next() {
		if x.Procedure.IsCompound() {
			x.Operations = append(x.Operations, ops.Op)
		} else {
			x.Callbacks = append(x.Callbacks, oncrpc.CBOp(ops.Op))
		}
	}
	return ops.Stop() == oncrpc.StopEnd
}

// walk begins a walk along the operations, whose COMPOUND begins at off. It is false if that is cut.
func (x *Exchange) walk(ops *oncrpc.Operations, message []byte, off int) bool {
	if x.Procedure.IsCompound() {
		var args oncrpc.CompoundArgs
		n, err := args.Decode(message[off:])
		ops.Reset(message, off+n, &args)
		x.Minor = args.MinorVersion
		return err == nil
	}
	var args oncrpc.CBCompoundArgs
	n, err := args.Decode(message[off:])
	ops.ResetCB(message, off+n, &args)
	x.Minor = args.MinorVersion
	return err == nil
}

// origin is who sent a Call, and in which frames.
func (f *follower) origin(c *call) *record.Origin {
	return &record.Origin{Conn: c.Conn, Dir: c.Dir, Span: c.Request}
}

// giveUp says of a Call that nothing answered it; or that nobody knows, if messages of the other side were missed.
func (f *follower) giveUp(c *call) {
	c.Outcome = f.fate(c)
}

// fate is what is to be said of a Call without answer.
func (f *follower) fate(c *call) record.Outcome {
	if f.sides[1-c.Dir].gaps != c.gaps[1-c.Dir] {
		return record.OutcomeUnknown
	}
	return record.Unanswered
}

// close ends a Call: it is reported, and frame is where its memory is not to be used any more.
func (f *follower) close(c *call, frame uint64) {
	side := &f.sides[c.Dir]
	if q := &side.sequence; q.call == c {
		q.drop(f)
	}
	if !c.joined {
		f.joinCall(c, f.origin(c))
	}
	c.Octets = c.x.Call.Len + c.x.Reply.Len
	f.reporter.Transaction(&c.Transaction)
	f.shut(c, frame)
	side.calls.remove(c)
	side.calls.over.add(ending{c.x.XID, c.hash, frame, c.Outcome == record.Refused && !c.denied})
	f.freeCall(c)
}
