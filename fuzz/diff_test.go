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
// count, and the other way round what was missing is added. What is found is printed.
func FuzzDiff(f *testing.F) {
	send, read, response := []byte{3, 0, 0, 0, 4}, []byte{1, 0, 1, 0, 4}, []byte{2 | fromServer, 0, 1, 0, 4}
	f.Add(byte(0x40), bytes.Join([][]byte{send, read, response, send}, nil), bytes.Join([][]byte{send, send, read, response}, nil))
	f.Add(byte(0), bytes.Repeat(send, 60), bytes.Repeat(read, 9))
	f.Add(byte(0xe0), bytes.Join([][]byte{read, response, {12, 0, 0, 0, 0}}, nil), []byte{7 | fromServer, 0, 1 | 4 | 16 | 64, 0, 1})
	f.Fuzz(func(t *testing.T, options byte, a, b []byte) {
		comparisons := [3]*diff.Comparison{diff.New(), diff.New(), diff.New()} // there, back, and of a capture with itself
		pages := [2]*page.Page{page.New(page.Options{}), page.New(page.Options{})}
		analyse(played(t, options, a), comparisons[0].A, comparisons[1].B, comparisons[2].A, comparisons[2].B, pages[0])
		analyse(played(t, options, b), comparisons[0].B, comparisons[1].A, pages[1])
		there, back := comparisons[0].Compare(), comparisons[1].Compare()
		if x, y := there.Counts, back.Counts; x.Same+x.Changed+x.Reordered+x.Missing != y.Same+y.Changed+y.Reordered+y.Added {
			t.Errorf("messages of A: %+v, and the other way round %+v", x, y)
		}
		if r := comparisons[2].Compare(); !r.Equal {
			t.Errorf("differs from itself: %+v", r)
		}
		checkDifferences(t, there, pages)
	})
}

// analyse gives all sinks what is found in records.
func analyse(records []pcaps.Record, sinks ...record.Sink) {
	sink := record.SinkFunc(func(r *record.Record) {
		for _, s := range sinks {
			s.Record(r)
		}
	})
	dissectAll(dissect.NewEngine(judge.New(sink, judge.Options{ULPs: all.Layers()}), dissect.Options{}), records)
}

// checkDifferences prints what was found in each form.
func checkDifferences(t *testing.T, r *diff.Report, pages [2]*page.Page) {
	out := emptied(0)
	if err := r.WriteText(out, diff.Options{All: true}); err != nil {
		t.Fatal(err)
	}
	printable(t, out.Bytes())
	if err := json.NewEncoder(out).Encode(r); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if err := page.WriteComparison(out, pages[0], pages[1], r, true); err != nil || out.Len() > page.MaxOctets || bytes.Contains(out.Bytes(), []byte("<script")) {
		t.Errorf("a page of %d octets, %v", out.Len(), err)
	}
}
