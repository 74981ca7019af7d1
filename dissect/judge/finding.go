package judge

// Findings: how breaches of rules and observations become events, and how many of them.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/match"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// MaxReports is how many findings of one rule are reported of a connection. Further ones are counted in its Verdict.
const MaxReports = 100

// maxTally is how many names are told apart in that; those beyond share a count.
const maxTally = 256

// A reporter reports the findings on one connection, and counts them in its Verdict.
type reporter struct {
	emit     func(*record.Finding)
	who      *[2]identity // by direction: its sender
	suppress func(name string) bool
	verdict  *record.Verdict
	story    story
	tally    []count
	finding  *record.Finding // used again and again, for all connections
	order    *match.Order
	come     *[2]progress // by direction: how far it has come
	spoiled  [2]uint64    // by direction: the first frame with octets that perhaps were not sent so, and in which something was found
}

// A count is how many findings with a name there were.
type count struct {
	name string
	n    int
}

// suppressed reports whether a finding is not wanted.
func (r *reporter) suppressed(f *record.Finding) bool {
	return r.suppress(f.Name) || f.ID != f.Name && r.suppress(f.ID)
}

// counted counts a finding, and reports whether there were few enough of its name to report it.
func (r *reporter) counted(f *record.Finding) bool {
	switch v := r.verdict; f.Severity {
	case rules.Error:
		v.Errors++
	case rules.Warning:
		v.Warnings++
	default:
		v.Notes++
	}
	if f.Deviation != nil {
		r.excuse(f)
	}
	if r.tallied(f.Name) > MaxReports {
		r.verdict.Withheld++
		return false
	}
	return true
}

// excuse counts a finding that is a deviation.
func (r *reporter) excuse(f *record.Finding) {
	all := &r.verdict.Excused
	i := slices.IndexFunc(*all, func(e record.Excused) bool { return e.Dir == f.Dir && e.Deviation == f.Deviation })
	if i < 0 {
		i, *all = len(*all), append(*all, record.Excused{Dir: f.Dir, Deviation: f.Deviation})
	}
	(*all)[i].Count++
}

// tallied is how many findings with a name there were, this one included.
func (r *reporter) tallied(name string) int {
	for i := range r.tally {
		if n := &r.tally[i]; n.name == name || i == maxTally-1 {
			n.n++
			return n.n
		}
	}
	r.tally = append(r.tally, count{name, 1})
	return 1
}

// report passes on a finding. Its text, unless it has one, is made only if it is wanted; what tell says of it, only if the
// finding may be a cause. Without text that is the text too.
func (r *reporter) report(f *record.Finding, as role, tell func() statement, text func() string) {
	r.reportOn(f, as, asked{}, tell, text)
}

// reportOn reports a finding about a request that was refused, and what that asked for.
func (r *reporter) reportOn(f *record.Finding, as role, what asked, tell func() statement, text func() string) {
	if r.suppressed(f) {
		return
	}
	if (as == breach || as == blemish) && f.Doubt == rules.Seen {
		r.excuseSpoiled(f)
	}
	if f.Doubt == rules.Seen {
		r.story.add(f, as, r.come[f.Dir].before, what, tell)
	}
	if !r.counted(f) {
		return
	}
	switch {
	case f.Text != "":
	case text != nil:
		f.Text = text()
	default:
		f.Text = tell().String()
	}
	r.emit(f)
}

// excuseSpoiled puts in doubt what was found in octets that perhaps were not sent so.
func (r *reporter) excuseSpoiled(f *record.Finding) {
	if frame := f.Conn.Traffic[f.Dir].Spoiled.In(f.Span); frame > 0 {
		f.Severity, f.Doubt = rules.Note, rules.Spoiled
		r.spoiled[f.Dir] = cmp.Or(r.spoiled[f.Dir], frame)
	}
}

// observe reports an observation.
func (r *reporter) observe(o *record.Origin, obs *Observation, t statement) {
	r.observeAs(o, obs, obs.role, t)
}

// observeAs reports an observation that plays another part than is usual.
func (r *reporter) observeAs(o *record.Origin, obs *Observation, as role, t statement) {
	f := r.finding
	*f = record.Finding{Origin: *o, Severity: obs.Severity, ID: obs.ID, Name: obs.Name, Seen: t.name, Request: t.request}
	r.report(f, as, func() statement { return t }, nil)
}

// violated reports what is wrong with an MPA frame or a segment, which what names. s is the segment, nil for a frame.
func (c *connection) violated(o *record.Origin, what string, s *record.Segment, v []rules.Violation) {
	c.violatedAs(o, what, s, v, roleOf)
}

// violatedAs is violated where as says in which role a breach may explain something.
func (c *connection) violatedAs(o *record.Origin, what string, s *record.Segment, v []rules.Violation, as func(*rules.Violation) role) {
	for i := range v {
		c.violation(o, &v[i], as(&v[i]), what, func() string {
			return sentence("The %s in %s from the %v%s", what, frames(o.Conn, o.Span), flow.Sender(o.Dir), c.related(s, &v[i]))
		})
	}
	c.a.violations = v[:0]
}

