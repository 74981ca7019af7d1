package rpc

// Receiving Replies, and errors in their place.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// replied handles a Reply that is whole except for the parts in chunks.
func (f *follower) replied(m *record.Message, h *rpcrdma.Message, p *payload) {
	var fault *rpcrules.Fault
	v := f.out.scratch[:0]
	if h.Form == rpcrdma.FormInline {
		fault, v = rpcrules.CheckPayload(h, p.octets, p.len, v)
	}
	f.out.foundAll(&m.Origin, v)
	c := f.sides[1-m.Dir].calls.byXID.get(h.XID)
	if c == nil && fault != nil {
		f.badReply(m, h)
		return
	}
	if c == nil {
		f.unasked(m, h, p, rpcrules.ReplyXID)
		return
	}
	f.answered(c, m, h, p)
	f.out.foundAll(&m.Origin, f.law.Answered(rpcrules.Side(m.Dir), &c.law, h, p.parts, p.len, f.out.scratch[:0]))
	f.invalidate(m, h, c)
	c.returned(h)
	f.reader.checkWritten(c, &m.Origin)
	if !c.joined {
		f.reader.joinCall(c, c.origin())
	}
	message, cut := p.octets, p.cut()
	if h.Form == rpcrdma.FormBody && c.law.Cut {
		cut = true
	} else if h.Form == rpcrdma.FormBody {
		message, cut = f.reader.body(c, &c.x.ReplyChunk, c.x.ReplyChunk.Returned())
		_, v := rpcrules.CheckPayload(h, message, c.x.ReplyChunk.Returned(), f.out.scratch[:0])
		f.out.foundAll(&m.Origin, v)
		f.replyBody = message
	}
	f.reader.readReply(c, m, h, message, cut)
	f.reader.passReply(c, m, message, cut)
	f.report(m, h, c)
	f.close(c, m.LastFrame)
}

// answered stores what the transport header says about the answer to a Call.
func (f *follower) answered(c *call, m *record.Message, h *rpcrdma.Message, p *payload) {
	c.Outcome, c.Response = record.Answered, p.Span
	calls := &f.sides[c.Dir].calls
	if q := &f.sides[c.Dir].sequence; q.call == c && f.stream.gaps[c.Dir] > 0 {
		q.miss()
	}
	calls.answered = max(calls.answered, c.seq+1)
	c.x.Reply = p.half(h)
}

// returned stores the lengths that a Reply states, as far as its chunks are those of the Call.
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

// written stores the lengths of the Write list, and returns their sum with roundup octets.
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

// badReply handles a Reply with a faulty header. Its receiver drops it, but it answers the Call.
func (f *follower) badReply(m *record.Message, h *rpcrdma.Message) {
	f.sides[m.Dir].sequence.drop(&f.bufs)
	c := f.sides[1-m.Dir].calls.byXID.get(h.XID)
	f.invalidate(m, h, c)
	if c == nil {
		f.report(m, h, nil)
		return
	}
	f.answered(c, m, h, &payload{Span: m.Span, len: uint64(h.Len - h.HeaderLen), parts: 1})
	f.out.foundAll(&m.Origin, f.law.Answered(rpcrules.Side(m.Dir), &c.law, h, 1, 0, f.out.scratch[:0]))
	f.report(m, h, c)
	f.close(c, m.LastFrame)
}

// refused handles an error. It answers an open Call, or a message without RPC.
func (f *follower) refused(m *record.Message, h *rpcrdma.Message) {
	other := &f.sides[1-m.Dir]
	c := other.calls.byXID.get(h.XID)
	granted := other.props.Form == rpcrdma.FormGrant && other.props.Fault == nil // which nothing answers
	if c == nil && other.hasProps && other.props.XID == h.XID && !granted {
		f.out.foundAll(&m.Origin, f.law.Answered(rpcrules.Side(m.Dir), &other.props, h, 1, 0, f.out.scratch[:0]))
		f.invalidate(m, h, nil)
		f.report(m, h, nil)
		return
	}
	if c == nil {
		f.unasked(m, h, &payload{Span: m.Span, parts: 1}, rpcrules.ErrorXID)
		return
	}
	f.answered(c, m, h, &payload{Span: m.Span, parts: 1})
	c.Outcome = record.Refused
	c.x.Result = h.ErrorName()
	c.Status, c.x.advice = refusal(h), errorAdvice(h)
	f.out.foundAll(&m.Origin, f.law.Answered(rpcrules.Side(m.Dir), &c.law, h, 1, 0, f.out.scratch[:0]))
	f.invalidate(m, h, c)
	f.report(m, h, c)
	f.close(c, m.LastFrame)
}

// refusal is an RDMA_ERROR in words: "ERR_VERS (it knows versions 2 to 3)".
func refusal(h *rpcrdma.Message) string {
	if h.Error.VersHigh == 0 { // it is not ERR_VERS
		return h.ErrorName()
	}
	return h.ErrorName() + rangeText("knows", h.Error.VersLow, h.Error.VersHigh)
}

// errorAdvice is what to do about an RDMA_ERROR; empty if there is nothing in particular.
func errorAdvice(h *rpcrdma.Message) string {
	switch code := h.Error.Err; {
	case code == rpcrdma.ErrCode2Vers:
		return dialectAdvice
	case h.Dialect == rpcrdma.DialectVersion1 && rpcrdma.ErrCode(code) == rpcrdma.ErrCodeChunk,
		h.Dialect != rpcrdma.DialectVersion1 && code >= rpcrdma.ErrCode2ReadChunks && code <= rpcrdma.ErrCode2ReplyResource:
		return chunkAdvice
	}
	return ""
}

// unasked handles an answer to a Call that is not open.
func (f *follower) unasked(m *record.Message, h *rpcrdma.Message, p *payload, rule rpcrules.Pair) {
	calls, xid, lost := &f.sides[1-m.Dir].calls, fmt.Sprintf("XID 0x%08x", h.XID), f.stream.gaps[1-m.Dir] > 0
	v := rule.Breach(h.Dialect, xid, "the XID of an open Call")
	if e, ok := calls.over.find(h.XID); ok {
		v = rule.Breach(h.Dialect, xid+" again", fmt.Sprintf("an open Call: that was answered in %s", m.Conn.Frames.Text(flow.At(e.frame, 0))))
	}
	if lost {
		calls.awaited.add(h, p)
		f.law.Unmatched(rpcrules.Side(m.Dir))
	} else {
		f.out.found(&m.Origin, v)
	}
	if lost && f.stream.mayDefer(1-m.Dir) {
		f.stream.deferUntilEnd(1-m.Dir, deferred{Origin: m.Origin, Violation: v, missedAt: f.out.MissedAt(), xid: h.XID})
	}
	f.invalidate(m, h, nil)
	f.report(m, h, nil)
}
