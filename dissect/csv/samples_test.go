package csv_test

// Rows of captures from Linux kernels: they say the same as the objects of package jsonl, at no cost in memory.

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/csv"
	"github.com/iwarpkit/iwarp/dissect/jsonl"
	"github.com/iwarpkit/iwarp/dissect/text"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

func dissectSample(t testing.TB, sample string, sink analysis.Sink) {
	t.Helper()
	r, err := samples.Open(sample)
	if err != nil {
		t.Fatal(err)
	}
	o := analysis.Options{ULPs: []analysis.ULP{rpc.New(rpc.Options{})}}
	engine := dissect.NewEngine(analysis.New(sink, o), dissect.Options{})
	var rec pcaps.Record
	for r.Next(&rec) == nil {
		engine.Packet(&rec)
	}
	engine.Close()
}

// special are columns that objects do not have in this form.
var special = map[string]bool{"seconds": true, "response_seconds": true, "term_error": true, "result": true}

func TestRowsSayWhatObjectsSay(t *testing.T) {
	compared := make(map[string]bool)
	for _, sample := range samples.Names() {
		for _, view := range []text.View{text.Messages, text.Transactions} {
			var table, objects strings.Builder
			rowWriter, objectWriter := csv.New(&table, csv.Options{View: view}), jsonl.New(&objects, jsonl.Options{View: view})
			dissectSample(t, sample, rowWriter)
			dissectSample(t, sample, objectWriter)
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
	for _, view := range []text.View{text.Messages, text.Transactions} {
		for _, name := range csv.Columns(view) {
			// No sample is damaged, or has an Atomic, an Immediate, or a Terminate about each form of message.
			rare := name == "bad_crcs" || name == "missing" || name == "immediate_data" ||
				strings.HasPrefix(name, "atomic.") || strings.HasPrefix(name, "terminated.")
			if !compared[name] && !special[name] && !rare {
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
				all[prefix+key] = strings.Trim(fmt.Sprint(v), "[]")
			default:
				all[prefix+key] = fmt.Sprint(v)
			}
		}
	}
	add("", object)
	return all
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
	for _, name := range csv.Columns(text.Messages) {
		if want, ok := object[name]; ok && row[name] == "" && want != "" {
			t.Errorf("%s: %s is empty, in the object %s", where, name, want)
		}
	}
	if row["type"] == "Terminate" && row["term_error"] == "" {
		t.Errorf("%s: no term_error", where)
	}
}

// events are the events of a capture, kept to be given to a sink again and again.
type events struct {
	analysis.Discard
	calls []func(analysis.Sink)
	rows  int // about messages and MPA frames
}

func (e *events) StartupFrame(f *dissect.StartupFrame) {
	e.rows++
	c := f.Clone()
	e.calls = append(e.calls, func(s analysis.Sink) { s.StartupFrame(c) })
}

func (e *events) Message(m *dissect.Message) {
	e.rows++
	c := m.Clone()
	e.calls = append(e.calls, func(s analysis.Sink) { s.Message(c) })
}

func (e *events) Upper(u *analysis.UpperMessage) {
	c := *u
	c.Body = nil
	e.calls = append(e.calls, func(s analysis.Sink) { s.Upper(&c) })
}

func (e *events) Transaction(x *analysis.Transaction) {
	c := *x
	c.Upper = nil
	e.calls = append(e.calls, func(s analysis.Sink) { s.Transaction(&c) })
}

func (e *events) replay(s analysis.Sink) {
	for _, call := range e.calls {
		call(s)
	}
}

func record(t testing.TB, sample string) *events {
	t.Helper()
	var e events
	dissectSample(t, sample, &e)
	return &e
}

func TestEncoderDoesNotAllocate(t *testing.T) {
	for _, sample := range []string{"mss200", "p2p-crc", "sendinv-crc1", "term-send-nobuf", "nfs-small-v4.1-inl4096-crc1"} {
		e := record(t, sample)
		for _, view := range []text.View{text.Messages, text.Transactions} {
			encoder := csv.New(io.Discard, csv.Options{View: view})
			e.replay(encoder)
			if n := testing.AllocsPerRun(5, func() { e.replay(encoder) }); n != 0 {
				t.Errorf("%s: %v allocations for %d events", sample, n, len(e.calls))
			}
		}
	}
}

func BenchmarkEncoder(b *testing.B) {
	e := record(b, "nfs-small-v4.1-inl4096-crc1")
	encoder := csv.New(io.Discard, csv.Options{})
	b.ReportAllocs()
	for b.Loop() {
		e.replay(encoder)
	}
	b.ReportMetric(float64(e.rows*b.N)/b.Elapsed().Seconds(), "rows/s")
}
