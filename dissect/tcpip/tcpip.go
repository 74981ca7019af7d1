// Package tcpip finds the TCP segment, or the SCTP packet, in a captured packet: it reads the link, IP and TCP headers,
// by hand and without allocating.
//
//	var s tcpip.Segment
//	if err := s.Decode(rec.LinkType, rec.Data, rec.OrigLen); err == nil {
//		fmt.Println(s.Src, s.Dst, s.Flags, s.Seq, s.Payload)
//	}
//
// Use [Segment.Decode]. It reads what captures really hold: VLAN tags, tunnels, Ethernet padding after a short packet,
// the IPv4 total length 0 of segmentation offload, packets cut by a snaplen. It verifies no checksum, since on a host
// with checksum offload every captured outgoing packet has a wrong one; [Segment.IsDamaged] does.
//
// Most packets of a mixed capture carry no TCP; for these it returns [ErrNotTCP] after a few comparisons, and for those
// that carry SCTP [ErrSCTP]: [SCTP.Decode] reads them. IP fragments are not reassembled: the first gives its part of
// the segment, the others are [ErrFragment].
package tcpip

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net/netip"
	"strings"

	"github.com/iwarpkit/iwarp/pcaps"
)

// The errors of [Segment.Decode] and [SCTP.Decode]. They are returned as they are, never wrapped.
var (
	ErrNotTCP   = errors.New("tcpip: not TCP over IP")
	ErrSCTP     = errors.New("tcpip: SCTP over IP")
	ErrNotSCTP  = errors.New("tcpip: not SCTP over IP")
	ErrFragment = errors.New("tcpip: IP fragment after the first")
	ErrShort    = errors.New("tcpip: the capture cut the packet within its headers; a longer snaplen is needed")
	ErrLinkType = errors.New("tcpip: unknown link type")
	ErrHeader   = errors.New("tcpip: a header contradicts the length of the packet or its own version")
)

// Segment is one TCP segment as the capture shows it.
type Segment struct {
	Src, Dst netip.AddrPort // comparable, so a pair of them is a map key; VLAN tags are not part of it
	Seq, Ack uint32
	Flags    Flags
	Window   uint16 // as sent, not scaled
	Payload  []byte // captured octets of the payload, aliases the packet; nil if there are none
	Missing  int    // octets of the payload that were on the wire after Payload and were not captured
	ID       uint16 // Identification of the IPv4 header; 0 for IPv6
	Replaced bool   // Payload is not what was sent; with that, the segment was IsReplaceable. Decode leaves it as it is

	octets []byte    // captured octets from the TCP header on
	header pcaps.Sum // of the pseudo-header and the TCP header, as they were decoded
}

// Len is the length of the payload on the wire, captured or not.
func (s *Segment) Len() int { return len(s.Payload) + s.Missing }

// Options returns the captured octets of the options, which alias the packet.
func (s *Segment) Options() []byte {
	if len(s.octets) < tcpHeaderLen {
		return nil
	}
	return s.octets[tcpHeaderLen : len(s.octets)-len(s.Payload)]
}

// PayloadOff returns how many octets are before the payload in the packet that was decoded.
func (s *Segment) PayloadOff(packet []byte) int {
	return cap(packet) - cap(s.octets) + len(s.octets) - len(s.Payload)
}

// Clone returns a copy of s that does not alias the packet.
func (s *Segment) Clone() Segment {
	c := *s
	if c.octets = bytes.Clone(s.octets); len(c.octets) < len(s.Payload) { // it was not decoded
		c.Payload = bytes.Clone(s.Payload)
		return c
	}
	c.Payload = c.octets[len(c.octets)-len(s.Payload):]
	return c
}

