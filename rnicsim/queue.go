package rnicsim

// Work Queues: what waits in them, and how it is completed in the order in which it was posted (Verbs, section 8.2).

// A workQueue is what an SQ, an RQ and an S-RQ have in common.
type workQueue struct {
	cq    *CQ // nil of an S-RQ
	depth int // Work Requests that may be outstanding
	used  int // Work Requests that hold a slot
}

// release gives slots back: completions were polled.
func (q *workQueue) release(slots int) { q.used -= slots }

// A sendElement is a Work Request in an SQ. Its SGL is its own.
type sendElement struct {
	WorkRequest
	sges   []SGE // the memory of SGL
	done   bool
	status Status // if it is done
	value  uint64 // of an Atomic that is done: what was there before
}

// set takes over a Work Request.
func (e *sendElement) set(wr *WorkRequest) {
	sges := append(e.sges[:0], wr.SGL...)
	*e = sendElement{WorkRequest: *wr, sges: sges}
	e.SGL = sges
	if wr.Bind != nil {
		b := *wr.Bind
		e.Bind = &b
	}
	if wr.Registration != nil {
		e.Registration = wr.Registration.clone()
	}
}

// A sendQueue is an SQ.
type sendQueue struct {
	workQueue
	elements ring[sendElement]
	begun    int    // of elements, from the first: those that are done, or wait for an answer
	popped   uint64 // elements that there were before the first
}

// next is the first element that is not begun, or is in the middle of it; nil if there is none.
func (q *sendQueue) next() *sendElement {
	if q.begun == q.elements.len() {
		return nil
	}
	return q.elements.at(q.begun)
}

// pop takes away the first element.
func (q *sendQueue) pop() {
	q.elements.pop()
	q.begun = max(0, q.begun-1)
	q.popped++
}

// A receiveElement is a Work Request in an RQ or S-RQ. Its SGL is its own.
type receiveElement struct {
	id     uint64
	sgl    []SGE
	length uint64 // octets that it has room for
}

// set takes over a Work Request.
func (e *receiveElement) set(wr *WorkRequest) {
	e.id, e.sgl, e.length = wr.ID, append(e.sgl[:0], wr.SGL...), 0
	for i := range wr.SGL {
		e.length += uint64(wr.SGL[i].Len)
	}
}

// A receiveQueue is an RQ: one of its own, or a part in an S-RQ.
type receiveQueue struct {
	workQueue
	elements ring[receiveElement] // without an S-RQ: the first is the one in use
	busy     bool                 // a message is coming in, into the element in use
	status   Status               // what that is completed with when it is flushed; Success for Flushed
	shared   *SRQ                 // nil for none
	taken    receiveElement       // with an S-RQ: the one in use
	limit    int                  // QP RQ Limit
	armed    bool
}

// retire completes what is done at the head of the SQ.
func (q *QP) retire() {
	for q.sq.elements.len() > 0 && q.sq.elements.at(0).done && !q.flushing {
		q.completeSend()
	}
}

// completeSend completes the first element of the SQ, which is flushed if it is not done.
func (q *QP) completeSend() {
	e := q.sq.elements.at(0)
	c := Completion{WRID: e.ID, Op: e.Op, Status: e.status, Data: e.value, QP: q.id}
	if !e.done {
		c.Status = Flushed
	}
	silent := e.Unsignaled && c.Status == Success
	q.sq.pop()
	if silent {
		q.sq.release(1)
		return
	}
	q.complete(entry{Completion: c, queue: &q.sq.workQueue, slots: 1}, q.sq.cq, CQSQError, false)
}

// completeReceive completes the element in use.
func (q *QP) completeReceive(c Completion, solicited bool) {
	e := entry{Completion: c, queue: &q.rq.workQueue, slots: 1}
	e.Op, e.QP, e.Solicited = OpReceive, q.id, solicited
	if q.rq.shared != nil {
		e.WRID, e.queue = q.rq.taken.id, &q.rq.shared.queue
	} else {
		e.WRID = q.rq.elements.at(0).id
		q.rq.elements.pop()
	}
	q.rq.busy, q.rq.status = false, Success
	q.complete(e, q.rq.cq, CQRQError, solicited)
}

// complete adds a completion. If the CQ does not take it it is lost, and the QP fails (Verbs, section 8.3.3).
func (q *QP) complete(e entry, cq *CQ, event EventType, solicited bool) {
	first := !cq.overrun
	if cq.add(e, solicited) {
		return
	}
	e.queue.release(e.slots)
	if first && cq.overrun {
		q.rnic.raise(Event{Type: CQOverflow, CQ: cq})
	}
	if q.state == RTS {
		q.stop(problem{situation: situationQueue, event: event}, nil, 0)
	}
}

// flush completes all that is outstanding: with its own status if it is done, else as Flushed.
func (q *QP) flush() {
	if q.flushing {
		return
	}
	q.flushing = true
	q.asked.clear()
	q.irrq.clear()
	q.out = message{}
	for q.id != 0 && q.sq.elements.len() > 0 {
		q.completeSend()
	}
	q.flushReceives()
	q.flushing = false
}

// flushReceives flushes the RQ; of an S-RQ the element in use only.
func (q *QP) flushReceives() {
	for q.id != 0 && (q.rq.busy || q.rq.elements.len() > 0) {
		c := Completion{Status: Flushed}
		if q.rq.busy && q.rq.status != Success {
			c.Status = q.rq.status
		}
		q.completeReceive(c, false)
	}
}
