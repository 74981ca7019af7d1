package reference

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// A Fault is a defect of a Peer, and the cases that find it.
type Fault struct {
	Quirk  string        // as quirk.Parse reads it
	Side   scenario.Side // the one that we play
	Cases  string        // their ids without the document, separated by blanks: "7.1.1/rev-unknown"
	Stream rnicsim.StreamConfig
}

// faultTime is the step timeout of a Peer with a Fault, which is in the same process.
const faultTime = 400 * time.Millisecond

// CheckFaults tests that cases fail for Peers with Faults.
func CheckFaults(t *testing.T, sections []conform.Section, faults []Fault) {
	t.Helper()
	for _, f := range faults {
		t.Run(f.Quirk+"/"+f.Side.String(), func(t *testing.T) {
			t.Parallel()
			k, err := quirk.Parse(f.Quirk)
			if err != nil {
				t.Fatal(err)
			}
			c := Config{Stream: f.Stream}
			c.Device.RNIC.Quirks = []quirk.Quirk{k}
			p, err := Open(c)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			ids := strings.Fields(f.Cases)
			questions := slices.DeleteFunc(conform.Questions(sections), func(q conform.Question) bool {
				return !slices.Contains(ids, q.Section.Number+"/"+q.Name)
			})
			if len(questions) != len(ids) {
				t.Errorf("only %[2]d of %[1]d cases exist", len(ids), len(questions))
			}
			o := conform.Options{Crashers: true, Alone: true, GoOn: true, StepTimeout: faultTime}
			report, err := p.Ask(context.Background(), questions, f.Side, o)
			for err != nil && o.StepTimeout < Patient { // on a busy machine the Peer may answer the survey too late
				o.StepTimeout *= 2
				report, err = p.Ask(context.Background(), questions, f.Side, o)
			}
			if err != nil {
				t.Fatal(err)
			}
			for i := range report.Results {
				if r := &report.Results[i]; r.Verdict != conform.Fail {
					t.Errorf("%s: %v: %s", r.ID(), r.Verdict, r.Detail)
				}
			}
		})
	}
}