// Decode reads the headers of a packet that begins with a header of the type link. The packet had
// origLen octets on the wire, of which data was captured; an origLen below len(data) is taken to be len(data).
//
// Lengths that the headers state are trusted as far as the packet reaches: Ethernet padding after the IP packet is not
// payload, and a total length beyond origLen is cut to it. An IPv4 total length or IPv6 payload length of 0 means that
// the segment reaches to the end of the packet, as with segmentation offload and jumbograms (RFC 2675). The payload of
// a first fragment is what that fragment holds of it. If a snaplen cut the TCP options, the whole payload is Missing.
//
// The errors are ErrNotTCP, ErrSCTP, ErrFragment, ErrShort, ErrLinkType and ErrHeader; after one of them s is undefined.
func (s *Segment) Decode(link pcaps.LinkType, data []byte, origLen int) error {
	var d datagram
	if err := d.decode(link, data, origLen, protocolTCP); err != nil {
		return err
	}
	s.ID = d.id
	return s.decodeTCP(&d)
}

// IsDamaged reports whether octets of a segment, or of its addresses, are not those of which its sender computed the checksum. It
// is false if not all were captured, and if the checksum is left to the hardware: then the field has 0, or the sum of the
// pseudo-header, as Windows does it without its length.
func (s *Segment) IsDamaged() bool {
	return s.isWhole() && !s.Replaced && s.header.Checksum(s.Payload) != 0 && !s.isLeftToHardware()
}

// IsRight reports whether all octets of a segment were captured, and are those of which its sender computed the checksum.
func (s *Segment) IsRight() bool {
	if s.Replaced {
		return !s.isLeftToHardware()
	}
	return s.isWhole() && s.header.Checksum(s.Payload) == 0
}

// isWhole reports whether all octets were captured. A snaplen can cut the options of a segment without payload.
func (s *Segment) isWhole() bool { return s.Missing <= 0 && len(s.octets) >= headerLen(s.octets) }

// PayloadSum is the checksum that the payload of a segment which IsRight has by itself. It does not look at the payload.
func (s *Segment) PayloadSum() uint16 {
	if sum := s.header.Checksum(nil); sum != 0xffff { // which is 0, too
		return sum
	}
	return 0
}

// headerLen is the length in octets that a TCP header states.
func headerLen(header []byte) int { return int(header[12]>>4) * 4 }

const checksumOff = 16 // octets of a TCP header before its checksum

// isLeftToHardware reports whether the checksum looks like one that the hardware is to compute.
func (s *Segment) isLeftToHardware() bool {
	addresses := pcaps.Sum(0).Add(s.Src.Addr().AsSlice()).Add(s.Dst.Addr().AsSlice())
	switch binary.BigEndian.Uint16(s.octets[checksumOff:]) {
	case 0, ^addresses.PseudoHeader(len(s.octets)).Checksum(nil), ^addresses.PseudoHeader(0).Checksum(nil):
		return true
	}
	return false
}

// IsReplaceable reports whether a segment can be Replaced: IsRight and IsDamaged say the same of it then.
func (s *Segment) IsReplaceable() bool { return s.IsRight() != s.isLeftToHardware() }

// A datagram is what the headers up to IP say of a packet.
type datagram struct {
	src, dst netip.Addr
	id       uint16    // Identification of the IPv4 header; 0 for IPv6
	octets   []byte    // captured octets after the IP headers
	sum      pcaps.Sum // of the addresses
	wire     int       // octets after them that were sent
}

// decode reads a packet that is to hold the given protocol, at once or within tunnels.
func (d *datagram) decode(link pcaps.LinkType, data []byte, origLen int, protocol byte) error {
	for tunnels := 0; ; tunnels++ {
		err := d.decodeOnce(link, data, origLen, protocol)
		if err == nil || tunnels == maxTunnels || err != ErrNotTCP && err != ErrNotSCTP {
			return err
		}
		offset, version, linked := linkHeader(link, data, origLen)
		if linked != nil {
			return err
		}
		t, ok := within(link, data, origLen, offset, version)
		if !ok {
			return err
		}
		link, data, origLen = t.link, t.data, t.wire
	}
}

// decodeOnce reads a packet that is to hold the given protocol itself.
func (d *datagram) decodeOnce(link pcaps.LinkType, data []byte, origLen int, protocol byte) error {
	wire := max(origLen, len(data))
	offset, version, err := linkHeader(link, data, wire)
	switch {
	case err != nil:
		return err
	case version == 4:
		return d.decodeIPv4(data[offset:], wire-offset, protocol)
	}
	return d.decodeIPv6(data[offset:], wire-offset, protocol)
}

