package tcpip

// The IP headers: IPv4 (RFC 791, section 3.1), IPv6 (RFC 8200, section 3) and its extension headers.

import (
	"encoding/binary"
	"net/netip"
)

// The lengths in octets of the IP headers without options and extension headers.
const (
	ipv4HeaderLen = 20
	ipv6HeaderLen = 40
	ipv6FragLen   = 8
)

// Protocol numbers, IPv6 extension headers included.
const (
	protocolHopByHop    = 0
	protocolTCP         = 6
	protocolRouting     = 43
	protocolFragment    = 44
	protocolAH          = 51
	protocolDestination = 60
)

// decodeIPv4 reads an IPv4 header and the TCP header behind it:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------+-------+---------------+-------------------------------+
//	|Version|  IHL  |Type of Service|          Total Length         |
//	+-------+-------+---------------+-----+-------------------------+
//	|         Identification        |Flags|     Fragment Offset     |
//	+---------------+---------------+-----+-------------------------+
//	|  Time to Live |    Protocol   |        Header Checksum        |
//	+---------------+---------------+-------------------------------+
//	|                        Source Address                         |
//	+---------------------------------------------------------------+
//	|                      Destination Address                      |
//	+---------------------------------------------------------------+
func (s *Segment) decodeIPv4(b []byte, wire int) error {
	if len(b) < ipv4HeaderLen {
		return cutShort(ipv4HeaderLen, wire)
	}
	header := int(b[0]&0x0f) * 4
	if b[0]>>4 != 4 || header < ipv4HeaderLen {
		return ErrHeader
	}
	if b[9] != protocolTCP {
		return ErrNotTCP
	}
	if total := int(binary.BigEndian.Uint16(b[2:])); total != 0 && total < wire {
		wire = total
	}
	if wire < header {
		return ErrHeader
	}
	if binary.BigEndian.Uint16(b[6:])&0x1fff != 0 {
		return ErrFragment
	}
	b = b[:min(len(b), wire)]
	if len(b) < header {
		return ErrShort
	}
	src, dst := netip.AddrFrom4([4]byte(b[12:16])), netip.AddrFrom4([4]byte(b[16:20]))
	s.ID = binary.BigEndian.Uint16(b[4:])
	return s.decodeTCP(src, dst, b[header:], wire-header)
}

// decodeIPv6 reads an IPv6 header, its extension headers and the TCP header behind them:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------+---------------+---------------------------------------+
//	|Version| Traffic Class |              Flow Label               |
//	+-------+-----------------------+---------------+---------------+
//	|         Payload Length        |  Next Header  |   Hop Limit   |
//	+-------------------------------+---------------+---------------+
//	|                   Source Address, 16 octets                   |
//	+---------------------------------------------------------------+
//	|                Destination Address, 16 octets                 |
//	+---------------------------------------------------------------+
func (s *Segment) decodeIPv6(b []byte, wire int) error {
	if len(b) < ipv6HeaderLen {
		return cutShort(ipv6HeaderLen, wire)
	}
	if b[0]>>4 != 6 {
		return ErrHeader
	}
	if payload := int(binary.BigEndian.Uint16(b[4:])); payload != 0 && ipv6HeaderLen+payload < wire {
		wire = ipv6HeaderLen + payload
	}
	b = b[:min(len(b), wire)]
	header := ipv6HeaderLen
	if next := b[6]; next != protocolTCP {
		var err error
		if header, err = skipExtensions(next, b, wire); err != nil {
			return err
		}
	}
	s.ID = 0
	src, dst := netip.AddrFrom16([16]byte(b[8:24])), netip.AddrFrom16([16]byte(b[24:40]))
	return s.decodeTCP(src, dst, b[header:], wire-header)
}

// skipExtensions walks the extension headers (RFC 8200, section 4; AH: RFC 4302, section 2) of the IPv6 packet b, the
// first of which is of type next, and returns where TCP begins, never behind the end of b. Each states the type of the
// next one in its first octet and its length in the second, the fragment header being of fixed length.
func skipExtensions(next byte, b []byte, wire int) (offset int, err error) {
	offset = ipv6HeaderLen
	for isExtension(next) {
		if len(b) < offset+ipv6FragLen {
			return 0, cutShort(offset+ipv6FragLen, wire)
		}
		header, length := b[offset:], 0
		switch next {
		case protocolFragment:
			length = ipv6FragLen
			if binary.BigEndian.Uint16(header[2:])&0xfff8 != 0 {
				return 0, laterFragment(header[0])
			}
		case protocolAH:
			length = (int(header[1]) + 2) * 4
		default:
			length = (int(header[1]) + 1) * 8
		}
		next = header[0]
		offset += length
		if offset > len(b) {
			return 0, cutShort(offset, wire)
		}
	}
	if next != protocolTCP {
		return 0, ErrNotTCP
	}
	return offset, nil
}

// isExtension tells whether an IPv6 header of this type has another one behind it.
func isExtension(next byte) bool {
	switch next {
	case protocolHopByHop, protocolRouting, protocolFragment, protocolAH, protocolDestination:
		return true
	}
	return false
}

// laterFragment is the error for a fragment behind the first. What it holds is seen only by the type of the first
// header in the fragmented part, which it repeats.
func laterFragment(next byte) error {
	if next == protocolTCP || isExtension(next) {
		return ErrFragment
	}
	return ErrNotTCP
}
