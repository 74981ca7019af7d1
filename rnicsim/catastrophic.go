package rnicsim

// Catastrophes: failures within an RNIC, which neither a peer nor a Consumer causes (Verbs, section 8.3.3). They never
// happen by themselves: tests and drivers ask for them.

import (
	"maps"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rules"
)

// Fail makes the QP fail: a Local QP Catastrophic Error. In RTS it sends the Terminate 0/2/07 after the segments that
// were sent, and then goes to Error; in other states it goes there at once. It fails with ErrInvalidQP, or with
// ErrInvalidState in Error.
func (q *QP) Fail() error {
	switch {
	case !q.exists():
		return ErrInvalidQP
	case q.rnic.failed:
		return ErrInvalidRNIC
	case q.life.state == Error:
		return ErrInvalidState
	case q.life.state == RTS:
		q.stop(problem{situation: rules.QueueError, event: LocalCatastrophic}, nil, 0)
	default:
		q.apply(q.life.abort(LocalCatastrophic))
	}
	return nil
}

// Fail makes the queue fail: a CQ Operation Error. Its completions can still be polled. Later ones are lost, and each
// ends the stream of its QP with a CQ/SQ or CQ/RQ Error and the Terminate 0/2/07. It fails with ErrInvalidCQ.
func (c *CQ) Fail() error {
	switch {
	case !c.exists():
		return ErrInvalidCQ
	case c.rnic.failed:
		return ErrInvalidRNIC
	}
	c.failed = true
	c.rnic.raise(Event{Type: CQOperationError, CQ: c})
	return nil
}

// Fail makes the queue fail: a Shared Receive Queue Catastrophic Failure. A message that needs one of its Receives
// ends its stream with an S-RQ error on a QP and the Terminate 0/2/07 (Verbs, section 6.3.6). It fails with
// ErrInvalidSRQ.
func (s *SRQ) Fail() error {
	switch {
	case s == nil || !s.of(s.rnic):
		return ErrInvalidSRQ
	case s.rnic.failed:
		return ErrInvalidRNIC
	}
	s.failed = true
	s.rnic.raise(Event{Type: SRQCatastrophic, SRQ: s})
	return nil
}

// Fail makes the whole RNIC fail: an RNIC Catastrophic Failure. The last message of each stream is the Terminate
// 0/2/08; one event reports all of this. Then the RNIC can only be closed: other verbs fail with ErrInvalidRNIC,
// except those that show what has happened, CQ.Poll and the Query of the RNIC, its QPs, CQs and S-RQs (Verbs, figure
// 25). It fails with ErrInvalidRNIC.
func (r *RNIC) Fail() error {
	if !r.works() {
		return ErrInvalidRNIC
	}
	r.failed = true
	for _, id := range slices.Sorted(maps.Keys(r.qps.all)) {
		if q := r.qps.all[id]; q != nil && q.life.state == RTS {
			q.stop(problem{situation: rules.RNICError}, nil, 0)
			q.life.reported = true
		}
	}
	r.raise(Event{Type: RNICCatastrophic})
	return nil
}
