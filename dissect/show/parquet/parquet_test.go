package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/parquet"
	"github.com/iwarpkit/iwarp/dissect/show/table"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// A store has files, in memory.
type store map[string]*file

func (s store) create(name string) (io.WriteCloser, error) {
	s[name] = new(file)
	return s[name], nil
}

// count is how many rows the files of a table have that can be read.
func (s store) count(t testing.TB, name string) (n int64) {
	t.Helper()
	for number := 1; ; number++ {
		f := s[fmt.Sprintf("%s-%05d.parquet", name, number)]
		if f == nil || f.Len() == 0 {
			return n
		}
		opened, err := pq.OpenFile(bytes.NewReader(f.Bytes()), int64(f.Len()))
		if err != nil {
			t.Fatal(err)
		}
		n += opened.NumRows()
	}
}

// rows reads all rows of a table: the values of each column, by its path, without nulls.
func (s store) rows(t testing.TB, name string) (all []map[string][]string) {
	t.Helper()
	for number := 1; ; number++ {
		f := s[fmt.Sprintf("%s-%05d.parquet", name, number)]
		if f == nil {
			return all
		}
		opened, err := pq.OpenFile(bytes.NewReader(f.Bytes()), int64(f.Len()))
		if err != nil {
			t.Fatal(err)
		}
		paths := opened.Schema().Columns()
		for _, group := range opened.RowGroups() {
			rows := group.Rows()
			buffer := make([]pq.Row, 100)
			for err == nil {
				var n int
				n, err = rows.ReadRows(buffer)
				for _, row := range buffer[:n] {
					cells := make(map[string][]string)
					for _, v := range row {
						if name := strings.TrimSuffix(strings.Join(paths[v.Column()], "."), ".list.element"); !v.IsNull() {
							cells[name] = append(cells[name], v.String())
						}
					}
					all = append(all, cells)
				}
			}
			if err != io.EOF {
				t.Fatal(err)
			}
			err = rows.Close()
		}
	}
}

// Files have the cells of all rows of all samples.
func TestTablesHoldRows(t *testing.T) {
	for i, sample := range samples.Names() {
		if testing.Short() && i%8 != 0 {
			continue
		}
		files := make(store)
		tables := parquet.New(files.create, &show.Clock{Start: 1e18}, sample)
		want := map[string][]map[string][]string{"records": nil, "transactions": nil}
		sinks := []record.Sink{tables}
		for name, view := range map[string]show.View{"records": show.Messages, "transactions": show.Transactions} {
			o := table.Options{View: view, Clock: &show.Clock{Start: 1e18}, File: sample}
			columns := o.Columns()
			sinks = append(sinks, table.New(o, func(row []table.Cell) { want[name] = append(want[name], texts(t, columns, row)) }))
		}
		findings, connections := 0, 0
		recorded.Analyse(t, sample, 0, record.SinkFunc(func(r *record.Record) {
			for _, sink := range sinks {
				sink.Record(r)
			}
			findings += len(r.Findings)
			if r.Verdict != nil {
				connections++
			}
		}))
		if err := tables.Close(); err != nil {
			t.Fatal(err)
		}
		for name := range want {
			if d := cmp.Diff(want[name], files.rows(t, name)); d != "" {
				t.Errorf("%s, %s (-want +got)\n%s", sample, name, d)
			}
		}
		if n := len(files.rows(t, "findings")); n != findings {
			t.Errorf("%s: %d findings, want %d", sample, n, findings)
		}
		if n := len(files.rows(t, "connections")); n != connections {
			t.Errorf("%s: %d connections, want %d", sample, n, connections)
		}
	}
}

// texts are the cells of a row as a Value of Parquet shows them. Only columns that say so have several.
func texts(t *testing.T, columns []table.Column, row []table.Cell) map[string][]string {
	cells := make(map[string][]string)
	for i := range row {
		c, column := &row[i], columns[row[i].Column]
		var s string
		switch column.Type {
		case table.Flag:
			s = strconv.FormatBool(c.Number != 0)
		case table.Text:
			s = printable.String(string(c.Text))
		case table.Octets:
			s = string(c.Text)
		case table.Since, table.Duration:
			s = strconv.FormatFloat(float64(int64(c.Number))/1e9, 'g', -1, 64)
		default:
			s = strconv.FormatInt(int64(c.Number), 10)
		}
		if cells[column.Name] = append(cells[column.Name], s); len(cells[column.Name]) > 1 && !column.Many {
			t.Errorf("%s has %q", column.Name, cells[column.Name])
		}
	}
	return cells
}

// manyRows is more than a file has.
const manyRows = 1<<15 + 1

// A file is complete when the next one is begun.
func TestFilesOfTables(t *testing.T) {
	var message *record.Record
	recorded.Analyse(t, "rping", 0, record.SinkFunc(func(r *record.Record) {
		if r.Kind == record.KindMessage && message == nil {
			message = r.Clone()
		}
	}))
	files, broke := make(store), errors.New("broke")
	tables := parquet.New(func(name string) (io.WriteCloser, error) {
		if name == "records-00003.parquet" {
			return nil, broke
		}
		return files.create(name)
	}, new(show.Clock), "")
	for range manyRows {
		tables.Record(message)
	}
	if n := files.count(t, "records"); n != manyRows-1 {
		t.Errorf("%d rows can be read", n)
	}
	for range manyRows {
		tables.Record(message)
	}
	if err := tables.Close(); err != broke || tables.Err() != broke {
		t.Errorf("Close: %v", err)
	}
	if n := files.count(t, "records"); n != 2*(manyRows-1) {
		t.Errorf("%d rows after all", n)
	}
	if files["findings-00001.parquet"] == nil || files.count(t, "findings") != 0 {
		t.Error("there is no empty table")
	}
}
