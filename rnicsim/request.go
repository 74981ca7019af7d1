package rnicsim

// The messages of the SQ, segment by segment, and the Ready to Receive of RFC 6581.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// request is the next segment of the element of the SQ that is being sent. It is false if its memory is gone.
func (q *QP) request(mulpdu int) ([][]byte, bool) {
	e := q.sq.next()
	switch {
	case e.Op == OpWrite:
		q.out.cut(mulpdu, ddp.TaggedLen)
		return q.gather(e, q.tagged(rdmap.OpWrite, uint32(e.Remote), e.RemoteTO))
	case e.Op.isSend():
		q.out.cut(mulpdu, ddp.UntaggedLen)
		return q.gather(e, q.untagged(q.out.opcode, rdmap.QNSend, q.count(rdmap.QNSend), e.invalidates()))
	}
	q.out.cut(mulpdu, ddp.UntaggedLen)
	return q.control(&e.WorkRequest), true
}

// count is the MSN of a segment, which is the next one's too unless this ends the message.
func (q *QP) count(qn int) uint32 {
	msn := q.msn[qn]
	if q.out.last {
		q.msn[qn]++
	}
	return msn
}

// invalidates is the STag that the peer is to invalidate.
func (wr *WorkRequest) invalidates() STag {
	if wr.Op.opcode().HasInvalidateSTag() {
		return wr.STag
	}
	return 0
}

// gather puts the octets of the segment behind its header: those of the list from where the message stands. Memory is
// looked at again with each segment, for STags can be invalidated in between.
func (q *QP) gather(e *sendElement, header []byte) ([][]byte, bool) {
	q.parts = append(q.parts[:0], header)
	skip, left := q.out.at, uint64(q.out.segment)
	for i := range e.SGL {
		s := e.SGL[i]
		if skip >= uint64(s.Len) {
			skip -= uint64(s.Len)
			continue
		}
		n := min(left, uint64(s.Len)-skip)
		s.TO, s.Len, skip = s.TO+skip, uint32(n), 0
		p, offset, f := q.rnic.local(q, q.config.PD, &s, LocalRead)
		if f != faultless {
			q.done(e, f.status())
			return nil, false
		}
		if n > 0 {
			q.parts = p.appendSpans(q.parts, offset, int(n))
		}
		left -= n
	}
	return q.parts, true
}

// control is a message that is an RDMAP header.
func (q *QP) control(wr *WorkRequest) [][]byte {
	op := wr.Op.opcode()
	qn, _ := op.QN()
	msn := q.count(int(qn))
	b := q.untagged(op, qn, msn, 0)
	switch op {
	case rdmap.OpReadRequest:
		h := rdmap.ReadRequest{SinkSTag: uint32(wr.Local.STag), SinkTO: wr.Local.TO, RDMARDSZ: wr.Local.Len,
			SrcSTag: uint32(wr.Remote), SrcTO: wr.RemoteTO}
		b, _ = h.AppendBinary(b)
	case rdmap.OpAtomicRequest:
		b, _ = wr.atomic(msn).AppendBinary(b)
	default:
		h := rdmap.Immediate{ImmediateData: wr.Data}
		b, _ = h.AppendBinary(b)
	}
	q.outgoing.Body = b[ddp.UntaggedLen:]
	q.parts = append(q.parts[:0], b)
	return q.parts
}

// atomic is the header of an Atomic Request; its identifier is its MSN.
func (wr *WorkRequest) atomic(msn uint32) *rdmap.AtomicRequest {
	h := &rdmap.AtomicRequest{
		RequestIdentifier: msn, RemoteSTag: uint32(wr.Remote), RemoteTaggedOffset: wr.RemoteTO,
		AddOrSwapData: wr.Data, AddOrSwapMask: wr.Mask, CompareMask: 1<<64 - 1,
	}
	if wr.Op == OpCmpSwap {
		h.AOpCode, h.CompareData, h.CompareMask = rdmap.CmpSwap, wr.CompareData, wr.CompareMask
	}
	return h
}

// ready is the Ready to Receive: a message without payload, a Write if the peer takes that, for it costs nothing, then
// a Read, then a Send, which takes a buffer of the peer's (RFC 6581, section 9.2).
func (q *QP) ready() [][]byte {
	r := &q.stream.rtr
	q.out.cut(0, 0)
	switch {
	case r.write:
		q.parts = append(q.parts[:0], q.tagged(rdmap.OpWrite, 0, 0))
	case r.read:
		q.asked.push().none = true
		return q.control(&WorkRequest{Op: OpRead})
	default:
		q.parts = append(q.parts[:0], q.untagged(rdmap.OpSend, rdmap.QNSend, q.count(rdmap.QNSend), 0))
	}
	return q.parts
}
