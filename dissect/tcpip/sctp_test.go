package tcpip

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/pcaps"
)

// An SCTP packet by hand, from 1234 to 5001, with a COOKIE ACK.
const (
	sctpPacket = "04d2 1389 01020304 aabbccdd" + cookieAck
	cookieAck  = "0b00 0004"
	ip4SCTP    = "45 00 0024 1234 4000 40 84 0000 0a000001 0a000002"
	ip6SCTP    = "60000000 0018 3c 40" + ip6Addresses + "84 00 0104 00000000" // behind destination options
)

func TestSCTP(t *testing.T) {
	want := SCTP{
		Src: netip.MustParseAddrPort("10.0.0.1:1234"), Dst: netip.MustParseAddrPort("10.0.0.2:5001"),
		Tag: 0x01020304, Chunks: octets(t, cookieAck), ID: 0x1234,
	}
	over6, cut := want, want
	over6.Src, over6.Dst, over6.ID = segment6.Src, segment6.Dst, 0
	cut.Chunks, cut.Missing = cut.Chunks[:1], 3
	for _, tc := range []struct {
		name, packet string
		captured     int
		want         SCTP
		err          error
	}{
		{"IPv4", macs + "0800" + ip4SCTP + sctpPacket, 0, want, nil},
		{"Ethernet padding", macs + "0800" + ip4SCTP + sctpPacket + "0000000000000000", 0, want, nil},
		{"IPv6 with an extension header", macs + "86dd" + ip6SCTP + sctpPacket, 0, over6, nil},
		{"cut within a chunk", macs + "0800" + ip4SCTP + sctpPacket, 14 + 20 + 12 + 1, cut, nil},
		{"cut within the common header", macs + "0800" + ip4SCTP + sctpPacket, 14 + 20 + 11, SCTP{}, ErrShort},
		{"TCP", macs + "0800" + ip4 + tcp8, 0, SCTP{}, ErrNotSCTP},
		{"too short", macs + "0800" + "45 00 0018 1234 4000 40 84 0000 0a000001 0a000002" + "04d2 1389", 0, SCTP{}, ErrHeader},
	} {
		data := octets(t, tc.packet)
		origLen := len(data)
		if tc.captured > 0 {
			data = data[:tc.captured]
		}
		var s SCTP
		err := s.Decode(pcaps.LinkTypeEthernet, data, origLen)
		if err != tc.err {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.err)
		}
		if d := cmp.Diff(tc.want, s, cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })); err == nil && d != "" {
			t.Errorf("%s (-want +got)\n%s", tc.name, d)
		}
		var tcp Segment
		if got := tcp.Decode(pcaps.LinkTypeEthernet, data, origLen); tc.err != ErrNotSCTP && got != ErrSCTP {
			t.Errorf("%s: as TCP: %v", tc.name, got)
		}
	}
}
