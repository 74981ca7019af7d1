package rnicsim

// Sending: which message comes next, and its segments (Verbs, section 8.2.2; RFC 5041, section 5.2).

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// A message is one that is being sent. Segments of another never come between its own.
type message struct {
	kind    messageKind
	opcode  rdmap.Opcode
	length  uint64 // octets of payload
	at      uint64 // of them that were sent
	segment int    // of them in the latest segment
	last    bool   // that is the last one
}

type messageKind uint8

const (
	noMessage      messageKind = iota
	readyToReceive             // the RTR of RFC 6581
	ofSQ                       // the first element of the SQ that is not done with
	ofIRRQ                     // the first of the IRRQ
)

// A question is a request of this side that waits for its answer.
type question struct {
	place uint64 // of its element among all that ever were in the SQ
	none  bool   // it has none: a Ready to Receive
}

// maxMessage is the length of the longest message (RFC 5041, section 5.2).
const maxMessage = 1<<32 - 1

// segment is part of what a Stream carries: the next ULPDU.
func (q *QP) segment(mulpdu int) ([][]byte, bool) {
	for q.state == RTS && (q.out.kind != noMessage || q.choose()) {
		var parts [][]byte
		var ok bool
		switch q.out.kind {
		case readyToReceive:
			parts, ok = q.ready(), true
		case ofSQ:
			parts, ok = q.request(mulpdu)
		case ofIRRQ:
			parts, ok = q.answer(mulpdu)
		}
		if ok {
			return q.rewritten(parts), true
		}
	}
	if q.state == Terminate {
		return q.farewell()
	}
	return nil, false
}

// sent is part of what a Stream carries: the latest segment was taken.
func (q *QP) sent() {
	switch q.state {
	case RTS:
	case Terminate:
		if q.last != nil && q.last.queued {
			q.last.queued = false
			q.stream.Close()
		}
		return
	default:
		return
	}
	q.receiver.Sent(&q.outgoing, 0)
	m := &q.out
	m.at += uint64(m.segment)
	if !m.last {
		return
	}
	kind := m.kind
	q.out = message{}
	switch kind {
	case ofSQ:
		q.requested()
	case ofIRRQ:
		q.irrq.pop()
	}
}

// choose begins with the next message: by turns one of the SQ and an answer, if there are both.
func (q *QP) choose() bool {
	if q.turn && q.irrq.len() > 0 {
		q.beginAnswer()
		return true
	}
	if q.proceed() {
		return q.begin()
	}
	if q.state != RTS || q.irrq.len() == 0 {
		return false
	}
	q.beginAnswer()
	return true
}

// proceed does what can be done of the SQ without sending anything, and tells whether something can then be sent.
func (q *QP) proceed() bool {
	for q.state == RTS && q.out.kind != ofSQ {
		e := q.sq.next()
		switch {
		case e == nil || q.waits(e):
			return false
		case !e.Op.isLocal():
			return true
		}
		status := q.execute(&e.WorkRequest)
		q.sq.begun++
		q.done(e, status)
	}
	return false
}

// waits tells that something has to come to its end before an element can begin (Verbs, sections 6.5 and 8.2.2.2).
func (q *QP) waits(e *sendElement) bool {
	switch {
	case e.Op.isRead() || e.Op.isAtomic():
		return q.ord > 0 && q.asked.len() >= q.ord
	case e.Op == OpInvalidate:
		return e.LocalFence && q.sq.begun > 0
	case e.Op.isLocal():
		return false
	}
	return e.ReadFence && q.reading()
}

// reading tells that a request of the SQ is not answered yet.
func (q *QP) reading() bool {
	return q.asked.len() > 0 && !(q.asked.len() == 1 && q.asked.at(0).none)
}

// execute does what a Work Request asks for that sends nothing.
func (q *QP) execute(wr *WorkRequest) Status {
	switch wr.Op {
	case OpBind:
		return q.bind(wr.Bind)
	case OpFastRegister:
		return q.fastRegister(wr)
	}
	return q.invalidate(wr.STag, false).status()
}

// done ends an element of the SQ. If it failed the stream ends too.
func (q *QP) done(e *sendElement, s Status) {
	e.done, e.status = true, s
	if s != Success {
		q.stop(problem{situation: situationLocal}, nil, 0)
		return
	}
	q.retire()
}

