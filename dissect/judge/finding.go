package judge

// Findings: how breaches of rules and observations become events, and how many of them.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// MaxReports is how many findings of one rule are reported of a connection. Further ones are counted in its Verdict.
const MaxReports = 100

// maxTally is how many names are told apart in that; those beyond share a count.
const maxTally = 256

// A reporter reports the findings on one connection, and counts them in its Verdict.
type reporter struct {
	emit     func(*record.Finding)
	profile  *rules.Profile
	suppress func(name string) bool
	verdict  *record.Verdict
	tally    []count
	finding  *record.Finding // used again and again, for all connections
}

// A count is how many findings with a name there were.
type count struct {
	name string
	n    int
}

// wanted counts a finding with a name and a severity, and reports whether it is to be reported.
func (r *reporter) wanted(id, name string, s rules.Severity) bool {
	if r.suppress(name) || id != name && r.suppress(id) {
		return false
	}
	switch v := r.verdict; s {
	case rules.Error:
		v.Errors++
	case rules.Warning:
		v.Warnings++
	default:
		v.Notes++
	}
	if r.counted(name) > MaxReports {
		r.verdict.Withheld++
		return false
	}
	return true
}

// counted is how many findings with a name there were, this one included.
func (r *reporter) counted(name string) int {
	for i := range r.tally {
		if n := &r.tally[i]; n.name == name || i == maxTally-1 {
			n.n++
			return n.n
		}
	}
	r.tally = append(r.tally, count{name, 1})
	return 1
}

// report passes on a finding. Its text, unless it has one, is made only if it is wanted.
func (r *reporter) report(f *record.Finding, text func() string) {
	if !r.wanted(f.ID, f.Name, f.Severity) {
		return
	}
	if f.Text == "" {
		f.Text = text()
	}
	if f.Severity == rules.Error && r.verdict.FirstError == nil {
		first := *f
		r.verdict.FirstError = &first
	}
	r.emit(f)
}

// observe reports an observation.
func (r *reporter) observe(o *record.Origin, obs *Observation, format string, args ...any) {
	f := r.finding
	*f = record.Finding{Origin: *o, Severity: obs.Severity, ID: obs.ID, Name: obs.Name}
	r.report(f, func() string { return sentence(format, args...) })
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

// related names the request of a response, or what came before, if a rule is about that: " to the RDMA Read in frame 7"
// or ", behind the Send in frame 6".
func (c *connection) related(s *record.Segment, r *rules.Rule) string {
	if s == nil {
		return ""
	}
	if s.RDMAP.Control.Opcode.IsResponse() {
		request := c.requests.Oldest(1 - s.Dir)
		if place, _, ok := c.sides[s.Dir].receiver.Match(); ok {
			request = c.requests.At(1-s.Dir, place)
		}
		if request != nil {
			return sentence(" to the %s in %s", request.Name, frames(&request.Request))
		}
	}
	if r.Successive {
		for p := range c.a.history.back(c.blame.latest[s.Dir]) {
			return sentence(", behind the %v in %s", p.opcode(), frames(&p.span))
		}
	}
	return ""
}

// violation reports a breach of a rule. subject says who has broken it.
func (r *reporter) violation(o *record.Origin, v *rules.Violation, cause *record.Cause, subject func() string) {
	f := r.finding
	*f = record.Finding{Origin: *o, Rule: v.Rule, Name: v.Name, Seen: v.Seen, Expected: v.Expected, Cause: cause}
	r.fill(f, v.Rule)
	r.report(f, func() string { return r.explain(f, v.Rule, v.Situation, subject()) })
}

// fill takes from a rule what a finding leaves to it.
func (r *reporter) fill(f *record.Finding, rule *rules.Rule) {
	f.ID, f.Also = rule.ID(), rule.IDs[1:]
	f.Severity = r.profile.Severity(rule)
}

// explain says what was seen, what is demanded, and what a receiver does about it.
func (r *reporter) explain(f *record.Finding, rule *rules.Rule, s rules.Situation, subject string) string {
	var b strings.Builder
	b.WriteString(subject)
	if f.Seen != "" {
		b.WriteString(": " + f.Seen)
	}
	if f.Expected != "" {
		b.WriteString(", expected " + f.Expected)
	}
	fmt.Fprintf(&b, ". %s (%s).", capital(strings.TrimSuffix(rule.Text, ".")), f.ID)
	if s != rules.NoSituation {
		if code, ok := r.profile.Exact(s); ok {
			fmt.Fprintf(&b, " The receiver would answer with a Terminate, %v %s.", code, code.Describe())
		}
	}
	if why, ok := r.profile.Excuses(rule); ok {
		fmt.Fprintf(&b, " It is excused: %s.", strings.TrimSuffix(why, "."))
	}
	return b.String()
}
