package diff

// The report as text that fits a screen.

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// Options choose how text looks.
type Options struct {
	Width int  // characters in a line; default 80
	All   bool // all connections and differences, not only the first ones
}

// What is shown unless Options.All is set.
const (
	shownConnections = 3
	shownDifferences = 5
	shownOperations  = 4
)

// WriteText writes what a person wants to know first: whether the captures differ, where for the first time, and what follows.
func (r *Report) WriteText(w io.Writer, o Options) error {
	t := r.texter(o)
	if t.Width <= 0 {
		t.Width = 80
	}
	t.verdict()
	t.sums()
	t.connections()
	t.operations()
	if r.Truncated {
		t.paragraph("Only the first %d messages of each capture were compared.", MaxMessages)
	}
	_, err := w.Write(t.out.Bytes())
	return err
}

// Summary says in a sentence whether and where the captures differ.
func (r *Report) Summary() string { return r.texter(Options{}).summary() }

func (r *Report) texter(o Options) *texter {
	return &texter{r: r, Options: o, a: cmp.Or(r.A, "A"), b: cmp.Or(r.B, "B")}
}

type texter struct {
	Options
	r    *Report
	a, b string // names of the files
	out  bytes.Buffer
}

func (t *texter) summary() string {
	switch r := t.r; {
	case r.Equal && len(r.Connections) == 0:
		return "No iWARP connection in either capture: nothing was compared."
	case r.Equal:
		return fmt.Sprintf("The captures are equal except for timing: %s, %s.", quantity.Count(len(r.Connections), "connection"), quantity.Count(r.Counts.Same, "message"))
	case r.First != nil:
		return t.sentence(&r.First.Difference)
	}
	return t.otherwise()
}

// verdict is the summary, and what failed.
func (t *texter) verdict() {
	r := t.r
	t.paragraph("%s", t.summary())
	for i := range r.Connections {
		c := &r.Connections[i]
		a, b := c.A.failure(), c.B.failure()
		switch {
		case a == "" && b == "" || c.Equal() && !r.Equal:
			continue
		case r.Equal:
			t.paragraph("What failed in both: %s", b)
			return
		case a != "":
			t.paragraph("What failed in %s: %s", t.a, a)
		}
		if b != "" {
			t.paragraph("What failed in %s: %s", t.b, b)
		}
		return
	}
}

// sentence tells the first difference.
func (t *texter) sentence(d *Difference) string {
	side := "client"
	if d.Dir == "s2c" {
		side = "server"
	}
	switch d.Kind {
	case Changed:
		return fmt.Sprintf("The first difference is in %s, frame %d (frame %d of %s), from the %s: %s.",
			t.b, d.B.Frame, d.A.Frame, t.a, side, d.B.Name+": "+fields(d.Fields))
	case Reordered:
		return fmt.Sprintf("The first difference is one of order: the %s sends the %s of %s, frame %d, in another place (%s, frame %d).",
			side, d.B.Name, t.b, d.B.Frame, t.a, d.A.Frame)
	case Added:
		return fmt.Sprintf("The first difference is in %s, frame %d: the %s sends %s, which %s lacks.",
			t.b, d.B.Frame, side, several(d.B.Name, d.CountB), t.a)
	case Missing:
		more := ""
		if d.Last {
			more = ", and nothing after it"
		}
		return fmt.Sprintf("The first difference is that %s lacks what the %s sends in %s, frame %d: %s%s.",
			t.b, side, t.a, d.A.Frame, several(d.A.Name, d.CountA), more)
	}
	changed := ""
	if d.Fields != nil {
		changed = ": " + fields(d.Fields)
	}
	return fmt.Sprintf("The first difference is in %s, frame %d: the %s sends %s, where %s has %s (frame %d)%s.",
		t.b, d.B.Frame, side, several(d.B.Name, d.CountB), t.a, several(d.A.Name, d.CountA), d.A.Frame, changed)
}

