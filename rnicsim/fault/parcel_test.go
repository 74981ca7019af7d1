package fault

import (
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// A sink counts and keeps FPDUs.
type sink struct {
	sent   int
	octets []byte
}

func (s *sink) Send(b []byte) error       { s.sent++; s.octets = append(s.octets, b...); return nil }
func (s *sink) Pause(time.Duration) error { return nil }
func (s *sink) Finish()                   {}

// However many Faults duplicate it, a Parcel is sent 1,024 times at most.
func TestCopies(t *testing.T) {
	for n, want := range map[int]int{0: 1, 1: 2, 3: 8, 10: 1024, 100: 1024} {
		p := Parcel{ULPDUs: [][]byte{[]byte("an FPDU without headers")}}
		for range n {
			p.Add(&Fault{Action: Duplicate})
		}
		var s sink
		if err := p.Deliver(&s, new(mpa.Framer)); s.sent != want || err != nil {
			t.Errorf("%d duplicates: sent %d times, %v", n, s.sent, err)
		}
	}
}

// The CRC of any FPDU can be wrong, that of an empty one too.
func TestSpoilCRC(t *testing.T) {
	p := Parcel{ULPDUs: [][]byte{nil, []byte("an FPDU without headers"), nil}}
	p.SpoilCRC(0)
	p.SpoilCRC(1)
	var s sink
	o := mpa.Options{CRC: true}
	if err := p.Deliver(&s, &mpa.Framer{Options: o}); err != nil {
		t.Fatal(err)
	}
	var d mpa.Deframer
	d.Reset(o)
	d.Push(s.octets)
	var f mpa.Deframed
	for i := range p.ULPDUs {
		if !d.Next(&f) || (f.Verdict == mpa.Bad) != (i < 2) {
			t.Errorf("FPDU %d: %+v", i, f)
		}
	}
}
