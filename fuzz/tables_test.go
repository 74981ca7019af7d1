package fuzz

// Tables of connections: package dissect/show/parquet.

import (
	"bytes"
	"io"
	"slices"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/parquet"
)

// A tableFile is a file in memory.
type tableFile struct{ bytes.Buffer }

func (*tableFile) Close() error { return nil }

// FuzzTables makes two of the tables of what FuzzAnalysisOfSegments makes, which the options choose. It writes and reads one in eight: there
// is a row for each MPA frame and each message, and no text has what a terminal should not see.
func FuzzTables(f *testing.F) {
	send, read, response := []byte{3, 0, 0, 0, 4}, []byte{1, 0, 1, 0, 4}, []byte{2 | fromServer, 0, 1, 0, 4}
	for two := range byte(2) {
		f.Add(0x40|two, slices.Concat(send, read, read, response, response))
		f.Add(two, slices.Concat(send, []byte{7 | fromServer, 0, 1 | 4 | 16 | 64, 0, 1}, send))
		f.Add(0xe0|two, slices.Concat(read, send, response, []byte{12, 0, 0, 0, 0}))
	}
	f.Fuzz(func(t *testing.T, options byte, script []byte) {
		files := make(map[string]*tableFile)
		create := func(name string) (io.WriteCloser, error) {
			files[name] = new(tableFile)
			return files[name], nil
		}
		records := played(t, options, script)
		tables := parquet.NewRecords(create, new(show.Clock), "a.pcap")
		if options&1 != 0 {
			tables = parquet.NewVerdicts(create, "a.pcap")
		}
		all := printed(records, tables)
		if options&0xe != 0 {
			return // hundreds of columns take most of the time
		}
		if err := tables.Close(); err != nil {
			t.Fatal(err)
		}
		for name, file := range files {
			if n := readTable(t, file); name == "records-00001.parquet" && n != all.messages+all.frames {
				t.Errorf("%d rows, want %d", n, all.messages+all.frames)
			}
		}
		if len(files) != 2 {
			t.Errorf("%d files", len(files))
		}
	})
}

// readTable reads all values of a table, and returns how many rows it has.
func readTable(t *testing.T, file *tableFile) (n int) {
	opened, err := pq.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()), pq.SkipPageIndex(true))
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range opened.RowGroups() {
		n += int(group.NumRows())
		for _, c := range group.ColumnChunks() {
			if chunk := c.(*pq.FileColumnChunk); chunk.NullCount() < chunk.NumValues() { // most have no values
				readColumn(t, chunk)
			}
		}
	}
	return n
}

// readColumn reads all values of a column.
func readColumn(t *testing.T, chunk *pq.FileColumnChunk) {
	logical := chunk.Type().LogicalType()
	isText := logical != nil && chunk.Type().String() == pq.String().Type().String()
	pages, read := chunk.Pages(), int64(0)
	defer pages.Close()
	page, err := pages.ReadPage()
	for ; err == nil; page, err = pages.ReadPage() {
		values := make([]pq.Value, page.NumValues())
		if got, err := page.Values().ReadValues(values); got < len(values) {
			t.Fatalf("%d values of %d, error %v", got, len(values), err)
		}
		read += page.NumValues()
		for i := range values {
			if isText && !values[i].IsNull() {
				printable(t, values[i].ByteArray())
			}
		}
		pq.Release(page)
	}
	if err != io.EOF || read != chunk.NumValues() {
		t.Fatalf("%d values of %d, error %v", read, chunk.NumValues(), err)
	}
}