// otherwise tells how captures differ whose common connections have the same messages.
func (t *texter) otherwise() string {
	but := "The messages are the same, but "
	if t.r.Counts.Same == 0 {
		but = ""
	}
	for i := range t.r.Connections {
		switch c := &t.r.Connections[i]; {
		case c.A == nil:
			return fmt.Sprintf("%s%s has one more connection: %s > %s.", but, t.b, c.B.Client, c.B.Server)
		case c.B == nil:
			return fmt.Sprintf("%s%s lacks a connection: %s > %s.", but, t.b, c.A.Client, c.A.Server)
		case c.A.Ending != c.B.Ending:
			return fmt.Sprintf("The messages are the same, but the connection ends differently: in %s %s, in %s %s.", t.b, c.B.ended, t.a, c.A.ended)
		}
	}
	for i := range t.r.Connections {
		isError := func(f Finding) bool { return f.Error }
		for side, all := range [][]Finding{t.r.Connections[i].New, t.r.Connections[i].Gone} {
			if n := slices.IndexFunc(all, isError); n >= 0 {
				has, lacks := []string{t.b, t.a}[side], []string{t.a, t.b}[side]
				return fmt.Sprintf("The messages are the same, but %s has an error that %s lacks: %s in frame %d.", has, lacks, all[n].ID, all[n].Frame)
			}
		}
	}
	for i := range t.r.Connections {
		if c := &t.r.Connections[i]; (c.A.Failure == "") != (c.B.Failure == "") {
			failed, well := t.b, t.a
			if c.B.Failure == "" {
				failed, well = well, failed
			}
			return fmt.Sprintf("The messages are the same, but %s failed, and %s did not.", failed, well)
		}
	}
	return "The messages are the same."
}

// String is "95 the same, 1,109 missing, 1,108 added, 138 changed, 0 reordered".
func (c *Counts) String() string {
	n := quantity.Grouped[int]
	return fmt.Sprintf("%s the same, %s missing, %s added, %s changed, %s reordered", n(c.Same), n(c.Missing), n(c.Added), n(c.Changed), n(c.Reordered))
}

// sums prints the counts.
func (t *texter) sums() {
	c := t.r.Counts
	if t.r.Equal && c.Uncompared == 0 {
		return
	}
	t.out.WriteByte('\n')
	t.row("messages", c.String())
	if c.Uncompared > 0 {
		t.row("not compared", quantity.GroupedCount(c.Uncompared, "message")+": only one capture has the beginning of the connection, or that side of it")
	}
	var appeared, gone []string
	for i := range t.r.Connections {
		appeared = append(appeared, ids(t.r.Connections[i].New)...)
		gone = append(gone, ids(t.r.Connections[i].Gone)...)
	}
	t.row("new findings", list(appeared))
	t.row("findings gone", list(gone))
}

func ids(all []Finding) (s []string) {
	for _, f := range all {
		s = append(s, fmt.Sprintf("%s (frame %d)", f.ID, f.Frame))
	}
	return s
}

func list(all []string) string {
	const most = 4
	if len(all) == 0 {
		return "none"
	}
	if len(all) > most {
		all = append(all[:most:most], fmt.Sprintf("and %d more", len(all)-most))
	}
	return strings.Join(all, ", ")
}

// connections lists the differences.
func (t *texter) connections() {
	left := 0
	for i, printed := 0, 0; i < len(t.r.Connections); i++ {
		c := &t.r.Connections[i]
		switch {
		case c.Equal():
		case printed == shownConnections && !t.All:
			left++
		default:
			t.connection(c)
			printed++
		}
	}
	if left > 0 {
		t.paragraph("\n%s not shown: iwarp diff --all shows all differences.", quantity.Count(left, "more connection"))
	}
}

func (t *texter) connection(c *Connection) {
	switch {
	case c.A == nil:
		t.paragraph("\nConnection %d of %s, %s > %s, is not in %s: %s.", c.B.ID, t.b, c.B.Client, c.B.Server, t.a, quantity.Count(c.Counts.Added, "message"))
		return
	case c.B == nil:
		t.paragraph("\nConnection %d of %s, %s > %s, is not in %s: %s.", c.A.ID, t.a, c.A.Client, c.A.Server, t.b, quantity.Count(c.Counts.Missing, "message"))
		return
	}
	t.paragraph("\nConnection %d of %s (%s > %s), %d of %s (%s > %s):", c.A.ID, t.a, c.A.Client, c.A.Server, c.B.ID, t.b, c.B.Client, c.B.Server)
	if c.A.Ending != c.B.Ending {
		t.row("ended", t.a+": "+c.A.ended+"; "+t.b+": "+c.B.ended)
	}
	for i := range c.Differences {
		if i == shownDifferences && !t.All {
			t.out.WriteString("  " + quantity.Count(len(c.Differences)-i, "more difference") + "\n")
			break
		}
		t.difference(&c.Differences[i])
	}
}

