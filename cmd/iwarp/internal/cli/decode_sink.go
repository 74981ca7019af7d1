package cli

// What prints the events of iwarp decode.

import (
	"io"

	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/csv"
	"github.com/iwarpkit/iwarp/dissect/jsonl"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/text"
	"github.com/iwarpkit/iwarp/dissect/tree"
)

// A printer is a sink that prints.
type printer interface {
	analysis.Sink
	Flush() error
	Err() error
}

// printer returns the sink for the output that was chosen.
func (d *decode) printer(w io.Writer, terminal bool, clock *text.Clock, files []string, loose func(*record.Finding)) printer {
	colored := d.colored(terminal)
	file := ""
	if d.separate {
		file = files[0]
	}
	switch d.output.value {
	case "jsonl":
		return jsonl.New(w, jsonl.Options{View: d.view(), Loose: loose, File: file})
	case "csv":
		headless := d.headed
		d.headed = true
		return csv.New(w, csv.Options{View: d.view(), Clock: clock, Loose: loose, File: file, Headless: headless})
	case "tree":
		o := tree.Options{Clock: clock}
		if colored {
			o.Palette = treePalette()
		}
		return tree.New(w, o)
	}
	o := text.Options{View: d.view(), Clock: clock, Header: terminal, Loose: loose}
	if colored {
		o.Palette = linePalette()
	}
	return text.New(w, o)
}

// A decodeSink prints events until there were enough, and notes.
type decodeSink struct {
	printer
	view  text.View
	notes *notes
	count uint64 // what was printed of the view
	limit uint64 // how many are wanted; 0 for all
}

// full says whether enough was printed.
func (s *decodeSink) full() bool { return s.limit > 0 && s.count >= s.limit }

func (s *decodeSink) StartupFrame(f *record.Startup) {
	if !s.full() {
		s.printer.StartupFrame(f)
		s.printed(text.Messages)
	}
}

func (s *decodeSink) Segment(g *record.Segment) {
	if !s.full() {
		s.printer.Segment(g)
		if g.Err != nil {
			s.say(func() { s.notes.Segment(g) })
		}
	}
}

func (s *decodeSink) Message(m *record.Message) {
	if !s.full() {
		s.printer.Message(m)
		s.printed(text.Messages)
	}
}

func (s *decodeSink) Transaction(t *record.Transaction) {
	if !s.full() && s.view.Shows(t) {
		s.printer.Transaction(t)
		s.printed(s.view)
	}
}

// printed counts what was printed, if it belongs to the view.
func (s *decodeSink) printed(v text.View) {
	if v == s.view {
		s.count++
	}
}

func (s *decodeSink) Finding(f *record.Finding) {
	if !s.full() {
		s.printer.Finding(f)
	}
}

func (s *decodeSink) Upper(u *record.Upper) {
	if !s.full() {
		s.printer.Upper(u)
	}
}

func (s *decodeSink) Note(n *record.Note) {
	if !s.full() {
		s.say(func() { s.notes.Note(n) })
	}
}

func (s *decodeSink) End(c *record.Conn) {
	if !s.full() {
		s.printer.End(c)
	}
}

// loose prints a finding that is about no message.
func (s *decodeSink) loose(f *record.Finding) { s.say(func() { s.notes.Finding(f) }) }

// say prints a note, after what was printed before it.
func (s *decodeSink) say(note func()) {
	_ = s.Flush() // met again by Err
	note()
}
