package judge_test

// Captures whose directions come in another order than on the network: two files of one direction each, by different clocks.

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/pcaps"
)

// TestAskew checks that captures of connections that went well have no failure if one direction comes seconds before the other.
func TestAskew(t *testing.T) {
	for name, file := range captureFiles(t) {
		whole, records := &reporter{}, recorded.Packets(pcaps.Open(file))
		runCapture(t, known(whole), file)
		if len(records) > 5000 || slices.ContainsFunc(whole.verdicts, func(v record.Verdict) bool { return v.Cause != nil }) {
			continue
		}
		for _, shift := range []time.Duration{2 * time.Millisecond, -2 * time.Millisecond, 500 * time.Millisecond, -500 * time.Millisecond, time.Minute, -time.Minute} {
			askew := &reporter{}
			e := known(askew)
			for _, rec := range shifted(records, shift) {
				e.Packet(&rec)
			}
			e.Close()
			for _, v := range askew.verdicts {
				if v.Cause != nil {
					t.Errorf("%s, by %v: %s", name, shift, v.Text)
				}
			}
		}
	}
}

// shifted are records in the order of time, with another time for those of one direction.
func shifted(records []pcaps.Record, by time.Duration) []pcaps.Record {
	records = slices.Clone(records)
	var s tcpip.Segment
	for i := range records {
		if rec := &records[i]; s.Decode(rec.LinkType, rec.Data, rec.OrigLen) == nil && s.Src.Compare(s.Dst) > 0 {
			rec.Time += int64(by)
		}
	}
	slices.SortStableFunc(records, func(a, b pcaps.Record) int { return cmp.Compare(a.Time, b.Time) })
	for i := range records {
		records[i].Frame = uint64(i + 1)
	}
	return records
}

// TestClockSetBack ends captures in the middle, with the latest packet an hour before the others: the host set its clock.
func TestClockSetBack(t *testing.T) {
	for _, name := range []string{"nfs-small-v3-inl1024-crc1", "basic-crc1"} {
		records := recorded.Packets(pcaps.Open(captureFiles(t)[name]))
		for n := 20; n < 60; n++ {
			r := &reporter{}
			e := dissect.NewEngine(r, dissect.Options{Analysis: &judge.Options{ULPs: ulps()}})
			for _, rec := range records[:n] {
				if rec.Frame == uint64(n) {
					rec.Time -= int64(time.Hour)
				}
				e.Packet(&rec)
			}
			e.Close()
			if v := r.verdicts[0]; v.Cause != nil {
				t.Errorf("%s, %d packets: %s", name, n, v.Text)
			}
		}
	}
}
