package rpc

// Replies, and errors in their place.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// replied takes a Reply that is whole but for what is in chunks.
func (f *follower) replied(m *record.Message, h *rpcrdma.Message, p *payload) {
	var fault *rpcrules.Fault
	v := f.violations[:0]
	if h.Form == rpcrdma.FormInline {
		fault, v = rpcrules.CheckPayload(h, p.octets, p.len, v)
	}
	f.foundAll(&m.Origin, v)
	c := f.sides[1-m.Dir].calls.byXID.get(h.XID)
	if c == nil && fault != nil {
		f.badReply(m, h)
		return
	}
	if c == nil {
		f.unasked(m, h, rpcrules.ReplyXID)
		return
	}
	f.answered(c, m, h, p)
	f.foundAll(&m.Origin, f.law.Answered(rpcrules.Side(m.Dir), &c.law, h, p.parts, p.len, f.violations[:0]))
	f.invalidate(m, h, c)
	c.returned(h)
	f.checkWritten(c, &m.Origin)
	if !c.joined {
		f.joinCall(c, f.origin(c))
	}
	message, cut := p.octets, p.cut()
	if h.Form == rpcrdma.FormBody {
		message, cut = f.body(c, &c.x.ReplyChunk, c.x.ReplyChunk.Returned())
		_, v := rpcrules.CheckPayload(h, message, c.x.ReplyChunk.Returned(), f.violations[:0])
		f.foundAll(&m.Origin, v)
		f.replyBody = message
	}
	f.readReply(c, m, h, message, cut)
	f.passReply(c, m, message, cut)
	f.report(m, h, c)
	f.close(c, m.LastFrame)
}

// answered notes what the transport says of the answer to a Call.
func (f *follower) answered(c *call, m *record.Message, h *rpcrdma.Message, p *payload) {
	c.Outcome, c.Response = record.Answered, p.Span
	calls := &f.sides[c.Dir].calls
	calls.answered = max(calls.answered, c.seq+1)
	c.x.Reply = p.half(h)
}

// returned takes the lengths that a Reply states, as far as its chunks are those of the Call.
func (c *call) returned(h *rpcrdma.Message) {
	half := &c.x.Reply
	half.Len = half.Inline
	if len(c.x.Writes) > 0 {
		half.Len += c.written(h)
	}
	if len(c.x.ReplyChunk.Segments) > 0 {
		if n := c.x.ReplyChunk.returned(h.Reply); h.Form == rpcrdma.FormBody {
			half.Len += n
		}
	}
	if c.x.ChunksCut {
		half.Len = 0
	}
}

// written takes the lengths of the Write list, and is how many octets they are, with their roundup octets.
func (c *call) written(h *rpcrdma.Message) (octets uint64) {
	i := 0
	for chunk := range h.Writes.Chunks() {
		if i == len(c.x.Writes) {
			break
		}
		n := c.x.Writes[i].returned(chunk)
		octets += n + -n&3
		i++
	}
	return octets
}

func (c *Chunk) returned(chunk rpcrdma.WriteChunk) (n uint64) {
	i := 0
	for s := range chunk.Segments() {
		if i == len(c.Segments) {
			break
		}
		own := &c.Segments[i]
		if own.Handle == s.Handle && own.Offset == s.Offset {
			own.Returned = s.Length
			n += uint64(s.Length)
		}
		i++
	}
	return n
}

// checkWritten judges whether what a Reply says was written was, and nothing else.
func (f *follower) checkWritten(c *call, o *record.Origin) {
	if len(c.regions) == 0 || f.sides[o.Dir].gaps != c.gaps[o.Dir] {
		return // RDMA Writes may have been missed
	}
	for _, r := range c.regions {
		if r == nil || !r.write || r.cover.lost || r.early {
			continue
		}
		returned := uint64(c.segments[r.place].Returned)
		if n := r.cover.begin(); n < returned {
			f.found(o, rpcrules.Unwritten.Breach(c.x.Dialect,
				fmt.Sprintf("%d octets in the segment with STag %#08x, %d of them written", returned, r.Handle, n),
				"all of them"))
		} else if n := r.cover.end(); n > returned {
			f.found(o, rpcrules.Excess.Breach(c.x.Dialect,
				fmt.Sprintf("%d octets written into the segment with STag %#08x", n, r.Handle), fmt.Sprint(returned)))
		}
	}
}

// success is what the Reply to a Call that succeeded says.
var success = oncrpc.Success.String()

