package rnicsim

import (
	"errors"
	"testing"
)

// V-002 V-003 V-004 V-005 V-006 V-007
func TestOpen(t *testing.T) {
	pagesOnly := worldLimits
	pagesOnly.MaxBlock = 0
	blocks, pages := New(Config{Limits: worldLimits}), New(Config{Limits: pagesOnly})
	for _, c := range []struct {
		r            *RNIC
		close, block bool
		want         error
	}{
		{pages, false, false, ErrRNICInUse},
		{pages, true, true, ErrNoBlockLists},
		{pages, false, false, nil},
		{pages, false, false, ErrRNICInUse},
		{blocks, false, true, ErrRNICInUse},
		{blocks, true, true, nil},
		{blocks, false, false, ErrRNICInUse},
	} {
		if c.close {
			c.r.Close()
		}
		r, err := c.r.Reopen(c.block)
		if !errors.Is(err, c.want) {
			t.Fatalf("Reopen: %v, want %v", err, c.want)
		}
		if err != nil {
			continue
		}
		if a, err := r.Query(); err != nil || a.Blocks != c.block || a.MRs != worldLimits.MRs || a.PooledIRD != 0 || a.PooledORD != 0 || a.Vendor == "" {
			t.Errorf("Query: %+v, %v", a, err)
		}
	}
}

// V-108: without S-RQs, there are no Work Requests for them.
func TestQueryWithoutSRQs(t *testing.T) {
	l := worldLimits
	l.SRQs = 0
	if a, err := New(Config{Limits: l}).Query(); err != nil || a.SRQWRs != 0 {
		t.Errorf("%d WRs of S-RQs, %v", a.SRQWRs, err)
	}
	if a := must(New(Config{}).Query()); a.Limits != DefaultLimits {
		t.Errorf("limits %+v", a.Limits)
	}
}

// V-006 V-146: there can be as many of everything as Query says, and no more.
func TestLimits(t *testing.T) {
	r := New(Config{Limits: worldLimits})
	pd := must(r.AllocatePD())
	cq := must(r.CreateCQ(1, 0))
	qp := QPConfig{PD: pd, SendCQ: cq, RecvCQ: cq, ORD: 1, IRD: 1}
	for _, c := range []struct {
		name  string
		left  int
		again func() error
	}{
		{"PD", worldLimits.PDs - 1, func() error { _, err := r.AllocatePD(); return err }},
		{"CQ", worldLimits.CQs - 1, func() error { _, err := r.CreateCQ(1, 0); return err }},
		{"QP", worldLimits.QPs, func() error { _, err := r.CreateQP(qp); return err }},
		{"MR", worldLimits.MRs, func() error { _, err := r.AllocateMR(pd, 0, false); return err }},
		{"MW", worldLimits.MWs, func() error { _, err := r.AllocateMW(pd); return err }},
		{"handler", worldLimits.Handlers, func() error { _, err := r.AddCompletionEventHandler(func(*CQ) {}); return err }},
	} {
		for i := range c.left {
			if err := c.again(); err != nil {
				t.Errorf("%s %d: %v", c.name, i, err)
			}
		}
		if err := c.again(); err != ErrInsufficientResources {
			t.Errorf("%s: %v beyond the limit", c.name, err)
		}
	}
}

// V-008 V-209: nothing is left of an RNIC that was closed, and all its handles are invalid.
func TestClose(t *testing.T) {
	w := newWorld(t)
	w.bound(t)
	srq := must(w.r.CreateSRQ(SRQConfig{PD: w.pd, WRs: 1, SGEs: 1}))
	if err := w.r.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := w.r.Reopen(false)
	if err != nil {
		t.Fatal(err)
	}
	for i, err := range closedErrors(w, srq) {
		if err == nil {
			t.Errorf("verb %d works on an RNIC that was closed", i)
		}
	}
	if w.pd.of(again) || w.cq.of(again) || w.qp.exists() {
		t.Error("an object of an RNIC that was closed belongs to the one that was opened")
	}
	if w.qp.stream != nil || len(w.events) > 0 || again.stags.all != nil {
		t.Error("something is left")
	}
}

func closedErrors(w *world, srq *SRQ) (all []error) {
	add := func(_ any, err error) { all = append(all, err) }
	r := w.r
	add(r.Query())
	add(0, r.Close())
	add(r.AllocatePD())
	add(0, w.pd.Deallocate())
	add(r.CreateCQ(1, 0))
	add(w.cq.Modify(4))
	add(0, w.cq.Destroy())
	add(w.cq.Poll(nil))
	add(0, w.cq.RequestNotification(false))
	add(r.CreateSRQ(SRQConfig{PD: w.pd, WRs: 1}))
	add(0, srq.Destroy())
	add(srq.PostRQ(WorkRequest{}))
	add(r.CreateQP(QPConfig{PD: w.pd, SendCQ: w.cq, RecvCQ: w.cq}))
	add(w.qp.Query())
	add(w.qp.PostSQ(WorkRequest{Op: OpSend}))
	add(w.qp.PostRQ(WorkRequest{}))
	add(0, w.qp.Modify(Modification{}))
	add(0, w.qp.Destroy())
	add(r.AllocateMR(w.pd, 1, true))
	add(r.RegisterMR(w.pd, w.registration()))
	add(r.RegisterOctets(w.pd, make([]byte, 1), 0, LocalRead, 0))
	add(r.ReregisterMR(w.region, w.pd, w.registration()))
	add(r.RegisterSharedMR(w.region, w.pd, w.registration()))
	add(r.QueryMR(w.region))
	add(r.AllocateMW(w.pd))
	add(r.QueryMW(w.window))
	add(0, r.Deallocate(w.region))
	add(r.AddCompletionEventHandler(func(*CQ) {}))
	add(0, r.SetCompletionEventHandler(w.handler, nil))
	add(0, r.SetAsyncEventHandler(nil))
	return all
}

