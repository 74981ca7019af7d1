package report

// The report as an HTML page.

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"sync"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/replay/conform"
)

//go:embed page.html
var pageText string

// page is an HTML page without references to other files, so that it can be mailed.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"shown":   printable.String,
		"heading": heading,
		"lookup":  rfc.Lookup,
		"newly":   newly,
		"again":   func(conform.Question) string { return "" }, // WriteHTML replaces it
		"seconds": func(r *conform.Result) string { return fmt.Sprintf("%.3f s", r.Took.Seconds()) },
		"asked":   func(r *conform.Result) bool { return r.Verdict != conform.NotRun && r.Verdict != conform.Unsupported },
		"called":  verdictName,
	}).Parse(pageText))
})

type chapter struct {
	Document string
	Parts    []part
}

func chapters(r *conform.Report) (all []chapter) {
	for _, p := range parts(r) {
		if n := len(all); n == 0 || all[n-1].Document != p.Document {
			all = append(all, chapter{Document: p.Document})
		}
		last := &all[len(all)-1]
		last.Parts = append(last.Parts, p)
	}
	return all
}

// A tile is the number of cases with a verdict.
type tile struct {
	Verdict conform.Verdict
	Name    string
	Count   int
}

func verdictName(verdict conform.Verdict) string {
	for v, name := range conform.Verdicts() {
		if v == verdict {
			return name
		}
	}
	return verdict.String()
}

// tilesOf returns the verdicts that occur; those of cases that ran come first.
func tilesOf(r *conform.Report) (tiles []tile) {
	counts := make(map[conform.Verdict]int)
	for i := range r.Results {
		counts[r.Results[i].Verdict]++
	}
	for _, v := range []conform.Verdict{
		conform.Pass, conform.Accepted, conform.Fail, conform.Error, conform.Unsupported, conform.NotRun,
	} {
		if n := counts[v]; n > 0 {
			tiles = append(tiles, tile{v, verdictName(v), n})
		}
	}
	return tiles
}

// failures returns the cases that need attention: unexpected failures, and errors.
func failures(r *conform.Report) (all []*conform.Result) {
	for i := range r.Results {
		if one := &r.Results[i]; one.Verdict == conform.Error || one.Verdict == conform.Fail && one.Known == "" {
			all = append(all, one)
		}
	}
	return all
}

// WriteHTML writes a Report as one HTML page. title is its heading.
func WriteHTML(w io.Writer, r *conform.Report, title string) error {
	s, p := r.Summary(), page()
	if r.Again != nil {
		p = template.Must(p.Clone()).Funcs(template.FuncMap{"again": r.Again})
	}
	return p.Execute(w, map[string]any{
		"Title": printable.String(title), "Peer": peerText(r), "Report": r, "Summary": s.String(), "Tiles": tilesOf(r),
		"Failures": failures(r), "Chapters": chapters(r), "Seconds": fmt.Sprintf("%.1f", r.Took.Seconds()),
	})
}
