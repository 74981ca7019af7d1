// Package csv writes what happens on iWARP connections as comma-separated values, one row for each message and each MPA
// frame, or for each transaction. docs/csv.md describes the columns.
//
// Columns are called as the keys of package jsonl are, and hold the same. New ones are added behind the others. Rows
// are those of RFC 4180, but end with a line feed alone. A row is one line always: what does not belong into text is
// escaped, as \x1b, and what a spreadsheet would take for a formula begins with an apostrophe.
//
// An [Encoder] is a record.Sink. It allocates nothing per row.
package csv

import (
	"io"
	"slices"
	"strconv"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
)

// Options choose what rows hold. The zero value stands for the defaults.
type Options struct {
	View     show.View   // what rows are about; default text.Messages
	Clock    *show.Clock // tells where the column "seconds" begins; nil for the first row
	File     string      // name of the capture, for a column "file" in front; empty for none
	Files    bool        // the capture has several files: a column "file" tells which one a frame is in
	Headless bool        // no line with the names of columns
}

// An Encoder writes rows.
type Encoder struct {
	show.Output
	about show.View
	clock *show.Clock
	files bool
	in    record.Frames // of the row being written
	file  []byte        // the first cell of all rows, if there is a column for it

	line   []byte // the row being written
	view   record.View
	fields fields
}

// New returns an Encoder that writes to w.
func New(w io.Writer, o Options) *Encoder {
	own, fields := columnsOf(o.View)
	e := &Encoder{Output: show.NewOutput(w), about: o.View, clock: o.Clock, files: o.Files, fields: newFields(fields)}
	if !o.Headless {
		if o.File != "" || o.Files {
			e.cell("file")
		}
		for _, name := range slices.Concat(own, fields) {
			e.cell(name)
		}
		e.end()
	}
	if o.File != "" {
		e.text(o.File)
		e.file, e.line = e.line, nil
	}
	return e
}

// Columns returns the names of the columns of a view, in their order, but for the one that Options.File asks for.
func Columns(v show.View) []string {
	own, fields := columnsOf(v)
	return slices.Concat(own, fields)
}

// Record implements record.Sink.
func (e *Encoder) Record(r *record.Record) {
	switch {
	case e.about != show.Messages:
		for _, t := range r.Over {
			e.over(t)
		}
	case r.Kind == record.KindStartup:
		e.startupFrame(r.Startup, r)
	case r.Kind == record.KindMessage:
		e.message(r.Message, r)
	}
}

func (e *Encoder) message(m *record.Message, r *record.Record) {
	e.begin(&m.Origin, m.Opcode.String())
	e.number(m.Len)
	e.number(uint64(m.Segments))
	e.flag(m.Complete)
	if m.Conn.Transport() == record.OverTCP {
		e.cell(m.CRC.String())
	} else {
		e.empty(1)
	}
	e.number(uint64(m.BadCRCs))
	e.number(m.Missing)
	e.marks(r)
	if t, ok := m.Terminate(); ok {
		from := len(e.line)
		e.line = quoted(t.Meant().Code.AppendNamed(e.line), from)
	}
	e.empty(1) // its end
	e.fields.lay(e.view.Lay(m))
	if r.Upper != nil {
		e.fields.lay(e.view.Lay(r.Upper.Body))
	}
	e.finish(m.Conn)
}

func (e *Encoder) startupFrame(f *record.Startup, r *record.Record) {
	e.begin(&f.Origin, f.Name())
	e.number(uint64(f.MPA.ULPPrivateDataLen()))
	e.number(0)
	e.flag(len(f.MPA.PrivateData) == int(f.MPA.PDLength))
	e.empty(3)
	e.marks(r)
	e.empty(1)
	e.fields.lay(e.view.Lay(f))
	e.finish(f.Conn)
}

// begin begins a row with what every event has.
func (e *Encoder) begin(o *record.Origin, name string) {
	e.row(o.Conn, &o.Span)
	e.span(&o.Span)
	e.conn(o.Conn, o.Dir)
	e.cell(name)
}

// finish writes the fields that were set, and the row.
func (e *Encoder) finish(c *record.Conn) {
	if a := c.Association; a != nil {
		e.fields.number(streamColumn, uint64(a.Stream))
	}
	e.fields.finish(e)
	e.end()
}

// marks writes what an analysis has added to a Record.
func (e *Encoder) marks(r *record.Record) {
	if u := r.Upper; u != nil {
		e.text(u.ULP)
		e.text(u.Name)
		e.hex(u.ID)
	} else {
		e.empty(3)
	}
	for i := range r.Marks {
		if i > 0 {
			e.line = append(e.line, ' ')
		}
		e.line = append(e.line, r.Marks[i].ID...)
	}
	e.empty(1) // its end
}

// over writes the row of a transaction that is over, if it belongs to the view.
func (e *Encoder) over(t *record.Transaction) {
	if !e.about.Shows(t) {
		return
	}
	e.row(t.Conn, &t.Request)
	e.span(&t.Request)
	e.conn(t.Conn, t.Dir)
	e.cell(t.Kind.String())
	e.text(t.Name)
	e.number(t.ID)
	e.cell(t.Outcome.String())
	e.text(t.Result())
	if t.Response.Frame != 0 {
		e.span(&t.Response)
	} else {
		e.empty(4)
	}
	if t.Timed() {
		e.line = strconv.AppendFloat(e.line, float64(t.Latency())/1e9, 'f', -1, 64)
	}
	e.empty(1) // its end
	e.number(t.Octets)
	if e.about == show.RPCs {
		for _, cell := range t.Upper.(record.Detailed).Cells() {
			e.text(cell)
		}
	}
	e.fields.lay(e.view.Lay(t))
	e.finish(t.Conn)
}