// related names the request of a response, or what came before, if a rule is about that: " to the RDMA Read in frame 7"
// or ", after the Send in frame 6". A response that may answer a request that was missed is to none.
func (c *connection) related(s *record.Segment, v *rules.Violation) string {
	if s == nil {
		return ""
	}
	if s.RDMAP.Control.Opcode.IsResponse() {
		var request *match.Request
		if m := c.sides[s.Dir].receiver.Match(); m.Known {
			request = c.requests.At(1-s.Dir, m.Request)
		} else if v.Doubt == rules.Seen {
			request = c.requests.Oldest(1 - s.Dir)
		}
		if request != nil {
			return sentence(" to the %s in %s", request.Name, frames(request.Conn, request.Request))
		}
	}
	if v.Rule.Successive {
		for p := range c.a.history.back(c.blame.latest[s.Dir]) {
			return sentence(", after the %v in %s", p.opcode(), frames(s.Conn, p.span))
		}
	}
	return ""
}

// violation reports a breach of a rule. what has broken it, and subject says of that who has sent it, and where.
func (r *reporter) violation(o *record.Origin, v *rules.Violation, as role, what string, subject func() string) {
	f := r.finding
	*f = record.Finding{Origin: *o, Rule: v.Rule, Name: v.Name, Seen: v.Seen, Expected: v.Expected, Doubt: v.Doubt}
	r.fill(f)
	r.report(f, as, func() statement { return wrong(f, what) }, func() string { return r.explain(f, v.Situation, subject()) })
}

// wrong says what is wrong with a message or frame: "The client's Send in frame 6 is wrong: MSN 5, expected MSN 1".
func wrong(f *record.Finding, what string) statement {
	t := stated("The %v's %s in %s is wrong", flow.Sender(f.Dir), what, frames(f.Conn, f.Span))
	switch {
	case f.Seen != "" && f.Expected != "":
		t.what += sentence(": %s, expected %s", f.Seen, f.Expected)
	case f.Seen != "":
		t.what += ": " + f.Seen
	case f.Rule.Situation != rules.NoSituation:
		t.what += ": " + f.Rule.Situation.Text()
	default:
		t.what += sentence(" (%s)", f.Name)
	}
	return t
}

// fill takes from its Rule what a finding leaves to it. What is in doubt is a note, whatever the Rule.
func (r *reporter) fill(f *record.Finding) {
	f.ID, f.Also = f.Rule.ID(), f.Rule.IDs[1:]
	f.Severity, f.Deviation = r.who[f.Dir].weigh(f.Rule, &f.Span)
	if f.Doubt == rules.Seen {
		return
	}
	if f.Severity = rules.Note; f.MissedAt == [2]uint64{} {
		f.MissedAt = r.order.MissedAt
	}
}

// doubtText says which frames would decide what is in doubt. What one side missed later than that does not, if the other missed some
// before.
func doubtText(f *record.Finding) string {
	at := f.MissedAt
	for d := range at {
		if before := at[1-d]; at[d] > f.LastFrame && before > 0 && before <= f.LastFrame {
			at[d] = 0
		}
	}
	lacks := "what the client sent about " + frame(f.Conn, at[0])
	switch {
	case f.Doubt == rules.Spoiled:
		return " This is in doubt: the packet has a wrong TCP checksum, and the receiver acknowledged it."
	case at == [2]uint64{}:
		return " This is in doubt: the two directions may not be captured in the order in which they were sent."
	case at[0] == at[1]:
		lacks = "what either side sent about " + frame(f.Conn, at[0])
	case at[0] == 0:
		lacks = "what the server sent about " + frame(f.Conn, at[1])
	case at[1] > 0:
		lacks += " or what the server sent about " + frame(f.Conn, at[1])
	}
	return sentence(" This is in doubt: the capture may lack what decides it, %s.", lacks)
}

// explain says what was seen, what is demanded, and what a receiver does about it.
func (r *reporter) explain(f *record.Finding, s rules.Situation, subject string) string {
	b := append(make([]byte, 0, 512), subject...) // on the stack, so that memory is taken once
	if f.Seen != "" {
		b = append(append(b, ": "...), f.Seen...)
	}
	if f.Expected != "" {
		b = append(append(b, ", expected "...), f.Expected...)
	}
	b = fmt.Appendf(b, ". %s (%s).", capital(strings.TrimSuffix(f.Rule.Text, ".")), f.ID)
	if f.Doubt != rules.Seen {
		return string(b) + doubtText(f)
	}
	if s != rules.NoSituation {
		if code, ok := r.who[f.Dir].Exact(s); ok {
			b = fmt.Appendf(b, " The receiver would answer with a Terminate, %v %s.", code, code.Describe())
		}
	}
	if f.Deviation != nil {
		b = fmt.Appendf(b, " It is a known deviation: %s.", f.Deviation.Why)
	}
	return string(b)
}
