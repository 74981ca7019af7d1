// Package csv writes what happens on iWARP connections as comma-separated values, one row for each message and each MPA
// frame, or for each transaction. docs/csv.md describes the columns.
//
// Columns are called as the keys of package jsonl are, and hold the same. New ones are added behind the others. Rows
// are those of RFC 4180, but end with a line feed alone. A row is one line always: what does not belong into text is
// escaped, as \x1b, and what a spreadsheet would take for a formula begins with an apostrophe.
//
// An [Encoder] is an analysis.Sink, and a dissect.Sink for those who want no analysis. It allocates nothing per row.
package csv

import (
	"bufio"
	"io"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/internal/marks"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/text"
)

// Options choose what rows hold. The zero value stands for the defaults.
type Options struct {
	View     text.View             // what rows are about; default text.Messages
	Clock    *text.Clock           // tells where the column "seconds" begins; nil for the first row
	File     string                // name of the capture, for a column "file" in front; empty for none
	Headless bool                  // no line with the names of columns
	Loose    func(*record.Finding) // takes findings that are about no message; nil drops them
}

// An Encoder writes rows.
type Encoder struct {
	marks.Keeper // findings and upper-layer messages whose row comes yet
	out          *bufio.Writer
	view         text.View
	clock        *text.Clock
	file         []byte // the first cell of all rows, if there is a column for it

	line    []byte       // the row being written
	parts   []field.Part // of the headers of a message
	encoded []byte       // the header of a request
	fields  fields
}

// New returns an Encoder that writes to w.
func New(w io.Writer, o Options) *Encoder {
	columns := columnsOf(o.View)
	e := &Encoder{
		out: bufio.NewWriterSize(w, 64<<10), view: o.View, clock: o.Clock,
		parts: make([]field.Part, 0, rdmap.MaxParts), fields: newFields(columns.fields),
	}
	e.Pending.Loose, e.Off = o.Loose, o.View != text.Messages
	if !o.Headless {
		if o.File != "" {
			e.cell("file")
		}
		for _, name := range columns.names() {
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
func Columns(v text.View) []string {
	columns := columnsOf(v)
	return columns.names()
}

// Flush writes what is buffered. It returns the first error that writing has met.
func (e *Encoder) Flush() error { return e.out.Flush() }

// Err returns the first error that writing has met; nothing is written after it.
func (e *Encoder) Err() error {
	_, err := e.out.Write(nil)
	return err
}

// Message implements dissect.Sink.
func (e *Encoder) Message(m *record.Message) {
	if e.view != text.Messages {
		return
	}
	e.begin(&m.Origin, m.Opcode.String())
	e.number(m.Len)
	e.number(uint64(m.Segments))
	e.flag(m.Complete)
	if m.Conn.Transport() == record.OverTCP {
		e.cell(m.CRC().String())
	} else {
		e.empty(1)
	}
	e.number(uint64(m.BadCRCs))
	e.number(m.Missing)
	e.marks(&m.Origin)
	e.terminate(m)
	e.parts = rdmap.AppendLayout(e.parts[:0], m.Header, m.ULPDU)
	for i := range e.parts {
		e.fields.set(&e.parts[i])
	}
	e.finish(m.Conn)
}

// StartupFrame implements dissect.Sink.
func (e *Encoder) StartupFrame(f *record.Startup) {
	if e.view != text.Messages {
		return
	}
	e.begin(&f.Origin, f.Name())
	e.number(uint64(f.MPA.ULPPrivateDataLen()))
	e.number(0)
	e.flag(len(f.MPA.PrivateData) == int(f.MPA.PDLength))
	e.empty(3)
	e.marks(&f.Origin)
	e.empty(1)
	e.fields.set(&field.Part{Table: f.Fields(), Octets: f.Octets})
	var enhanced mpa.Enhanced
	if f.MPA.Enhanced(&enhanced) {
		e.fields.set(&field.Part{Table: mpa.EnhancedFields, Octets: f.MPA.PrivateData})
	}
	e.finish(f.Conn)
}

// begin begins a row with what every event has.
func (e *Encoder) begin(o *record.Origin, name string) {
	e.row()
	e.span(&o.Span)
	e.conn(o.Conn, o.Dir)
	e.cell(name)
}

// finish writes what stands behind the own cells of a row, and the row.
func (e *Encoder) finish(c *record.Conn) {
	e.fields.finish(e)
	if a := c.Association; a != nil {
		e.number(uint64(a.Stream))
	} else {
		e.empty(1)
	}
	e.end()
}

// marks writes what is about the event of the given origin.
func (e *Encoder) marks(o *record.Origin) {
	taken := e.Pending.Take(o)
	if len(taken.Uppers) > 0 {
		u := &taken.Uppers[0]
		e.text(u.ULP)
		e.text(u.Name)
		e.hex(u.ID)
	} else {
		e.empty(3)
	}
	for i := range taken.Findings {
		if i > 0 {
			e.line = append(e.line, ' ')
		}
		e.line = append(e.line, taken.Findings[i].ID...)
	}
	e.empty(1) // its end
}

// terminate writes what a Terminate says in words, as its sender meant it if that can be told.
func (e *Encoder) terminate(m *record.Message) {
	b := m.First.Body
	if m.Opcode != rdmap.OpTerminate || m.First.T || m.First.Untagged.MO != 0 || len(b) < rdmap.TerminateLen {
		e.empty(1)
		return
	}
	var t rdmap.Terminate
	if len(m.Header) == m.ULPDU && rdmap.ReadingOf(b) == rdmap.ReadingSwapped {
		t.DecodeSwapped(b)
	} else {
		t.Decode(b)
	}
	from := len(e.line)
	e.line = append(quoted(text.AppendCode(e.line, t.Code), from), ',')
}
