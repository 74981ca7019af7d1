package reference

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/outcome"
)

// Patient is the step timeout of a Peer that breaks no rule: it answers each step, however busy the machine is.
const Patient = time.Minute

// Check tests the sections of one document: their cases are well formed, and a Peer that breaks no rule passes all and
// leaves no goroutine behind. others are further Peers, for cases that need features that not every Peer has. Each Peer
// is judged by its Profile.
func Check(t *testing.T, sections []conform.Section, others ...Config) {
	t.Helper()
	defer goleak.VerifyNone(t)
	all := conform.Questions(sections)
	passed := make(map[string]bool)
	for _, q := range all {
		if _, twice := passed[q.ID()]; twice {
			t.Errorf("%s occurs twice", q.ID())
		}
		passed[q.ID()] = false
		wellFormed(t, q)
	}
	plain := plain(all)
	for i, c := range append(plain, others...) {
		p, err := Open(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range c.Sides() {
			t.Run(fmt.Sprintf("%v-%v%d", c.Service, side, i), func(t *testing.T) {
				// One wait for a timeout is enough.
				questions := slices.DeleteFunc(c.Questions(all), func(q conform.Question) bool { return q.Patient && passed[q.ID()] })
				report, err := p.Ask(context.Background(), questions, side, conform.Options{Crashers: true, Alone: true, Profile: c.Device.RNIC.Profile, StepTimeout: Patient})
				if err != nil {
					t.Fatal(err)
				}
				for k := range report.Results {
					r := &report.Results[k]
					passed[r.ID()] = passed[r.ID()] || r.Verdict == conform.Pass
					if i < len(plain) || r.Verdict != conform.Accepted { // the others deviate on purpose
						tell(t, r)
					}
				}
			})
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	for id, well := range passed {
		if !well {
			t.Errorf("no peer passed %s", id)
		}
	}
}

// plain returns Peers that break no rule, one for each service of the questions.
func plain(all []conform.Question) (some []Config) {
	for _, q := range all {
		if !slices.ContainsFunc(some, func(c Config) bool { return c.Service == q.Section.Service }) {
			some = append(some, Config{Service: q.Section.Service})
		}
	}
	return some
}

// wellFormed fails the test for an incomplete case.
func wellFormed(t *testing.T, q conform.Question) {
	t.Helper()
	known := len(rfc.Section(q.Section.Document, q.Section.Number)) > 0 || rfc.LookupDocument(q.Section.Document) != nil
	if q.Says == "" || len(q.Requirements) == 0 || !known {
		t.Errorf("%s lacks a sentence, requirements or a document", q.ID())
	}
	for _, id := range q.Requirements {
		if rfc.Lookup(id) == nil {
			t.Errorf("%s: unknown requirement %s", q.ID(), id)
		}
	}
}

// tell fails the test for a case that was run, and not passed.
func tell(t *testing.T, r *conform.Result) {
	t.Helper()
	switch r.Verdict {
	case conform.Pass, conform.NotRun, conform.Unsupported:
		return
	}
	if r.Scenario == nil {
		t.Errorf("%s: %v: %s", r.ID(), r.Verdict, r.Detail)
		return
	}
	var text bytes.Buffer
	outcome.WriteText(&text, &outcome.Report{Conns: r.Outcome}, outcome.TextOptions{All: true})
	t.Errorf("%s: %v: %s\nexpected %s\nactual   %s\n%s\n%s", r.ID(), r.Verdict, r.Detail, r.Expected, r.Actual, r.Scenario, &text)
}
