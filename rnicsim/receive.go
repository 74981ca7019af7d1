package rnicsim

// Receiving: what is checked of an FPDU, and in which order (RFC 5040, section 7; the Verbs leave the order open).

import (
	"bytes"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// receive is part of what a Stream carries: the next FPDU.
func (q *QP) receive(f *mpa.Deframed) {
	switch q.state {
	case RTS:
		q.take(f)
	case Closing:
		q.intrude(f)
	}
}

// take takes in an FPDU. A CRC or Marker that is wrong comes first, for then nothing of the FPDU is to be trusted; then
// what is demanded of the segment by itself and after those before it, and at last what depends on queues and memory.
func (q *QP) take(f *mpa.Deframed) {
	q.violations = rules.CheckFPDU(f, q.stream.deframed(), q.violations[:0])
	if p, bad, _ := q.decide(q.violations); bad {
		q.stop(p, f.ULPDU, 0)
		return
	}
	s := &q.incoming
	s.Decode(f.ULPDU)
	q.violations = q.receiver.Segment(s, len(f.ULPDU), q.violations[:0])
	p, bad, wraps := q.decide(q.violations)
	if lack, lacks := q.unprovided(s); lacks && (!bad || before(situationNoBuffer, p.situation)) {
		p, bad = lack, true
	}
	if !bad && !q.heard {
		p, bad = q.unready(s, len(f.ULPDU))
	}
	q.heard = true
	if bad {
		q.stop(q.gap(p, s), f.ULPDU, 0)
		return
	}
	q.process(s, f.ULPDU, wraps)
}

// gap tells an MSN that is too high from others that are wrong.
func (q *QP) gap(p problem, s *rdmap.Segment) problem {
	event, counted := gaps[p.event]
	if qn := s.Untagged.QN; counted && p.situation != situationNoBuffer && qn < uint32(len(q.came)) &&
		int32(s.Untagged.MSN-q.came[qn]) > 0 {
		p.event = event
	}
	return p
}

// process does what a segment is for.
func (q *QP) process(s *rdmap.Segment, ulpdu []byte, wraps bool) {
	op := s.Control.Opcode
	switch {
	case op == rdmap.OpTerminate:
		q.terminated(s.Body)
		return
	case s.T != op.Tagged():
		return // not minded, but not to be understood either
	}
	if qn, ok := op.QN(); ok && int(qn) < len(q.came) && s.L() {
		q.came[qn] = s.Untagged.MSN + 1
	}
	switch {
	case op == rdmap.OpWrite:
		q.place(s, ulpdu, wraps)
	case op == rdmap.OpReadResponse:
		if q.place(s, ulpdu, wraps) && s.L() {
			q.answered(0)
		}
	case op.IsSend():
		q.deliver(s, ulpdu)
	case op.IsImmediate():
		q.deliverImmediate(s)
	case op.IsRequest():
		q.admit(s, ulpdu, wraps)
	case op == rdmap.OpAtomicResponse:
		var h rdmap.AtomicResponse
		h.Decode(s.Body)
		q.answered(h.OriginalRemoteDataValue)
	}
}

// intrude is for an FPDU that comes in Closing, where none may come. Of a Terminate is kept what it says.
func (q *QP) intrude(f *mpa.Deframed) {
	var s rdmap.Segment
	if _, err := s.Decode(f.ULPDU); err == nil && f.Verdict != mpa.Bad && s.Control.Opcode == rdmap.OpTerminate {
		q.last = &LastMessage{Header: bytes.Clone(s.Body)}
	}
	q.spoil()
}

// answered completes the first request of this side that waits for its answer. value is that of an Atomic.
func (q *QP) answered(value uint64) {
	if _, _, ok := q.receiver.Match(); !ok || q.asked.len() == 0 {
		return // not minded, and nobody knows whose it is
	}
	first := *q.asked.at(0)
	q.asked.pop()
	if !first.none {
		e := q.sq.elements.at(int(first.place - q.sq.popped))
		q.done(e, q.finish(e, value))
	}
	if q.state == RTS {
		q.proceed()
	}
}

// finish does what is left to do for a request whose answer is there.
func (q *QP) finish(e *sendElement, value uint64) Status {
	switch {
	case e.Op.isAtomic():
		return q.store(e, value)
	case e.Op == OpReadInvalidate:
		return q.invalidate(e.Local.STag, false).status()
	}
	return Success
}
