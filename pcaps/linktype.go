package pcaps

import "strconv"

// LinkType tells what header a packet begins with: a LINKTYPE_ value of the registry at
// https://www.tcpdump.org/linktypes.html.
//
// It has 16 bits. The LinkType of gopacket/layers has 8, in which [LinkTypeLinuxSLL2], 276, silently becomes 20: compare
// values of this type before converting.
type LinkType uint16

// The link types of most captures of TCP.
const (
	LinkTypeNull       LinkType = 0   // BSD loopback: address family, 4 octets in the byte order of the capturing host
	LinkTypeEthernet   LinkType = 1   // IEEE 802.3
	LinkTypeRawBSD     LinkType = 12  // like LinkTypeRaw; most systems' DLT_RAW, written to files by mistake
	LinkTypeRawOpenBSD LinkType = 14  // like LinkTypeRaw; OpenBSD's DLT_RAW, written to files by mistake
	LinkTypeRaw        LinkType = 101 // IPv4 or IPv6, by the version field
	LinkTypeLoop       LinkType = 108 // OpenBSD loopback: address family, 4 octets in network byte order
	LinkTypeLinuxSLL   LinkType = 113 // Linux "cooked" capture, 16 octets
	LinkTypeIPv4       LinkType = 228 // IPv4 without link header
	LinkTypeIPv6       LinkType = 229 // IPv6 without link header
	LinkTypeLinuxSLL2  LinkType = 276 // Linux "cooked" capture version 2, 20 octets; what tcpdump -i any writes
)

// String returns the name of the link type, such as "Ethernet", or "LinkType147" for one without a name here.
func (t LinkType) String() string {
	switch t {
	case LinkTypeNull:
		return "Null"
	case LinkTypeEthernet:
		return "Ethernet"
	case LinkTypeRawBSD:
		return "RawBSD"
	case LinkTypeRawOpenBSD:
		return "RawOpenBSD"
	case LinkTypeRaw:
		return "Raw"
	case LinkTypeLoop:
		return "Loop"
	case LinkTypeLinuxSLL:
		return "LinuxSLL"
	case LinkTypeIPv4:
		return "IPv4"
	case LinkTypeIPv6:
		return "IPv6"
	case LinkTypeLinuxSLL2:
		return "LinuxSLL2"
	}
	return "LinkType" + strconv.Itoa(int(t))
}
