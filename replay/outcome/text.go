package outcome

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// TextOptions configure WriteText. The zero value is the default.
type TextOptions struct {
	All   bool                                // all steps; else those that are neither exact nor sent, without those that follow the end
	Diffs bool                                // the Diff of each step; else of the first mismatch of each connection
	Paint func(v Verdict, word string) string // colours a word by a verdict; nil for none
}

// maxLine limits the shown characters of a step.
const maxLine = 100

// WriteText writes a Report for people: connections, steps, the first mismatch octet by octet, and a summary as the last
// line.
func WriteText(w io.Writer, r *Report, o TextOptions) error {
	t := texter{options: o}
	for _, c := range r.Conns {
		t.conn(c)
	}
	s := r.Summary()
	t.line("%s", s.String())
	_, err := io.WriteString(w, t.b.String())
	return err
}

// String returns the Summary as one line.
func (s *Summary) String() string {
	return fmt.Sprintf("%s, %s: %d exact, %d accepted, %d mismatched, %d not reached, %d not applicable; "+
		"%d sent, %d not sent",
		quantity.Count(s.Connections, "connection"), quantity.Count(s.Steps, "step"),
		s.Exact, s.Accepted, s.Mismatched, s.NotReached, s.NotApplicable, s.Sent, s.NotSent)
}

type texter struct {
	options TextOptions
	b       strings.Builder
}

func (t *texter) line(format string, args ...any) {
	fmt.Fprintf(&t.b, format, args...)
	t.b.WriteByte('\n')
}

func (t *texter) conn(c *Conn) {
	t.line("%s", c.head())
	if c.NotApplicable != "" {
		t.line("  %s: %s", t.verdict(NotApplicable), printable.String(c.NotApplicable))
		return
	}
	first := c.First()
	var folded Summary
	last, over := c.last(), false // over: a step after the last received one was shown
	for i := range c.Steps {
		s := &c.Steps[i]
		if !t.options.All && (s.Verdict == Exact || s.Verdict == Sent) {
			continue
		}
		if !t.options.All && over && (s.Verdict == NotReached || s.Verdict == NotSent) {
			folded.add(s.Verdict)
			continue
		}
		over = over || s.Verdict == NotReached && i > last
		t.step(c, s)
		if s.Diff != nil && (s == first || t.options.Diffs) {
			t.diff(s.Diff)
		}
	}
	t.folded(&folded)
	if c.End != "" {
		t.line("  the connection ended early: %s", printable.String(c.End))
	}
}

// last returns the index of the last step that was sent or received, or -1.
func (c *Conn) last() int {
	for i := len(c.Steps) - 1; i >= 0; i-- {
		if s := &c.Steps[i]; s.Expected != nil && s.Verdict != NotReached && s.Verdict != NotSent {
			return i
		}
	}
	return -1
}

// folded returns the number of steps after the end that are not shown.
func (t *texter) folded(s *Summary) {
	switch {
	case s.NotReached > 0 && s.NotSent > 0:
		t.line("  and %d more: %d not reached, %d not sent", s.NotReached+s.NotSent, s.NotReached, s.NotSent)
	case s.NotReached+s.NotSent > 0:
		t.line("  and %d more %s", s.NotReached+s.NotSent, map[bool]string{true: "not reached", false: "not sent"}[s.NotReached > 0])
	}
}

func (c *Conn) head() string {
	head := "connection " + printable.String(c.Name)
	if c.Client.IsValid() && c.Server.IsValid() {
		head += fmt.Sprintf(" %s -> %s", c.Client, c.Server)
	}
	head += ", played as the " + c.Role.String()
	if n := c.Negotiated; n != nil {
		head += ", " + n.String()
	}
	return head
}

// String returns what was negotiated: "MPA revision 1, CRC, Markers received".
func (n *Negotiated) String() string {
	words := []string{fmt.Sprintf("MPA revision %d", n.Rev)}
	for _, each := range []struct {
		on   bool
		word string
	}{{n.Rejected, "rejected"}, {n.CRC, "CRC"}, {n.MarkersReceived, "Markers received"}, {n.MarkersSent, "Markers sent"}} {
		if each.on {
			words = append(words, each.word)
		}
	}
	return strings.Join(words, ", ")
}

func (t *texter) step(c *Conn, s *Step) {
	line := s.title(c.Role) + ": " + t.verdict(s.Verdict)
	if s.Reason != "" {
		line += ": " + printable.String(s.Reason)
	}
	t.line("  %s", line)
}

func (t *texter) verdict(v Verdict) string {
	word := strings.ReplaceAll(v.String(), "_", " ")
	if t.options.Paint != nil {
		return t.options.Paint(v, word)
	}
	return word
}