// begin makes the next element of the SQ the message that is sent. It is false if it cannot be.
func (q *QP) begin() bool {
	e := q.sq.next()
	if s := q.check(e); s != Success {
		q.done(e, s)
		return false
	}
	q.out, q.turn = message{kind: ofSQ, opcode: e.Op.opcode()}, true
	if e.Op.isSend() || e.Op == OpWrite {
		q.out.length = total(e.SGL)
	}
	return true
}

// total is the octets of a list.
func total(sgl []SGE) (n uint64) {
	for i := range sgl {
		n += uint64(sgl[i].Len)
	}
	return n
}

// check says what is wrong with an element before it begins. Rights to the sink of a Read count when the answer comes
// (Verbs, section 7.4.2).
func (q *QP) check(e *sendElement) Status {
	switch {
	case e.Op.isSend():
		return q.checkList(e.SGL, LocalRead)
	case e.Op == OpWrite:
		if e.Remote == 0 && total(e.SGL) > 0 {
			return InvalidSTag
		}
		return q.checkList(e.SGL, LocalRead)
	case e.Op.isRead() || e.Op.isAtomic():
		return q.checkRequest(e)
	}
	return Success
}

// checkRequest says what is wrong with a Read or Atomic.
func (q *QP) checkRequest(e *sendElement) Status {
	switch {
	case q.ord == 0:
		return ZeroReadResources
	case e.Op.isAtomic():
		if e.Remote == 0 {
			return InvalidSTag
		}
		_, _, f := q.rnic.local(q, q.config.PD, &e.Local, LocalWrite)
		return f.status()
	case e.Local.Len > 0 && (e.Remote == 0 || q.rnic.lookup(e.Local.STag) == nil):
		return InvalidSTag
	}
	return Success
}

// checkList says what is wrong with a Scatter/Gather List.
func (q *QP) checkList(sgl []SGE, right Rights) Status {
	if total(sgl) > maxMessage {
		return InvalidLength
	}
	for i := range sgl {
		if _, _, f := q.rnic.local(q, q.config.PD, &sgl[i], right); f != faultless {
			return f.status()
		}
	}
	return Success
}

// requested is for an element of the SQ whose message was sent: it is done, or waits for its answer.
func (q *QP) requested() {
	e := q.sq.next()
	place := q.sq.popped + uint64(q.sq.begun)
	q.sq.begun++
	if e.Op.isRead() || e.Op.isAtomic() {
		q.asked.push().place = place
		q.asked.at(q.asked.len() - 1).none = false
		return
	}
	q.done(e, Success)
}

// opcode is that of the message.
func (o Op) opcode() rdmap.Opcode {
	return [...]rdmap.Opcode{
		OpSend: rdmap.OpSend, OpSendSE: rdmap.OpSendSE, OpSendInvalidate: rdmap.OpSendInvalidate,
		OpSendSEInvalidate: rdmap.OpSendSEInvalidate, OpWrite: rdmap.OpWrite, OpRead: rdmap.OpReadRequest,
		OpReadInvalidate: rdmap.OpReadRequest, OpFetchAdd: rdmap.OpAtomicRequest, OpCmpSwap: rdmap.OpAtomicRequest,
		OpImmediate: rdmap.OpImmediate, OpImmediateSE: rdmap.OpImmediateSE,
	}[o]
}

// untagged begins an untagged segment of the message.
func (q *QP) untagged(op rdmap.Opcode, qn, msn uint32, invalidate STag) []byte {
	m := &q.out
	h := &q.outgoing
	*h = rdmap.Segment{}
	h.Untagged = ddp.Untagged{L: m.last, DV: q.version, QN: qn, MSN: msn, MO: uint32(m.at)}
	h.Control = rdmap.Control{RV: q.version, Opcode: op}
	h.InvalidateSTag = uint32(invalidate)
	b, _ := h.Header.AppendBinary(q.header[:0])
	return b
}

// tagged begins a tagged segment of the message.
func (q *QP) tagged(op rdmap.Opcode, stag uint32, to uint64) []byte {
	m := &q.out
	h := &q.outgoing
	*h = rdmap.Segment{}
	h.T = true
	h.Tagged = ddp.Tagged{L: m.last, DV: q.version, STag: stag, TO: to + m.at}
	h.Control = rdmap.Control{RV: q.version, Opcode: op}
	b, _ := h.Header.AppendBinary(q.header[:0])
	return b
}

// cut takes the next segment off the message, of which header octets are no payload.
func (m *message) cut(mulpdu, header int) {
	left := m.length - m.at
	m.segment = int(min(left, uint64(mulpdu-header)))
	m.last = uint64(m.segment) == left
}
