package tcpip

import (
	"testing"

	"github.com/iwarpkit/iwarp/pcaps"
)

// TestIsDamaged has segments with checksums that are right, wrong, and left to the hardware.
func TestIsDamaged(t *testing.T) {
	packet := []byte("\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x00" +
		"\x45\x00\x00\x2e\x00\x01\x00\x00\x40\x06\x00\x00\x0a\x00\x00\x01\x0a\x00\x00\x02" +
		"\x1c\x06\x4e\x51\x00\x00\x00\x01\x00\x00\x00\x01\x50\x18\x01\x00\x00\x00\x00\x00" + "abcdef")
	const at = 14 + 20 + 16 // of the checksum
	decode := func(sum uint16, cut int) *Segment {
		b := append([]byte(nil), packet[:len(packet)-cut]...)
		b[at], b[at+1] = byte(sum>>8), byte(sum)
		var s Segment
		if err := s.Decode(pcaps.LinkTypeEthernet, b, len(packet)); err != nil {
			t.Fatal(err)
		}
		return &s
	}
	zero := decode(0, 0)
	src, dst := zero.Src.Addr(), zero.Dst.Addr()
	right := pcaps.Sum(0).Add(src.AsSlice()).Add(dst.AsSlice()).PseudoHeader(26).Checksum(zero.octets)
	for name, test := range map[string]struct {
		sum  uint16
		cut  int
		want bool
	}{
		"right":                            {right, 0, false},
		"wrong":                            {right ^ 0x100, 0, true},
		"none":                             {0, 0, false},
		"sum of the pseudo-header":         {^pcaps.Sum(0).Add(src.AsSlice()).Add(dst.AsSlice()).PseudoHeader(26).Checksum(nil), 0, false},
		"sum of it without its length":     {^pcaps.Sum(0).Add(src.AsSlice()).Add(dst.AsSlice()).PseudoHeader(0).Checksum(nil), 0, false},
		"wrong, and not captured as whole": {right ^ 0x100, 2, false},
	} {
		if got := decode(test.sum, test.cut).IsDamaged(); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// TestReplaced replaces payload: a checksum that was right is right, and one that is left to the hardware says nothing, as before. Another is not
// replaceable.
func TestReplaced(t *testing.T) {
	packet := "\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x00" +
		"\x45\x00\x00\x35\x00\x01\x00\x00\x40\x06\x00\x00\x0a\x00\x00\x01\x0a\x00\x00\x02" +
		"\x1c\x06\x4e\x51\x00\x00\x00\x01\x00\x00\x00\x01\x50\x18\x01\x00\x00\x00\x00\x00" + "abcdefghijklm" + "pad"
	decode := func(sum uint16) *Segment {
		packet := []byte(packet)
		packet[50], packet[51] = byte(sum>>8), byte(sum)
		var s Segment
		if err := s.Decode(pcaps.LinkTypeEthernet, packet, len(packet)); err != nil || s.PayloadOff(packet) != 54 {
			t.Fatal(err, s.PayloadOff(packet))
		}
		return &s
	}
	zero := decode(0)
	sum := zero.header.Checksum(zero.Payload)
	for wrong, s := range []*Segment{decode(sum), decode(sum + 1), decode(0)} {
		if replaceable := s.IsReplaceable(); replaceable != (wrong != 1) {
			t.Errorf("%d: replaceable: %v", wrong, replaceable)
		}
		right, damaged, sum := s.IsRight(), s.IsDamaged(), s.PayloadSum()
		s.Payload[3]++
		if s.Replaced = true; wrong != 1 && (s.IsRight() != right || s.IsDamaged() != damaged || s.PayloadSum() != sum) {
			t.Errorf("%d: right %v, damaged %v, want %v, %v", wrong, s.IsRight(), s.IsDamaged(), right, damaged)
		}
	}
}

// TestCutOptions has an acknowledgement whose options the snaplen has cut: nobody can tell whether it is damaged.
func TestCutOptions(t *testing.T) {
	packet := []byte("\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x00" +
		"\x45\x00\x00\x34\x00\x01\x00\x00\x40\x06\x00\x00\x0a\x00\x00\x01\x0a\x00\x00\x02" +
		"\x1c\x06\x4e\x51\x00\x00\x00\x01\x00\x00\x00\x01\x80\x10\x01\x00\x12\x34\x00\x00" + "\x01\x01\x08\x0a\x00\x00\x00\x01\x00\x00\x00\x02")
	for n := len(packet); n >= 54; n-- {
		var s Segment
		if err := s.Decode(pcaps.LinkTypeEthernet, packet[:n], len(packet)); err != nil {
			t.Fatal(err)
		}
		if whole := n == len(packet); s.IsDamaged() != whole || s.IsRight() {
			t.Errorf("%d octets: damaged %v, right %v", n, s.IsDamaged(), s.IsRight())
		}
	}
}
