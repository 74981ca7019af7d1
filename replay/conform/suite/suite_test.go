package suite

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/reference"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A case as a Scenario, which package live plays.
func Example() {
	some, err := conform.Select(Questions(), []string{"RFC5041/4.3/msn-left-out"})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := conform.Build(some[0], conform.Assume(scenario.Client))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Title)
	fmt.Println(outcome.Line(s.Conns[0].Steps[4]))
	fmt.Println(outcome.Line(s.Conns[0].Steps[5]))
	// Output:
	// RFC5041/4.3/msn-left-out
	// Segment Send MSN=3 01000000 "one is missing"
	// OneOf ...
}

// A case tests each requirement that a peer can observe, or there is a reason why none does.
func TestCoverage(t *testing.T) {
	tested := asked()
	for r := range rfc.All() {
		why := whyUnasked(r.ID)
		switch cases := tested[r.ID]; {
		case !showsToPeer(r):
		case len(cases) == 0 && why == "":
			t.Errorf("%s is not asked, without a reason", r.ID)
		case len(cases) > 0 && unasked()[r.ID] != "":
			t.Errorf("%s is asked by %v, and yet there is a reason why it is not", r.ID, cases)
		}
	}
	for id := range unasked() {
		if rfc.Lookup(id) == nil && len(rfc.Complete(id[:len(id)-1])) == 0 {
			t.Errorf("there is a reason for %s, which does not exist", id)
		}
	}
}

// Names are unique, and each section is one of its document.
func TestQuestions(t *testing.T) {
	seen := make(map[string]bool)
	for _, q := range Questions() {
		if seen[q.ID()] {
			t.Errorf("%s is there twice", q.ID())
		}
		seen[q.ID()] = true
	}
}

// The reference RNIC passes all cases in both roles, and does so each time.
func TestSteady(t *testing.T) {
	if testing.Short() {
		t.Skip("the tests of each document ask its cases")
	}
	for round := range 2 {
		passed := make(map[string]bool)
		for v, questions := range homes(t, uint64(round)) {
			for _, q := range questions {
				passed[q.ID()] = true
			}
			t.Logf("round %d, %s as the %s: %d cases", round, v.variant, v.side, len(questions))
		}
		for _, q := range Questions() {
			if !passed[q.ID()] {
				t.Errorf("round %d: nobody passes %s", round, q.ID())
			}
		}
	}
}

// A home is a variant of the reference RNIC, asked by a side.
type home struct {
	variant string
	side    scenario.Side
}

// homes returns the cases by the first variant of the reference RNIC that can be asked, in each role. The test fails if one of
// them does not pass a case that it can be asked.
func homes(t *testing.T, seed uint64) map[home][]conform.Question {
	t.Helper()
	at := make(map[home][]conform.Question)
	for _, side := range []scenario.Side{scenario.Client, scenario.Server} {
		left := Questions()
		for _, v := range reference.Variants() {
			if !slices.Contains(v.Sides(), side) {
				continue
			}
			p, err := reference.Open(v.Config)
			if err != nil {
				t.Fatal(err)
			}
			report, err := p.Ask(context.Background(), v.Questions(left), side, conform.Options{Crashers: true, Seed: seed, Profile: v.Device.RNIC.Profile, StepTimeout: reference.Patient})
			if err != nil {
				t.Fatal(err)
			}
			left = slices.DeleteFunc(left, func(q conform.Question) bool { return q.Section.Service == v.Service })
			for i := range report.Results {
				switch r := &report.Results[i]; {
				case r.Verdict == conform.Pass:
					at[home{v.Name, side}] = append(at[home{v.Name, side}], r.Question)
				case r.Verdict == conform.Unsupported:
					left = append(left, r.Question)
				case r.Verdict != conform.NotRun || r.Role == conform.Both:
					t.Errorf("%s as the %s: %s: %v: %s", v.Name, side.Other(), r.ID(), r.Verdict, r.Detail)
				}
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	return at
}
