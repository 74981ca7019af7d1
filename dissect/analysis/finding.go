package analysis

// Findings: how breaches of rules and observations become events, and how many of them.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// MaxReports is how many findings of one rule are reported of a connection. Further ones are counted in its Verdict.
const MaxReports = 100

// maxTally is how many names are told apart in that; those beyond share a count.
const maxTally = 256

// A count is how many findings with a name there were.
type count struct {
	name string
	n    int
}

// wanted counts a finding with a name and a severity, and tells whether it is to be reported.
func (c *connection) wanted(id, name string, s rules.Severity) bool {
	if c.a.opts.Suppress(name) || id != name && c.a.opts.Suppress(id) {
		return false
	}
	switch v := &c.verdict; s {
	case rules.Error:
		v.Errors++
	case rules.Warning:
		v.Warnings++
	default:
		v.Notes++
	}
	if c.counted(name) > MaxReports {
		c.verdict.Withheld++
		return false
	}
	return true
}

// counted is how many findings with a name there were, this one included.
func (c *connection) counted(name string) int {
	for i := range c.tally {
		if n := &c.tally[i]; n.name == name || i == maxTally-1 {
			n.n++
			return n.n
		}
	}
	c.tally = append(c.tally, count{name, 1})
	return 1
}

// report passes on a finding. Its text, unless it has one, is made only if it is wanted.
func (c *connection) report(f *record.Finding, text func() string) {
	if !c.wanted(f.ID, f.Name, f.Severity) {
		return
	}
	if f.Text == "" {
		f.Text = text()
	}
	if f.Severity == rules.Error && c.verdict.FirstError == nil {
		first := *f
		c.verdict.FirstError = &first
	}
	c.a.sink.Finding(f)
}

// observe reports an observation.
func (c *connection) observe(o *record.Origin, obs *Observation, format string, args ...any) {
	f := &c.a.finding
	*f = record.Finding{Origin: *o, Severity: obs.Severity, ID: obs.ID, Name: obs.Name}
	c.report(f, func() string { return sentence(format, args...) })
}

// violated reports what is wrong with an MPA frame or a segment, which what names. s is the segment, nil for a frame.
func (c *connection) violated(o *record.Origin, what string, s *record.Segment, v []rules.Violation) {
	for i := range v {
		c.violation(o, &v[i], nil, func() string {
			return sentence("The %s in %s from the %v%s", what, frames(&o.Span), record.Sender(o.Dir), c.related(s, v[i].Rule))
		})
	}
	c.a.violations = v[:0]
}

// successive are the rules about what comes behind what.
var successive = []string{
	"send-msn", "read-msn", "atomic-response-msn", "mo", "read-mo", "send-end", "send-over", "send-changed",
	"interleaved", "write-continuation", "tagged-changed", "empty-message", "after-terminate", "terminate-again",
}

// related names the request of a response, or what came before, if a rule is about that: " to the RDMA Read in frame 7"
// or ", behind the Send in frame 6".
func (c *connection) related(s *record.Segment, r *rules.Rule) string {
	if s == nil {
		return ""
	}
	side := &c.sides[s.Dir]
	if o := s.RDMAP.Control.Opcode; o == rdmap.OpReadResponse || o == rdmap.OpAtomicResponse {
		q := &c.sides[1-s.Dir].requests
		place, _, ok := side.receiver.Match()
		if !ok {
			place = q.first
		}
		if request := q.at(place); request != nil {
			return sentence(" to the %s in %s", request.Name, frames(&request.Request))
		}
	}
	if slices.Contains(successive, r.Name) {
		for p := range c.a.history.back(side.past) {
			return sentence(", behind the %v in %s", p.opcode(), frames(&p.span))
		}
	}
	return ""
}

// violation reports a breach of a rule. subject says who has broken it.
func (c *connection) violation(o *record.Origin, v *rules.Violation, cause *record.Cause, subject func() string) {
	f := &c.a.finding
	*f = record.Finding{Origin: *o, Name: v.Name, Seen: v.Seen, Expected: v.Expected, Cause: cause}
	c.fill(f, v.Rule)
	c.report(f, func() string { return c.explain(f, v.Rule, subject()) })
}

// fill takes from a rule what a finding leaves to it.
func (c *connection) fill(f *record.Finding, r *rules.Rule) {
	f.ID, f.Also = r.ID(), r.IDs[1:]
	f.Severity = c.a.opts.Profile.Severity(r)
}

// explain says what was seen, what is demanded, and what a receiver does about it.
func (c *connection) explain(f *record.Finding, r *rules.Rule, subject string) string {
	var b strings.Builder
	b.WriteString(subject)
	if f.Seen != "" {
		b.WriteString(": " + f.Seen)
	}
	if f.Expected != "" {
		b.WriteString(", expected " + f.Expected)
	}
	fmt.Fprintf(&b, ". %s (%s).", capital(strings.TrimSuffix(r.Text, ".")), f.ID)
	if r.Situation != nil {
		if code, ok := c.a.opts.Profile.Exact(r.Situation); ok {
			fmt.Fprintf(&b, " The receiver would answer with a Terminate, %v %s.", code, code.Describe())
		}
	}
	if why, ok := c.a.opts.Profile.Excuses(r); ok {
		fmt.Fprintf(&b, " It is excused: %s.", strings.TrimSuffix(why, "."))
	}
	return b.String()
}
