package conform

// The results of cases.

import (
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A Verdict is the result of a case.
type Verdict uint8

// The verdicts.
const (
	NotRun      Verdict = iota // Detail says why
	Pass                       // it did what the documents demand
	Accepted                   // it did something else that is known and harmless; Detail says what
	Fail                       // it did something else
	Unsupported                // the peer lacks a needed feature
	Error                      // an error of iwarp, or of the case, or the peer could not be reached any more
)

var verdictNames = [...]string{"not_run", "pass", "accepted", "fail", "unsupported", "error"}

// String returns the verdict as in JSON: "not_run".
func (v Verdict) String() string { return verdictNames[v] }

// Verdicts yields all verdicts with their names for people.
func Verdicts() iter.Seq2[Verdict, string] {
	return func(yield func(Verdict, string) bool) {
		for v, name := range verdictNames {
			if !yield(Verdict(v), strings.ReplaceAll(name, "_", " ")) {
				return
			}
		}
	}
}

// A Result is the result of a case.
type Result struct {
	Question
	Verdict Verdict
	Took    time.Duration
	Detail  string // why, in a clause; empty for Pass

	// For a Fail: the connection, the expected line of a Scenario, and what came instead.
	Conn             string
	Expected, Actual string

	Dead     bool               // the peer no longer answered after the case
	Known    string             // why a Fail was expected; empty if it was not
	Newly    string             // why a Fail was expected that did not happen
	Scenario *scenario.Scenario // the one that was played; nil if none was
	Outcome  []*outcome.Conn    // of its connections

	taken int // number of Deviations known when the case ran
}

// judge derives the verdict from the outcome of the connections of a case.
func (r *Result) judge(conns []*outcome.Conn, p *rules.Profile) {
	r.Outcome, r.Verdict = conns, Pass
	var accepted []string
	for _, c := range conns {
		if !passed(c) {
			r.fail(c, p)
			return
		}
		if why := unjudged(c); why != "" {
			r.Verdict, r.Conn, r.Detail = Unsupported, c.Name, why
		}
		for i := range c.Steps {
			if s := &c.Steps[i]; s.Verdict == outcome.Accepted {
				accepted = append(accepted, s.Reason)
			}
		}
	}
	if r.Verdict == Pass && len(accepted) > 0 {
		r.Verdict, r.Detail = Accepted, strings.Join(unique(accepted), "; ")
	}
}

// fail turns r into a Fail because of a connection.
func (r *Result) fail(c *outcome.Conn, p *rules.Profile) {
	r.Verdict, r.Conn, r.Dead = Fail, c.Name, c.Name == alive
	r.Expected, r.Actual = due(c, p), c.End
	if s := c.First(); s != nil && s.Reason != "" {
		r.Actual = s.Reason
	}
	r.Detail = r.Actual
	if r.Dead {
		r.Detail = "the peer no longer answers: " + r.Actual
	}
}

// HasSwapped reports whether a case failed in which the peer has sent a Terminate with the first octets in swapped order of bits.
func (r *Result) HasSwapped() bool {
	if r.Verdict != Fail {
		return false
	}
	for _, c := range r.Outcome {
		for i := range c.Steps {
			d := c.Steps[i].Diff
			if d == nil || d.Layer != outcome.ULPDU || ddp.IsTagged(d.Actual) || len(d.Actual) < ddp.UntaggedLen {
				continue
			}
			body := d.Actual[ddp.UntaggedLen:]
			if rdmap.Opcode(d.Actual[rdmap.ControlOff]&15) == rdmap.OpTerminate && rdmap.ReadingOf(body, len(body)) == rdmap.ReadingSwapped {
				return true
			}
		}
	}
	return false
}

// dies records that the peer no longer answered after the case.
func (r *Result) dies() {
	if !r.Dead {
		r.Dead = true
		r.Actual += "; and the peer no longer answers"
		r.Detail = r.Actual
	}
}

// unjudged says why a step of the peer cannot be judged, because of the Profile or of earlier steps; empty if all can.
func unjudged(c *outcome.Conn) string {
	for i := range c.Steps {
		if s := &c.Steps[i]; s.Verdict == outcome.NotApplicable && s.Expected != nil && s.Expected.Side != c.Role {
			return fmt.Sprintf("step %d cannot be judged: %s", s.Expected.Number, s.Reason)
		}
	}
	return ""
}

func unique(all []string) (once []string) {
	seen := make(map[string]bool)
	for _, s := range all {
		if !seen[s] {
			seen[s] = true
			once = append(once, s)
		}
	}
	return once
}

// A Report holds the results of all cases.
type Report struct {
	Service Service
	Peer    Peer
	Side    scenario.Side // the one that we played
	Profile string
	Seed    uint64
	Took    time.Duration
	Results []Result
	Gone    error // why the peer could not be reached any more; nil if it could

	Deviations  []Deviation           // header fields that the peer gets wrong
	Dependences []Deviation           // messages that several cases needed, and none received
	Again       func(Question) string // the command that runs a case alone; nil if there is none
}

// A Summary counts verdicts.
type Summary struct {
	Cases       int `json:"cases"`
	Pass        int `json:"pass"`
	Accepted    int `json:"accepted"`
	Fail        int `json:"fail"`
	Unsupported int `json:"unsupported"`
	NotRun      int `json:"not_run"`
	Error       int `json:"error"`
	Known       int `json:"known"`      // failures that were expected
	Newly       int `json:"newly"`      // expected failures that did not happen
	Deviations  int `json:"deviations"` // that no case is about
}

// Summary counts the verdicts.
func (r *Report) Summary() (s Summary) {
	s.Cases = len(r.Results)
	counts := [...]*int{&s.NotRun, &s.Pass, &s.Accepted, &s.Fail, &s.Unsupported, &s.Error}
	for i := range r.Results {
		each := &r.Results[i]
		*counts[each.Verdict]++
		if each.Known != "" {
			s.Known++
		}
		if each.Newly != "" {
			s.Newly++
		}
	}
	for i := range r.Deviations {
		if len(r.Deviations[i].Failed) == 0 {
			s.Deviations++
		}
	}
	return s
}

// Passed reports whether nothing failed unexpectedly. If strict is set, Accepted is a failure.
func (s *Summary) Passed(strict bool) bool {
	return s.Fail == s.Known && s.Error == 0 && s.Deviations == 0 && (!strict || s.Accepted == 0)
}

// String returns the Summary as one line.
func (s *Summary) String() string {
	noun := "cases"
	if s.Cases == 1 {
		noun = "case"
	}
	text := fmt.Sprintf("%d %s: %d passed, %d accepted, %d failed", s.Cases, noun, s.Pass, s.Accepted, s.Fail)
	for _, more := range []struct {
		n    int
		what string
	}{
		{s.Known, " (%d of them as expected)"}, {s.Unsupported, ", %d unsupported"}, {s.NotRun, ", %d not run"}, {s.Error, ", errors: %d"},
		{s.Newly, ", %d newly passing"}, {s.Deviations, ", deviations without a case: %d"},
	} {
		if more.n > 0 {
			text += fmt.Sprintf(more.what, more.n)
		}
	}
	return text
}
