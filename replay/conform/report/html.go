package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/replay/conform"
)

//go:embed page.html
var pageText string

// page is one HTML page that needs nothing else, so that it can be mailed.
var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"shown":   printable.String,
	"heading": heading,
	"lookup":  rfc.Lookup,
	"newly":   newly,
	"seconds": func(r *conform.Result) string { return fmt.Sprintf("%.3f", r.Took.Seconds()) },
}).Parse(pageText))

// A chapter is the parts of one document.
type chapter struct {
	Document string
	Parts    []part
}

// chapters are the results by documents and sections.
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

// A tile is how many cases have a verdict.
type tile struct {
	Verdict conform.Verdict
	Name    string
	Count   int
}

// WriteHTML writes a Report as one HTML page. title is its heading.
func WriteHTML(w io.Writer, r *conform.Report, title string) error {
	var tiles []tile
	for v, name := range conform.Verdicts() {
		t := tile{Verdict: v, Name: name}
		for i := range r.Results {
			if r.Results[i].Verdict == v {
				t.Count++
			}
		}
		if t.Count > 0 {
			tiles = append(tiles, t)
		}
	}
	s := r.Summary()
	return page.Execute(w, map[string]any{
		"Title": printable.String(title), "Peer": peerText(r), "Report": r, "Summary": s.String(), "Tiles": tiles, "Chapters": chapters(r),
		"Seconds": fmt.Sprintf("%.1f", r.Took.Seconds()),
	})
}