// readReply reads a Reply, which is there but for what is in Write chunks.
func (f *follower) readReply(c *call, m *record.Message, h *rpcrdma.Message, message []byte, cut bool) {
	var r oncrpc.Reply
	n, err := r.Decode(message)
	if err != nil {
		return
	}
	c.x.Result = success
	failed := !r.Succeeded()
	if failed {
		c.Outcome, c.denied, c.x.Result = record.Refused, true, r.Stat()
		c.x.everyday = r.ReplyStat == oncrpc.Accepted && r.AcceptStat.NotOffered()
	} else if c.x.Known {
		if status := nfsError(&c.x, message[n:]); status != nil {
			failed, c.x.Result, c.x.everyday = true, status.String(), status.Everyday()
		}
	}
	if failed {
		c.Status = c.x.Result
	} else {
		f.checkRead(c, &m.Origin)
	}
	if c.x.Known {
		f.foundAll(&m.Origin, f.eligible.Reply(&c.law, h, c.x.rpc(), message, cut, f.violations[:0]))
	}
}

// checkRead judges whether the Responder has read all Read chunks of a Call that succeeded.
func (f *follower) checkRead(c *call, o *record.Origin) {
	gaps := [2]uint32{f.sides[0].gaps, f.sides[1].gaps}
	if c.unread == 0 || c.x.ChunksCut || f.unmatched != c.unmatched || gaps != c.gaps {
		return
	}
	for _, r := range c.regions {
		if r != nil && (r.cover.lost || r.early) {
			return
		}
	}
	all := uint64(0)
	for i := range c.x.Reads {
		all += c.x.Reads[i].Offered()
	}
	f.found(o, rpcrules.Unread.Breach(c.x.Dialect,
		fmt.Sprintf("success, with %d octets of Read chunks that were not read", c.unread),
		fmt.Sprintf("all %d octets read", all)))
}

// badReply takes a Reply whose header is at fault. Its receiver drops it, but it was what answered the Call.
func (f *follower) badReply(m *record.Message, h *rpcrdma.Message) {
	f.sides[m.Dir].sequence.drop(f)
	c := f.sides[1-m.Dir].calls.byXID.get(h.XID)
	f.invalidate(m, h, c)
	if c == nil {
		f.report(m, h, nil)
		return
	}
	f.answered(c, m, h, &payload{Span: m.Span, len: uint64(h.Len - h.HeaderLen), parts: 1})
	f.foundAll(&m.Origin, f.law.Answered(rpcrules.Side(m.Dir), &c.law, h, 1, 0, f.violations[:0]))
	f.report(m, h, c)
	f.close(c, m.LastFrame)
}

// refused takes an error. It answers an open Call, or what is no RPC message.
func (f *follower) refused(m *record.Message, h *rpcrdma.Message) {
	other := &f.sides[1-m.Dir]
	c := other.calls.byXID.get(h.XID)
	if c == nil && other.hasProps && other.props.XID == h.XID {
		f.foundAll(&m.Origin, f.law.Answered(rpcrules.Side(m.Dir), &other.props, h, 1, 0, f.violations[:0]))
		f.invalidate(m, h, nil)
		f.report(m, h, nil)
		return
	}
	if c == nil {
		f.unasked(m, h, rpcrules.ErrorXID)
		return
	}
	f.answered(c, m, h, &payload{Span: m.Span, parts: 1})
	c.Outcome = record.Refused
	c.x.Result = h.ErrorName()
	c.Status = c.x.Result
	f.foundAll(&m.Origin, f.law.Answered(rpcrules.Side(m.Dir), &c.law, h, 1, 0, f.violations[:0]))
	f.invalidate(m, h, c)
	f.report(m, h, c)
	f.close(c, m.LastFrame)
}

// unasked takes the answer to a Call that is not open.
func (f *follower) unasked(m *record.Message, h *rpcrdma.Message, rule rpcrules.Pair) {
	other := &f.sides[1-m.Dir]
	xid := fmt.Sprintf("XID %#08x", h.XID)
	if e, ok := other.calls.over.find(h.XID); ok && other.gaps == 0 {
		f.found(&m.Origin, rule.Breach(h.Dialect,
			xid+" again", fmt.Sprintf("an open Call: that was answered in frame %d", e.frame)))
	} else if other.gaps == 0 {
		f.found(&m.Origin, rule.Breach(h.Dialect, xid, "the XID of an open Call"))
	} else {
		other.calls.awaited.add(m, h)
	}
	f.invalidate(m, h, nil)
	f.report(m, h, nil)
}
