package fuzz

// Two captures compared: package dissect/diff.

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/diff"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/page"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/pcaps"
)

// FuzzDiff compares what FuzzAnalysisOfSegments makes of two scripts. A capture equals itself; of two, each message is in one
// count, and the other way round what was missing is added.
func FuzzDiff(f *testing.F) {
	send, read, response := []byte{3, 0, 0, 0, 4}, []byte{1, 0, 1, 0, 4}, []byte{2 | fromServer, 0, 1, 0, 4}
	f.Add(byte(0x40), bytes.Join([][]byte{send, read, response, send}, nil), bytes.Join([][]byte{send, send, read, response}, nil))
	f.Add(byte(0), bytes.Repeat(send, 90), bytes.Repeat(read, 9))
	f.Add(byte(0xe0), bytes.Join([][]byte{read, response, {12, 0, 0, 0, 0}}, nil), []byte{7 | fromServer, 0, 1 | 4 | 16 | 64, 0, 1})
	f.Fuzz(func(t *testing.T, options byte, a, b []byte) {
		there, back := differences(t, options, a, b), differences(t, options, b, a)
		if x, y := there.Counts, back.Counts; x.Same+x.Changed+x.Reordered+x.Missing != y.Same+y.Changed+y.Reordered+y.Added {
			t.Errorf("messages of A: %+v, and the other way round %+v", x, y)
		}
		if r := differences(t, options, a, a); !r.Equal {
			t.Errorf("differs from itself: %+v", r)
		}
	})
}

// differences compares two scripts, and prints what it finds.
func differences(t *testing.T, options byte, a, b []byte) *diff.Report {
	c := diff.New()
	pages := [2]*page.Page{page.New(page.Options{}), page.New(page.Options{})}
	run := func(sink record.Sink, of *page.Page, records []pcaps.Record) {
		both := record.SinkFunc(func(r *record.Record) {
			sink.Record(r)
			of.Record(r)
		})
		e := dissect.NewEngine(judge.New(both, judge.Options{ULPs: all.Layers()}), dissect.Options{})
		for i := range records {
			e.Packet(&records[i])
		}
		e.Close()
	}
	run(c.A, pages[0], played(options, a))
	run(c.B, pages[1], played(options, b))
	r := c.Compare()
	var out bytes.Buffer
	if err := r.WriteText(&out, diff.Options{All: true}); err != nil {
		t.Fatal(err)
	}
	printable(t, out.String())
	if err := json.NewEncoder(&out).Encode(r); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if err := page.WriteComparison(&out, pages[0], pages[1], r, true); err != nil || out.Len() > page.MaxOctets || bytes.Contains(out.Bytes(), []byte("<script")) {
		t.Errorf("a page of %d octets, %v", out.Len(), err)
	}
	return r
}
