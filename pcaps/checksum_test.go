package pcaps_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/iwarpkit/iwarp/pcaps"
)

// TestChecksum compares with RFC 1071, section 4.1, for all lengths around the blocks that are added at once.
func TestChecksum(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(random.Uint32()) | byte(n>>4)*0xff // all ones, too
		}
		before := make([]byte, 4*(n%9))
		for i := range before {
			before[i] = byte(random.Uint32())
		}
		want := uint32(0)
		all := append(append(before, b...), 0)
		for i := 0; i+1 < len(all); i += 2 {
			want += uint32(binary.BigEndian.Uint16(all[i:]))
		}
		for want > 0xffff {
			want = want>>16 + want&0xffff
		}
		if got := pcaps.Sum(0).Add(before).Checksum(b); got != ^uint16(want) {
			t.Errorf("%d octets after %d: %#x, want %#x", n, len(before), got, ^uint16(want))
		}
	}
}