// V-001 V-016 V-022: objects of one RNIC mean nothing to another, and within one they can be combined at will.
func TestScope(t *testing.T) {
	w, v := newWorld(t), newWorld(t)
	g := w.registration()
	for _, c := range []struct {
		name string
		err  func() (any, error)
		want ImmediateError
	}{
		{"AllocateMR", func() (any, error) { return w.r.AllocateMR(v.pd, 1, true) }, ErrInvalidPD},
		{"RegisterMR", func() (any, error) { return w.r.RegisterMR(v.pd, g) }, ErrInvalidPD},
		{"RegisterOctets", func() (any, error) { return w.r.RegisterOctets(v.pd, nil, 0, LocalRead, 0) }, ErrInvalidPD},
		{"RegisterSharedMR", func() (any, error) { return w.r.RegisterSharedMR(w.region, v.pd, g) }, ErrInvalidPD},
		{"AllocateMW", func() (any, error) { return w.r.AllocateMW(v.pd) }, ErrInvalidPD},
		{"CreateSRQ", func() (any, error) { return w.r.CreateSRQ(SRQConfig{PD: v.pd, WRs: 1}) }, ErrInvalidPD},
		{"CreateQP", func() (any, error) { return w.r.CreateQP(QPConfig{PD: v.pd, SendCQ: w.cq, RecvCQ: w.cq}) }, ErrInvalidPD},
		{"CreateQP", func() (any, error) { return w.r.CreateQP(QPConfig{PD: w.pd, SendCQ: w.cq, RecvCQ: v.cq}) }, ErrInvalidCQ},
		{"CreateQP", func() (any, error) { return w.r.CreateQP(QPConfig{PD: w.pd, SendCQ: v.cq, RecvCQ: w.cq}) }, ErrInvalidCQ},
	} {
		if _, err := c.err(); err != c.want {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if w.pd.users != 5 || w.other.users != 1 {
		t.Errorf("PDs have %d and %d users", w.pd.users, w.other.users)
	}
}

// V-012 V-013 V-014 V-015 V-018: a PD is in use as long as anything refers to it.
func TestDeallocatePD(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name   string
		create func(*PD) (free func() error)
	}{
		{"nothing", func(*PD) func() error { return nil }},
		{"region", func(pd *PD) func() error {
			s := must(w.r.RegisterMR(pd, w.registration()))
			return func() error { return w.r.Deallocate(s) }
		}},
		{"invalid region", func(pd *PD) func() error {
			s := must(w.r.AllocateMR(pd, 1, true))
			return func() error { return w.r.Deallocate(s) }
		}},
		{"shared region", func(pd *PD) func() error {
			s := must(w.r.RegisterSharedMR(w.region, pd, w.registration()))
			return func() error { return w.r.Deallocate(s) }
		}},
		{"window", func(pd *PD) func() error {
			s := must(w.r.AllocateMW(pd))
			return func() error { return w.r.Deallocate(s) }
		}},
		{"S-RQ", func(pd *PD) func() error { return must(w.r.CreateSRQ(SRQConfig{PD: pd, WRs: 1})).Destroy }},
		{"QP", func(pd *PD) func() error {
			return must(w.r.CreateQP(QPConfig{PD: pd, SendCQ: w.cq, RecvCQ: w.cq})).Destroy
		}},
	} {
		pd := must(w.r.AllocatePD())
		if free := c.create(pd); free != nil {
			if err := pd.Deallocate(); err != ErrPDInUse {
				t.Errorf("%s: %v", c.name, err)
			}
			if err := free(); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		if err := pd.Deallocate(); err != nil {
			t.Errorf("%s: %v after it was freed", c.name, err)
		}
		if err := pd.Deallocate(); err != ErrInvalidPD {
			t.Errorf("%s: %v for a PD that is gone", c.name, err)
		}
	}
}

// V-018 V-227: a window that is bound, and one that was invalidated, still belong to a PD.
func TestDeallocatePDOfWindow(t *testing.T) {
	w := newWorld(t)
	pd := must(w.r.AllocatePD())
	q := w.newQP(pd)
	region, window := must(w.r.RegisterMR(pd, w.registration())), must(w.r.AllocateMW(pd))
	b := &Bind{Window: window, Region: region, VA: worldBase, Length: 1, Rights: RemoteRead}
	if s := q.access.bind(b); s != Success {
		t.Fatal(s)
	}
	if i := q.access.invalidate(window, false); i != invalidated {
		t.Fatal(i)
	}
	for _, err := range []error{w.r.Deallocate(region), q.Destroy()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := pd.Deallocate(); err != ErrPDInUse {
		t.Errorf("%v with an invalidated window", err)
	}
	if err := w.r.Deallocate(window); err != nil {
		t.Fatal(err)
	}
	if err := pd.Deallocate(); err != nil {
		t.Error(err)
	}
}

// V-017: IDs differ, also after PDs have come and gone.
func TestPDIDs(t *testing.T) {
	r := New(Config{Limits: worldLimits})
	kept := must(r.AllocatePD())
	r.pds.last = ^uint32(0) - 1
	for range 5 {
		pd := must(r.AllocatePD())
		if id := pd.ID(); id == kept.ID() || id == 0 {
			t.Errorf("ID %d", id)
		}
		if err := pd.Deallocate(); err != nil {
			t.Fatal(err)
		}
	}
}
