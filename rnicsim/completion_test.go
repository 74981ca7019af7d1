package rnicsim

import "testing"

// V-257: when a Read with Invalidate is complete its octets are there, and the STag is Invalid.
func TestInvalidatedAtCompletion(t *testing.T) {
	var sink STag
	octets, calls := make([]byte, 4), 0
	a, b := armed(t, func(a *side) {
		calls++
		if m := must(a.rnic.QueryMR(sink)); m.Valid || string(octets) != "data" {
			t.Errorf("Valid %v, %q", m.Valid, octets)
		}
	})
	sink = a.region(octets, 0, allRights)
	source := b.region([]byte("data"), 0, allRights)
	must(a.qp.PostSQ(WorkRequest{Op: OpReadInvalidate, Local: SGE{sink, 0, 4}, Remote: source}))
	if run(a, b); calls != 1 {
		t.Error(calls)
	}
}

// V-266: completions can be polled in every state.
func TestPollInAllStates(t *testing.T) {
	for s := Idle; s <= Error; s++ {
		a, b := newPair(t, defaults(), defaults())
		must(a.qp.PostRQ(WorkRequest{ID: 1}))
		must(a.qp.PostSQ(WorkRequest{ID: 2, Op: OpWrite}))
		must(b.qp.PostSQ(WorkRequest{Op: OpSend}))
		run(a, b)
		reach(t, a, b, s)
		if got := a.poll(); len(got) != 2 || got[0].WRID != 2 || got[1].WRID != 1 || got[1].Status != Success {
			t.Errorf("in %v: %v", s, got)
		}
	}
}
