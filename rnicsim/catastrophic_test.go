package rnicsim

import (
	"errors"
	"testing"
)

// V-291 V-008: an RNIC that has failed can only be closed, and then opened again. Its verbs say so, except those that
// show what has become of the work. The transcript fault_rnic shows that no more work begins.
func TestVerbsAfterTheRNICFailed(t *testing.T) {
	w := newWorld(t)
	srq := must(w.r.CreateSRQ(SRQConfig{PD: w.pd, WRs: 4, SGEs: 1}))
	must(w.qp.PostRQ(WorkRequest{ID: 7}))
	before := w.dump()
	if err := w.r.Fail(); err != nil {
		t.Fatal(err)
	}
	if len(w.events) != 1 || w.events[0] != (Event{Type: RNICCatastrophic, RNIC: w.r}) {
		t.Error(w.events)
	}
	for name, verb := range map[string]func() (any, error){
		"AllocatePD":                func() (any, error) { return w.r.AllocatePD() },
		"CreateCQ":                  func() (any, error) { return w.r.CreateCQ(1, 0) },
		"CreateSRQ":                 func() (any, error) { return w.r.CreateSRQ(SRQConfig{PD: w.pd, WRs: 1}) },
		"CreateQP":                  func() (any, error) { return w.r.CreateQP(w.qp.config) },
		"AllocateMR":                func() (any, error) { return w.r.AllocateMR(w.pd, 1, true) },
		"AllocateMW":                func() (any, error) { return w.r.AllocateMW(w.pd) },
		"RegisterMR":                func() (any, error) { return w.r.RegisterMR(w.pd, w.registration()) },
		"RegisterOctets":            func() (any, error) { return w.r.RegisterOctets(w.pd, make([]byte, 8), 0, LocalRead, 1) },
		"RegisterSharedMR":          func() (any, error) { return w.r.RegisterSharedMR(w.region, w.pd, w.registration()) },
		"ReregisterMR":              func() (any, error) { return w.r.ReregisterMR(w.region, w.pd, w.registration()) },
		"QueryMR":                   func() (any, error) { return w.r.QueryMR(w.region) },
		"QueryMW":                   func() (any, error) { return w.r.QueryMW(w.window) },
		"Deallocate":                func() (any, error) { return only(w.r.Deallocate(w.region)) },
		"SetAsyncEventHandler":      func() (any, error) { return only(w.r.SetAsyncEventHandler(nil)) },
		"AddCompletionEventHandler": func() (any, error) { return w.r.AddCompletionEventHandler(func(*CQ) {}) },
		"SetCompletionEventHandler": func() (any, error) { return only(w.r.SetCompletionEventHandler(w.handler, nil)) },
		"RNIC.Fail":                 func() (any, error) { return only(w.r.Fail()) },
		"PD.Deallocate":             func() (any, error) { return only(w.pd.Deallocate()) },
		"CQ.Modify":                 func() (any, error) { return w.cq.Modify(9) },
		"CQ.Destroy":                func() (any, error) { return only(w.cq.Destroy()) },
		"CQ.RequestNotification":    func() (any, error) { return only(w.cq.RequestNotification(false)) },
		"CQ.Fail":                   func() (any, error) { return only(w.cq.Fail()) },
		"SRQ.Modify":                func() (any, error) { return only(srq.Modify(SRQModification{})) },
		"SRQ.PostRQ":                func() (any, error) { return srq.PostRQ(WorkRequest{}) },
		"SRQ.Destroy":               func() (any, error) { return only(srq.Destroy()) },
		"SRQ.Fail":                  func() (any, error) { return only(srq.Fail()) },
		"QP.Modify":                 func() (any, error) { return only(w.qp.Modify(Modification{State: Error})) },
		"QP.PostSQ":                 func() (any, error) { return w.qp.PostSQ(WorkRequest{Op: OpSend}) },
		"QP.PostRQ":                 func() (any, error) { return w.qp.PostRQ(WorkRequest{}) },
		"QP.Destroy":                func() (any, error) { return only(w.qp.Destroy()) },
		"QP.Fail":                   func() (any, error) { return only(w.qp.Fail()) },
	} {
		if _, err := verb(); err != ErrInvalidRNIC {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.r.failed, w.events = false, nil // to see what has changed
	if after := w.dump(); after != before {
		t.Errorf("changed from\n%sto\n%s", before, after)
	}
	w.r.failed = true
	_, ofRNIC := w.r.Query()
	_, ofQP := w.qp.Query()
	_, _, ofCQ := w.cq.Query()
	_, _, ofSRQ := srq.Query()
	if _, err := w.cq.Poll(make([]Completion, 1)); err != ErrCQEmpty || errors.Join(ofRNIC, ofQP, ofCQ, ofSRQ) != nil {
		t.Error(err, ofRNIC, ofQP, ofCQ, ofSRQ)
	}
	if err := w.r.Close(); err != nil {
		t.Error(err)
	}
	if again, err := w.r.Reopen(false); err != nil || !again.works() {
		t.Error(err)
	}
}

// V-291: one event reports all: the loss of connections that the failure causes is not reported again.
func TestRNICFailureIsToldOnce(t *testing.T) {
	a, _ := newPair(t, defaults(), defaults())
	a.rnic.Fail()
	a.stream.Lost()
	if len(a.events) != 1 || a.qp.life.state != Error {
		t.Error(a.events, a.qp.life.state)
	}
}
