package tcpip

// The IP headers: IPv4 (RFC 791, section 3.1), IPv6 (RFC 8200, section 3) and its extension headers.

import (
	"encoding/binary"
	"net/netip"

	"github.com/iwarpkit/iwarp/pcaps"
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
	protocolSCTP        = 132
)

// decodeIPv4 reads an IPv4 header, after which the wanted protocol is to come:
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
func (d *datagram) decodeIPv4(b []byte, wire int, wanted byte) error {
	if len(b) < ipv4HeaderLen {
		return cutShort(ipv4HeaderLen, wire)
	}
	header := int(b[0]&0x0f) * 4
	if b[0]>>4 != 4 || header < ipv4HeaderLen {
		return ErrHeader
	}
	if b[9] != wanted {
		return unwanted(b[9], wanted)
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
	d.src, d.dst = netip.AddrFrom4([4]byte(b[12:16])), netip.AddrFrom4([4]byte(b[16:20]))
	d.id, d.sum = binary.BigEndian.Uint16(b[4:]), pcaps.Sum(0).Add(b[12:20])
	d.octets, d.wire = b[header:], wire-header
	return nil
}

// decodeIPv6 reads an IPv6 header and its extension headers, after which the wanted protocol is to come:
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
func (d *datagram) decodeIPv6(b []byte, wire int, wanted byte) error {
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
	if next := b[6]; next != wanted {
		var err error
		if header, err = skipExtensions(next, b, wire, wanted); err != nil {
			return err
		}
	}
	d.id, d.sum = 0, pcaps.Sum(0).Add(b[8:40])
	d.src, d.dst = netip.AddrFrom16([16]byte(b[8:24])), netip.AddrFrom16([16]byte(b[24:40]))
	d.octets, d.wire = b[header:], wire-header
	return nil
}

// skipExtensions walks the extension headers (RFC 8200, section 4; AH: RFC 4302, section 2) of the IPv6 packet b, the
// first of which is of type next, and returns where the wanted protocol begins, never beyond the end of b. Each states
// the type of the next one in its first octet and its length in the second, the fragment header being of fixed length.
func skipExtensions(next byte, b []byte, wire int, wanted byte) (offset int, err error) {
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
				return 0, laterFragment(header[0], wanted)
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
	if next != wanted {
		return 0, unwanted(next, wanted)
	}
	return offset, nil
}

// isExtension reports whether an IPv6 header of this type has another one after it.
func isExtension(next byte) bool {
	switch next {
	case protocolHopByHop, protocolRouting, protocolFragment, protocolAH, protocolDestination:
		return true
	}
	return false
}

// laterFragment is the error for a fragment after the first. What it holds is seen only by the type of the first
// header in the fragmented part, which it repeats.
func laterFragment(next, wanted byte) error {
	if next == wanted || isExtension(next) {
		return ErrFragment
	}
	return unwanted(next, wanted)
}
