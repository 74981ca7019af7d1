package rnicsim

// How Work Requests get into the queues (Verbs, section 9.3.1).

import "slices"

// PostSQ posts Work Requests to the Send Queue, in order, and returns how many: the first that is refused ends it. What
// is posted in Idle waits for RTS; in Terminate it is flushed at once, and in Closing it makes that fail. It fails with
// ErrInvalidQP, ErrInvalidState, ErrTooManyWRs, ErrInvalidOperation, ErrSGLTooLong, ErrInvalidSGL or
// ErrInvalidModifier. The Work Requests can be used again.
func (q *QP) PostSQ(wrs ...WorkRequest) (n int, err error) {
	switch {
	case !q.exists():
		return 0, ErrInvalidQP
	case q.rnic.failed:
		return 0, ErrInvalidRNIC
	}
	for ; n < len(wrs) && err == nil; n++ {
		if err = q.checkSend(&wrs[n]); err != nil {
			break
		}
		q.sq.elements.push().set(&wrs[n])
		q.sq.used++
	}
	if n > 0 {
		q.posted(true)
	}
	return n, err
}

// checkSend says why a Work Request cannot be posted to the SQ.
func (q *QP) checkSend(wr *WorkRequest) error {
	switch {
	case q.state == Error || q.flushing:
		return ErrInvalidState
	case wr.Op == 0 || wr.Op >= OpReceive:
		return ErrInvalidOperation
	case q.sq.used >= q.sq.depth:
		return ErrTooManyWRs
	case wr.Op.isSend() && len(wr.SGL) > q.config.SendSGEs, wr.Op == OpWrite && len(wr.SGL) > q.config.WriteSGEs:
		return ErrSGLTooLong
	case wr.Op.isAtomic() && wr.Local.Len != 0 && wr.Local.Len != 8:
		return ErrInvalidSGL
	case wr.Op == OpBind && (wr.Bind == nil || wr.Bind.Window.Index() == 0 || wr.Bind.Region.Index() == 0),
		wr.Op == OpFastRegister && (wr.Registration == nil || wr.STag.Index() == 0),
		wr.Op == OpInvalidate && wr.STag.Index() == 0:
		return ErrInvalidModifier // STag 0 is always Valid and never bound (Verbs, section 7.2.1)
	}
	return nil
}

// PostRQ posts Work Requests to the Receive Queue, in order, and returns how many: the first that is refused ends it.
// Their Op may be zero. Those posted in Closing and Terminate are flushed at once. It fails with ErrInvalidQP,
// ErrHasSRQ, ErrInvalidState, ErrTooManyWRs, ErrInvalidOperation or ErrSGLTooLong. The Work Requests can be used again.
func (q *QP) PostRQ(wrs ...WorkRequest) (n int, err error) {
	switch {
	case !q.exists():
		return 0, ErrInvalidQP
	case q.rnic.failed:
		return 0, ErrInvalidRNIC
	case q.rq.shared != nil:
		return 0, ErrHasSRQ
	case q.state == Error || q.flushing:
		return 0, ErrInvalidState
	}
	n, err = q.rq.post(&q.rq.elements, wrs, q.config.RecvSGEs)
	if n > 0 {
		q.posted(false)
	}
	return n, err
}

// post puts Receives into a queue.
func (q *workQueue) post(elements *ring[receiveElement], wrs []WorkRequest, sges int) (n int, err error) {
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

// posted acts on what was posted.
func (q *QP) posted(send bool) {
	switch {
	case q.state == RTS:
		q.proceed()
	case q.state == Closing && send:
		q.spoil()
	case q.state == Closing || q.state == Terminate:
		q.flush()
	}
}

// isSend tells whether the operation sends the octets of its SGL into a buffer of the peer's choice.
func (o Op) isSend() bool { return o >= OpSend && o <= OpSendSEInvalidate }

// isRead tells whether the operation is an RDMA Read.
func (o Op) isRead() bool { return o == OpRead || o == OpReadInvalidate }

// isAtomic tells whether the operation is an Atomic.
func (o Op) isAtomic() bool { return o == OpFetchAdd || o == OpCmpSwap }

// isLocal tells whether the operation changes STags and sends nothing.
func (o Op) isLocal() bool { return o == OpBind || o == OpFastRegister || o == OpInvalidate }

// clone copies a Registration with its list.
func (g *Registration) clone() *Registration {
	c := *g
	c.Entries = slices.Clone(g.Entries)
	return &c
}
