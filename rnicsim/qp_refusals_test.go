package rnicsim

import (
	"fmt"
	"testing"
)

// create is CreateQP with a mistake.
func create(change func(*QPConfig)) func(w *world) (any, error) {
	return func(w *world) (any, error) {
		c := w.qp.config
		change(&c)
		return w.r.CreateQP(c)
	}
}

// modify is Modify of a QP in a state, reached without a stream.
func modify(from State, m Modification) func(w *world) (any, error) {
	return func(w *world) (any, error) {
		w.qp.life.state = from
		defer func() { w.qp.life.state = Idle }()
		return only(w.qp.Modify(m))
	}
}

// shared returns a verb of an S-RQ of 4 Work Requests.
func shared(verb func(s *SRQ) (any, error)) func(w *world) (any, error) {
	return func(w *world) (any, error) {
		s := must(w.r.CreateSRQ(SRQConfig{PD: w.pd, WRs: 4, SGEs: 1, Limit: 2}))
		defer s.Destroy()
		return verb(s)
	}
}

var qpRefusals = []refusal{
	{"create without PD", create(func(c *QPConfig) { c.PD = nil }), ErrInvalidPD},
	{"create without CQ", create(func(c *QPConfig) { c.RecvCQ = nil }), ErrInvalidCQ},
	{"create with an S-RQ that is gone", create(func(c *QPConfig) { c.SRQ = new(SRQ) }), ErrInvalidSRQ},
	{"create with an SQ too large", create(func(c *QPConfig) { c.SQ = 9 }), ErrWRLimit},
	{"create with an RQ too large", create(func(c *QPConfig) { c.RQ = 9 }), ErrWRLimit},
	{"create with SGLs too long", create(func(c *QPConfig) { c.SendSGEs = 5 }), ErrSGELimit},
	{"create with Write SGLs too long", create(func(c *QPConfig) { c.WriteSGEs = 5 }), ErrSGELimit},
	{"create with Receive SGLs too long", create(func(c *QPConfig) { c.RecvSGEs = 5 }), ErrSGELimit},
	{"create with ORD too large", create(func(c *QPConfig) { c.ORD = 5 }), ErrORDLimit},
	{"create with IRD too large", create(func(c *QPConfig) { c.IRD = 5 }), ErrIRDLimit},
	{"create one too many", func(w *world) (any, error) {
		q := w.newQP(w.pd)
		defer q.Destroy()
		return w.r.CreateQP(w.qp.config)
	}, ErrInsufficientResources},
	{"create with a QP RQ Limit too large", shared(func(s *SRQ) (any, error) {
		return s.rnic.CreateQP(QPConfig{PD: s.pd, SendCQ: s.rnic.cqs.all[1], RecvCQ: s.rnic.cqs.all[1], SRQ: s, RQLimit: 5})
	}), ErrRQLimit},
	{"query nil", func(w *world) (any, error) { return (*QP)(nil).Query() }, ErrInvalidQP},
	{"destroy nil", func(w *world) (any, error) { return only((*QP)(nil).Destroy()) }, ErrInvalidQP},
	{"modify nil", func(w *world) (any, error) { return only((*QP)(nil).Modify(Modification{})) }, ErrInvalidQP},
	{"modify to no state", modify(Idle, Modification{State: 5}), ErrInvalidState},
	{"modify without a stream", modify(Idle, Modification{State: RTS}), ErrInvalidStream},
	{"modify with a stream that is not ready", modify(Idle, Modification{State: RTS, Stream: New(Config{}).NewStream(StreamConfig{})}), ErrInvalidStream},
	{"modify with a stream on the way to Error", modify(Idle, Modification{State: Error, Stream: new(Stream)}), ErrCannotChange},
	{"modify with a message in Idle", modify(Idle, Modification{Message: []byte{1}}), ErrCannotChange},
	{"modify ORD on the way to Error", modify(Idle, Modification{State: Error, ORD: new(1)}), ErrCannotChange},
	{"modify ORD too large", modify(Idle, Modification{ORD: new(5), IRD: new(2)}), ErrORDLimit},
	{"modify IRD too large", modify(Idle, Modification{ORD: new(2), IRD: new(5)}), ErrIRDLimit},
	{"modify SQ too large", modify(Idle, Modification{SQ: new(9)}), ErrWRLimit},
	{"modify RQ to less than nothing", modify(Idle, Modification{RQ: new(-1)}), ErrWRLimit},
	{"modify the QP RQ Limit without an S-RQ", modify(Idle, Modification{RQLimit: new(1)}), ErrCannotChange},
	{"arm the QP RQ Limit without an S-RQ", modify(Idle, Modification{ArmRQLimit: true}), ErrCannotChange},
	{"post to nil", func(w *world) (any, error) { return (*QP)(nil).PostSQ() }, ErrInvalidQP},
	{"post Receive to nil", func(w *world) (any, error) { return (*QP)(nil).PostRQ() }, ErrInvalidQP},
	{"post no operation", post(WorkRequest{}), ErrInvalidOperation},
	{"post a Receive", post(WorkRequest{Op: OpReceive}), ErrInvalidOperation},
	{"post an operation that is not known", post(WorkRequest{Op: 99}), ErrInvalidOperation},
	{"post an SGL too long", post(WorkRequest{Op: OpSend, SGL: make([]SGE, 5)}), ErrSGLTooLong},
	{"post a Write SGL too long", post(WorkRequest{Op: OpWrite, SGL: make([]SGE, 5)}), ErrSGLTooLong},
	{"post an Atomic of 4 octets", post(WorkRequest{Op: OpFetchAdd, Local: SGE{Len: 4}}), ErrInvalidSGL},
	{"post a Send to the RQ", func(w *world) (any, error) { return w.qp.PostRQ(WorkRequest{Op: OpSend}) }, ErrInvalidOperation},
	{"post a Receive SGL too long", func(w *world) (any, error) { return w.qp.PostRQ(WorkRequest{SGL: make([]SGE, 5)}) }, ErrSGLTooLong},

	{"fail nil", func(w *world) (any, error) { return only((*QP)(nil).Fail()) }, ErrInvalidQP},
	{"fail in Error", func(w *world) (any, error) {
		w.qp.life.state = Error
		defer func() { w.qp.life.state = Idle }()
		return only(w.qp.Fail())
	}, ErrInvalidState},
	{"fail nil S-RQ", func(w *world) (any, error) { return only((*SRQ)(nil).Fail()) }, ErrInvalidSRQ},
	{"fail nil CQ", func(w *world) (any, error) { return only((*CQ)(nil).Fail()) }, ErrInvalidCQ},
	{"fail nil RNIC", func(w *world) (any, error) { return only((*RNIC)(nil).Fail()) }, ErrInvalidRNIC},

	{"create S-RQ without PD", func(w *world) (any, error) { return w.r.CreateSRQ(SRQConfig{WRs: 1}) }, ErrInvalidPD},
	{"create S-RQ of 0", func(w *world) (any, error) { return w.r.CreateSRQ(SRQConfig{PD: w.pd}) }, ErrWRLimit},
	{"create S-RQ too large", func(w *world) (any, error) { return w.r.CreateSRQ(SRQConfig{PD: w.pd, WRs: 9}) }, ErrWRLimit},
	{"create S-RQ with SGLs too long", func(w *world) (any, error) { return w.r.CreateSRQ(SRQConfig{PD: w.pd, WRs: 1, SGEs: 5}) }, ErrSGELimit},
	{"create S-RQ with a limit too large", func(w *world) (any, error) { return w.r.CreateSRQ(SRQConfig{PD: w.pd, WRs: 1, Limit: 2}) }, ErrSRQLimit},
	{"query nil S-RQ", func(w *world) (any, error) { _, _, err := (*SRQ)(nil).Query(); return nil, err }, ErrInvalidSRQ},
	{"modify nil S-RQ", func(w *world) (any, error) { return only((*SRQ)(nil).Modify(SRQModification{})) }, ErrInvalidSRQ},
	{"destroy nil S-RQ", func(w *world) (any, error) { return only((*SRQ)(nil).Destroy()) }, ErrInvalidSRQ},
	{"post to nil S-RQ", func(w *world) (any, error) { return (*SRQ)(nil).PostRQ() }, ErrInvalidSRQ},
	{"modify S-RQ too large", shared(func(s *SRQ) (any, error) { return only(s.Modify(SRQModification{WRs: new(9)})) }), ErrWRLimit},
	{"modify S-RQ below what is posted", shared(func(s *SRQ) (any, error) {
		must(s.PostRQ(WorkRequest{}, WorkRequest{}))
		return only(s.Modify(SRQModification{WRs: new(1)}))
	}), ErrShrink},
	{"modify S-RQ below its limit", shared(func(s *SRQ) (any, error) { return only(s.Modify(SRQModification{WRs: new(1)})) }), ErrSRQLimit},
	{"modify the limit of an S-RQ too large", shared(func(s *SRQ) (any, error) { return only(s.Modify(SRQModification{Limit: new(5)})) }), ErrSRQLimit},
}

