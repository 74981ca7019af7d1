package tcpip

// Packets without TCP and SCTP that say something about RDMA: RoCEv2, and ICMP errors about TCP segments.

import (
	"encoding/binary"
	"net/netip"

	"github.com/iwarpkit/iwarp/pcaps"
)

// Protocol numbers.
const (
	protocolICMP   = 1
	protocolUDP    = 17
	protocolICMPv6 = 58
)

// portRoCE is the UDP port of RoCEv2 (InfiniBand Architecture 1.4, annex A17).
const portRoCE = 4791

// Station returns the source MAC address of a packet with an IP header, zero where the link has none, and its Time to Live or Hop
// Limit. They are 0 if they were not captured.
func Station(link pcaps.LinkType, data []byte) (mac [6]byte, ttl uint8) {
	const ipv4TTL, ipv6HopLimit = 8, 7
	offset, version, err := linkHeader(link, data, len(data))
	if err != nil {
		return mac, 0
	}
	at := ipv4TTL
	if version == 6 {
		at = ipv6HopLimit
	}
	if len(data) > offset+at {
		ttl = data[offset+at]
	}
	switch {
	case link == pcaps.LinkTypeEthernet:
		copy(mac[:], data[6:])
	case link == pcaps.LinkTypeLinuxSLL && data[5] == 6:
		copy(mac[:], data[6:])
	case link == pcaps.LinkTypeLinuxSLL2 && data[11] == 6:
		copy(mac[:], data[12:])
	}
	return mac, ttl
}

// IsRoCE reports whether a packet is one of RoCEv2. See [Segment.Decode] for the arguments.
func IsRoCE(link pcaps.LinkType, data []byte, origLen int) bool {
	var d datagram
	err := d.decode(link, data, origLen, protocolUDP)
	return err == nil && len(d.octets) >= 4 && binary.BigEndian.Uint16(d.octets[2:]) == portRoCE
}

// ICMP is an ICMP error about a TCP segment (RFC 792, RFC 4443).
type ICMP struct {
	From     netip.Addr // who sent it
	Src, Dst netip.AddrPort
	IPv6     bool
	Type     uint8
	Code     uint8
	MTU      int // octets, of the errors that name one; else 0
}

// icmpHeaderLen is the length in octets of the header of an ICMP error; the packet that it is about follows.
const icmpHeaderLen = 8

// Decode reads an ICMP error, and of the segment that it encloses the addresses. It reports whether the packet is one. See
// [Segment.Decode] for the arguments.
func (i *ICMP) Decode(link pcaps.LinkType, data []byte, origLen int) bool {
	var outer, inner datagram
	*i = ICMP{}
	err := outer.decode(link, data, origLen, protocolICMP)
	if err != nil {
		i.IPv6 = true
		err = outer.decode(link, data, origLen, protocolICMPv6)
	}
	b := outer.octets
	if err != nil || len(b) < icmpHeaderLen {
		return false
	}
	const whole = 1 << 16 // the packet that it is about was that long at most; it is cut
	if i.IPv6 {
		err = inner.decodeIPv6(b[icmpHeaderLen:], whole, protocolTCP)
	} else {
		err = inner.decodeIPv4(b[icmpHeaderLen:], whole, protocolTCP)
	}
	if err != nil || len(inner.octets) < 4 {
		return false
	}
	i.From, i.Type, i.Code = outer.src, b[0], b[1]
	i.Src = netip.AddrPortFrom(inner.src, binary.BigEndian.Uint16(inner.octets))
	i.Dst = netip.AddrPortFrom(inner.dst, binary.BigEndian.Uint16(inner.octets[2:]))
	switch {
	case i.IPv6 && i.Type == 2:
		i.MTU = int(binary.BigEndian.Uint32(b[4:]))
	case !i.IPv6 && i.Type == 3 && i.Code == 4:
		i.MTU = int(binary.BigEndian.Uint16(b[6:])) // RFC 1191, section 4
	}
	return true
}
