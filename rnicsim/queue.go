package rnicsim

// Work Queues: their elements, which complete in the order of posting (Verbs, section 8.2).

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A workQueue is the common part of an SQ, an RQ and an S-RQ.
type workQueue struct {
	cq    *CQ // nil for an S-RQ
	depth int // Work Requests that may be outstanding
	used  int // Work Requests that hold a slot
}

// release frees slots whose completions were polled.
func (q *workQueue) release(slots int) { q.used -= slots }

// A sendElement is a Work Request in an SQ, with its own copy of the SGL.
type sendElement struct {
	WorkRequest
	sges   []SGE // the memory of SGL
	done   bool
	status Status // if it is complete
	value  uint64 // of a complete Atomic: the value before it
}

// set copies a Work Request into e.
func (e *sendElement) set(wr *WorkRequest) {
	sges := append(e.sges[:0], wr.SGL...)
	*e = sendElement{WorkRequest: *wr, sges: sges}
	e.SGL = sges
	if wr.Bind != nil {
		e.Bind = new(*wr.Bind)
	}
	if wr.Registration != nil {
		g := *wr.Registration
		g.Entries = slices.Clone(g.Entries)
		e.Registration = &g
	}
}

// A sendQueue is an SQ.
type sendQueue struct {
	workQueue
	sendSGEs, writeSGEs int // that an SGL may have

	elements ring[sendElement]
	begun    int    // of elements, from the first: those that are complete, or wait for a response
	popped   uint64 // elements that were removed before
}

// post adds a Work Request, or returns why it cannot be posted.
func (q *sendQueue) post(wr *WorkRequest) error {
	switch {
	case wr.Op == 0 || wr.Op >= OpReceive:
		return ErrInvalidOperation
	case q.used >= q.depth:
		return ErrTooManyWRs
	case wr.Op.isSend() && len(wr.SGL) > q.sendSGEs, wr.Op == OpWrite && len(wr.SGL) > q.writeSGEs:
		return ErrSGLTooLong
	case wr.Op.isAtomic() && wr.Local.Len != 0 && wr.Local.Len != atomicLen:
		return ErrInvalidSGL
	case wr.Op == OpBind && (wr.Bind == nil || wr.Bind.Window.Index() == 0 || wr.Bind.Region.Index() == 0),
		wr.Op == OpFastRegister && (wr.Registration == nil || wr.STag.Index() == 0),
		wr.Op == OpInvalidate && wr.STag.Index() == 0:
		return ErrInvalidModifier // STag 0 is always Valid and never bound (Verbs, section 7.2.1)
	}
	q.elements.push().set(wr)
	q.used++
	return nil
}

// next returns the first element that is not begun, or that is being sent; nil if there is none.
func (q *sendQueue) next() *sendElement {
	if q.begun == q.elements.len() {
		return nil
	}
	return q.elements.at(q.begun)
}

// begin counts the next element as begun, and returns its index among all elements so far.
func (q *sendQueue) begin() (index uint64) {
	index = q.popped + uint64(q.begun)
	q.begun++
	return index
}

// at returns the element with an index, which must not have been popped.
func (q *sendQueue) at(index uint64) *sendElement { return q.elements.at(int(index - q.popped)) }

// waits reports whether the next element must wait for others (Verbs, sections 6.5 and 8.2.2.2).
func (q *sendQueue) waits(e *sendElement, reads *orrq) bool {
	switch {
	case e.Op.isRead() || e.Op.isAtomic():
		return reads.full()
	case e.Op == OpInvalidate:
		return e.LocalFence && q.begun > 0
	case e.Op.isLocal():
		return false
	}
	return e.ReadFence && reads.reading()
}

// firstDone reports whether the first element is complete.
func (q *sendQueue) firstDone() bool { return q.elements.len() > 0 && q.elements.at(0).done }

// pop removes the first element and returns its completion: Flushed if it is not complete. A successful unsignaled
// element is silent: it has no completion, and its slot is free.
func (q *sendQueue) pop() (c Completion, silent bool) {
	e := q.elements.at(0)
	c = Completion{WRID: e.ID, Op: e.Op, Status: e.status, Data: e.value}
	if !e.done {
		c.Status = Flushed
	}
	silent = e.Unsignaled && c.Status == Success
	q.elements.pop()
	q.begun = max(0, q.begun-1)
	q.popped++
	if silent {
		q.release(1)
	}
	return c, silent
}

// A receiveElement is a Work Request in an RQ or S-RQ, with its own copy of the SGL.
type receiveElement struct {
	id     uint64
	sgl    []SGE
	length uint64 // octets of the SGL
}

// set copies a Work Request into e.
func (e *receiveElement) set(wr *WorkRequest) {
	e.id, e.sgl, e.length = wr.ID, append(e.sgl[:0], wr.SGL...), total(wr.SGL)
}

