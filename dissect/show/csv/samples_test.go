package csv_test

// Rows of captures from Linux kernels: they say the same as the objects of package jsonl, at no cost in memory.

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/csv"
	"github.com/iwarpkit/iwarp/dissect/show/jsonl"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// special are columns that objects do not have in this form.
var special = map[string]bool{"seconds": true, "response_seconds": true, "term_error": true, "result": true}

func TestRowsSayWhatObjectsSay(t *testing.T) {
	compared := make(map[string]bool)
	analyses := map[string]func(record.Sink){"rping over SCTP": func(sink record.Sink) {
		recorded.AnalysePackets(recorded.OverSCTP(t, "rping"), sink)
	}}
	for i, sample := range samples.Names() {
		if testing.Short() && i%8 != 0 {
			continue
		}
		analyses[sample] = func(sink record.Sink) { recorded.Analyse(t, sample, 0, sink) }
	}
	for sample, analyse := range analyses {
		for _, view := range []show.View{show.Messages, show.Transactions} {
			var table, objects strings.Builder
			rowWriter, objectWriter := csv.New(&table, csv.Options{View: view}), jsonl.New(&objects, jsonl.Options{View: view})
			analyse(rowWriter)
			analyse(objectWriter)
			rowWriter.Flush()
			objectWriter.Flush()
			all := rows(t, table.String())
			lines := strings.Split(strings.TrimSuffix(objects.String(), "\n"), "\n")
			if objects.Len() == 0 {
				lines = nil
			}
			if len(all) != len(lines) {
				t.Fatalf("%s: %d rows, %d objects", sample, len(all), len(lines))
			}
			for i, row := range all {
				compare(t, fmt.Sprintf("%s, row %d", sample, i+1), row, flat(t, lines[i]), compared)
			}
		}
	}
	for _, view := range []show.View{show.Messages, show.Transactions} {
		for _, name := range columns(view) {
			// No sample is damaged, or has an Atomic, an Immediate, or a Terminate about each form of message.
			rare := name == "bad_crcs" || name == "missing" || name == "immediate_data" || name == "trailing" ||
				strings.HasPrefix(name, "atomic.") || strings.HasPrefix(name, "terminated.") || slices.Contains(upperColumns(), name)
			if !compared[name] && !special[name] && !rare && !testing.Short() {
				t.Errorf("nothing was compared in column %s", name)
			}
		}
	}
}

// flat is an object with the keys of objects in it behind a dot.
func flat(t *testing.T, line string) map[string]string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	var object map[string]any
	if err := d.Decode(&object); err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	var add func(prefix string, object map[string]any)
	add = func(prefix string, object map[string]any) {
		for key, v := range object {
			switch v := v.(type) {
			case map[string]any:
				add(prefix+key+".", v)
			case []any:
				if key == "layers" {
					addUpper(all, v)
				}
				all[prefix+key] = strings.Trim(fmt.Sprint(v), "[]")
			default:
				all[prefix+key] = fmt.Sprint(v)
			}
		}
	}
	add("", object)
	for _, name := range upperColumns() {
		if _, key, _ := strings.Cut(name, "."); object["private_ulp"] != nil && all[key] != "" {
			all[name] = all[key]
		}
	}
	return all
}

// addUpper adds the fields of upper layers under the names of their columns.
func addUpper(object map[string]string, layers []any) {
	for _, l := range layers {
		for _, p := range l.(map[string]any)["parts"].([]any) {
			part := p.(map[string]any)
			t := upperTable(part["header"].(string))
			fields := part["fields"].(map[string]any)
			for _, f := range t.Fields {
				if v, ok := fields[f.Name[len(t.Proto)+1:]]; ok && v != "" {
					object[f.Name] = strings.TrimSpace(object[f.Name] + " " + fmt.Sprint(v))
				}
			}
		}
	}
}

// upperTable is a field table of an upper layer.
func upperTable(name string) *field.Table {
	for _, l := range all.Layers() {
		for _, t := range l.Tables {
			if t.Name == name {
				return t
			}
		}
	}
	return nil
}

func compare(t *testing.T, where string, row, object map[string]string, compared map[string]bool) {
	t.Helper()
	for name, cell := range row {
		want, ok := object[name]
		switch {
		case special[name], !ok && (name == "bad_crcs" || name == "missing") && cell == "0":
			continue
		case !ok:
			t.Errorf("%s: %s is %s, and not in the object", where, name, cell)
		case cell != want:
			t.Errorf("%s: %s is %s, in the object %s", where, name, cell, want)
		}
		compared[name] = true
	}
	for _, name := range columns(show.Messages) {
		if want, ok := object[name]; ok && row[name] == "" && want != "" {
			t.Errorf("%s: %s is empty, in the object %s", where, name, want)
		}
	}
	if row["type"] == "Terminate" && row["term_error"] == "" {
		t.Errorf("%s: no term_error", where)
	}
}

func TestEncoderDoesNotAllocate(t *testing.T) {
	for _, sample := range []string{"mss200", "p2p-crc", "sendinv-crc1", "term-send-nobuf", "nfs-small-v4.1-inl4096-crc1"} {
		e := recorded.Read(t, sample)
		for _, view := range []show.View{show.Messages, show.Transactions} {
			encoder := csv.New(io.Discard, csv.Options{View: view})
			e.Replay(encoder)
			if n := testing.AllocsPerRun(5, func() { e.Replay(encoder) }); n != 0 {
				t.Errorf("%s: %v allocations for %d events", sample, n, e.Len())
			}
		}
	}
}

func BenchmarkEncoder(b *testing.B) {
	e := recorded.Read(b, "nfs-small-v4.1-inl4096-crc1")
	encoder := csv.New(io.Discard, csv.Options{})
	b.ReportAllocs()
	for b.Loop() {
		e.Replay(encoder)
	}
	b.ReportMetric(float64(e.Messages*b.N)/b.Elapsed().Seconds(), "rows/s")
}
