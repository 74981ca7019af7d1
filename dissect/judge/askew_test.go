package judge_test

// Captures whose directions come in another order than on the network: two files of one direction each, by different clocks.

import (
	"bytes"
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// TestAskew checks that captures of connections that went well have no failure if one direction comes seconds before the other.
func TestAskew(t *testing.T) {
	for name, file := range captureFiles(t) {
		var records []pcaps.Record
		whole := &reporter{}
		runSome(t, known(whole), file, func(rec *pcaps.Record) bool {
			kept := *rec
			kept.Data = bytes.Clone(rec.Data)
			records = append(records, kept)
			return true
		})
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