func (s *Step) title(role scenario.Side) string {
	if s.Expected == nil {
		return "  - " + s.Side(role).String()
	}
	return fmt.Sprintf("%3d %s %s", s.Expected.Number, s.Expected.Side, Line(s.Expected))
}

// Line returns a step as one line: the first one of its text form, possibly shortened. A Terminate in the swapped bit order
// has the code that it means.
func Line(s *scenario.Step) string {
	do, more := brief(s.Do)
	line, _, several := strings.Cut((&scenario.Step{Number: s.Number, Side: s.Side, Do: do}).String(), "\n")
	line = strings.TrimPrefix(strings.TrimSpace(line), strconv.Itoa(s.Number)+" "+s.Side.String()+" ")
	if m, ok := s.Do.(*scenario.Message); ok {
		line = meant(m, line)
	}
	if len(line) > maxLine {
		line, more = line[:maxLine], true
	}
	if more || several {
		line += " ..."
	}
	return printable.String(line)
}

// meant puts the code that a Terminate means in the place of that in its text form.
func meant(m *scenario.Message, line string) string {
	c, swapped := m.SwappedCode()
	words := strings.SplitN(line, " ", 3) // Terminate, code, fields
	if !swapped || len(words) < 3 || strings.Contains(words[1], "=") {
		return line
	}
	if code := c.String(); code != words[1] {
		words[1] = code + " (bits swapped; the RFC reads " + words[1] + ")"
	} else {
		words[1] += " (bits swapped)"
	}
	return strings.Join(words, " ")
}

// brief returns an action with no more octets than fit a line; more is set if it has more.
func brief(a scenario.Action) (b scenario.Action, more bool) {
	switch a := a.(type) {
	case *scenario.Message:
		m := *a
		return &m, shorten(&m.Payload)
	case *scenario.Segment:
		s := *a
		return &s, shorten(&s.Payload)
	case *scenario.FPDU:
		f := *a
		return &f, shorten(&f.Payload)
	case *scenario.Octets:
		o := *a
		return &o, shorten(&o.Payload)
	}
	return a, false
}

// shorten cuts a payload to what fits a line; more reports whether it did.
func shorten(p *scenario.Payload) (more bool) {
	const most = 64
	if more = p.Len() > most; more {
		*p = p.Slice(0, most)
	}
	return more
}

// diff writes both sides octet by octet, and their headers field by field: those of the upper layer always, the others if they
// differ.
func (t *texter) diff(d *Diff) {
	if bytes.Equal(d.Expected, d.Actual) {
		t.fields(d, d.Upper())
		t.hex("headers", "both", 0, d.Actual, nil)
	} else {
		t.fields(d, d.Fields())
		t.hex("headers", "expected", 0, d.Expected, nil)
		t.hex("headers", "got", 0, d.Actual, nil)
	}
	if d.Want.Length == 0 && d.Got.Length == 0 {
		return
	}
	t.line("      payload: expected %s, got %s", length(d.Want.Length), length(d.Got.Length))
	t.hex("payload", "expected", d.Want.From, d.Want.Octets, d.Want.Any)
	t.hex("payload", "got", d.Got.From, d.Got.Octets, d.Got.Any)
}

// fields writes header fields of both sides.
func (t *texter) fields(d *Diff, fields []Field) {
	width := 0
	for i := range fields {
		width = max(width, len(fields[i].Name))
	}
	header := ""
	for i := range fields {
		f := &fields[i]
		if f.Header != header {
			header = f.Header
			t.line("      %s", header)
		}
		if f.Differs && len(d.Expected) > 0 {
			t.line("        %s %-*s  expected %s, got %s", t.mark("!"), width, f.Name, orNone(f.Expected), orNone(f.Actual))
		} else {
			t.line("          %-*s  %s", width, f.Name, printable.String(f.Actual))
		}
	}
}

func (t *texter) mark(word string) string {
	if t.options.Paint != nil {
		return t.options.Paint(Mismatched, word)
	}
	return word
}

func (t *texter) hex(what, side string, from int, octets []byte, mask []bool) {
	const row = 20 // fits 80 columns, and most headers
	for at := 0; at < len(octets); at += row {
		to := min(at+row, len(octets))
		e := Excerpt{Octets: octets[at:to]}
		if mask != nil {
			e.Any = mask[at:to]
		}
		t.line("      %s %-8s %06x  %s", what, side, from+at, e.String())
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return printable.String(s)
}

func length(n int) string {
	if n < 0 {
		return "any number of octets"
	}
	return fmt.Sprintf("%d octets", n)
}
