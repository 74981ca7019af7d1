// Package parquet writes what happens on iWARP connections as tables in Parquet files, for DuckDB and other tools of
// analysts: messages, transactions, findings and connections. docs/analysis.md describes them.
//
//	tables := parquet.New(create, new(show.Clock), "capture.pcap")
//	engine := dissect.NewEngine(tables, dissect.Options{Analysis: &judge.Options{}})
//	err := engine.Run(ctx, capture)
//	err = tables.Close()
//
// Messages and transactions have the columns of package table, findings and connections the keys of packages check and
// stats. Numbers are unsigned of 64 bits, times have nanoseconds, and what can come several times is a list.
//
// [Tables] is a record.Sink. It keeps one row group of each table in memory, compressed, and each file has one: a file can be
// read as soon as the next one is begun.
package parquet

import (
	"cmp"
	"reflect"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/dissect/show/table"
	"github.com/iwarpkit/iwarp/dissect/stats"
)

// Tables writes four tables.
type Tables struct {
	file                  string // of all rows; empty if the capture has several
	records, transactions *rows  // nil if they are not written; and so below
	findings, connections *objects
	finding               check.Finding // used again and again, and so below
	connection            connection
}

// A connection is the row of a connection, known at its end.
type connection struct {
	Judged  check.Connection
	Counted stats.Connection
}

// New returns Tables that write to files from create. The column "seconds" begins at the clock's start. file is the name of
// the capture; empty if it has several files.
func New(create Create, clock *show.Clock, file string) *Tables {
	t, all := NewVerdicts(create, file), NewRecords(create, clock, file)
	t.records, t.transactions = all.records, all.transactions
	return t
}

// NewRecords returns Tables that write messages and transactions only.
func NewRecords(create Create, clock *show.Clock, file string) *Tables {
	o := table.Options{Clock: clock, File: file, Files: file == ""}
	requests := o
	requests.View = show.Transactions
	return &Tables{records: newRows("records", create, o), transactions: newRows("transactions", create, requests)}
}

// NewVerdicts returns Tables that write findings and connections only.
func NewVerdicts(create Create, file string) *Tables {
	return &Tables{
		file:        file,
		findings:    newObjects("findings", create, reflect.TypeFor[check.Finding]()),
		connections: newObjects("connections", create, reflect.TypeFor[connection]()),
	}
}

// Record implements record.Sink.
func (t *Tables) Record(r *record.Record) {
	if t.records != nil {
		t.records.Record(r)
		t.transactions.Record(r)
	}
	if t.findings == nil {
		return
	}
	for _, f := range r.Findings {
		row := &t.finding
		*row = check.NewFinding(f)
		row.File = cmp.Or(row.File, t.file)
		t.findings.add(reflect.ValueOf(row).Elem())
	}
	if v := r.Verdict; v != nil {
		row := &t.connection
		row.Judged, row.Counted = check.NewConnection(v), *stats.NewConnection(v.Conn)
		row.Judged.File = cmp.Or(row.Judged.File, t.file)
		t.connections.add(reflect.ValueOf(row).Elem())
	}
}

// files are those of all tables.
func (t *Tables) files() (all []*files) {
	if t.findings != nil {
		all = append(all, t.findings.files, t.connections.files)
	}
	if t.records != nil {
		all = append(all, t.records.files, t.transactions.files)
	}
	return all
}

// Err returns the first error of writing a table. Nothing more of that table is written after it.
func (t *Tables) Err() error {
	for _, f := range t.files() {
		if f.err != nil {
			return f.err
		}
	}
	return nil
}

// Close writes what is left, and completes the files. It returns the first error of writing a table.
func (t *Tables) Close() error {
	for _, f := range t.files() {
		f.close()
	}
	return t.Err()
}

// rows are the files of a table of package table.
type rows struct {
	*files
	*table.Rows
	columns []table.Column
}

func newRows(name string, create Create, o table.Options) *rows {
	r := &rows{columns: o.Columns()}
	r.files, r.Rows = newFiles(name, create, rowsShape(r.columns), rowsOfPage, MaxRows), table.New(o, r.row)
	return r
}

// row adds a row.
func (r *rows) row(cells []table.Cell) {
	for i := range cells {
		c := &cells[i]
		rep, again := 0, i > 0 && cells[i-1].Column == c.Column
		if column := &r.columns[c.Column]; again && !column.Many {
			continue
		} else if again {
			rep = 1
		}
		r.cell(r.columns[c.Column].Type, c, rep)
	}
	r.end()
}

// objects are the files of a table whose rows are objects of a Go type.
type objects struct {
	*files
	shape
}

func newObjects(name string, create Create, t reflect.Type) *objects {
	s := shapeOf(t, 0)
	return &objects{newFiles(name, create, s, objectsOfPage, MaxObjects), s}
}

func (o *objects) add(v reflect.Value) {
	o.shape.put(&o.batch, 0, v, 0, 0)
	o.end()
}
