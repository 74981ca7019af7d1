package cli

// What prints the events of iwarp decode.

import (
	"io"

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

// printer returns the sink for the output that was chosen.
func (d *decode) printer(w io.Writer, terminal bool, clock *show.Clock, files []string) printer {
	colored := d.colored(terminal)
	file := ""
	if d.separate {
		file = files[0]
	}
	switch d.output.value {
	case "jsonl":
		return jsonl.New(w, jsonl.Options{View: d.view(), File: file})
	case "csv":
		headless := d.headed
		d.headed = true
		return csv.New(w, csv.Options{View: d.view(), Clock: clock, File: file, Headless: headless})
	case "tree":
		o := tree.Options{Clock: clock}
		if colored {
			o.Palette = treePalette()
		}
		return tree.New(w, o)
	}
	o := text.Options{View: d.view(), Clock: clock, Header: terminal}
	if colored {
		o.Palette = linePalette()
	}
	return text.New(w, o)
}

// A decodeSink prints until there was enough, and notes.
type decodeSink struct {
	printer
	view  show.View
	all   bool // the printer prints all findings
	notes *notes
	count uint64 // what was printed of the view
	limit uint64 // how many are wanted; 0 for all
}

// full says whether enough was printed.
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
	_ = s.Flush() // met again by Err; notes come after what was printed before them
	s.notes.note(r)
	if s.view == show.Messages && !s.all {
		s.notes.loose(r)
	}
}

// shown counts the transactions that belong to the view, and cuts off those that are too many.
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
