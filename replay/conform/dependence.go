package conform

// Dependences: messages that the peer never sends correctly, so that other cases cannot show anything else.

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
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

// A need is what a case expects of the peer: a message, and if that is a Terminate, in which situation.
type need struct {
	opcode    rdmap.Opcode
	situation rules.Situation // NoSituation for any
}

// kinds are the needs that a message for this one meets.
func (n need) kinds() []need {
	if n.situation == rules.NoSituation {
		return []need{n}
	}
	return []need{n, {opcode: n.opcode}}
}

// says begins a Deviation.
func (n need) says(t *tally) string {
	missing := fmt.Sprintf("%d of %d expected %v messages are missing or wrong", t.wrong, t.due, n.opcode)
	if n.situation != rules.NoSituation {
		missing += " where " + n.situation.Text()
	}
	return missing + ": " + t.first
}

// dependences returns the messages that several cases needed and hardly any received: Terminates, all or those of a situation, or
// messages without a single wrong field.
func (r *Report) dependences() (all []Deviation) {
	tallies := make(map[need]*tally)
	for i := range r.Results {
		for n, s := range r.Results[i].needs() {
			for _, n := range n.kinds() {
				if tallies[n] == nil {
					tallies[n] = new(tally)
				}
				tallies[n].count(s)
			}
		}
	}
	for _, n := range slices.SortedFunc(maps.Keys(tallies), func(a, b need) int {
		return cmp.Or(cmp.Compare(a.opcode, b.opcode), cmp.Compare(a.situation, b.situation))
	}) {
		t := tallies[n]
		if !t.mostly() || n.situation != rules.NoSituation && tallies[need{opcode: n.opcode}].mostly() {
			continue
		}
		d := Deviation{Says: n.says(t)}
		for i := range r.Results {
			if one := &r.Results[i]; one.Verdict == Fail && one.expects(n) {
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

// needs yields what a case expects of the peer, with the steps.
func (r *Result) needs() iter.Seq2[need, *outcome.Step] {
	return func(yield func(need, *outcome.Step) bool) {
		for _, c := range r.Outcome {
			for i := range c.Steps {
				s := &c.Steps[i]
				if s.Expected == nil || s.Expected.Side == c.Role {
					continue
				}
				if n, ok := needOf(s.Expected.Do); ok && !yield(n, s) {
					return
				}
			}
		}
	}
}

// needOf returns the need of an action that is a message.
func needOf(a scenario.Action) (n need, ok bool) {
	switch a := scenario.First(a).(type) {
	case *scenario.Message:
		return need{opcode: a.Opcode}, true
	case *scenario.Refusal:
		return need{rdmap.OpTerminate, a.Situation}, true
	}
	return n, false
}

// expects reports whether a case has a need.
func (r *Result) expects(some need) bool {
	for n := range r.needs() {
		if n == some || n.opcode == some.opcode && some.situation == rules.NoSituation {
			return true
		}
	}
	return false
}
