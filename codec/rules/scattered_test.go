package rules_test

import (
	"math/rand/v2"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// sendSegment returns a segment of a Send.
func sendSegment(msn, mo uint32, length int, last bool) *rdmap.Segment {
	s := &rdmap.Segment{Header: rdmap.Header{
		Untagged: ddp.Untagged{L: last, DV: ddp.Version, MSN: msn, MO: mo},
		Control:  rdmap.Control{RV: rdmap.Version, Opcode: rdmap.OpSend},
	}, Body: make([]byte, length)}
	return s
}

// Whatever the order of a Send's segments, some of them repeated: it is whole with the last missing octet, and breaks
// nothing that a Terminate answers.
func TestScattered(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var r rules.Receiver
	r.Reset(rules.Conditions{Version: 1, IRD: 1})
	for msn := range uint32(2000) {
		const size = 10
		n := 1 + random.IntN(12)
		order := random.Perm(n)
		missing := make(map[int]bool)
		for _, i := range order {
			missing[i] = true
		}
		if n > 1 && msn%3 == 0 { // again, before it is whole
			order = append(order[:n-1], order[0], order[n-1])
		}
		for _, i := range order {
			s := sendSegment(msn+1, uint32(i*size), size, i == n-1)
			for _, v := range r.Segment(s, 18+size, nil) {
				if v.Situation != rules.NoSituation || v.Severity == rules.Error && v.Name != "mo-overlap" {
					t.Fatalf("%v: %s: seen %s, expected %s", order, v.Name, v.Seen, v.Expected)
				}
			}
			delete(missing, i)
			if length, ok := r.Whole(s); ok != (len(missing) == 0) || ok && length != uint32(n*size) {
				t.Fatalf("%v: whole %v of %d octets, missing %v", order, ok, length, missing)
			}
		}
	}
}

// However many holes a Send has, only few are kept: further ones are refused.
func TestScatteredIsBounded(t *testing.T) {
	var r rules.Receiver
	r.Reset(rules.Conditions{Version: 1, IRD: 1})
	var refused []rules.Violation
	for i := range uint32(1000) {
		for _, v := range r.Segment(sendSegment(1, 100+20*i, 10, false), 28, nil) {
			if v.Situation == rules.SendMO {
				refused = append(refused, v)
			}
		}
	}
	if len(refused) < 900 || refused[0].Seen != "MO 740" {
		t.Errorf("%d refused, first %+v", len(refused), refused[0])
	}
}

// TestHoleBeforeNextWrite has a Write with a hole, and one to the same STag below it. The octets between the two belong to neither.
func TestHoleBeforeNextWrite(t *testing.T) {
	var r rules.Receiver
	r.Reset(agreed)
	var holes []string
	for _, w := range []struct {
		to   uint64
		last bool
	}{{0x1000, false}, {0x1014, true}, {0x100, false}, {0x10A, false}, {0x114, true}} {
		s := &rdmap.Segment{Header: rdmap.Header{
			T: true, Tagged: ddp.Tagged{L: w.last, DV: ddp.Version, STag: 1, TO: w.to},
			Control: rdmap.Control{RV: rdmap.Version, Opcode: rdmap.OpWrite},
		}, Body: make([]byte, 10)}
		for _, v := range r.Segment(s, ddp.TaggedLen+10, nil) {
			if v.Name == "write-hole" {
				holes = append(holes, v.Seen)
			}
		}
	}
	if len(holes) != 1 || holes[0] != "10 octets of the previous Write were not sent" {
		t.Errorf("%q", holes)
	}
}
