package rnicsim

// The verbs that post Work Requests, and the completions that end them (Verbs, sections 9.3.1 and 8.2.4).

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// PostSQ posts Work Requests to the Send Queue, in order, and returns how many it posted: it stops at the first that is
// refused. In Idle they wait for RTS, in Terminate they are flushed at once, and in Closing they make that fail. It fails
// with ErrInvalidQP, ErrInvalidState, ErrTooManyWRs, ErrInvalidOperation, ErrSGLTooLong, ErrInvalidSGL or
// ErrInvalidModifier. The caller may reuse the Work Requests.
func (q *QP) PostSQ(wrs ...WorkRequest) (n int, err error) {
	switch {
	case !q.exists():
		return 0, ErrInvalidQP
	case q.rnic.failed:
		return 0, ErrInvalidRNIC
	case len(wrs) > 0 && (q.life.state == Error || q.flushing):
		return 0, ErrInvalidState
	}
	for n < len(wrs) && err == nil {
		if err = q.sq.post(&wrs[n]); err == nil {
			n++
		}
	}
	if n > 0 {
		q.posted(true)
	}
	return n, err
}

// PostRQ posts Work Requests to the Receive Queue, in order, and returns how many it posted: it stops at the first that
// is refused. Their Op may be zero. In Closing and Terminate they are flushed at once. It fails with ErrInvalidQP,
// ErrHasSRQ, ErrInvalidState, ErrTooManyWRs, ErrInvalidOperation or ErrSGLTooLong. The caller may reuse the Work
// Requests.
func (q *QP) PostRQ(wrs ...WorkRequest) (n int, err error) {
	switch {
	case !q.exists():
		return 0, ErrInvalidQP
	case q.rnic.failed:
		return 0, ErrInvalidRNIC
	case q.rq.shared != nil:
		return 0, ErrHasSRQ
	case q.life.state == Error || q.flushing:
		return 0, ErrInvalidState
	}
	n, err = q.rq.postReceives(&q.rq.elements, wrs, q.config.RecvSGEs)
	if n > 0 {
		q.posted(false)
	}
	return n, err
}

// posted handles newly posted Work Requests, in the SQ or the RQ.
func (q *QP) posted(send bool) {
	switch {
	case q.life.state == RTS:
		q.proceed()
	case q.life.state == Closing && send:
		q.apply(q.life.abort(BadClose))
	case q.life.state == Closing || q.life.state == Terminate:
		q.flush()
	}
}

// completeSend completes the first element of the SQ.
func (q *QP) completeSend() {
	if c, silent := q.sq.pop(); !silent {
		c.QP = q.id
		q.complete(entry{Completion: c, queue: &q.sq.workQueue, slots: 1}, q.sq.cq, CQSQError)
	}
}

// completeReceive completes the Receive in use with the message that a segment ends.
func (q *QP) completeReceive(s *rdmap.Segment, length uint32) {
	op := s.Control.Opcode
	c := Completion{Length: length, Solicited: op.Solicited()}
	switch {
	case op.IsImmediate():
		var h rdmap.Immediate
		h.Decode(s.Body)
		c.Length, c.Immediate, c.Data = uint32(h.Len()), true, h.ImmediateData
	case op.HasInvalidateSTag():
		c.Invalidated, c.STag = true, STag(s.InvalidateSTag)
	}
	q.endReceive(c)
}

// endReceive completes the Receive in use.
func (q *QP) endReceive(c Completion) {
	id, slot := q.rq.pop()
	c.WRID, c.Op, c.QP = id, OpReceive, q.id
	q.complete(entry{Completion: c, queue: slot, slots: 1}, q.rq.cq, CQRQError)
}

// complete adds a completion. If the CQ cannot hold it, it is lost, and the QP fails (Verbs, section 8.3.3).
func (q *QP) complete(e entry, cq *CQ, event EventType) {
	first := !cq.overrun
	if cq.add(e, e.Solicited) {
		return
	}
	e.queue.release(e.slots)
	if first && cq.overrun {
		q.rnic.raise(Event{Type: CQOverflow, CQ: cq})
	}
	q.stop(problem{situation: rules.QueueError, event: event}, nil, 0)
}

// flush completes all outstanding work: with its own status if it has one, else as Flushed. A handler cannot post
// meanwhile, or this might never end.
func (q *QP) flush() {
	if q.flushing {
		return
	}
	q.flushing = true
	q.orrq.entries.clear()
	q.irrq.entries.clear()
	q.sender.out = message{}
	for q.id != 0 && q.sq.elements.len() > 0 {
		q.completeSend()
	}
	for q.id != 0 && q.rq.pending() {
		q.endReceive(Completion{Status: q.rq.flushed()})
	}
	q.flushing = false
}
