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
	f.Add(byte(0), bytes.Repeat(send, 90), bytes.Repeat(read, 9))
	f.Add(byte(0xe0), bytes.Join([][]byte{read, response, {12, 0, 0, 0, 0}}, nil), []byte{7 | fromServer, 0, 1 | 4 | 16 | 64, 0, 1})
	f.Fuzz(func(t *testing.T, options byte, a, b []byte) {
		one, other := played(options, a), played(options, b)
		pages := [2]*page.Page{page.New(page.Options{}), page.New(page.Options{})}
		there, back := differences(one, other, pages[:]...), differences(other, one)
		if x, y := there.Counts, back.Counts; x.Same+x.Changed+x.Reordered+x.Missing != y.Same+y.Changed+y.Reordered+y.Added {
			t.Errorf("messages of A: %+v, and the other way round %+v", x, y)
		}
		if r := differences(one, one); !r.Equal {
			t.Errorf("differs from itself: %+v", r)
		}
		checkDifferences(t, there, pages)
	})
}

// differences compares two captures, which pages get, too, if there are any.
func differences(a, b []pcaps.Record, pages ...*page.Page) *diff.Report {
	c := diff.New()
	for i, records := range [][]pcaps.Record{a, b} {
		sink := record.Sink(record.SinkFunc(func(r *record.Record) {
			[]record.Sink{c.A, c.B}[i].Record(r)
			if len(pages) > 0 {
				pages[i].Record(r)
			}
		}))
		dissectAll(dissect.NewEngine(judge.New(sink, judge.Options{ULPs: all.Layers()}), dissect.Options{}), records)
	}
	return c.Compare()
}

// checkDifferences prints what was found in each form.
func checkDifferences(t *testing.T, r *diff.Report, pages [2]*page.Page) {
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
}
