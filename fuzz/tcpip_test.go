package fuzz

import (
	"bytes"
	"errors"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// FuzzSegment decodes arbitrary packets. The payload must lie within the packet and end where it says, and the outcome
// for a shorter snaplen must follow from that for a longer one.
func FuzzSegment(f *testing.F) {
	tcp := "\x04\xd2\x13\x89\x00\x00\x00\x64\x00\x00\x00\xc8\x50\x18\x10\x00\x00\x00\x00\x00payload"
	ipv4 := "\x45\x00\x00\x2f\x00\x00\x40\x00\x40\x06\x00\x00\x0a\x00\x00\x01\x0a\x00\x00\x02" + tcp
	addresses := "\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02"
	ipv6 := "\x60\x00\x00\x00\x00\x1b\x06\x40" + addresses + tcp
	extended := "\x60\x00\x00\x00\x00\x33\x00\x40" + addresses +
		"\x2c\x00\x00\x00\x00\x00\x00\x00" + "\x33\x00\x00\x01\x00\x00\x00\x00" + "\x06\x00\x00\x00\x00\x00\x00\x00" + tcp
	macs := "\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01"
	sll := "\x00\x00\x00\x01\x00\x06\x02\x00\x00\x00\x00\x01\x00\x00"
	for _, seed := range []struct {
		link   pcaps.LinkType
		packet string
	}{
		{pcaps.LinkTypeEthernet, macs + "\x08\x00" + ipv4},
		{pcaps.LinkTypeEthernet, macs + "\x88\xa8\x00\x01\x81\x00\x00\x02\x86\xdd" + ipv6},
		{pcaps.LinkTypeEthernet, macs + "\x08\x06\x00\x01\x08\x00\x06\x04"},
		{pcaps.LinkTypeRaw, ipv4},
		{pcaps.LinkTypeRaw, extended},
		{pcaps.LinkTypeIPv4, ipv4},
		{pcaps.LinkTypeIPv6, ipv6},
		{pcaps.LinkTypeNull, "\x02\x00\x00\x00" + ipv4},
		{pcaps.LinkTypeLoop, "\x00\x00\x00\x18" + ipv6},
		{pcaps.LinkTypeLinuxSLL, sll + "\x08\x00" + ipv4},
		{pcaps.LinkTypeLinuxSLL2, "\x86\xdd" + "\x00\x00\x00\x00\x00\x01\x00\x01\x00\x06\x02\x00\x00\x00\x00\x01\x00\x00" + ipv6},
	} {
		f.Add(uint16(seed.link), []byte(seed.packet), 0)
		f.Add(uint16(seed.link), []byte(seed.packet), 1000)
	}
	f.Fuzz(func(t *testing.T, link uint16, packet []byte, more int) {
		origLen := len(packet) + more&0xffff
		var s tcpip.Segment
		err := s.Decode(pcaps.LinkType(link), packet, origLen)
		if err != nil {
			return
		}
		if s.Missing < 0 || s.Len() > origLen || len(s.Payload) > len(packet) {
			t.Fatalf("payload of %d captured and %d missing octets in a packet of %d", len(s.Payload), s.Missing, origLen)
		}
		if len(s.Payload) > 0 && !within(packet, s.Payload) {
			t.Fatal("the payload lies outside of the packet")
		}
		if !s.Src.IsValid() || !s.Dst.IsValid() || s.Src.Addr().Is4() != s.Dst.Addr().Is4() {
			t.Fatalf("addresses %v and %v", s.Src, s.Dst)
		}
		for snaplen := range min(len(packet), 200) {
			checkCut(t, pcaps.LinkType(link), packet[:snaplen], origLen, &s)
		}
	})
}

// checkCut decodes the same packet cut by a snaplen. It must yield ErrShort or the same segment with less payload.
func checkCut(t *testing.T, link pcaps.LinkType, packet []byte, origLen int, whole *tcpip.Segment) {
	var s tcpip.Segment
	if err := s.Decode(link, packet, origLen); err != nil {
		if !errors.Is(err, tcpip.ErrShort) {
			t.Fatalf("cut at %d: %v", len(packet), err)
		}
		return
	}
	if s.Src != whole.Src || s.Dst != whole.Dst || s.Seq != whole.Seq || s.Len() != whole.Len() || !bytes.HasPrefix(whole.Payload, s.Payload) {
		t.Fatalf("cut at %d: %+v, whole: %+v", len(packet), s, *whole)
	}
}

// within reports whether part is a subslice of packet.
func within(packet, part []byte) bool {
	for i := range packet {
		if &packet[i] == &part[0] {
			return i+len(part) <= len(packet)
		}
	}
	return false
}
