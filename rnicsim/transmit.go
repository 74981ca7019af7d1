package rnicsim

// Sending: the choice of the next message, and the effects of sending it (Verbs, section 8.2.2).

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// segment implements carried: it returns the next ULPDU.
func (q *QP) segment(mulpdu int) ([][]byte, bool) {
	for q.life.state == RTS && (q.sender.out.kind != noMessage || q.choose()) {
		if q.messageSegment(mulpdu) {
			return q.rewritten(), true
		}
	}
	if q.life.queued() {
		q.sender.terminateSegment(q.life.last.Header)
		return q.rewritten(), true
	}
	return nil, false
}

// messageSegment makes the next segment of the message that is being sent. It returns false if its memory can no longer
// be used, which ends the stream unless a quirk ignores that.
func (q *QP) messageSegment(mulpdu int) bool {
	s := &q.sender
	switch s.out.kind {
	case readyToReceive:
		r := q.stream.rtr
		if r.read && !r.write {
			q.orrq.push(orrqEntry{rtr: true})
		}
		s.rtrSegment(r)
		return true
	case ofSQ:
		e := q.sq.next()
		status := s.requestSegment(&e.WorkRequest, &q.access, mulpdu)
		if status != Success {
			q.done(e, status)
		}
		return status == Success
	}
	e := q.irrq.entries.at(0)
	p, bad := s.responseSegment(e, &q.access, mulpdu)
	if bad && !q.stop(p, e.octets(), uint32(s.out.at)) {
		q.irrq.entries.pop()
		s.out = message{}
	}
	return !bad
}

// rewritten returns the latest ULPDU with fields of its headers set as quirks want.
func (q *QP) rewritten() [][]byte {
	return q.rnic.quirks.ULPDU(q.sender.segment.Control.Opcode, q.sender.parts)
}

// reframe implements carried: it sets fields of the latest FPDU as quirks want.
func (q *QP) reframe(fpdu []byte, o mpa.Options, at uint64) {
	q.rnic.quirks.FPDU(q.sender.segment.Control.Opcode, fpdu, o, at)
}

// sent implements carried: the latest ULPDU was copied.
func (q *QP) sent() {
	if q.life.queued() {
		q.life.last.queued = false
		q.stream.Close()
		return
	}
	if q.life.state != RTS {
		return
	}
	q.validator.rules.Sent(&q.sender.segment, q.sender.segment.Header.Len())
	switch q.sender.sent() {
	case ofSQ:
		e, index := q.sq.next(), q.sq.begin()
		if e.Op.isRead() || e.Op.isAtomic() {
			q.orrq.push(orrqEntry{index: index})
			return
		}
		q.done(e, Success)
	case ofIRRQ:
		q.irrq.entries.pop()
	}
}

// choose begins the next message: Work Requests and responses alternate if both are due.
func (q *QP) choose() bool {
	if !q.sender.responses || q.irrq.entries.len() == 0 {
		if q.proceed() {
			return q.begin()
		}
		if q.life.state != RTS || q.irrq.entries.len() == 0 {
			return false
		}
	}
	q.sender.respond(q.irrq.entries.at(0).payload())
	return true
}

// proceed performs what does not send anything in the SQ, and reports whether a Work Request can then be sent.
func (q *QP) proceed() bool {
	for q.life.state == RTS && q.sender.out.kind != ofSQ {
		e := q.sq.next()
		switch {
		case e == nil || q.sq.waits(e, &q.orrq):
			return false
		case !e.Op.isLocal():
			return true
		}
		status := q.access.execute(&e.WorkRequest)
		q.sq.begin()
		q.done(e, status)
	}
	return false
}

// begin begins the message of the next Work Request. It returns false if that fails.
func (q *QP) begin() bool {
	e := q.sq.next()
	if s := q.access.check(&e.WorkRequest, q.orrq.ord); s != Success {
		q.done(e, s)
		return false
	}
	q.sender.request(&e.WorkRequest)
	return true
}

// check returns the status of a Work Request that cannot begin. Rights to the sink of a Read are checked when the
// response arrives (Verbs, section 7.4.2).
func (a *access) check(wr *WorkRequest, ord int) Status {
	switch {
	case wr.Op.isSend():
		return a.checkList(wr.SGL, LocalRead)
	case wr.Op == OpWrite:
		if wr.Remote == 0 && total(wr.SGL) > 0 {
			return InvalidSTag
		}
		return a.checkList(wr.SGL, LocalRead)
	case !wr.Op.isRead() && !wr.Op.isAtomic():
		return Success
	case ord == 0:
		return ZeroReadResources
	case wr.Op.isAtomic():
		if wr.Remote == 0 {
			return InvalidSTag
		}
		_, _, f := a.local(a.pd, &wr.Local, LocalWrite)
		return f.status()
	case wr.Local.Len > 0 && (wr.Remote == 0 || a.rnic.lookup(wr.Local.STag) == nil):
		return InvalidSTag
	}
	return Success
}

// answered completes the first request of this side that waits for a response. value is that of an Atomic.
func (q *QP) answered(value uint64) {
	if !q.validator.rules.Match().Known {
		return // ignored as a violation, and of an unknown request
	}
	e, ok := q.orrq.pop()
	if !ok {
		return
	}
	if !e.rtr {
		wr := q.sq.at(e.index)
		q.done(wr, wr.finish(&q.access, value))
	}
	if q.life.state == RTS {
		q.proceed()
	}
}

// finish completes a request whose response has arrived.
func (e *sendElement) finish(a *access, value uint64) Status {
	switch {
	case e.Op.isAtomic():
		e.value = value
		return a.store(&e.Local, value)
	case e.Op == OpReadInvalidate:
		return a.invalidate(e.Local.STag, false).status()
	}
	return Success
}

// done ends an element of the SQ. If it failed, the stream ends too.
func (q *QP) done(e *sendElement, s Status) {
	e.done, e.status = true, s
	if s != Success {
		q.stop(problem{situation: rules.LocalError}, nil, 0)
		return
	}
	for q.sq.firstDone() && !q.flushing {
		q.completeSend()
	}
}
