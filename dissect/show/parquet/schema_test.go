package parquet_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/parquet"
	"github.com/iwarpkit/iwarp/internal/golden"
)

// TestSchema keeps the columns of all tables, with their types: columns may be added, but none is removed and none changes.
func TestSchema(t *testing.T) {
	files := make(store)
	if err := parquet.New(files.create, new(show.Clock), "").Close(); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, table := range []string{"records", "transactions", "findings", "connections"} {
		f := files[table+"-00001.parquet"]
		opened, err := pq.OpenFile(bytes.NewReader(f.Bytes()), int64(f.Len()))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range opened.Schema().Columns() {
			column, _ := opened.Schema().Lookup(path...)
			fmt.Fprintf(&all, "%s %s %v", table, strings.Join(path, "/"), column.Node.Type())
			if column.Node.Optional() || column.MaxDefinitionLevel > column.MaxRepetitionLevel {
				all.WriteString(" or null")
			}
			all.WriteByte('\n')
		}
	}
	golden.File(t, "testdata/schema.txt", all.String())
}
