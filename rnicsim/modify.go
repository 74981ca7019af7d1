package rnicsim

// The transitions of a QP by the Consumer (Verbs, sections 6.1.3, 6.2 and 9.2.5.3). closing.go has those caused by a
// stream.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A Modification lists changes of a QP. Nil values stay. Either all changes are made, or none.
//
// Attributes can be changed in Idle, in RTS, and on the way from Idle to RTS: ORD and IRD, the sizes of SQ and RQ, and
// with an S-RQ the QP RQ Limit.
type Modification struct {
	State State // the next one; it may be the same

	// On the way to RTS: the stream to attach, which must be Established or Deciding. A Deciding stream is
	// accepted, with Message as the Private Data of the Reply: that is its last streaming message (Verbs, section
	// 6.6.1).
	Stream  *Stream
	Message []byte

	ORD, IRD, SQ, RQ, RQLimit *int
	ArmRQLimit                bool // arm the event of the QP RQ Limit again
}

// transitions are the states that Modify can go to, by the current state.
var transitions = [...][5]bool{
	Idle:      {Idle: true, RTS: true, Error: true},
	RTS:       {RTS: true, Closing: true, Terminate: true, Error: true},
	Terminate: {},
	Closing:   {},
	Error:     {Idle: true},
}

// Modify changes the QP (Verbs, section 9.2.5.3). It fails with ErrInvalidQP, ErrInvalidState, ErrFlushing,
// ErrInvalidStream, ErrInvalidModifier, ErrCannotChange, ErrORDLimit, ErrIRDLimit, ErrWRLimit, ErrShrink or
// ErrRQLimit. It fails with ErrIRD of the Stream if that has rejected the Request.
func (q *QP) Modify(m Modification) error {
	switch {
	case !q.exists():
		return ErrInvalidQP
	case q.rnic.failed:
		return ErrInvalidRNIC
	}
	if err := q.checkModification(&m); err != nil {
		return err
	}
	if m.State == RTS && q.life.state == Idle && m.Stream.phase == Deciding {
		switch err := m.Stream.Accept(m.Message); err {
		case nil:
		case ErrIRD:
			return err
		default:
			return ErrInvalidModifier
		}
	}
	q.change(&m)
	from := q.life.state
	switch {
	case m.State == from:
	case m.State == RTS:
		q.attach(m.Stream)
	case m.State == Terminate:
		q.stop(problem{situation: rules.LocalError}, nil, 0)
	case m.State == Closing:
		q.apply(q.life.close(q.busy()))
	case m.State == Error:
		q.apply(q.life.abort(0))
	default:
		q.life = lifecycle{}
	}
	return nil
}

// checkModification returns why a QP cannot be changed.
func (q *QP) checkModification(m *Modification) error {
	changes := m.ORD != nil || m.IRD != nil || m.SQ != nil || m.RQ != nil || m.RQLimit != nil || m.ArmRQLimit
	attaches := q.life.state == Idle && m.State == RTS
	switch {
	case m.State > Error || !transitions[q.life.state][m.State]:
		return ErrInvalidState
	case q.life.state == Error && q.flushing:
		return ErrFlushing
	case !attaches && (m.Stream != nil || m.Message != nil), changes && !attaches && m.State != q.life.state:
		return ErrCannotChange
	case attaches:
		if err := m.checkStream(); err != nil {
			return err
		}
	}
	return q.checkAttributes(m)
}

// checkStream returns why a stream cannot be attached.
func (m *Modification) checkStream() error {
	s := m.Stream
	switch {
	case s == nil || s.carried != nil || s.phase != Established && s.phase != Deciding || s.ending != mpa.GoesOn:
		return ErrInvalidStream
	case s.phase == Established && m.Message != nil:
		return ErrInvalidModifier // streaming is over
	}
	return nil
}

// checkAttributes returns which attribute cannot be changed.
func (q *QP) checkAttributes(m *Modification) error {
	l := &q.rnic.limits
	shared := q.rq.shared != nil
	switch {
	case shared && m.RQ != nil, !shared && (m.RQLimit != nil || m.ArmRQLimit):
		return ErrCannotChange
	case out(m.ORD, l.ORD):
		return ErrORDLimit
	case out(m.IRD, l.IRD):
		return ErrIRDLimit
	case out(m.SQ, l.WRs), out(m.RQ, l.WRs):
		return ErrWRLimit
	case m.SQ != nil && *m.SQ < q.sq.used, m.RQ != nil && *m.RQ < q.rq.used:
		return ErrShrink
	case m.RQLimit != nil && out(m.RQLimit, q.rq.shared.queue.depth):
		return ErrRQLimit
	}
	return nil
}

// out reports whether a value is given and out of range: not between 0 and a limit.
func out(value *int, limit int) bool { return value != nil && (*value < 0 || *value > limit) }

// change sets attributes.
func (q *QP) change(m *Modification) {
	set := func(to *int, value *int) {
		if value != nil {
			*to = *value
		}
	}
	c := &q.config
	set(&c.ORD, m.ORD)
	set(&c.IRD, m.IRD)
	set(&c.SQ, m.SQ)
	set(&c.RQ, m.RQ)
	set(&c.RQLimit, m.RQLimit)
	q.sq.depth, q.rq.depth, q.rq.limit = c.SQ, c.RQ, c.RQLimit
	q.rq.armed = q.rq.armed || m.ArmRQLimit
	if q.life.state == RTS {
		q.orrq.ord = q.stream.agreedORD(q.config.ORD)
		q.validator.rules.SetIRD(q.config.ird())
	}
}

// attach starts on a stream (Verbs, section 6.2.1.2).
func (q *QP) attach(s *Stream) {
	q.life, q.stream = lifecycle{state: RTS}, s
	q.orrq.ord = s.agreedORD(q.config.ORD)
	q.sender.reset(s.agreement.DDPVersion)
	q.validator.reset(s.agreement.DDPVersion, q.config.ird())
	switch {
	case s.objection != rules.NoSituation && !q.rnic.quirks.Ignores(s.objection):
		s.carried = q
		q.stop(problem{situation: s.objection, event: LocalCatastrophic}, nil, 0)
		return
	case s.rtr.any():
		q.sender.out = message{kind: readyToReceive}
	}
	s.attach(q)
	if q.life.state == RTS {
		q.proceed()
	}
}

// agreedORD returns how many Read and Atomic Requests may be outstanding: ord, or fewer if the MPA frames say so.
func (s *Stream) agreedORD(ord int) int {
	limit := s.agreement.RespORD
	if s.initiator {
		limit = s.agreement.InitORD
	}
	if limit < 0 {
		return ord
	}
	return min(limit, ord)
}

// ird returns how many Read and Atomic Requests of the peer may be outstanding.
func (c *QPConfig) ird() int {
	if !c.RemoteRead {
		return 0
	}
	return c.IRD
}
