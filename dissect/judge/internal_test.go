package judge

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// TestObservations checks that observations are told apart from each other and from rules, and can be looked up.
func TestObservations(t *testing.T) {
	n := 0
	for o := range Observations() {
		n++
		if LookupObservation(o.ID) != o || LookupObservation(o.Name) != o || rpcrules.Lookup(o.Name) != nil || o.Text == "" {
			t.Errorf("%+v", o)
		}
	}
	if n != len(observations) || LookupObservation("OBS-NOTHING") != nil {
		t.Errorf("%d observations", n)
	}
}

// TestRecovered refuses a request, and lets others with the same name and another Task succeed: the name decides nothing.
func TestRecovered(t *testing.T) {
	var s story
	f := &record.Finding{Origin: record.Origin{Dir: flow.S2C}, Name: ObsRefusedUpper.Name}
	s.add(f, decision, 0, func() tale { return tale{task: 1} })
	for _, step := range []struct {
		task      uint64
		recovered bool
	}{{2, false}, {1, true}} {
		s.succeeded(&record.Transaction{Dir: flow.C2S, Name: "READ", Task: step.task})
		if got := s.candidates[0].recovered; got != step.recovered {
			t.Errorf("after task %d: %v", step.task, got)
		}
	}
}

// TestMeaningForWrites checks that what is said of a Write that an RNIC refuses by the codes for Read Requests is not about Reads.
func TestMeaningForWrites(t *testing.T) {
	for code := range uint8(5) {
		c := rdmap.Code{Layer: rdmap.LayerRDMAP, EType: rdmap.RDMAPRemoteProtection, ErrorCode: code}
		if m := meaningFor(c, rdmap.OpWrite); m.LookFor == "" || strings.Contains(m.Text+m.LookFor, "Read") || strings.Contains(m.LookFor, "Src") {
			t.Errorf("%v: %+v", c, m)
		}
		if m := meaningFor(c, rdmap.OpReadRequest); m != MeaningOf(c) {
			t.Errorf("%v: %+v", c, m)
		}
	}
}

// TestJoinOfOthers checks that of several exchanges the first counts, and of its bodies the last.
func TestJoinOfOthers(t *testing.T) {
	a := Judge{judged: new(record.Record)}
	one, other := new(record.Transaction), new(record.Transaction)
	for _, j := range []struct {
		t    *record.Transaction
		body string
	}{{one, "a"}, {other, "b"}, {one, "c"}} {
		a.join(j.t, named(j.body))
	}
	if r := a.judged; r.Exchange != one || r.Body != named("c") {
		t.Errorf("%+v", r)
	}
}

// named is a Body that is told from others by its name.
type named string

// Lay implements record.Body.
func (named) Lay(*record.View) {}