// unwanted is the error for a packet that holds another protocol than the wanted one.
func unwanted(protocol, wanted byte) error {
	switch {
	case wanted != protocolTCP:
		return ErrNotSCTP
	case protocol == protocolSCTP:
		return ErrSCTP
	}
	return ErrNotTCP
}

// tcpHeaderLen is the length in octets of a TCP header without options.
const tcpHeaderLen = 20

// decodeTCP reads a TCP header (RFC 9293, section 3.1) and finds the payload after it:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|          Source Port          |       Destination Port        |
//	+-------------------------------+-------------------------------+
//	|                        Sequence Number                        |
//	+---------------------------------------------------------------+
//	|                    Acknowledgment Number                      |
//	+-------+-------+---------------+-------------------------------+
//	|DOffset| Rsrvd |     Flags     |            Window             |
//	+-------+-------+---------------+-------------------------------+
//	|           Checksum            |         Urgent Pointer        |
//	+-------------------------------+-------------------------------+
func (s *Segment) decodeTCP(d *datagram) error {
	b, wire := d.octets, d.wire
	if len(b) < tcpHeaderLen {
		return cutShort(tcpHeaderLen, wire)
	}
	header := headerLen(b)
	if header < tcpHeaderLen || header > wire {
		return ErrHeader
	}
	s.Src = netip.AddrPortFrom(d.src, binary.BigEndian.Uint16(b[0:]))
	s.Dst = netip.AddrPortFrom(d.dst, binary.BigEndian.Uint16(b[2:]))
	s.Seq = binary.BigEndian.Uint32(b[4:])
	s.Ack = binary.BigEndian.Uint32(b[8:])
	s.Flags, s.octets = Flags(b[13]), b
	s.Window = binary.BigEndian.Uint16(b[14:])
	var payload []byte
	captured := len(b)
	if len(b) > header {
		payload, captured = b[header:len(b):len(b)], header
	}
	s.header = d.sum.PseudoHeader(len(b)).AddHeader((*[tcpHeaderLen]byte)(b)).Add(b[tcpHeaderLen:captured])
	s.Payload, s.Missing = payload, wire-header-len(payload)
	return nil
}

// cutShort is the error for a header that needs more octets than were captured: the packet was cut by the capture, or
// it never had them.
func cutShort(need, wire int) error {
	if wire < need {
		return ErrHeader
	}
	return ErrShort
}

// Flags are the control bits of a TCP header (RFC 9293, section 3.1).
type Flags uint8

// The control bits, from the least significant one.
const (
	FIN Flags = 1 << iota
	SYN
	RST
	PSH
	ACK
	URG
	ECE
	CWR
)

var flagNames = [8]string{"FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"}

// Has reports whether all bits of want are set.
func (f Flags) Has(want Flags) bool { return f&want == want }

// String returns the names of the set bits from the least significant one, such as "SYN,ACK", or "none".
func (f Flags) String() string {
	if f == 0 {
		return "none"
	}
	var b strings.Builder
	for i, name := range flagNames {
		if f&(1<<i) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(name)
	}
	return b.String()
}

// Kinds of TCP options (RFC 9293, section 3.1; RFC 7323, section 3.2).
const (
	optionEnd        = 0
	optionNop        = 1
	optionTimestamps = 8
	timestampsLen    = 10
)

// TSval is the time at which the segment was sent, by the clock of its sender, as the Timestamps option has it
// (RFC 7323, section 3.2); ok is false if there is no such option, or it was not captured.
func (s *Segment) TSval() (v uint32, ok bool) {
	for b := s.Options(); len(b) > 0 && b[0] != optionEnd; {
		if b[0] == optionNop {
			b = b[1:]
			continue
		}
		if len(b) < 2 || b[1] < 2 || int(b[1]) > len(b) {
			return 0, false
		}
		if b[0] == optionTimestamps && b[1] == timestampsLen {
			return binary.BigEndian.Uint32(b[2:]), true
		}
		b = b[b[1]:]
	}
	return 0, false
}