// difference prints lines like those of diff: - is in A only, + in B only, ~ in both.
func (t *texter) difference(d *Difference) {
	line := func(sign string, m *Message, n int, rest string) {
		if m != nil {
			t.hanging(fmt.Sprintf("  %s frame %-6d %s  ", sign, m.Frame, d.Dir), several(m.Name, n)+rest)
		}
	}
	switch d.Kind {
	case Changed:
		line("~", d.B, 1, ": "+fields(d.Fields))
	case Reordered:
		line("~", d.B, 1, fmt.Sprintf(": in another place, frame %d of %s", d.A.Frame, t.a))
	default:
		line("-", d.A, d.CountA, "")
		line("+", d.B, d.CountB, "")
	}
}

// fields lists the fields by which a message differs.
func fields(all []FieldDifference) string {
	const most = 4
	var s []string
	for _, f := range all {
		was := f.A
		if f.Own != "" && f.Own != f.A {
			was = f.Own + " (here " + f.A + ")"
		}
		if words := fmt.Sprintf("%s %s, was %s", f.Label, f.B, was); !slices.Contains(s, words) { // of two readings of the same bits
			s = append(s, words)
		}
	}
	if more := len(s) - most; more > 0 {
		s = append(s[:most], quantity.Count(uint64(more), "more field"))
	}
	return strings.Join(s, "; ")
}

// operations says which became slower or faster, and of how many nothing can be said.
func (t *texter) operations() {
	var few, alike int
	var lines []string
	for i := range t.r.Operations {
		o := &t.r.Operations[i]
		switch {
		case o.Verdict == TooFew && !t.All:
			few++
		case o.Verdict == Alike && !t.All, len(lines) == shownOperations && !t.All:
			alike++
		default:
			lines = append(lines, medians(o))
		}
	}
	if few+alike+len(lines) == 0 {
		return
	}
	for _, rest := range []struct {
		n    int
		what string
	}{{alike, "as fast as before"}, {few, "too few samples to compare"}} {
		if rest.n > 0 {
			lines = append(lines, fmt.Sprintf("%s of operation", quantity.Count(rest.n, "kind"))+": "+rest.what)
		}
	}
	t.out.WriteByte('\n')
	for i, l := range lines {
		t.row([]string{"time", ""}[min(i, 1)], l)
	}
}

func medians(o *Operation) string {
	if o.Verdict == TooFew {
		return fmt.Sprintf("%s: too few samples: median %v of %d, was %v of %d", o.Name, span(o.MedianB), o.CountB, span(o.MedianA), o.CountA)
	}
	return fmt.Sprintf("%s %s: median %v, was %v (difference %v to %v with 99 %% confidence)", o.Name, o.Verdict, span(o.MedianB), span(o.MedianA),
		span(o.Low), span(o.High))
}

// span is a duration in words; it may be negative.
func span(s float64) string {
	if s < 0 {
		return "-" + span(-s)
	}
	return quantity.Duration(int64(s * 1e9))
}

// several is "3 messages, the first a Send", or "a Send".
func several(name string, n int) string {
	if n == 1 {
		return article(name)
	}
	return fmt.Sprintf("%d messages, the first %s", n, article(name))
}

func article(name string) string {
	if strings.ContainsAny(name[:1], "AEIOU") || strings.HasPrefix(name, "MPA") {
		return "an " + name
	}
	return "a " + name
}

// row prints a line of a small table.
func (t *texter) row(name, value string) { t.hanging(fmt.Sprintf("  %-14s", name), value) }

// paragraph prints text in lines that fit.
func (t *texter) paragraph(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	for strings.HasPrefix(s, "\n") {
		t.out.WriteByte('\n')
		s = s[1:]
	}
	t.hanging("", s)
}

// hanging prints a head and text after it, which goes on below itself.
func (t *texter) hanging(head, s string) {
	t.out.Write(text.AppendWrapped(nil, t.Width, head, len(head), strings.Repeat(" ", len(head)), printable.String(s)))
}
