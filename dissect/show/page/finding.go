package page

// Findings, with the octets that show them.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// A group is the findings of one ID on a connection. It shows the first.
type group struct {
	Severity, ID, Name   string
	Frames, Time         string
	Who                  string
	Seen, Expected, Text string
	Source, Demand       string // where the requirement stands, and what it says; empty for an observation
	Also                 string
	More                 string
	Cause                bool
	Folded               bool   // the evidence shows nothing in particular
	Of                   string // whose octets the evidence is, if that is not the finding's frame
	Evidence             []octets

	severity   rules.Severity
	span, last record.Span
	count      uint64
}

// octets are those of one field, or of some that share them.
type octets struct {
	Hex    string
	Fields []value
	Marked bool
}

// A value is that of a field.
type value struct {
	Label, Value string
	Marked       bool // it is the one that a finding is about
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
		Severity: f.Severity.String(), ID: f.ID, Name: f.Name, Who: record.Sender(f.Dir).String(), Also: strings.Join(f.Also, ", "),
		Seen: printable.String(f.Seen), Expected: printable.String(f.Expected), Text: printable.String(f.Text),
		severity: f.Severity, span: f.Span, last: f.Span, count: 1,
	}
	if q := rfc.Lookup(f.ID); q != nil {
		g.Source, g.Demand = q.Source(), q.Text
	}
	if f.Frame != 0 {
		g.Frames = string(c.of.Frames.Append(nil, &f.Span))
	}
	g.Evidence = c.page.evidence(f, body(r, f))
	c.found = append(c.found, g)
}

// body is what a finding is about, if it came with it.
func body(r *record.Record, f *record.Finding) record.Body {
	if f.Frame != r.Frame || f.Dir != r.Dir {
		return nil
	}
	switch r.Kind {
	case record.KindStartup:
		return r.Startup
	case record.KindSegment:
		return r.Segment
	case record.KindMessage:
		return r.Message
	}
	return nil
}

// evidence lays out octets, and marks the fields that a finding names: a finding says what it saw as it calls the field.
func (p *Page) evidence(f *record.Finding, b record.Body) (all []octets) {
	if b == nil {
		return nil
	}
	for _, l := range p.view.Lay(b) {
		all = appendParts(all, l.Parts, f.Seen+" "+f.Expected)
	}
	return all
}

// appendParts appends the fields of parts.
func appendParts(all []octets, parts []field.Part, named string) []octets {
	const most = 32 // octets of one field
	for i := range parts {
		p := &parts[i]
		end := 0
		for f := range p.Fields() {
			b := f.Bytes(p.Octets)
			v := value{f.Label, cut(printable.String(string(p.AppendValue(nil, f))), 2*most), hasWord(named, f.Label)}
			if f.Octet() >= end {
				all = append(all, octets{Hex: fmt.Sprintf("% x", b[:min(len(b), most)])})
				end = f.Octet() + len(b)
			}
			o := &all[len(all)-1]
			o.Fields, o.Marked = append(o.Fields, v), o.Marked || v.Marked
		}
	}
	return all
}

// hasWord reports whether a sentence has a word, or some in a row.
func hasWord(s, word string) bool {
	for from := 0; word != ""; {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		if (i == 0 || !letter(s[i-1])) && (end == len(s) || !letter(s[end])) {
			return true
		}
		from = end
	}
	return false
}

func letter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9' || b == '_' }

// proof marks the cause among what was found, and adds the header that shows it.
func (c *connection) proof(v *record.Verdict) {
	i := slices.IndexFunc(c.found, func(g *group) bool { return g.ID == v.Cause.ID })
	if i < 0 {
		return
	}
	g := c.found[i]
	g.Cause = true
	if slices.ContainsFunc(g.Evidence, func(o octets) bool { return o.Marked }) || v.Evidence.Octets == nil {
		return
	}
	header := v.Evidence.Octets
	g.Evidence = appendParts(nil, rdmap.AppendLayout(nil, header, len(header)), v.Cause.Seen+" "+v.Cause.Expected)
	g.Of = "in frame " + string(c.of.Frames.Append(nil, &v.Evidence.Span))
}

// groups are the findings, the cause first, then the worst.
func (c *connection) groups() []*group {
	for _, g := range c.found {
		if g.count > 1 {
			g.More = fmt.Sprintf("%d in all, the last in frame %s", g.count, c.of.Frames.Append(nil, &g.last))
		}
		g.Folded = !slices.ContainsFunc(g.Evidence, func(o octets) bool { return o.Marked })
		if g.span.Time != 0 {
			g.Time = c.page.since(g.span.Time)
		}
	}
	slices.SortStableFunc(c.found, func(a, b *group) int {
		if a.Cause != b.Cause {
			return map[bool]int{true: -1, false: 1}[a.Cause]
		}
		return cmp.Or(cmp.Compare(b.severity, a.severity), cmp.Compare(a.span.Frame, b.span.Frame))
	})
	return c.found
}
