package page

// Two captures side by side.

import (
	"bytes"
	_ "embed" // the page
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/iwarpkit/iwarp/dissect/diff"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

//go:embed compare.html
var compareHTML string

var compareTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("compare").Parse(headHTML + compareHTML)) })

// A comparison is what the template of two captures reads.
type comparison struct {
	Title, Policy string
	CSS           template.CSS
	Equal         bool
	Headline      string
	Text          string
	Pairs         []pair
	More          string
}

// A pair is a connection in both captures; one side is nil if only one capture has it.
type pair struct {
	Title  string
	Equal  bool
	Counts string
	New    string
	Gone   string
	Sides  [2]*side
}

type side struct {
	Name, Ends, Text string
	Ladder           []stretch
}

// WriteComparison writes a page with the ladders of two captures side by side, and where they differ. What differs is marked and
// open, the rest is folded. The text above them has all differences, or the first ones. A page of more than MaxOctets has fewer
// connections and messages, and at last only the first differences.
func WriteComparison(w io.Writer, a, b *Page, r *diff.Report, all bool) error {
	for most, rows := MaxDetailed, maxRows; ; most, rows = most/2, rows/2 {
		var page bytes.Buffer
		if err := compareTemplate().Execute(&page, newComparison(a, b, r, all, most, rows)); err != nil {
			return err
		}
		if page.Len() <= MaxOctets || most == 0 && !all {
			_, err := w.Write(page.Bytes())
			return err
		}
		all = all && most > 0
	}
}

// newComparison has at most so many connections and, where these are folded, messages.
func newComparison(a, b *Page, r *diff.Report, all bool, most, rows int) *comparison {
	var text strings.Builder
	_ = r.WriteText(&text, diff.Options{Width: 110, All: all}) // a Builder takes all
	_, rest, _ := strings.Cut(text.String(), "\n\n")
	doc := &comparison{
		Title: printable.String(r.A+" and "+r.B) + " - iwarp diff", CSS: template.CSS("\n" + pageCSS), Equal: r.Equal,
		Headline: sentence(r.Summary()), Text: rest,
	}
	doc.Policy = fmt.Sprintf("default-src 'none'; style-src %s; img-src data:; base-uri 'none'; form-action 'none'", hash(string(doc.CSS)))
	for i := range r.Connections {
		if len(doc.Pairs) == most {
			doc.More = quantity.GroupedCount(len(r.Connections)-i, "more connection") + " not shown: iwarp diff --all shows all differences."
			break
		}
		doc.Pairs = append(doc.Pairs, newPair(a, b, r, i, &rows))
	}
	return doc
}

func newPair(a, b *Page, r *diff.Report, i int, rows *int) pair {
	c := &r.Connections[i]
	p := pair{
		Title: fmt.Sprintf("Connection %d", i), Equal: c.Equal(), New: ids(c.New), Gone: ids(c.Gone),
		Counts: "Messages: " + c.Counts.String(),
	}
	for at, capture := range []*Page{a, b} {
		of, name := []*diff.Side{c.A, c.B}[at], []string{r.A, r.B}[at]
		if of == nil {
			continue
		}
		s := &side{Name: printable.String(name), Ends: of.Client + " > " + of.Server, Text: "Ended " + of.Ended() + "."}
		if of.Failure != "" {
			s.Text = sentence(of.Failure)
		}
		for _, c := range capture.conns {
			if c.of.ID == of.ID {
				s.Ladder = c.ladder(c.differences(r.Connections[i].Differences, at, r.B), rows)
			}
		}
		p.Sides[at] = s
	}
	return p
}

// ids lists findings.
func ids(all []diff.Finding) string {
	var names []string
	for _, f := range all {
		names = append(names, fmt.Sprintf("%s (%s)", f.ID, quantity.Times(f.Count)))
	}
	return strings.Join(names, ", ")
}

// differences says below which messages of A (side 0) or B (side 1) which difference stands. b is the name of B.
func (c *connection) differences(all []diff.Difference, at int, b string) map[int]string {
	marked := make(map[int]string)
	for i := range all {
		d := &all[i]
		m, count := d.A, d.CountA
		if at == 1 {
			m, count = d.B, d.CountB
		}
		if m == nil {
			continue
		}
		if item := c.messages.find(func(row *message) bool { return int(row.number) == m.Number }); item != nil {
			marked[item.n] = words(d, at, count, b)
		}
	}
	return marked
}

// words says what a difference is, on one side.
func words(d *diff.Difference, at, count int, b string) string {
	switch d.Kind {
	case diff.Reordered:
		return "in another place"
	case diff.Changed:
		var all []string
		for _, f := range d.Fields {
			own := []string{f.A, f.B}[at]
			if at == 0 && f.Own != "" && f.Own != f.A {
				own = f.Own + ", which is " + f.A + " in " + b
			}
			if own = f.Label + " " + own; !slices.Contains(all, own) { // of two readings of the same bits
				all = append(all, own)
			}
		}
		return "changed: " + printable.String(strings.Join(all, "; "))
	}
	if count > 1 {
		return "only here: this and the next " + quantity.Grouped(count-1)
	}
	return "only here"
}
