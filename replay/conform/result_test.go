package conform

import (
	"testing"

	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

func TestJudge(t *testing.T) {
	step := func(v outcome.Verdict, reason string) outcome.Step {
		return outcome.Step{Expected: &scenario.Step{Number: 4, Side: scenario.Server, Do: scenario.FIN{}}, Verdict: v, Reason: reason}
	}
	fine := &outcome.Conn{Name: "c0", Steps: []outcome.Step{step(outcome.Exact, ""), step(outcome.Sent, "")}}
	for _, tt := range []struct {
		name  string
		conns []*outcome.Conn
		want  Result
	}{
		{"exact", []*outcome.Conn{fine}, Result{Verdict: Pass}},
		{"accepted", []*outcome.Conn{fine, {Name: "c1", Steps: []outcome.Step{step(outcome.Accepted, "it may"), step(outcome.Accepted, "it may")}}},
			Result{Verdict: Accepted, Detail: "it may"}},
		{"mismatched", []*outcome.Conn{{Name: "c0", Steps: []outcome.Step{step(outcome.Mismatched, "no")}}},
			Result{Verdict: Fail, Conn: "c0", Expected: "FIN", Actual: "no", Detail: "no"}},
		{"late", []*outcome.Conn{{Name: "c0", End: "too late", Steps: []outcome.Step{step(outcome.NotReached, "")}}},
			Result{Verdict: Fail, Conn: "c0", Expected: "FIN", Actual: "too late", Detail: "too late"}},
		{"unexpected", []*outcome.Conn{{Name: "c0", Steps: []outcome.Step{{Verdict: outcome.Mismatched, Reason: "more"}}}},
			Result{Verdict: Fail, Conn: "c0", Expected: "nothing more", Actual: "more", Detail: "more"}},
		{"dead", []*outcome.Conn{fine, {Name: "alive", End: "gone"}},
			Result{Verdict: Fail, Conn: "alive", Actual: "gone", Detail: "the peer no longer answers: gone", Dead: true}},
		{"not applicable", []*outcome.Conn{{Name: "c0", Steps: []outcome.Step{step(outcome.NotApplicable, "a fault")}}},
			Result{Verdict: Unsupported, Conn: "c0", Detail: "step 4 cannot be judged: a fault"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var r Result
			r.judge(tt.conns, rfcProfile)
			if r.Verdict != tt.want.Verdict || r.Detail != tt.want.Detail || r.Conn != tt.want.Conn || r.Expected != tt.want.Expected ||
				r.Actual != tt.want.Actual || r.Dead != tt.want.Dead {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestSummary(t *testing.T) {
	r := Report{Results: []Result{
		{Verdict: Pass}, {Verdict: Pass, Newly: "x"}, {Verdict: Accepted}, {Verdict: Fail, Known: "y"}, {Verdict: Unsupported}, {Verdict: NotRun},
	}}
	s := r.Summary()
	if want := "6 cases: 2 passed, 1 accepted, 1 failed (1 of them as expected), 1 unsupported, 1 not run, 1 newly passing"; s.String() != want {
		t.Error(s.String())
	}
	if !s.Passed(false) || s.Passed(true) {
		t.Error("an accepted case counts only if strict")
	}
	r.Results[3].Known = ""
	if s = r.Summary(); s.Passed(false) {
		t.Error("a failure counts")
	}
	r.Results[3] = Result{Verdict: Error}
	if s = r.Summary(); s.Passed(false) {
		t.Error("an error counts")
	}
}
