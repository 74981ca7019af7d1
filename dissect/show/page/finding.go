package page

// Findings, with the octets that show them.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// A group is the findings of one ID on a connection. It shows the first.
type group struct {
	Severity, ID, Name   string
	Frames, Time         string
	Who                  string
	Seen, Expected, Text string
	Basis                show.Basis
	Also                 string
	More                 string
	Cause                bool
	Of                   string // whose octets the evidence is, if that is not the finding's frame
	Evidence             []fold

	severity   rules.Severity
	span, last flow.Span
	count      uint64
	octets     []octets
	of         flow.Span // they are those of these frames
}

// A fold is octets of some headers. They are folded to their names if there are any.
type fold struct {
	Names  string
	Octets []octets
}

// octets are those of one field, or of some that share them.
type octets struct {
	Part   string // that they begin
	Hex    string
	Fields []value
	Marked bool
}

// A value is that of a field.
type value struct {
	Label, Value string
	Marked       bool   // it is the one that a finding is about
	name         string // of the field
}

// maxGroups is how many groups a connection has.
const maxGroups = 64

// finding takes a finding that came with a Record.
func (c *connection) finding(f *record.Finding, r *record.Record) {
	i := slices.IndexFunc(c.found, func(g *group) bool { return g.ID == f.ID })
	if i >= 0 {
		c.found[i].count++
		c.found[i].last = f.Span
		return
	}
	if len(c.found) == maxGroups {
		return
	}
	g := &group{
		Severity: f.Severity.String(), ID: f.ID, Name: f.Name, Who: flow.Sender(f.Dir).String(), Also: strings.Join(f.Also, ", "),
		Seen: sentence(f.Seen), Expected: sentence(f.Expected), Text: sentence(f.Text),
		Basis: show.BasisOf(f), severity: f.Severity, span: f.Span, last: f.Span, count: 1, of: f.Span,
	}
	if f.Frame != 0 {
		g.Frames = c.of.Frames.Text(f.Span)
	}
	g.octets = c.page.evidence(f, r)
	c.found = append(c.found, g)
}

// bodies are what a finding is about, if it came with it: a message, and that of the upper layer in it.
func bodies(r *record.Record, f *record.Finding) (all []record.Body) {
	if f.Frame != r.Frame || f.Dir != r.Dir {
		return nil
	}
	switch r.Kind {
	case record.KindStartup:
		all = append(all, r.Startup)
	case record.KindSegment:
		all = append(all, r.Segment)
	case record.KindMessage:
		all = append(all, r.Message)
	}
	if r.Upper != nil && r.Upper.Body != nil {
		all = append(all, r.Upper.Body)
	}
	return all
}

// evidence lays out the octets that a finding is about: of a message, and of the message of the upper layer in it, the one that
// has fields which show what is wrong; else the first.
func (p *Page) evidence(f *record.Finding, r *record.Record) (all []octets) {
	for _, b := range bodies(r, f) {
		these := p.octets(b)
		if mark(these, f); all == nil || marked(these) {
			all = these
		}
	}
	return abridged(all)
}

// abridged leaves out most rows of a very long header: it keeps the first ones, and the first ones that are marked. A row says how many
// were left out before it, or after the last one.
func abridged(all []octets) (kept []octets) {
	const most = 128 // rows of each kind
	if len(all) <= 2*most {
		return all
	}
	first, shown, left, header := most, most, 0, ""
	tell := func() {
		if left > 0 {
			kept = append(kept, octets{Hex: "…", Fields: []value{{Label: quantity.GroupedCount(left, "field") + " left out"}}})
		}
		left = 0
	}
	for _, o := range all {
		switch {
		case first > 0:
			first--
		case o.Marked && shown > 0:
			shown--
			tell()
		default:
			left += len(o.Fields)
			header = cmp.Or(o.Part, header)
			continue
		}
		o.Part, header = cmp.Or(o.Part, header), ""
		kept = append(kept, o)
	}
	tell()
	return kept
}

// octets are the fields of a body.
func (p *Page) octets(b record.Body) (all []octets) {
	p.view.Lay(b)
	rows, fields := 0, 0
	for i := range p.view.Parts {
		eachField(&p.view.Parts[i], func(_ *field.Field, _ int, begins bool) {
			if fields++; begins {
				rows++
			}
		})
	}
	if rows == 0 {
		return nil
	}
	all = make([]octets, 0, rows)
	values := make([]value, 0, fields) // of all rows
	for i := range p.view.Parts {
		all, values = p.appendPart(all, values, &p.view.Parts[i])
	}
	return all
}

// eachField calls do for the fields of a part, with where the octets end that they share with those before. begins says that they share none.
func eachField(p *field.Part, do func(f *field.Field, end int, begins bool)) {
	end := 0
	for f := range p.Fields() {
		begins := f.Octet() >= end
		end = max(end, f.Octet()+len(f.Bytes(p.Octets)))
		do(f, end, begins)
	}
}

