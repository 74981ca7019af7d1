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

// FuzzDiff compares what FuzzAnalysisOfSegments makes of two scripts, and looks at one of four things, which the options choose. A capture
// equals itself; of two, each message is in one count, and the other way round what was missing is added; what is found is printed, and
// shown on a page.
func FuzzDiff(f *testing.F) {
	send, read, response := []byte{3, 0, 0, 0, 4}, []byte{1, 0, 1, 0, 4}, []byte{2 | fromServer, 0, 1, 0, 4}
	for look := range byte(4) {
		f.Add(0x40|look, bytes.Join([][]byte{send, read, response, send}, nil), bytes.Join([][]byte{send, send, read, response}, nil))
		f.Add(look, append(bytes.Repeat(send, 10), again...), bytes.Repeat(read, 9))
		f.Add(0xe0|look, bytes.Join([][]byte{read, response, {12, 0, 0, 0, 0}}, nil), []byte{7 | fromServer, 0, 1 | 4 | 16 | 64, 0, 1})
	}
	f.Fuzz(func(t *testing.T, options byte, a, b []byte) {
		there, back := diff.New(), diff.New()
		first, second := played(t, options, a), played(t, options, b)
		switch options & 3 {
		case 0:
			analyse(first, there.A, there.B)
			if r := there.Compare(); !r.Equal {
				t.Errorf("differs from itself: %+v", r)
			}
		case 1:
			analyse(first, there.A, back.B)
			analyse(second, there.B, back.A)
			if x, y := there.Compare().Counts, back.Compare().Counts; x.Same+x.Changed+x.Reordered+x.Missing != y.Same+y.Changed+y.Reordered+y.Added {
				t.Errorf("messages of A: %+v, and the other way round %+v", x, y)
			}
		case 2:
			analyse(first, there.A)
			analyse(second, there.B)
			checkPrinted(t, there.Compare())
		default:
			pages := [2]*page.Page{page.New(page.Options{}), page.New(page.Options{})}
			analyse(first, there.A, pages[0])
			analyse(second, there.B, pages[1])
			checkPage(t, there.Compare(), pages)
		}
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

// checkPrinted prints what was found as text and JSON.
func checkPrinted(t *testing.T, r *diff.Report) {
	out := emptied()
	if err := r.WriteText(out, diff.Options{All: true}); err != nil {
		t.Fatal(err)
	}
	printable(t, out.Bytes())
	if err := json.NewEncoder(out).Encode(r); err != nil {
		t.Fatal(err)
	}
}

// checkPage shows what was found on a page.
func checkPage(t *testing.T, r *diff.Report, pages [2]*page.Page) {
	out := emptied()
	if err := page.WriteComparison(out, pages[0], pages[1], r, true); err != nil || out.Len() > page.MaxOctets || bytes.Contains(out.Bytes(), []byte("<script")) {
		t.Errorf("a page of %d octets, %v", out.Len(), err)
	}
}
