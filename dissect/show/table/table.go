// Package table makes rows of what happens on connections: one for each MPA frame and each message, or for each transaction.
// Packages csv and parquet write them.
//
//	var o table.Options
//	columns := o.Columns()
//	rows := table.New(o, func(cells []table.Cell) {
//		for _, c := range cells {
//			fmt.Println(columns[c.Column].Name, c.Text, c.Number)
//		}
//	})
//	engine := dissect.NewEngine(rows, dissect.Options{})
//
// Columns have the names and contents of the keys of package jsonl. They come from the protocols' field tables.
package table

import (
	"math/bits"
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// A Cell is a value in a row. An empty column has no Cell.
type Cell struct {
	Column int          // its place in Columns
	Number uint64       // unless the Type of the column is Text or Octets
	Text   []byte       // otherwise; valid until the next row
	Field  *field.Field // of a header; nil for others
}

// Options choose what rows hold. The zero value stands for the defaults.
type Options struct {
	View  show.View
	Clock *show.Clock // says where the column "seconds" begins; nil for the first row
	File  string      // name of the capture, for the column "file"; empty for none
	Files bool        // the capture names the files of frames, for the same column
}

// Columns returns the columns that rows have with these options.
func (o *Options) Columns() []Column { return Columns(o.View, o.File != "" || o.Files) }

// Rows is a record.Sink that makes rows. It allocates nothing per row.
type Rows struct {
	Options
	give func([]Cell)

	row     []Cell   // as they come
	sorted  []Cell   // the same
	places  []int    // by column, to sort: cells, and then where they go
	used    []uint64 // a bit for each column that has cells
	next    int      // the column of the next cell, unless that is a header field
	text    []byte   // of the cells
	view    record.View
	columns map[string]int
	many    []bool                 // by column
	own     map[*field.Table][]int // the columns of a table's fields, -1 for none
	carried map[*field.Table][]int // the same where a Terminate carries the header back
}

// New returns Rows that call give with the cells of each row, in the order of their columns. Only columns that are Many have
// more than one cell in a row.
func New(o Options, give func([]Cell)) *Rows {
	r := &Rows{Options: o, give: give, columns: make(map[string]int), own: make(map[*field.Table][]int), carried: make(map[*field.Table][]int)}
	columns := o.Columns()
	r.places, r.used = make([]int, len(columns)), make([]uint64, len(columns)/64+1)
	for i, c := range columns {
		r.columns[c.Name] = i
		r.many = append(r.many, c.Many)
	}
	return r
}

// Record implements record.Sink.
func (w *Rows) Record(r *record.Record) {
	switch {
	case w.View != show.Messages:
		for _, t := range r.Over {
			w.over(t)
		}
	case r.Kind == record.KindStartup:
		w.startup(r.Startup, r)
	case r.Kind == record.KindMessage:
		w.message(r.Message, r)
	}
}

func (w *Rows) message(m *record.Message, r *record.Record) {
	w.begin(m.Conn, m.Dir, &m.Span)
	w.word(m.Opcode.String())
	w.number(m.Len)
	w.number(uint64(m.Segments))
	w.flag(m.Complete)
	if m.Conn.Transport() == flow.OverTCP {
		w.word(m.CRC.String())
	} else {
		w.next++
	}
	w.number(uint64(m.BadCRCs))
	w.number(m.Missing)
	w.marks(r)
	if t, ok := m.Terminate(); ok {
		from := len(w.text)
		w.text = t.Meant().Code.AppendNamed(w.text)
		w.texts(from)
	}
	w.lay(w.view.Lay(m))
	if r.Upper != nil {
		w.lay(w.view.Lay(r.Upper.Body))
	}
	w.end(m.Conn)
}

func (w *Rows) startup(f *record.Startup, r *record.Record) {
	w.begin(f.Conn, f.Dir, &f.Span)
	w.word(f.Name())
	w.number(uint64(f.MPA.ULPPrivateDataLen()))
	w.number(0)
	w.flag(len(f.MPA.PrivateData) == int(f.MPA.PDLength))
	w.next += 3 // of messages
	w.marks(r)
	w.lay(w.view.Lay(f))
	w.end(f.Conn)
}

// over makes the row of a transaction that is over, if it belongs to the view.
func (w *Rows) over(t *record.Transaction) {
	if !w.View.Shows(t) {
		return
	}
	w.begin(t.Conn, t.Dir, &t.Request)
	w.word(t.Kind.String())
	w.word(t.Name)
	w.number(t.ID)
	w.word(t.Outcome.String())
	w.word(t.Result())
	if t.Response.Frame != 0 {
		w.span(t.Conn.Frames, &t.Response)
	} else {
		w.next += 4
	}
	if t.Timed() {
		w.number(uint64(t.Latency()))
	} else {
		w.next++
	}
	w.number(t.Octets)
	if w.View == show.RPCs {
		for _, detail := range t.Upper.(ulp.Detailed).Cells() {
			w.word(detail)
		}
	}
	w.lay(w.view.Lay(t))
	w.end(t.Conn)
}

// begin begins a row with the cells that all rows have.
func (w *Rows) begin(c *flow.Conn, d flow.Direction, s *flow.Span) {
	w.row, w.text, w.next = w.row[:0], w.text[:0], 0
	switch {
	case w.File != "":
		w.word(w.File)
	case w.Files:
		file, _ := c.Frames.Place(s.Frame)
		w.word(file)
	}
	w.span(c.Frames, s)
	w.number(uint64(c.ID))
	w.word(d.String())
	for _, sender := range [...]flow.Direction{d, 1 - d} {
		from := len(w.text)
		w.text = c.Peer(sender).AppendTo(w.text)
		w.texts(from)
	}
}

// span adds the frames of something, and when it began.
func (w *Rows) span(frames flow.Frames, s *flow.Span) {
	for _, frame := range [...]uint64{s.Frame, s.LastFrame} {
		_, number := frames.Place(frame)
		w.number(number)
	}
	if s.Time == 0 {
		w.next += 2
		return
	}
	if w.Clock == nil {
		w.Clock = &show.Clock{Start: s.Time}
	}
	w.number(uint64(s.Time))
	w.number(uint64(s.Time - w.Clock.Start))
}

// marks adds what an analysis says of a Record.
func (w *Rows) marks(r *record.Record) {
	if u := r.Upper; u != nil {
		w.word(u.ULP)
		w.word(u.Name)
		w.number(u.ID)
	} else {
		w.next += 3
	}
	for i := range r.Marks {
		w.word(r.Marks[i].ID)
		w.next--
	}
	w.next++
}

// end gives the row.
func (w *Rows) end(c *flow.Conn) {
	if a := c.Association; a != nil {
		w.row = append(w.row, Cell{Column: w.columns[streamColumn.Name], Number: uint64(a.Stream)})
	}
	w.give(w.ordered())
}

// ordered returns the cells in the order of their columns, and those of a column as they came. It counts them, for comparing them takes
// several times as long.
func (w *Rows) ordered() []Cell {
	for i := range w.row {
		c := w.row[i].Column
		w.places[c]++
		w.used[c/64] |= 1 << (c % 64)
	}
	n := 0
	for i, columns := range w.used {
		for ; columns != 0; columns &= columns - 1 {
			place := &w.places[64*i+bits.TrailingZeros64(columns)]
			*place, n = n, n+*place
		}
		w.used[i] = 0
	}
	w.sorted = slices.Grow(w.sorted[:0], n)[:n]
	for i := range w.row {
		place := &w.places[w.row[i].Column]
		w.sorted[*place] = w.row[i]
		*place++
	}
	for i := range w.row {
		w.places[w.row[i].Column] = 0
	}
	return w.sorted
}

func (w *Rows) number(v uint64) {
	w.row = append(w.row, Cell{Column: w.next, Number: v})
	w.next++
}

func (w *Rows) flag(v bool) {
	n := uint64(0)
	if v {
		n = 1
	}
	w.number(n)
}

func (w *Rows) word(s string) {
	from := len(w.text)
	w.text = append(w.text, s...)
	w.texts(from)
}

// texts adds the text from an offset on.
func (w *Rows) texts(from int) {
	w.row = append(w.row, Cell{Column: w.next, Text: w.text[from:]})
	w.next++
}

// lay adds the fields of all parts of layers that were captured.
func (w *Rows) lay(layers []record.Layer) {
	for i := range layers {
		for j := range layers[i].Parts {
			p := &layers[i].Parts[j]
			for k, column := range w.columnsOf(p.Table, p.Carried) {
				if f := &p.Table.Fields[k]; column >= 0 && f != p.Omit {
					w.field(column, p, f)
				}
			}
		}
	}
}

// field adds a field, if it was captured.
func (w *Rows) field(column int, p *field.Part, f *field.Field) {
	if f.Base == field.Octets {
		if octets := f.Bytes(p.Octets); len(octets) > 0 {
			w.row = append(w.row, Cell{Column: column, Text: octets, Field: f})
		}
	} else if v, ok := p.Value(f); ok {
		w.row = append(w.row, Cell{Column: column, Number: v, Field: f})
	}
}

// columnsOf returns the columns of a table's fields.
func (w *Rows) columnsOf(t *field.Table, carried bool) []int {
	known, prefix := w.own, ""
	if carried {
		known, prefix = w.carried, carriedPrefix
	}
	if columns, ok := known[t]; ok {
		return columns
	}
	columns := make([]int, len(t.Fields))
	for i := range t.Fields {
		f := &t.Fields[i]
		at, ok := w.columns[f.Name]
		if !ok {
			at, ok = w.columns[prefix+short(t, f)]
		}
		if !ok {
			at = -1
		}
		columns[i] = at
	}
	known[t] = columns
	return columns
}
