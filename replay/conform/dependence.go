package conform

// Dependences: messages that the peer never sends correctly, so that other cases cannot show anything else.

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// leastDependent is the minimum number of cases that must fail for a Deviation.
const leastDependent = 3

// A tally counts the messages of an opcode that were due.
type tally struct {
	due, wrong int
	first      string // what is wrong with the first wrong one
}

// mostly reports whether too many messages are wrong to rely on any.
func (t *tally) mostly() bool { return t.wrong >= leastDependent && 5*t.wrong >= 4*t.due }

// dependences returns the messages that several cases needed and hardly any received: Terminates, or messages without a
// single wrong field.
func (r *Report) dependences() (all []Deviation) {
	var tallies [16]tally
	for i := range r.Results {
		for _, c := range r.Results[i].Outcome {
			for j := range c.Steps {
				if s := &c.Steps[j]; s.Expected != nil && s.Expected.Side != c.Role {
					if o, ok := messageOf(s.Expected.Do); ok {
						tallies[o&15].count(s)
					}
				}
			}
		}
	}
	for i := range tallies {
		t, o := &tallies[i], rdmap.Opcode(i)
		if !t.mostly() {
			continue
		}
		d := Deviation{Says: fmt.Sprintf("%d of %d expected %v messages are missing or wrong: %s", t.wrong, t.due, o, t.first)}
		for i := range r.Results {
			if one := &r.Results[i]; one.Verdict == Fail && one.expects(o) {
				d.Failed = append(d.Failed, one.ID())
			}
		}
		all = append(all, d)
	}
	return all
}

// count counts a message that was due for a step.
func (t *tally) count(s *outcome.Step) {
	switch s.Verdict {
	case outcome.Exact, outcome.Accepted:
		t.due++
	case outcome.Mismatched, outcome.NotReached:
		if s.Reason == "" {
			return // something before it ended the connection
		}
		t.due, t.wrong = t.due+1, t.wrong+1
		t.first = cmp.Or(t.first, s.Reason)
	}
}

// messageOf returns the opcode of an action that is a message.
func messageOf(a scenario.Action) (o rdmap.Opcode, ok bool) {
	switch a := scenario.First(a).(type) {
	case *scenario.Message:
		return a.Opcode, true
	case *scenario.Refusal:
		return rdmap.OpTerminate, true
	}
	return 0, false
}

// expects reports whether a case needs a message of the peer.
func (r *Result) expects(o rdmap.Opcode) bool {
	for _, c := range r.Outcome {
		if slices.ContainsFunc(c.Steps, func(s outcome.Step) bool {
			if s.Expected == nil || s.Expected.Side == c.Role {
				return false
			}
			of, ok := messageOf(s.Expected.Do)
			return ok && of == o
		}) {
			return true
		}
	}
	return false
}
