package parquet

// Files of one table, one after the other.

import (
	"fmt"
	"io"

	pq "github.com/parquet-go/parquet-go"

	"github.com/iwarpkit/iwarp/internal/printable"
)

// The rows of a page: what is kept uncompressed.
const (
	rowsOfPage    = 1 << 12
	objectsOfPage = 1 << 10
)

// How many rows a file has at most. They are one row group.
const (
	MaxRows    = 8 * rowsOfPage    // messages or transactions
	MaxObjects = 4 * objectsOfPage // findings or connections
)

// A Create creates a file of a table, "records-00001.parquet". Closing the file says that it is complete. After a
// write error it stays open, and whoever created it discards it.
type Create func(name string) (io.WriteCloser, error)

// A files writes a table to files.
type files struct {
	name    string
	create  Create
	schema  *pq.Schema
	out     *pq.Writer     //nolint:staticcheck // nil until it is needed; the newer GenericWriter links a megabyte of code for Go values
	file    io.WriteCloser // nil between files
	number  int            // of files so far
	written int            // rows of the file
	maxRows int
	batch
	empty map[kind]*pages // of columns without values in a file
	err   error
}

// newFiles returns the files of a table with that many rows per page and per file.
func newFiles(name string, create Create, s shape, pageRows, maxRows int) *files {
	f := &files{name: name, create: create, maxRows: maxRows, schema: pq.NewSchema(name, s.node), empty: make(map[kind]*pages)}
	f.none = make([]pq.Value, pageRows)
	for i, path := range f.schema.Columns() {
		at, _ := f.schema.Lookup(path...)
		f.columns = append(f.columns, column{pages: *newPages(s.leaves[i], at.MaxRepetitionLevel, at.MaxDefinitionLevel)})
	}
	return f
}

// end ends a row.
func (f *files) end() {
	if f.rows++; f.rows == len(f.none) {
		f.page()
	}
	if f.written >= f.maxRows {
		f.finish()
	}
}

// keepError keeps the first error, after which nothing is written.
func (f *files) keepError(err error) {
	if f.err == nil && err != nil {
		f.err = err
	}
}

// page makes the batch a page of each column that has had values in this file.
func (f *files) page() {
	if f.open(); f.err == nil {
		for i := range f.columns {
			if c := &f.columns[i]; len(c.values) > 0 || c.pages.rows > 0 {
				f.keepError(f.nulls(&c.pages))
				f.keepError(c.pages.add(f.valuesOf(i)))
			}
		}
		f.written += f.rows
	}
	f.batch.reset()
}

// nulls adds nulls for rows that the file has already.
func (f *files) nulls(p *pages) error {
	for p.rows < f.written {
		if err := p.add(f.none[:min(f.written-p.rows, len(f.none))]); err != nil {
			return err
		}
	}
	return nil
}

// open creates a file unless there is one.
func (f *files) open() {
	if f.file != nil || f.err != nil {
		return
	}
	f.number++
	file, err := f.create(fmt.Sprintf("%s-%05d.parquet", f.name, f.number))
	if err != nil {
		f.err = err
		return
	}
	f.file, f.written = file, 0
}

// write writes the pages of all columns.
func (f *files) write() error {
	g := &rowGroup{schema: f.schema, rows: f.written}
	for i := range f.columns {
		if f.written == 0 {
			break
		}
		p, err := f.pagesOf(i)
		if err != nil {
			return err
		}
		g.FileRowGroup, g.chunks = p.made, append(g.chunks, p.made.ColumnChunks()...)
	}
	if f.out == nil {
		f.out = pq.NewWriter(f.file, f.schema,
			pq.Compression(codec()), pq.DictionaryMaxBytes(dictionaryOctets), pq.KeyValueMetadata("schema", "iwarp."+f.name+"/1"))
	} else {
		f.out.Reset(f.file)
	}
	if f.written > 0 {
		if _, err := f.out.WriteRowGroup(g); err != nil {
			return err
		}
	}
	for i := range f.columns {
		f.columns[i].pages.reset()
	}
	return f.out.Close()
}

// pagesOf returns the pages of a column, of as many rows as the file has.
func (f *files) pagesOf(column int) (*pages, error) {
	p := &f.columns[column].pages
	if p.rows == 0 {
		k := p.kind()
		shared := f.empty[k]
		if shared == nil {
			shared = newPages(p.leaf, p.rep, p.def)
			f.empty[k] = shared
		}
		if p = shared; p.rows != f.written {
			p.reset()
			if err := f.nulls(p); err != nil {
				return nil, err
			}
		}
	}
	err := p.end()
	if err == nil && p.outgrows() {
		f.out = nil // it knows how columns are encoded
		err = p.again()
	}
	return p, err
}

// finish makes the file complete.
func (f *files) finish() {
	if f.err != nil || f.file == nil {
		return
	}
	f.keepError(f.write())
	if f.err == nil {
		f.keepError(f.file.Close())
	}
	f.file = nil
}

// close writes what is left. A table without rows has a file, too.
func (f *files) close() error {
	if f.rows > 0 || f.number == 0 {
		f.page()
	}
	f.finish()
	return f.err
}

// A batch holds the rows of the next page, column by column.
type batch struct {
	rows    int
	columns []column
	octets  []byte
	none    []pq.Value // a column without values, as most are: a message has few of the fields of all protocols
}

// A column is what a batch has of one, and the pages before.
type column struct {
	pages  pages
	values []pq.Value
	filled int    // rows that have a value, or were null before one that has
	text   []byte // the latest one
}

func (b *batch) reset() {
	for i := range b.columns {
		c := &b.columns[i]
		c.values, c.filled, c.text = c.values[:0], 0, nil
	}
	b.rows, b.octets = 0, b.octets[:0]
}

// put adds a value of the current row to a column.
func (b *batch) put(column int, v pq.Value, rep, def int) {
	c := &b.columns[column]
	if rep == 0 {
		if c.filled < b.rows {
			b.fill(c)
		}
		c.filled++
	}
	if rep|def != 0 { // what a Value has anyway
		v = v.Level(rep, def, column)
	}
	c.values = append(c.values, v)
}

// nulls adds nulls to columns. Those of whole rows are left to fill.
func (b *batch) nulls(column, columns, rep, def int) {
	if rep == 0 && def == 0 {
		return
	}
	for i := range columns {
		b.put(column+i, pq.NullValue(), rep, def)
	}
}

// fill adds nulls for the rows without a value in a column.
func (b *batch) fill(c *column) {
	c.values = append(c.values, b.none[c.filled:b.rows]...)
	c.filled = b.rows
}

// valuesOf returns the values of a column in all rows.
func (b *batch) valuesOf(column int) []pq.Value {
	c := &b.columns[column]
	if len(c.values) == 0 {
		return b.none[:b.rows]
	}
	b.fill(c)
	return c.values
}

// keep returns octets that last until the batch is written.
func (b *batch) keep(octets []byte) []byte {
	from := len(b.octets)
	b.octets = append(b.octets, octets...)
	return b.octets[from:]
}

// keepText returns a text for a column that lasts as long, with escapes for what is not UTF-8, and for what a terminal should not see.
func keepText[S string | []byte](b *batch, column int, s S) pq.Value {
	c := &b.columns[column]
	if string(c.text) != string(s) { // few columns have another one in each row
		from := len(b.octets)
		b.octets = printable.Append(b.octets, s)
		c.text = b.octets[from:]
	}
	return pq.ByteArrayValue(c.text)
}
