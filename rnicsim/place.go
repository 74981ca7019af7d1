package rnicsim

// Placing: tagged messages into memory that the peer names, Sends into receive buffers.

import "github.com/iwarpkit/iwarp/codec/rdmap"

// access finds octets that the peer names. What is wrong with them is not minded where the quirks say so, as long as
// there are such octets.
func (q *QP) access(stag STag, to, n uint64, rights Rights, problems *faults) (*place, uint64, fault) {
	p, offset, f := q.rnic.remote(q, stag, to, n, rights)
	if (f == faultPD || f == faultRights) && q.rnic.quirks.ignores(problems[f].situation.Name) {
		return q.rnic.lookup(stag).locate(to, n)
	}
	return p, offset, f
}

// place copies the payload of a tagged segment into the memory that it names. It is false if it cannot.
func (q *QP) place(s *rdmap.Segment, ulpdu []byte, wraps bool) bool {
	n := uint64(len(s.Body))
	if n == 0 {
		return true // STag and TO mean nothing
	}
	p, offset, f := q.access(STag(s.Tagged.STag), s.Tagged.TO, n, RemoteWrite, &sinkProblems)
	if wraps && (f == faultless || f == faultBounds) {
		f = faultWrap
	}
	switch {
	case (f == faultless || f >= faultRights) && !q.config.RemoteWrite:
		q.stop(writeDisabled, ulpdu, 0)
		return false
	case f != faultless:
		q.stop(sinkProblems[f], ulpdu, 0)
		return false
	}
	p.put(offset, s.Body)
	return true
}

// unprovided is what is wrong if a segment begins a message that needs a receive buffer, and there is none.
func (q *QP) unprovided(s *rdmap.Segment) (p problem, bad bool) {
	waiting := &q.rq.elements
	if shared := q.rq.shared; shared != nil {
		waiting = &shared.elements
	}
	switch {
	case q.rq.busy || s.T || !s.Control.Opcode.ConsumesReceive():
		return p, false
	case q.rq.shared != nil && q.rq.shared.failed:
		return problem{situation: situationQueue, event: SRQErrorOnQP}, true
	}
	return problem{situation: situationNoBuffer, event: events[situationNoBuffer]}, waiting.len() == 0
}

// buffer is the receive buffer of the message that comes in: the next one, if it begins. ok is false if a handler has
// ended the stream over that.
func (q *QP) buffer() (e *receiveElement, ok bool) {
	if !q.rq.busy {
		q.rq.busy = true
		if q.rq.shared != nil {
			q.takeShared()
		}
	}
	switch {
	case q.state != RTS:
		return nil, false
	case q.rq.shared != nil:
		return &q.rq.taken, true
	}
	return q.rq.elements.at(0), true
}

// deliver places a segment of a Send, and completes the receive buffer with the last one.
func (q *QP) deliver(s *rdmap.Segment, ulpdu []byte) {
	end := uint64(s.Untagged.MO) + uint64(len(s.Body))
	e, ok := q.buffer()
	if !ok {
		return
	}
	if end > e.length {
		q.refuseSend(problem{situation: situationTooLong}, BaseBounds, ulpdu)
		return
	}
	if f := q.scatter(e, uint64(s.Untagged.MO), s.Body); f != faultless {
		q.refuseSend(problem{situation: situationSGE}, f.status(), ulpdu)
		return
	}
	if !s.L() {
		return
	}
	c := Completion{Length: uint32(end)}
	if op := s.Control.Opcode; op.HasInvalidateSTag() {
		if i := q.invalidateFor(STag(s.InvalidateSTag)); i != invalidated {
			q.refuseSend(invalidationProblems[i], i.remoteStatus(), ulpdu)
			return
		}
		c.Invalidated, c.STag = true, STag(s.InvalidateSTag)
	}
	q.completeReceive(c, s.Control.Opcode.Solicited())
}

// deliverImmediate completes the next receive buffer with Immediate Data, which is not placed.
func (q *QP) deliverImmediate(s *rdmap.Segment) {
	var h rdmap.Immediate
	h.Decode(s.Body)
	if _, ok := q.buffer(); !ok {
		return
	}
	c := Completion{Length: rdmap.ImmediateLen, Immediate: true, Data: h.ImmediateData}
	q.completeReceive(c, s.Control.Opcode.Solicited())
}

// refuseSend ends the stream, and completes the receive buffer with what is wrong with it or with the Send.
func (q *QP) refuseSend(p problem, s Status, ulpdu []byte) {
	q.rq.status = s
	q.stop(p, ulpdu, 0)
	if q.state == RTS { // it is not minded
		q.rq.status = Success
	}
}

// scatter copies octets to the buffers of a Receive, from offset at on. Of those that get none nothing is checked.
func (q *QP) scatter(e *receiveElement, at uint64, b []byte) fault {
	pd := q.config.PD
	if q.rq.shared != nil {
		pd = q.rq.shared.pd
	}
	for i := range e.sgl {
		s := e.sgl[i]
		if at >= uint64(s.Len) {
			at -= uint64(s.Len)
			continue
		}
		n := min(uint64(len(b)), uint64(s.Len)-at)
		s.TO, s.Len, at = s.TO+at, uint32(n), 0
		p, offset, f := q.rnic.local(q, pd, &s, LocalWrite)
		if f != faultless {
			return f
		}
		if n > 0 {
			p.put(offset, b[:n])
		}
		b = b[n:]
	}
	return faultless
}

// appendSpans appends to parts the n octets from offset on, in place. Both ends must lie within the region.
func (p *place) appendSpans(parts [][]byte, offset uint64, n int) [][]byte {
	for i, within := p.from(offset); n > 0; i, within = i+1, 0 {
		b := p.spans[i].octets[within:]
		b = b[:min(n, len(b))]
		parts = append(parts, b)
		n -= len(b)
	}
	return parts
}

// status is how a Work Request ends that could not invalidate. The Verbs have no status for a Memory Region with Memory
// Windows bound to it.
func (i invalidation) status() Status {
	return [...]Status{Success, InvalidSTag, InvalidSTag, InvalidPDID, InvalidateRefused, InvalidSTag}[i]
}

// remoteStatus is how the Receive ends whose Send could not invalidate.
func (i invalidation) remoteStatus() Status {
	if i == invalidatePD {
		return InvalidateRefused
	}
	return i.status()
}

// invalidateFor invalidates an STag for the peer. What speaks against it is not minded where the quirks say so.
func (q *QP) invalidateFor(index STag) invalidation {
	i := q.invalidate(index, true)
	if i == invalidated || !q.rnic.quirks.ignores(invalidationProblems[i].situation.Name) {
		return i
	}
	if i != invalidateSTag {
		q.rnic.lookup(index).invalidate()
	}
	return invalidated
}

// invalidationProblems are what a Send that could not invalidate ends the stream with.
var invalidationProblems = [...]problem{
	invalidateSTag:    {situation: situation("invalidate-stag")},
	invalidateShared:  {situation: situation("invalidate-shared")},
	invalidatePD:      {situation: situation("invalidate-association")},
	invalidateRights:  {situation: situation("invalidate-access")},
	invalidateWindows: {situation: situation("invalidate-windows")},
}
