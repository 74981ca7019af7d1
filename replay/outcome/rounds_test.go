package outcome_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/replay/outcome"
)

func TestAddRound(t *testing.T) {
	const rounds = 40
	passed := []*outcome.Conn{{Name: "c0", Steps: []outcome.Step{{Verdict: outcome.Exact}}}}
	failed := []*outcome.Conn{{Name: "c0", Steps: []outcome.Step{{Verdict: outcome.Mismatched}}}}
	var r outcome.Report
	for n := 1; n <= rounds; n++ {
		if n%2 == 0 {
			r.AddRound(failed, rounds)
		} else {
			r.AddRound(passed, rounds)
		}
	}
	if want := (outcome.Rounds{Played: rounds, Passed: rounds / 2}); r.Rounds != want {
		t.Errorf("%+v", r.Rounds)
	}
	if n := len(r.Conns); n != outcome.MaxKept+1 || r.Conns[0].Name != "c0, round 2" || r.Conns[n-1].Name != "c0, round 40" {
		t.Errorf("%d connections are kept", n)
	}

	r = outcome.Report{}
	r.AddRound(passed, 1)
	if len(r.Conns) != 1 || r.Conns[0].Name != "c0" {
		t.Errorf("%+v", r)
	}
}
