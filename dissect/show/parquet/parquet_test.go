package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
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

// Columns have the values that they were given, whether some come late in a file, texts outgrow a dictionary, or a file has none.
func TestColumnsOfFiles(t *testing.T) {
	var given *record.Finding
	recorded.Analyse(t, "term-write-badkey", 0, record.SinkFunc(func(r *record.Record) {
		if given == nil && len(r.Findings) > 0 {
			given = r.Clone().Findings[0]
		}
	}))
	files := make(store)
	tables := parquet.New(files.create, new(show.Clock), "a.pcap")
	var seen, also []string
	for i := range 3*parquet.MaxObjects + 1 {
		f := *given
		f.Seen, f.Also = strings.Repeat(strconv.Itoa(i), 10), nil
		if i%(parquet.MaxObjects+1) > parquet.MaxObjects/2 { // late in the first files, but not at all in the last
			f.Also = []string{"DDP-1", f.Seen}[:1+i%2]
		}
		seen, also = append(seen, f.Seen), append(also, strings.Join(f.Also, " "))
		tables.Record(&record.Record{Kind: record.KindEnd, Findings: []*record.Finding{&f}})
	}
	if err := tables.Close(); err != nil {
		t.Fatal(err)
	}
	rows := files.rows(t, "findings")
	if len(rows) != len(seen) {
		t.Fatalf("%d rows, want %d", len(rows), len(seen))
	}
	for i, row := range rows {
		if got := row["seen"]; !slices.Equal(got, seen[i:i+1]) {
			t.Fatalf("row %d has seen %q, want %q", i, got, seen[i])
		}
		if got := strings.Join(row["also"], " "); got != also[i] {
			t.Fatalf("row %d has also %q, want %q", i, got, also[i])
		}
	}
}
