package dissect_test

import (
	"fmt"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
)

// TestMarkersNotAsAgreed makes one side send Markers nobody asked it for, or none though it was asked. Its FPDUs are found
// all the same, and it is noted once; nothing is noted of the other side.
func TestMarkersNotAsAgreed(t *testing.T) {
	for _, from := range []conversation.Side{client, server} {
		for _, agreed := range []bool{false, true} {
			for _, crc := range []bool{false, true} {
				for _, mss := range []int{40, 1000, 9000} {
					name := fmt.Sprintf("%v, agreed %v, CRC %v, MSS %d", from, agreed, crc, mss)
					k := startTalk(mpa.Frame{Rev: 1, C: crc, M: agreed}, mpa.Frame{Rev: 1, M: agreed})
					k.MSS = mss
					k.framer[from].Reset(mpa.Options{Markers: !agreed, CRC: crc})
					for _, side := range []conversation.Side{from, 1 - from} {
						k.each(side, k.send(side, payload, 1300))
						k.each(side, k.write(side, 0x12345678, 0x1000, payload, 1300))
					}
					checkMarkersNotAsAgreed(t, name, dissectRecords(k.Close(client).Records), flow.Direction(from), agreed)
				}
			}
		}
	}
}

func checkMarkersNotAsAgreed(t *testing.T, name string, j *journal, from flow.Direction, agreed bool) {
	t.Helper()
	want := record.MarkersUnasked
	if agreed {
		want = record.MarkersMissing
	}
	if len(j.notes) != 1 || j.notes[0].Kind != want || j.notes[0].Dir != from {
		t.Errorf("%s: notes %+v", name, j.notes)
	}
	c := &j.conns[0]
	for d := range c.Traffic {
		tr := &c.Traffic[d]
		if tr.Messages[rdmap.OpSend] != 1 || tr.Messages[rdmap.OpWrite] != 1 || tr.CRC[mpa.Bad] > 0 || tr.Undecoded > 0 {
			t.Errorf("%s, direction %d: %+v", name, d, tr)
		}
		if markers := agreed != (flow.Direction(d) == from); (tr.Markers > 0) != markers {
			t.Errorf("%s, direction %d: %d Markers", name, d, tr.Markers)
		}
	}
}

// TestMarkersAsAgreed spoils the first FPDU in ways that say nothing about Markers.
func TestMarkersAsAgreed(t *testing.T) {
	for _, agreed := range []bool{false, true} {
		for _, at := range []int{0, 1, 2, 3, 4, 5, 6, 7, 30} {
			k := startTalk(mpa.Frame{Rev: 1, C: true}, mpa.Frame{Rev: 1, M: agreed})
			fpdus := k.send(client, payload, 1300)
			fpdus[0][at] ^= 0x55
			j := dissectRecords(k.each(client, fpdus).Close(client).Records)
			for i := range j.notes {
				if kind := j.notes[i].Kind; kind == record.MarkersMissing || kind == record.MarkersUnasked {
					t.Errorf("agreed %v, octet %d: %v", agreed, at, kind)
				}
			}
		}
	}
}
