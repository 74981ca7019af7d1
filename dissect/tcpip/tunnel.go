package tcpip

// Packets within packets: what switches mirror to a remote host (ERSPAN), and overlays of virtual networks.

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/pcaps"
)

// Protocol numbers of tunnels.
const (
	protocolIPv4 = 4 // IP in IP (RFC 2003)
	protocolIPv6 = 41
	protocolGRE  = 47
)

// UDP ports of tunnels.
const (
	portVXLAN      = 4789 // RFC 7348
	portVXLANLinux = 8472 // of Linux before that
	portGeneve     = 6081 // RFC 8926
)

// Types of what GRE and Geneve carry, other than EtherTypes of IP.
const (
	typeEthernet = 0x6558
	typeERSPAN   = 0x88be // types I and II
	typeERSPAN3  = 0x22eb
)

// maxTunnels is how many tunnels a packet is in at most: mirrored traffic of an overlay is in two.
const maxTunnels = 3

// A tunnelled packet is what another one carries.
type tunnelled struct {
	link pcaps.LinkType
	data []byte
	wire int
}

// within returns the packet that a packet carries, the IP header of which is at an offset; ok is false if it carries none.
func within(link pcaps.LinkType, data []byte, origLen, offset, version int) (t tunnelled, ok bool) {
	const protocolAt4, protocolAt6 = 9, 6
	at := offset + protocolAt4
	if version == 6 {
		at = offset + protocolAt6
	}
	if at >= len(data) {
		return t, false
	}
	carrier := data[at]
	var outer datagram
	switch carrier {
	case protocolIPv4, protocolIPv6, protocolGRE, protocolUDP:
		if outer.decodeOnce(link, data, origLen, carrier) != nil {
			return t, false
		}
	default:
		return t, false
	}
	switch carrier {
	case protocolIPv4:
		return outer.behind(0, etherTypeIPv4)
	case protocolIPv6:
		return outer.behind(0, etherTypeIPv6)
	case protocolGRE:
		return outer.behindGRE()
	}
	return outer.behindUDP()
}

// behind returns what stands at an offset of d.
func (d *datagram) behind(offset int, etherType uint16) (t tunnelled, ok bool) {
	switch etherType {
	case etherTypeIPv4:
		t.link = pcaps.LinkTypeIPv4
	case etherTypeIPv6:
		t.link = pcaps.LinkTypeIPv6
	case typeEthernet:
		t.link = pcaps.LinkTypeEthernet
	default:
		return t, false
	}
	if len(d.octets) <= offset {
		return t, false
	}
	t.data, t.wire = d.octets[offset:], d.wire-offset
	return t, true
}

// behindGRE reads a GRE header (RFC 2784, RFC 2890): flags and version, the type of what follows, and a word for each of the flags C, K and S.
// ERSPAN has a header of its own after it, except for type I, which has no sequence number.
func (d *datagram) behindGRE() (t tunnelled, ok bool) {
	const least, word = 4, 4
	const checksum, routing, key, sequence, version = 0x8000, 0x4000, 0x2000, 0x1000, 0x0007
	if len(d.octets) < least {
		return t, false
	}
	flags, carried := binary.BigEndian.Uint16(d.octets), binary.BigEndian.Uint16(d.octets[2:])
	if flags&(routing|version) != 0 {
		return t, false
	}
	offset := least
	for _, flag := range [...]uint16{checksum, key, sequence} {
		if flags&flag != 0 {
			offset += word
		}
	}
	switch {
	case carried == typeERSPAN && flags&sequence != 0:
		return d.behind(offset+8, typeEthernet)
	case carried == typeERSPAN:
		return d.behind(offset, typeEthernet)
	case carried == typeERSPAN3 && len(d.octets) > offset+11:
		if platform := d.octets[offset+11]&1 != 0; platform {
			offset += 8
		}
		return d.behind(offset+12, typeEthernet)
	}
	return d.behind(offset, carried)
}

// behindUDP reads the header of VXLAN, flags of which I is set, or of Geneve, whose options have a length in words.
func (d *datagram) behindUDP() (t tunnelled, ok bool) {
	const udpLen, headerLen, vxlanI = 8, 8, 0x08
	b := d.octets
	if len(b) < udpLen+headerLen {
		return t, false
	}
	header := b[udpLen:]
	switch port := binary.BigEndian.Uint16(b[2:]); {
	case (port == portVXLAN || port == portVXLANLinux) && header[0]&vxlanI != 0:
		return d.behind(udpLen+headerLen, typeEthernet)
	case port == portGeneve && header[0]>>6 == 0:
		return d.behind(udpLen+headerLen+int(header[0]&0x3f)*4, binary.BigEndian.Uint16(header[2:]))
	}
	return t, false
}
