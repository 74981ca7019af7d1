package pcaps

import (
	"fmt"
	"strconv"
	"strings"
)

// LinkType is the number of the outermost header of a packet, a LINKTYPE_ value
// of the registry at https://www.tcpdump.org/linktypes.html.
//
// It has 16 bits. The LinkType of gopacket/layers has 8, where Linux's
// "any" device, [LinkTypeLinuxSLL2] = 276, silently becomes 20: compare values of
// this type before converting.
type LinkType uint16

// The link types under which TCP is commonly captured.
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

var linkTypeNames = map[LinkType]string{
	LinkTypeNull:       "Null",
	LinkTypeEthernet:   "Ethernet",
	LinkTypeRawBSD:     "RawBSD",
	LinkTypeRawOpenBSD: "RawOpenBSD",
	LinkTypeRaw:        "Raw",
	LinkTypeLoop:       "Loop",
	LinkTypeLinuxSLL:   "LinuxSLL",
	LinkTypeIPv4:       "IPv4",
	LinkTypeIPv6:       "IPv6",
	LinkTypeLinuxSLL2:  "LinuxSLL2",
}

// String returns the name of the link type, such as "Ethernet", or "LinkType147"
// for one without a name here.
func (t LinkType) String() string {
	if name, ok := linkTypeNames[t]; ok {
		return name
	}
	return "LinkType" + strconv.Itoa(int(t))
}

// ParseLinkType reads what [LinkType.String] writes, in any case of letters, and
// plain decimal numbers.
func ParseLinkType(s string) (LinkType, error) {
	for t, name := range linkTypeNames {
		if strings.EqualFold(name, s) {
			return t, nil
		}
	}
	digits := s
	if prefix := len("LinkType"); len(s) > prefix && strings.EqualFold(s[:prefix], "LinkType") {
		digits = s[prefix:]
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil {
		return 0, fmt.Errorf("pcaps: link type %q: neither a known name, such as Ethernet or LinuxSLL2, nor a number up to 65535", s)
	}
	return LinkType(n), nil
}