// postReceives adds Receives to a queue in order and returns how many, and why the next one cannot be posted.
func (q *workQueue) postReceives(elements *ring[receiveElement], wrs []WorkRequest, sges int) (n int, err error) {
	for ; n < len(wrs); n++ {
		wr := &wrs[n]
		switch {
		case wr.Op != 0 && wr.Op != OpReceive:
			return n, ErrInvalidOperation
		case q.used >= q.depth:
			return n, ErrTooManyWRs
		case len(wr.SGL) > sges:
			return n, ErrSGLTooLong
		}
		elements.push().set(wr)
		q.used++
	}
	return n, nil
}

// A receiveQueue is an RQ: one of its own, or the QP's part of an S-RQ.
type receiveQueue struct {
	workQueue
	elements ring[receiveElement] // without an S-RQ: the first is the one in use
	busy     bool                 // a message is being received into the element in use
	status   Status               // of the element in use when it is flushed; Success stands for Flushed
	shared   *SRQ                 // nil for none
	taken    receiveElement       // with an S-RQ: the one in use
	limit    int                  // QP RQ Limit
	armed    bool
}

// missing reports whether a segment begins a message that needs a Receive, but none is posted.
func (q *receiveQueue) missing(s *rdmap.Segment) (p problem, bad bool) {
	waiting := &q.elements
	if q.shared != nil {
		waiting = &q.shared.elements
	}
	switch {
	case q.busy || s.T || !s.Control.Opcode.ConsumesReceive():
		return p, false
	case q.shared != nil && q.shared.failed:
		return problem{situation: rules.QueueError, event: SRQErrorOnQP}, true
	}
	return problem{situation: rules.SendNoBuffer, event: events[rules.SendNoBuffer]}, waiting.len() == 0
}

// begin puts the next Receive, which must exist, in use. low is set if the S-RQ has reached its limit.
func (q *receiveQueue) begin() (low bool) {
	q.busy = true
	return q.shared != nil && q.shared.take(&q.taken)
}

// limitReached reports whether the event of the QP RQ Limit is due, and disarms it. Since messages arrive one after the
// other, at most one Receive is in progress, which exceeds only a limit of 0.
func (q *receiveQueue) limitReached() bool {
	due := q.shared != nil && q.armed && q.limit < 1
	q.armed = q.armed && !due
	return due
}

func (q *receiveQueue) current() *receiveElement {
	if q.shared != nil {
		return &q.taken
	}
	return q.elements.at(0)
}

// pd returns the PD that the Receives belong to: that of the S-RQ, or else of the QP.
func (q *receiveQueue) pd(own *PD) *PD {
	if q.shared != nil {
		return q.shared.pd
	}
	return own
}

// pop removes the Receive in use and returns its ID, with the queue whose slot it holds.
func (q *receiveQueue) pop() (id uint64, slot *workQueue) {
	id, slot = q.current().id, &q.workQueue
	if q.shared != nil {
		slot = &q.shared.queue
	} else {
		q.elements.pop()
	}
	q.busy, q.status = false, Success
	return id, slot
}

// pending reports whether a flush has something to complete: of an S-RQ, the Receive in use only.
func (q *receiveQueue) pending() bool { return q.busy || q.elements.len() > 0 }

// flushed returns the status of the next Receive to be flushed.
func (q *receiveQueue) flushed() Status {
	if q.busy && q.status != Success {
		return q.status
	}
	return Flushed
}

// drop discards all Receives, and frees the slot that the one in use has in an S-RQ: the QP is gone.
func (q *receiveQueue) drop() {
	if q.shared != nil && q.busy {
		q.shared.queue.release(1)
	}
	q.busy, q.elements = false, ring[receiveElement]{}
}

// A ring is a queue that grows on demand and keeps its memory. Pointers to its elements are valid until the next push.
type ring[T any] struct {
	all     []T // its length is 0 or a power of two
	head, n int
}

// len returns the number of elements.
func (r *ring[T]) len() int { return r.n }

// at returns the element at index i, counted from the first.
func (r *ring[T]) at(i int) *T { return &r.all[(r.head+i)&(len(r.all)-1)] }

// push appends an element and returns it. The element holds an old value, whose memory can be reused.
func (r *ring[T]) push() *T {
	if r.n == len(r.all) {
		all := make([]T, max(4, 2*len(r.all)))
		for i := range r.n {
			all[i] = *r.at(i)
		}
		r.all, r.head = all, 0
	}
	r.n++
	return r.at(r.n - 1)
}

// pop removes the first element.
func (r *ring[T]) pop() {
	r.head = (r.head + 1) & (len(r.all) - 1)
	r.n--
}

// clear removes all elements.
func (r *ring[T]) clear() { r.head, r.n = 0, 0 }
