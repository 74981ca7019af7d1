package cli

// The outputs of iwarp decode.

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/csv"
	"github.com/iwarpkit/iwarp/dissect/show/jsonl"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/dissect/show/tree"
)

// A printer is a sink that prints.
type printer interface {
	record.Sink
	Flush() error
	Err() error
}

// An output is a form that -o can choose.
type output struct {
	name     string
	about    string                           // for --help
	lines    bool                             // for people: --time applies, and each of several files has a heading
	views    bool                             // it can be about transactions and RPCs
	findings bool                             // it shows all findings; other outputs need notes for those without a message
	printer  func(*decode, *printing) printer // nil if it writes files in a way of its own:

	check func(*decode, *pflag.FlagSet, []string) error // whether flags and captures go with it
	write func(*decode, context.Context, []string) error
}

// A printing is the context of a printer.
type printing struct {
	w        io.Writer
	terminal bool
	colored  bool
	clock    *show.Clock
	file     string // name of the capture, if it is shown
	several  bool   // there are several files
}

// outputs are all outputs, the default first.
var outputs = []output{
	{name: "text", about: "a line per message", lines: true, views: true, printer: (*decode).text},
	{name: verboseOutput, about: "every field of every layer", lines: true, findings: true, printer: (*decode).tree},
	{name: "jsonl", about: "docs/json.md", views: true, printer: (*decode).jsonl},
	{name: "csv", about: "docs/csv.md", views: true, printer: (*decode).csv},
	{name: "pcapng", about: "the capture with comments (-w or a redirection)", findings: true, check: (*decode).checkComments, write: (*decode).comments},
	{name: "parquet", about: "a new folder of tables (-w; docs/analysis.md)", findings: true, check: (*decode).checkTables, write: (*decode).tables},
}

// verboseOutput is the output of -V.
const verboseOutput = "tree"

func outputNames() (names []string) {
	for _, o := range outputs {
		names = append(names, o.name)
	}
	return names
}

func outputTexts() string {
	var all []string
	for _, o := range outputs {
		all = append(all, o.name+", "+o.about)
	}
	return strings.TrimSpace(string(text.AppendWrapped(nil, foldWidth, "", 0, "", "Outputs: "+strings.Join(all, "; ")+".")))
}

// chosen is the output of -o.
func (d *decode) chosen() *output {
	return &outputs[slices.IndexFunc(outputs, func(o output) bool { return o.name == d.output.Value })]
}

func (d *decode) text(p *printing) printer {
	o := text.Options{View: d.about(), Clock: p.clock, Header: p.terminal}
	if p.colored {
		o.Palette = linePalette()
	}
	return text.New(p.w, o)
}

func (d *decode) tree(p *printing) printer {
	o := tree.Options{Width: d.tableWidth(p.terminal), Clock: p.clock}
	if p.colored {
		o.Palette = treePalette()
	}
	return tree.New(p.w, o)
}

func (d *decode) jsonl(p *printing) printer {
	return jsonl.New(p.w, jsonl.Options{View: d.about(), File: p.file})
}

func (d *decode) csv(p *printing) printer {
	headless := d.headed
	d.headed = true
	return csv.New(p.w, csv.Options{View: d.about(), Clock: p.clock, File: p.file, Files: p.several, Headless: headless})
}

// A decodeSink prints Records up to a limit, and notes about them.
type decodeSink struct {
	printer
	view  show.View
	all   bool // the printer prints all findings
	notes *notes
	count uint64 // lines or objects printed
	limit uint64 // the most to print; 0 for all
}

// full reports whether the limit was reached.
func (s *decodeSink) full() bool { return s.limit > 0 && s.count >= s.limit }

// Record implements record.Sink.
func (s *decodeSink) Record(r *record.Record) {
	if s.full() {
		return
	}
	line := r.Kind == record.KindStartup || r.Kind == record.KindMessage
	switch {
	case s.view != show.Messages:
		r.Over = s.shown(r.Over)
	case line:
		s.count++
	}
	s.printer.Record(r)
	if line || r.Kind == record.KindSegment && r.Segment.Err == nil && len(r.Marks) == 0 {
		return
	}
	_ = s.Flush() // Err returns it too; notes follow what was printed before them
	s.notes.note(r)
	if s.view == show.Messages && !s.all {
		s.notes.loose(r)
	}
}

// shown counts the transactions of the view, and drops those beyond the limit.
func (s *decodeSink) shown(over []*record.Transaction) []*record.Transaction {
	for i, t := range over {
		if s.full() {
			return over[:i]
		}
		if s.view.Shows(t) {
			s.count++
		}
	}
	return over
}
