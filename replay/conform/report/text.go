package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/replay/conform"
)

// TextOptions choose what WriteText writes. The zero value stands for the defaults.
type TextOptions struct {
	All   bool                                        // all cases; else those that were not passed
	Paint func(v conform.Verdict, text string) string // colours a text by a verdict; nil for none
}

// width is the width of prose in characters.
const width = 80

// words are the verdicts in words, padded to one length.
var words = [...]string{
	conform.NotRun: "not run    ", conform.Pass: "pass       ", conform.Accepted: "accepted   ", conform.Fail: "FAIL       ",
	conform.Unsupported: "unsupported", conform.Error: "ERROR      ",
}

// WriteText writes a Report for people: documents, sections, cases, and a summary as the last line.
func WriteText(w io.Writer, r *conform.Report, o TextOptions) error {
	t := texter{TextOptions: o, again: r.Again}
	t.b.Write(text.AppendWrapped(nil, width, "", 0, "  ", fmt.Sprintf("The peer is %s.", printable.String(peerText(r)))))
	t.deviations(r)
	document := ""
	for _, p := range parts(r) {
		if p.Document != document {
			document = p.Document
			fmt.Fprintf(&t.b, "\n%s\n", heading(document))
		}
		t.part(&p)
	}
	t.reasons(r)
	s := r.Summary()
	fmt.Fprintf(&t.b, "\n%v; %.1f seconds, profile %s, seed %d\n", &s, r.Took.Seconds(), r.Profile, r.Seed)
	_, err := w.Write(t.b.Bytes())
	return err
}

func (t *texter) deviations(r *conform.Report) {
	for i := range r.Deviations {
		d := &r.Deviations[i]
		fmt.Fprintf(&t.b, "%s: %s\n", t.paint(conform.Fail, "Deviation"), printable.String(d.Says))
		fmt.Fprintf(&t.b, "  %s\n", requirement(d.Requirement))
		if len(d.Failed) > 0 {
			fmt.Fprintf(&t.b, "  It fails %s; it is ignored in other cases.\n", strings.Join(d.Failed, ", "))
		} else {
			fmt.Fprintf(&t.b, "  The cases ignore it.\n")
		}
	}
	for i := range r.Dependences {
		d := &r.Dependences[i]
		fmt.Fprintf(&t.b, "%s: %s\n  %d cases depend on it and failed: %s\n", t.paint(conform.Fail, "Deviation"), printable.String(d.Says),
			len(d.Failed), strings.Join(d.Failed, " "))
	}
}

type texter struct {
	TextOptions
	again func(conform.Question) string
	b     bytes.Buffer
}

func (t *texter) paint(v conform.Verdict, text string) string {
	if t.Paint == nil {
		return text
	}
	return t.Paint(v, text)
}

// part writes a section: a line, and the cases that matter.
func (t *texter) part(p *part) {
	var counts [conform.Error + 1]int
	for _, r := range p.Results {
		counts[r.Verdict]++
	}
	fmt.Fprintf(&t.b, "  %-7s %-50s", p.Number, p.Title)
	for v, name := range conform.Verdicts() {
		if counts[v] > 0 {
			fmt.Fprint(&t.b, "  ", t.paint(v, fmt.Sprintf("%d %s", counts[v], name)))
		}
	}
	t.b.WriteByte('\n')
	for _, r := range p.Results {
		if t.All || r.Verdict == conform.Fail || r.Verdict == conform.Error || r.Verdict == conform.Accepted || r.Newly != "" {
			t.result(r)
		}
	}
}

// reasons writes why cases did not run, and how many cases have each reason.
func (t *texter) reasons(r *conform.Report) {
	for _, v := range []conform.Verdict{conform.Unsupported, conform.NotRun} {
		reasons, counts := unanswered(r, v)
		if len(reasons) > 0 {
			fmt.Fprintf(&t.b, "\n%s\n", t.paint(v, headings[v]))
		}
		for _, why := range reasons {
			fmt.Fprintf(&t.b, "  %6d  %s\n", counts[why], printable.String(why))
		}
	}
}

var headings = [...]string{conform.Unsupported: "Unsupported", conform.NotRun: "Not run"}

// unanswered returns the reasons for a verdict, the most frequent first, with the number of cases of each.
func unanswered(r *conform.Report, v conform.Verdict) (reasons []string, counts map[string]int) {
	counts = make(map[string]int)
	for i := range r.Results {
		if each := &r.Results[i]; each.Verdict == v {
			if counts[each.Detail]++; counts[each.Detail] == 1 {
				reasons = append(reasons, each.Detail)
			}
		}
	}
	slices.SortStableFunc(reasons, func(a, b string) int { return counts[b] - counts[a] })
	return reasons, counts
}

func (t *texter) result(r *conform.Result) {
	verdict := words[r.Verdict]
	if r.Known != "" {
		verdict = "known fail "
	}
	fmt.Fprintf(&t.b, "    %s %s\n", t.paint(r.Verdict, verdict), r.ID())
	if r.Verdict == conform.Pass && r.Newly == "" {
		return
	}
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&t.b, "        %-12s %s\n", name, printable.String(text))
		}
	}
	switch r.Verdict {
	case conform.Fail, conform.Error:
		line("Says", r.Says)
		for _, id := range r.Requirements {
			line("Requirement", requirement(id))
		}
		if r.Verdict == conform.Error {
			line("Error", r.Detail)
			break
		}
		line("Connection", r.Conn)
		line("Expected", r.Expected)
		line("Actual", r.Actual)
		if t.again != nil && r.Known == "" {
			line("Run again", t.again(r.Question))
			line("Explain", "iwarp explain "+r.ID())
		}
	default:
		line("Because", r.Detail)
	}
	line("Known", r.Known)
	line("Newly passing", newly(r))
}
