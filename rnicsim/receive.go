package rnicsim

// Receiving: the checks of an FPDU, their order, and its effect (RFC 5040, section 7; the Verbs leave the order open).

import (
	"bytes"
	"slices"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// A validator checks what arrives, before anything is placed.
type validator struct {
	profile *rules.Profile
	quirks  *quirk.Set

	rules       rules.Receiver
	violations  []rules.Violation
	segment     rdmap.Segment // the latest
	receivedAny bool
	next        [2]uint32 // MSN of the next message on queues 0 and 1
}

// reset prepares the validator for a new stream.
func (v *validator) reset(version uint8, ird int) {
	v.receivedAny, v.next = false, [2]uint32{1, 1}
	v.rules.Reset(rules.Conditions{Version: int(version), IRD: ird, Profile: v.profile})
}

// fpdu checks an FPDU framed as o says. A wrong CRC or Marker comes first, because the rest of the FPDU cannot be
// trusted then.
func (v *validator) fpdu(f *mpa.Deframed, o mpa.Options) (p problem, bad bool) {
	v.violations = rules.CheckFPDU(f, o, v.violations[:0])
	if len(v.violations) > 0 {
		p, bad, _ = v.decide()
	}
	return p, bad
}

// ulpdu checks the segment of a ULPDU, alone and in sequence, and whether it lacks a Receive.
func (v *validator) ulpdu(b []byte, rq *receiveQueue, s *Stream) (p problem, bad, wraps bool) {
	g := &v.segment
	g.Decode(b)
	v.violations = v.rules.Segment(g, len(b), v.violations[:0])
	if len(v.violations) > 0 {
		p, bad, wraps = v.decide()
	}
	if missing, none := rq.missing(g); none && (!bad || rules.SendNoBuffer < p.situation) {
		p, bad = missing, true
	}
	if !bad && !v.receivedAny {
		p, bad = s.unready(v.quirks, g, len(b))
	}
	v.receivedAny = true
	if bad && p.situation != rules.SendNoBuffer && v.skipsMSN(g) {
		p.event = p.event.gap()
	}
	return p, bad, wraps
}

// skipsMSN reports whether a wrong MSN is too high.
func (v *validator) skipsMSN(g *rdmap.Segment) bool {
	qn := g.Untagged.QN
	return qn < uint32(len(v.next)) && int32(g.Untagged.MSN-v.next[qn]) > 0
}

// gap returns the event for an MSN that is too high, if t is that for one out of range.
func (t EventType) gap() EventType {
	switch t {
	case RQMSNRange:
		return RQMSNGap
	case IRRQMSNRange:
		return IRRQMSNGap
	}
	return t
}

// count counts the message that a segment completes.
func (v *validator) count(g *rdmap.Segment) {
	if qn, ok := g.Control.Opcode.QN(); ok && int(qn) < len(v.next) {
		if _, whole := v.rules.Whole(g); whole {
			v.next[qn] = g.Untagged.MSN + 1
		}
	}
}

// decide returns the first of the violations that ends the stream. Access checks decide on violations about TOs,
// because an error of the STag takes precedence.
func (v *validator) decide() (p problem, bad, wraps bool) {
	for i := range v.violations {
		found := &v.violations[i]
		switch {
		case !v.isFatal(found):
		case slices.Contains(ofMemory[:], found.Situation):
			wraps = wraps || found.Situation != rules.AtomicAlignment
		case !bad:
			p, bad = problem{situation: found.Situation, event: events[found.Situation]}, true
		}
	}
	return p, bad, wraps
}

// isFatal reports whether a violation ends the stream: the Profile has a Terminate for it, or a quirk replaces it. A
// malformed Terminate ends the stream, too, although no Terminate answers it.
func (v *validator) isFatal(found *rules.Violation) bool {
	s := found.Situation
	if s == rules.NoSituation || v.quirks.Permits(found.Rule) || v.quirks.Ignores(s) {
		return false
	}
	_, demanded := v.profile.Exact(s)
	_, replaced := v.quirks.Reaction(s)
	return demanded || replaced
}

// receive implements carried: it handles the next FPDU.
func (q *QP) receive(f *mpa.Deframed) {
	switch q.life.state {
	case RTS:
		p, bad := q.validator.fpdu(f, q.stream.agreement.Framing(!q.stream.initiator))
		wraps := false
		if !bad {
			p, bad, wraps = q.validator.ulpdu(f.ULPDU, &q.rq, q.stream)
		}
		if !bad {
			p, bad = q.process(&q.validator.segment, f.ULPDU, wraps)
		}
		if bad && !q.stop(p, f.ULPDU, 0) {
			q.rq.status = Success
		}
	case Closing:
		q.receiveInClosing(f)
	}
}

// receiveInClosing handles an FPDU in Closing, where none may come. A Terminate is recorded.
func (q *QP) receiveInClosing(f *mpa.Deframed) {
	var s rdmap.Segment
	if _, err := s.Decode(f.ULPDU); err == nil && f.Verdict != mpa.Bad && s.Control.Opcode == rdmap.OpTerminate {
		q.life.last = &LastMessage{Header: bytes.Clone(s.Body)}
	}
	q.apply(q.life.abort(BadClose))
}

// process performs the operation of a segment.
func (q *QP) process(s *rdmap.Segment, ulpdu []byte, wraps bool) (p problem, bad bool) {
	op := s.Control.Opcode
	switch {
	case op == rdmap.OpTerminate:
		q.apply(q.life.terminated(s.Body))
		return p, false
	case s.T != op.Tagged():
		return p, false // ignored as a violation, but cannot be understood
	}
	q.validator.count(s)
	switch {
	case op == rdmap.OpWrite:
		return q.access.place(s, wraps)
	case op == rdmap.OpReadResponse:
		if p, bad = q.access.place(s, wraps); !bad && q.validator.rules.Match().Last {
			q.answered(0)
		}
		return p, bad
	case op.ConsumesReceive():
		return q.deliver(s)
	case op.IsRequest():
		if p, bad = q.access.checkRequest(s, wraps); !bad {
			q.irrq.admit(s, ulpdu)
		}
		return p, bad
	case op == rdmap.OpAtomicResponse:
		var h rdmap.AtomicResponse
		h.Decode(s.Body)
		q.answered(h.OriginalRemoteDataValue)
	}
	return p, false
}

// deliver places a segment of a message that consumes a Receive, which completes with the last segment to arrive.
func (q *QP) deliver(s *rdmap.Segment) (p problem, bad bool) {
	if !q.rq.busy {
		q.takeReceive()
		if q.life.state != RTS {
			return p, false // a handler has ended the stream
		}
	}
	length, whole := q.validator.rules.Whole(s)
	if status, p := q.rq.place(&q.access, s, whole, q.validator.rules.Scattered()); status != Success {
		q.rq.status = status
		return p, true
	}
	if whole {
		q.completeReceive(s, length)
	}
	return p, false
}

// place copies the payload of a segment of a Send into the Receive in use. Once the message is complete it invalidates
// the STag in the segment. Immediate Data is not placed. If status is not Success, the Receive ends with it because of
// p.
func (q *receiveQueue) place(a *access, s *rdmap.Segment, whole, scattered bool) (status Status, p problem) {
	op := s.Control.Opcode
	if op.IsImmediate() {
		return Success, p
	}
	e, at, b := q.current(), uint64(s.Untagged.MO), s.Body
	switch {
	case at > e.length, scattered && at == e.length && len(b) > 0:
		return BaseBounds, problem{situation: rules.SendMO}
	case at+uint64(len(b)) > e.length:
		return BaseBounds, problem{situation: rules.SendTooLong}
	}
	f := a.walk(q.pd(a.pd), e.sgl, at, uint64(len(b)), LocalWrite, func(p *place, offset uint64, n int) {
		p.put(offset, b[:n])
		b = b[n:]
	})
	if f != faultless {
		return f.status(), problem{situation: rules.ReceiveSGE}
	}
	if whole && op.HasInvalidateSTag() {
		if i := a.invalidateForPeer(STag(s.InvalidateSTag)); i != invalidated {
			return i.remoteStatus(), invalidationProblems[i]
		}
	}
	return Success, p
}

// takeReceive puts the next Receive in use, and raises the events of limits that this reaches.
func (q *QP) takeReceive() {
	if q.rq.begin() {
		q.rnic.raise(Event{Type: SRQLimitReached, SRQ: q.rq.shared})
	}
	if q.rq.limitReached() {
		q.raise(RQLimitReached)
	}
}
