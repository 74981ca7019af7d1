package tcpip

// The headers below IP: what a packet begins with, by link type.

import (
	"encoding/binary"
	"math/bits"

	"github.com/iwarpkit/iwarp/pcaps"
)

// The lengths in octets of the link headers.
const (
	ethernetLen = 14
	vlanTagLen  = 4
	labelLen    = 4 // of MPLS
	pppoeLen    = 8 // with the protocol of PPP
	familyLen   = 4
	sllLen      = 16
	sll2Len     = 20
)

// maxTags bounds the VLAN tags of one packet, and the MPLS labels. Nobody stacks more than a few.
const maxTags = 8

// EtherTypes.
const (
	etherTypeIPv4   = 0x0800
	etherTypeIPv6   = 0x86dd
	etherTypeVLAN   = 0x8100 // IEEE 802.1Q
	etherTypeQinQ   = 0x88a8 // IEEE 802.1ad
	etherTypeQinQ91 = 0x9100 // the same before it was a standard
	etherTypeMPLS   = 0x8847 // RFC 3032
	etherTypeMPLS2  = 0x8848 // the same for multicast, then for labels that a router upstream assigns (RFC 5332)
	etherTypePPPoE  = 0x8864 // RFC 2516
)

// Protocols of PPP.
const (
	pppIPv4 = 0x0021 // RFC 1332
	pppIPv6 = 0x0057 // RFC 5072
)

// linkHeader returns where the IP header begins, never beyond the end of data, and its version, 4 or 6.
func linkHeader(link pcaps.LinkType, data []byte, wire int) (offset, version int, err error) {
	var at, header int // where the EtherType stands, and the length of the header
	switch link {
	case pcaps.LinkTypeEthernet:
		at, header = ethernetLen-2, ethernetLen
	case pcaps.LinkTypeRaw, pcaps.LinkTypeRawBSD, pcaps.LinkTypeRawOpenBSD:
		return bareIP(data, wire)
	case pcaps.LinkTypeIPv4:
		return 0, 4, nil
	case pcaps.LinkTypeIPv6:
		return 0, 6, nil
	case pcaps.LinkTypeNull, pcaps.LinkTypeLoop:
		return behindFamily(data, wire)
	case pcaps.LinkTypeLinuxSLL:
		at, header = sllLen-2, sllLen
	case pcaps.LinkTypeLinuxSLL2:
		at, header = 0, sll2Len
	default:
		return 0, 0, ErrLinkType
	}
	if len(data) < header {
		return 0, 0, cutShort(header, wire)
	}
	switch etherType := binary.BigEndian.Uint16(data[at:]); etherType {
	case etherTypeIPv4:
		return header, 4, nil
	case etherTypeIPv6:
		return header, 6, nil
	default:
		return behindTags(data, wire, header, etherType)
	}
}

// behindTags passes over the VLAN tags at an offset, of the first of which etherType is the EtherType. Each tag is two octets
// of control information and the EtherType of what follows. In an 802.3 frame a length below 0x600 stands there instead: LLC,
// which carries no IP here.
func behindTags(data []byte, wire, offset int, etherType uint16) (_, version int, err error) {
	for tags := 0; ; tags++ {
		switch etherType {
		case etherTypeIPv4:
			return offset, 4, nil
		case etherTypeIPv6:
			return offset, 6, nil
		case etherTypeMPLS, etherTypeMPLS2:
			return behindLabels(data, wire, offset)
		case etherTypePPPoE:
			return behindPPPoE(data, wire, offset)
		case etherTypeVLAN, etherTypeQinQ, etherTypeQinQ91:
		default:
			return 0, 0, ErrNotTCP
		}
		if tags == maxTags {
			return 0, 0, ErrHeader
		}
		if len(data) < offset+vlanTagLen {
			return 0, 0, cutShort(offset+vlanTagLen, wire)
		}
		etherType = binary.BigEndian.Uint16(data[offset+2:])
		offset += vlanTagLen
	}
}

// behindLabels passes over the MPLS labels at an offset, the last of which has the bit S. They do not say what follows: IP of either version.
func behindLabels(data []byte, wire, offset int) (_, version int, err error) {
	for range maxTags {
		if len(data) < offset+labelLen {
			return 0, 0, cutShort(offset+labelLen, wire)
		}
		bottom := data[offset+2]&1 != 0
		offset += labelLen
		if bottom {
			_, version, err = bareIP(data[offset:], wire-offset)
			return offset, version, err
		}
	}
	return 0, 0, ErrHeader
}

// behindPPPoE reads the header of a PPPoE session at an offset, and the protocol of PPP that ends it.
func behindPPPoE(data []byte, wire, offset int) (_, version int, err error) {
	if len(data) < offset+pppoeLen {
		return 0, 0, cutShort(offset+pppoeLen, wire)
	}
	offset += pppoeLen
	switch binary.BigEndian.Uint16(data[offset-2:]) {
	case pppIPv4:
		return offset, 4, nil
	case pppIPv6:
		return offset, 6, nil
	}
	return 0, 0, ErrNotTCP
}

// behindFamily reads the address family before the packets of a BSD loopback interface. Its byte order is that of
// the capturing host, which the file does not tell; all families are below 65536, so the order shows. For IPv6 every
// system has a number of its own: 24 NetBSD and OpenBSD, 28 FreeBSD, 30 macOS, 10 Linux, 23 Windows.
func behindFamily(data []byte, wire int) (offset, version int, err error) {
	if len(data) < familyLen {
		return 0, 0, cutShort(familyLen, wire)
	}
	family := binary.BigEndian.Uint32(data)
	if family > 0xffff {
		family = bits.ReverseBytes32(family)
	}
	switch family {
	case 2:
		return familyLen, 4, nil
	case 10, 23, 24, 28, 30:
		return familyLen, 6, nil
	}
	return 0, 0, ErrNotTCP
}

// bareIP reads the version of a packet without link header.
func bareIP(data []byte, wire int) (offset, version int, err error) {
	if len(data) == 0 {
		return 0, 0, cutShort(1, wire)
	}
	version = int(data[0] >> 4)
	if version != 4 && version != 6 {
		return 0, 0, ErrHeader
	}
	return 0, version, nil
}