// V-010 V-034 V-043 V-046 V-048 V-049 V-060 V-062 V-125 V-245 V-293: a verb of a QP or an S-RQ that is refused says
// why, and changes nothing.
func TestQPRefusals(t *testing.T) {
	for _, c := range qpRefusals {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			dump := func() string {
				a, err := w.qp.Query()
				return w.dump() + fmt.Sprintf("%+v %v %d %d", a, err, w.qp.sq.used, w.qp.rq.used)
			}
			before := dump()
			if _, err := c.verb(w); err != c.want {
				t.Errorf("%v, want %v", err, c.want)
			}
			if after := dump(); after != before {
				t.Errorf("changed from\n%s\nto\n%s", before, after)
			}
		})
	}
}

// V-050 V-057: which of the 25 transitions between states are possible (Verbs, section 6.1.3).
func TestTransitions(t *testing.T) {
	open := map[[2]State]bool{
		{Idle, Idle}: true, {Idle, RTS}: true, {Idle, Error}: true,
		{RTS, RTS}: true, {RTS, Closing}: true, {RTS, Terminate}: true, {RTS, Error}: true,
		{Error, Idle}: true,
	}
	for from := Idle; from <= Error; from++ {
		for to := Idle; to <= Error; to++ {
			a, b := newPair(t, defaults(), defaults())
			reach(t, a, b, from)
			m := Modification{State: to}
			if from == Idle && to == RTS {
				fresh, other := newSide(t, defaults(), nil), newSide(t, defaults(), nil)
				if err := join(fresh, other); err != nil {
					t.Fatal(err)
				}
				m.Stream = fresh.stream
			}
			err := a.qp.Modify(m)
			switch {
			case open[[2]State{from, to}] && (err != nil || a.qp.life.state != to):
				t.Errorf("%v to %v: %v, and it is in %v", from, to, err, a.qp.life.state)
			case !open[[2]State{from, to}] && (err != ErrInvalidState || a.qp.life.state != from):
				t.Errorf("%v to %v: %v, and it is in %v", from, to, err, a.qp.life.state)
			}
		}
	}
}

// reach brings the QP of a from RTS to a state.
func reach(t *testing.T, a, b *side, s State) {
	t.Helper()
	switch s {
	case Idle:
		a.qp.Modify(Modification{State: Closing})
		run(a, b)
	case RTS:
	default:
		a.qp.Modify(Modification{State: s})
	}
	if a.qp.life.state != s {
		t.Fatalf("it is in %v, not %v", a.qp.life.state, s)
	}
}
