package tcpip

import (
	"encoding/binary"
	"net/netip"

	"github.com/iwarpkit/iwarp/pcaps"
)

// SCTP is one SCTP packet as the capture shows it. SCTP over UDP (RFC 6951) is not looked for.
type SCTP struct {
	Src, Dst netip.AddrPort
	Tag      uint32 // Verification Tag
	Chunks   []byte // captured octets after the common header, aliases the packet
	Missing  int    // octets after Chunks that were on the wire and were not captured
	ID       uint16 // Identification of the IPv4 header; 0 for IPv6
}

// Len is the length of the chunks on the wire, captured or not.
func (s *SCTP) Len() int { return len(s.Chunks) + s.Missing }

// sctpHeaderLen is the length in octets of the SCTP common header.
const sctpHeaderLen = 12

// Decode reads the headers of a packet up to the SCTP common header (RFC 9260, section 3.1):
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|          Source Port          |       Destination Port        |
//	+-------------------------------+-------------------------------+
//	|                       Verification Tag                        |
//	+---------------------------------------------------------------+
//	|                           Checksum                            |
//	+---------------------------------------------------------------+
//
// What is said of [Segment.Decode] holds here too. The errors are ErrNotSCTP, ErrFragment, ErrShort, ErrLinkType and
// ErrHeader; after one of them s is undefined.
func (s *SCTP) Decode(link pcaps.LinkType, data []byte, origLen int) error {
	var d datagram
	if err := d.decode(link, data, origLen, protocolSCTP); err != nil {
		return err
	}
	b := d.octets
	if len(b) < sctpHeaderLen {
		return cutShort(sctpHeaderLen, d.wire)
	}
	s.Src = netip.AddrPortFrom(d.src, binary.BigEndian.Uint16(b[0:]))
	s.Dst = netip.AddrPortFrom(d.dst, binary.BigEndian.Uint16(b[2:]))
	s.Tag = binary.BigEndian.Uint32(b[4:])
	s.Chunks = b[sctpHeaderLen:len(b):len(b)]
	s.Missing = d.wire - len(b)
	s.ID = d.id
	return nil
}
