package check

// What fits on one screen.

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// A detail is how much is printed of a connection.
type detail uint8

const (
	full     detail = iota // the verdict, and what was found, with sentences of the documents
	unquoted               // the same without these
	titles                 // the verdict, and the names of what was found
	verdicts               // the same, in one paragraph
	oneLine                // the beginning of the verdict
	nothing                // it is only counted
)

// rest are connections of which there are only numbers.
type rest struct{ failed, wrong, warned uint64 }

func (r *rest) add(e *ended) {
	switch {
	case e.failure != (text.Failure{}):
		r.failed += 1 + e.failure.More
	case e.grave == rules.Error:
		r.wrong++
	default:
		r.warned++
	}
}

// String is a sentence: "12 more connections failed, 3 more have errors."
func (r *rest) String() string {
	var all []string
	for _, of := range []struct {
		n         uint64
		one, many string
	}{{r.failed, "failed", "failed"}, {r.wrong, "has errors", "have errors"}, {r.warned, "has warnings", "have warnings"}} {
		switch of.n {
		case 0:
		case 1:
			all = append(all, "1 more connection "+of.one)
		default:
			all = append(all, fmt.Sprintf("%s %s", quantity.Count(of.n, "more connection"), of.many))
		}
	}
	if all == nil {
		return ""
	}
	return strings.Join(all, ", ") + "."
}

// screen prints what fits: it takes detail from the last connections until the page has few enough lines.
func (t *Text) screen() {
	over := t.over[:min(len(t.over), t.opts.Lines)] // each takes a line
	for _, e := range t.over[len(over):] {
		t.rest.add(e)
	}
	details := make([]detail, len(over))
	for t.layout(over, details); bytes.Count(t.page, []byte{'\n'}) > t.opts.Lines; t.layout(over, details) {
		if !reduce(details) {
			t.crop()
			return
		}
	}
}

// reduce takes detail from the last of the connections with most of it, from the first one in the end. It reports whether
// it could.
func reduce(details []detail) bool {
	for d := full; d < nothing; d++ {
		for i := len(details) - 1; i >= 0; i-- {
			if details[i] == d && (i > 0 || d < titles) {
				details[i]++
				return true
			}
		}
	}
	if len(details) == 0 || details[0] >= verdicts {
		return false
	}
	details[0]++
	return true
}

// layout makes the page anew.
func (t *Text) layout(over []*ended, details []detail) {
	t.page, t.explained, t.unlooked = t.page[:0], make(map[string]bool), 0
	rest, less := t.rest, false
	for i, e := range over {
		if details[i] == nothing {
			rest.add(e)
			continue
		}
		less = less || details[i] > full || e.failure.More > 0 || e.told || t.Notes > 0
		t.connection(e, details[i])
		if details[i] == oneLine && (i+1 == len(over) || details[i+1] == nothing) {
			t.newline()
		}
	}
	if more := rest.String(); more != "" {
		less = true
		t.paragraph(text.Style{}, "", more)
	}
	t.kernelRest()
	t.sum()
	switch several := t.Connections > 1 && (less || t.Connections > len(over) && len(over) > 0); {
	case several && t.opts.Brief != "":
		t.paragraph(text.Style{}, "", "Use --all to see everything, or "+t.opts.Brief+" for counts.")
	case several || less:
		t.paragraph(text.Style{}, "", "Use --all to see everything.")
	}
}

// crop takes lines from the middle of a page that is too long with at most one connection: its end sums up.
func (t *Text) crop() {
	const end = 4 // lines
	lines := bytes.SplitAfter(t.page, []byte{'\n'})
	lines = lines[:len(lines)-1] // behind the last there is nothing
	keep := max(t.opts.Lines-end-1, 1)
	if len(lines) <= keep+end {
		return
	}
	page := bytes.Join(lines[:keep], nil)
	page = append(page, "...\n"...)
	t.page = append(page, bytes.Join(lines[len(lines)-end:], nil)...)
}
