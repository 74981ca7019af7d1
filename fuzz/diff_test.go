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
	run := func(sink record.Sink, records []pcaps.Record) {
		e := dissect.NewEngine(judge.New(sink, judge.Options{ULPs: all.Layers()}), dissect.Options{})
		for i := range records {
			e.Packet(&records[i])
		}
		e.Close()
	}
	run(c.A, played(options, a))
	run(c.B, played(options, b))
	r := c.Compare()
	var out bytes.Buffer
	if err := r.WriteText(&out, diff.Options{All: true}); err != nil {
		t.Fatal(err)
	}
	printable(t, out.String())
	if err := json.NewEncoder(&out).Encode(r); err != nil {
		t.Fatal(err)
	}
	return r
}
