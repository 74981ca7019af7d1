package fault

import (
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// A sink counts FPDUs.
type sink struct{ sent int }

func (s *sink) Send([]byte) error         { s.sent++; return nil }
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
