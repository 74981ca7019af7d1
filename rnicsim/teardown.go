package rnicsim

// How a QP leaves RTS, and what its stream does to it on the way (Verbs, sections 6.2.2 to 6.2.5 and 6.6.2).

// close closes the stream gracefully. The Consumer should have let all work come to its end before.
func (q *QP) close() {
	q.state = Closing
	if q.busy() {
		q.spoil()
		return
	}
	q.flush()
	if q.state == Closing && q.stream != nil {
		q.stream.Close()
	}
}

// busy tells that there is work in the SQ or IRRQ: not yet done, whether its completions were polled or not.
func (q *QP) busy() bool {
	return q.sq.elements.len() > 0 || q.asked.len() > 0 || q.irrq.len() > 0
}

// spoil is for what must not happen in Closing: a segment that comes in, or work that there is.
func (q *QP) spoil() {
	q.reset()
	q.enterError()
	q.raise(BadClose)
}

// reset resets the stream, if there is one, and detaches it.
func (q *QP) reset() {
	if s := q.detach(); s != nil {
		s.Abort()
	}
}

// detach takes the QP off its stream.
func (q *QP) detach() *Stream {
	s := q.stream
	if s != nil {
		s.detach()
		q.stream = nil
	}
	return s
}

// enterError flushes what is outstanding. The stream is detached before.
func (q *QP) enterError() {
	q.state = Error
	q.flush()
}

// raise tells of an event that is about the QP.
func (q *QP) raise(e EventType) {
	if q.id != 0 {
		q.rnic.raise(Event{Type: e, QP: q})
	}
}

// fin is part of what a Stream carries: the peer has closed its side.
func (q *QP) fin() {
	switch {
	case q.state != RTS:
	case q.busy():
		q.stop(problem{situation: situationQueue, event: BadLLPClose}, nil, 0)
	default:
		q.close()
	}
}

// lost is part of what a Stream carries: the connection is gone.
func (q *QP) lost() { q.over(LLPConnectionLost) }

// closed is part of what a Stream carries: the connection is over.
func (q *QP) closed(reset bool) {
	switch {
	case q.stream == nil:
	case reset && q.state == RTS:
		q.over(LLPConnectionReset)
	case q.stream.err != nil:
		q.over(LLPConnectionLost)
	case q.state == Terminate:
		q.detach()
		q.enterError()
	case q.state == RTS && q.busy():
		q.over(BadLLPClose)
	default:
		q.detach()
		q.state = Closing
		q.flush()
		q.raise(LLPCloseComplete)
		if q.state == Closing {
			q.state = Idle
		}
	}
}

// over ends a stream that has failed. The event tells of it unless it was Terminate that failed: then it is a Bad
// Close, or nothing if an event has told of the reason of the Terminate.
func (q *QP) over(e EventType) {
	terminated := q.state == Terminate
	q.detach()
	q.enterError()
	switch {
	case !terminated:
		q.raise(e)
	case q.told:
		q.raise(BadClose)
	}
}
