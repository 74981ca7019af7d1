package judge_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/transcript"
	"github.com/iwarpkit/iwarp/pcaps"
)

// TestMender lets a client connect again after a failure, and counts what has failed in the end.
func TestMender(t *testing.T) {
	all, err := transcript.Troubles("testdata/troubles.txt")
	if err != nil {
		t.Fatal(err)
	}
	records := func(name string, twin bool, client string) []pcaps.Record {
		i := slices.IndexFunc(all, func(tr transcript.Trouble) bool { return tr.Name == name })
		r, err := all[i].Records(twin, "port 20049", "client "+client+"\nport 20049")
		if err != nil {
			t.Fatal(name, err)
		}
		return r
	}
	for _, test := range []struct {
		what, first string
		then        string // the twin of this follows
		again       bool   // this itself does
		later       time.Duration
		failed      int
	}{
		{"another minor version", "minor-version", "minor-version", false, time.Second, 0},
		{"it begins too late", "minor-version", "minor-version", false, time.Minute, 1},
		{"it begins before", "minor-version", "minor-version", false, -time.Minute, 1},
		{"it fails too", "minor-version", "minor-version", true, time.Second, 2},
		{"another version", "other-version-only", "other-version-only", false, time.Second, 0},
		{"a mount with another version", "no-such-export", "no-such-export", false, time.Second, 0},
		{"a mount that fails again", "no-such-export", "no-such-export", true, time.Second, 2},
		{"rights that are denied after work", "denied-after-work", "denied-after-work", false, time.Second, 1},
		{"the call comes again", "call-crosses-close", "server-silent", false, time.Second, 0},
		{"the call is never answered", "call-crosses-close", "server-silent", true, time.Second, 2},
		{"the connection was in use", "closed-with-calls", "server-silent", false, time.Second, 1},
		{"a server that puts off for long", "put-off-for-ever", "server-silent", false, time.Second, 1},
	} {
		packets := transcript.Then(records(test.first, false, "40000"), records(test.then, !test.again, "40001"), test.later)
		failed := 0
		mender := judge.Mend(record.SinkFunc(func(r *record.Record) {
			if r.Verdict != nil && r.Verdict.Cause != nil {
				failed++
			}
		}))
		e := dissect.NewEngine(judge.New(mender, judge.Options{ULPs: ulps()}), dissect.Options{Ports: []uint16{20049}})
		for i := range packets {
			e.Packet(&packets[i])
		}
		e.Close()
		if mender.Flush(); failed != test.failed {
			t.Errorf("%s: %d connections failed, want %d", test.what, failed, test.failed)
		}
	}
}

// TestCrossedClose has a server close a connection that had been idle while its link was down, before the client's call reaches it: the client
// begins another connection. If the capture lacks that, the first one has failed.
func TestCrossedClose(t *testing.T) {
	const next = 57 // frame with which it begins
	for _, frames := range []uint64{next - 1, math.MaxUint64} {
		r := &reporter{}
		mender := judge.Mend(r)
		e := dissect.NewEngine(judge.New(mender, judge.Options{ULPs: ulps()}), dissect.Options{Ports: []uint16{20049}})
		runSome(t, e, "testdata/kernel/nfs41-crossed.pcap.gz", func(rec *pcaps.Record) bool { return rec.Frame <= frames })
		mender.Flush()
		failed := slices.ContainsFunc(r.verdicts, func(v record.Verdict) bool { return v.Cause != nil })
		if failed != (frames < next) {
			t.Errorf("%d frames: %+v", frames, r.verdicts)
		}
	}
}

// TestMenderHolds checks that a Mender passes all Verdicts on, however many may be mended, and in whichever order they come.
func TestMenderHolds(t *testing.T) {
	r := &reporter{}
	v := trouble(t, "minor-version", r)
	n := 0
	mender := judge.Mend(record.SinkFunc(func(r *record.Record) {
		if n++; r.Verdict.Cause == nil && r.Verdict.Mends != 0 {
			t.Error("a mended Verdict can be mended again")
		}
	}))
	good := *v.Conn
	good.Earliest = v.Cause.Time
	mender.Record(&record.Record{Kind: record.KindEnd, Verdict: &record.Verdict{Conn: &good}})
	mender.Record(&record.Record{Kind: record.KindEnd, Verdict: v})
	if n != 2 {
		t.Errorf("%d Verdicts came, want that of the connection that went well, and the one that it mends", n)
	}
	const many = 3000
	v.Mends = v.Cause.Time - 1 // never
	for range many {
		mender.Record(&record.Record{Kind: record.KindEnd, Verdict: v})
	}
	if mender.Flush(); n != 2+many {
		t.Errorf("%d Verdicts came, want %d", n, 2+many)
	}
}
