// Package csv writes what happens on iWARP connections as comma-separated values, one row for each message and each MPA
// frame, or for each transaction. docs/csv.md describes the columns, which are those of package table.
//
//	encoder := csv.New(os.Stdout, csv.Options{})
//	engine := dissect.NewEngine(encoder, dissect.Options{Analysis: &judge.Options{}})
//	err := engine.Run(ctx, capture)
//	err = encoder.Flush()
//
// New columns come after that of the stream. Rows follow RFC 4180, but end with a line feed alone. A row is always one line:
// control characters are escaped, as \x1b, and what a spreadsheet would take for a formula begins with an apostrophe.
//
// An [Encoder] is a record.Sink. It allocates nothing per row.
package csv

import (
	"io"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/table"
)

// Options choose what rows hold. The zero value stands for the defaults.
type Options struct {
	View     show.View   // what rows are about; default show.Messages
	Clock    *show.Clock // tells where the column "seconds" begins; nil for the first row
	File     string      // name of the capture, for a column "file" in front; empty for none
	Files    bool        // the capture has several files: a column "file" tells which one a frame is in
	Headless bool        // no line with the names of columns
}

// An Encoder writes rows.
type Encoder struct {
	show.Output
	rows    *table.Rows
	columns []table.Column
	line    []byte // the row being written
}

// New returns an Encoder that writes to w.
func New(w io.Writer, o Options) *Encoder {
	rows := table.Options{View: o.View, Clock: o.Clock, File: o.File, Files: o.Files}
	e := &Encoder{Output: show.NewOutput(w), columns: rows.Columns()}
	e.rows = table.New(rows, e.row)
	if !o.Headless {
		for _, c := range e.columns {
			e.line = append(append(e.line, c.Name...), ',')
		}
		e.end()
	}
	return e
}

// Record implements record.Sink.
func (e *Encoder) Record(r *record.Record) { e.rows.Record(r) }

// row writes the cells of a row, with spaces between those of one column.
func (e *Encoder) row(cells []table.Cell) {
	written := 0
	for i := range cells {
		c := &cells[i]
		if c.Column < written {
			e.line[len(e.line)-1] = ' '
		} else {
			e.empty(c.Column - written)
			written = c.Column + 1
		}
		e.cell(c)
	}
	e.empty(len(e.columns) - written)
	e.end()
}

// end writes the line. All its cells end with a comma; that of the last one is not written.
func (e *Encoder) end() {
	e.line[len(e.line)-1] = '\n'
	e.Write(e.line) // Err returns its error
	e.line = e.line[:0]
}
