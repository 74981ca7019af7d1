package tcpip

import (
	"encoding/binary"
	"net/netip"

	"github.com/iwarpkit/iwarp/pcaps"
)

// UDP is a datagram of UDP (RFC 768).
type UDP struct {
	Src, Dst netip.AddrPort
	Payload  []byte // captured octets, aliases the packet
}

const udpHeaderLen = 8

// Decode reads the headers of a packet up to that of UDP. It reports whether there is one. See [Segment.Decode] for the arguments.
func (u *UDP) Decode(link pcaps.LinkType, data []byte, origLen int) bool {
	var d datagram
	if err := d.decode(link, data, origLen, protocolUDP); err != nil || len(d.octets) < udpHeaderLen {
		return false
	}
	u.Src = netip.AddrPortFrom(d.src, binary.BigEndian.Uint16(d.octets))
	u.Dst = netip.AddrPortFrom(d.dst, binary.BigEndian.Uint16(d.octets[2:]))
	u.Payload = d.octets[udpHeaderLen:]
	return true
}