// appendPart appends the fields of a part. Those that share octets are together.
func (p *Page) appendPart(all []octets, values []value, part *field.Part) ([]octets, []value) {
	const most = 32 // octets of some fields
	first, begin, end := len(all), 0, 0
	tell := func() {
		if end > begin {
			all[len(all)-1].Hex = p.hex(part.Octets[begin:min(end, begin+most)])
		}
	}
	eachField(part, func(f *field.Field, to int, begins bool) {
		if begins {
			tell()
			all, begin = append(all, octets{}), f.Octet()
		}
		end = to
		p.label = part.AppendValue(p.label[:0], f)
		values = append(values, value{Label: f.Label, Value: cut(string(p.label), 2*most), name: f.Name})
		o := &all[len(all)-1]
		o.Fields = values[len(values)-1-len(o.Fields) : len(values) : len(values)]
	})
	if tell(); len(all) > first {
		all[first].Part = part.Title()
	}
	return all, values
}

// hex is octets in hexadecimal: "00 ff".
func (p *Page) hex(octets []byte) string {
	const digits = "0123456789abcdef"
	p.label = p.label[:0]
	for _, o := range octets {
		p.label = append(p.label, digits[o>>4], digits[o&15], ' ')
	}
	return string(p.label[:len(p.label)-1])
}

// mark marks the fields that show what a finding is about. If that is a Terminate they are those of the headers that it encloses:
// the last ones of their names.
func mark(all []octets, f *record.Finding) {
	for _, name := range f.Fields() {
		for i := len(all) - 1; i >= 0; i-- {
			at := slices.IndexFunc(all[i].Fields, func(v value) bool { return v.name == name })
			if at < 0 {
				continue
			}
			all[i].Marked, all[i].Fields[at].Marked = true, true
			if f.Rule == nil {
				break
			}
		}
	}
}

// marked reports whether a field is marked.
func marked(all []octets) bool {
	return slices.ContainsFunc(all, func(o octets) bool { return o.Marked })
}

// proof marks the cause among what was found, and adds the header that shows it.
func (c *connection) proof(v *record.Verdict) {
	i := slices.IndexFunc(c.found, func(g *group) bool { return g.ID == v.Cause.ID })
	if i < 0 {
		return
	}
	g := c.found[i]
	g.Cause = true
	if marked(g.octets) || v.Evidence.Octets == nil {
		return
	}
	g.octets, g.of = c.page.octets(&v.Evidence), v.Evidence.Span
	mark(g.octets, v.Cause)
	g.octets = abridged(g.octets)
	g.Of = "in " + c.of.Frames.Text(v.Evidence.Span)
}

// groups are the findings, the cause first, then the worst. They repeat neither what the verdict says nor octets that were shown.
func (c *connection) groups() []*group {
	for _, g := range c.found {
		if g.count > 1 {
			g.More = fmt.Sprintf("%s in all, the last in %s", quantity.Grouped(g.count), c.of.Frames.Text(g.last))
		}
		if g.span.Time != 0 {
			g.Time = c.page.moment(g.span.Time)
		}
		if strings.Contains(g.Text, g.Seen) && strings.Contains(g.Text, g.Expected) {
			g.Expected = ""
		}
		if g.Text != "" && strings.Contains(c.verdict.text, g.Text[1:]) { // except for its first letter, which is a small one behind a time
			g.Text = ""
		}
	}
	slices.SortStableFunc(c.found, func(a, b *group) int {
		if a.Cause != b.Cause {
			return map[bool]int{true: -1, false: 1}[a.Cause]
		}
		return cmp.Or(cmp.Compare(b.severity, a.severity), cmp.Compare(a.span.Frame, b.span.Frame))
	})
	shown := make(map[string]bool)
	for _, g := range c.found {
		g.Evidence = folds(g.octets)
		if len(g.octets) == 0 {
			continue
		}
		of := c.of.Frames.Text(g.of) + g.octets[0].Part
		if shown[of] {
			g.Evidence = slices.DeleteFunc(g.Evidence, func(f fold) bool { return f.Names != "" })
		}
		shown[of] = true
	}
	return c.found
}

// folds folds the headers without a mark.
func folds(all []octets) (out []fold) {
	if len(all) > 0 && !marked(all) {
		return []fold{{"Octets", all}}
	}
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Part == "" {
			n++
		}
		header, last := all[:n], len(out)-1
		switch all = all[n:]; {
		case marked(header):
			out = append(out, fold{Octets: header})
		case last >= 0 && out[last].Names != "":
			out[last].Names += ", " + header[0].Part
			out[last].Octets = append(out[last].Octets, header...)
		default:
			out = append(out, fold{cmp.Or(header[0].Part, "Octets"), slices.Clip(header)})
		}
	}
	return out
}
