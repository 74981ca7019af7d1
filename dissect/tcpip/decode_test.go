package tcpip

import (
	"bytes"
	"iter"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/iwarpkit/iwarp/internal/codectest"
	"github.com/iwarpkit/iwarp/pcaps"
)

// The headers that the packets below are put together from, by hand.
const (
	macs = "020000000002 020000000001"

	// 1234 > 5001, Seq 0x01020304, Ack 0x0a0b0c0d, PSH ACK, window 0x1000; the payload is "payload!"
	tcp8        = "04d2 1389 01020304 0a0b0c0d 5018 1000 ffff 0000" + payload8
	tcp8Options = "04d2 1389 01020304 0a0b0c0d 8018 1000 ffff 0000 0101080a 11111111 22222222" + payload8
	payload8    = "7061796c6f616421"

	ip4Rest = "40 06 0000 0a000001 0a000002"     // from the TTL on
	ip4     = "45 00 0030 1234 4000" + ip4Rest   // 48 = 20 + 20 + 8 octets
	ip4Long = "46 00 0034 1234 4000" + ip4Rest + // with an option
		"94040000"
	ip4TSO = "45 00 0000 1234 4000" + ip4Rest

	ip6Addresses = "20010db8000000000000000000000001 20010db8000000000000000000000002"
	ip6          = "60000000 001c 06 40" + ip6Addresses // 28 = 20 + 8 octets
)

// The segment in all of them.
var (
	segment4 = Segment{
		Src: netip.MustParseAddrPort("10.0.0.1:1234"), Dst: netip.MustParseAddrPort("10.0.0.2:5001"),
		Seq: 0x01020304, Ack: 0x0a0b0c0d, Flags: PSH | ACK, Window: 0x1000, Payload: []byte("payload!"),
		ID: 0x1234,
	}
	segment6 = with(segment4, func(s *Segment) {
		s.Src, s.Dst = netip.MustParseAddrPort("[2001:db8::1]:1234"), netip.MustParseAddrPort("[2001:db8::2]:5001")
		s.ID = 0
	})
)

func with(s Segment, change func(*Segment)) Segment {
	change(&s)
	return s
}

// left returns s with so many captured and missing octets of payload.
func left(s Segment, captured, missing int) Segment {
	s.Payload, s.Missing = s.Payload[:captured], missing
	if captured == 0 {
		s.Payload = nil
	}
	return s
}

var octets = codectest.Octets

type decodeTest struct {
	name     string
	link     pcaps.LinkType
	packet   string
	captured int // octets of packet, 0 for all
	origLen  int // 0 for all of packet
	want     Segment
	options  string
	err      error
}

func (d *decodeTest) run(t *testing.T) {
	data := octets(t, d.packet)
	origLen := d.origLen
	if origLen == 0 {
		origLen = len(data)
	}
	if d.captured > 0 {
		data = data[:d.captured:d.captured]
	}
	var got Segment
	if err := got.Decode(d.link, data, origLen); err != d.err {
		t.Fatalf("error %v, want %v", err, d.err)
	}
	if d.err != nil {
		return
	}
	if diff := cmp.Diff(d.want, got, cmpopts.IgnoreUnexported(Segment{}), cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })); diff != "" {
		t.Errorf("segment (-want +got):\n%s", diff)
	}
	if o := got.Options(); !bytes.Equal(o, octets(t, d.options)) {
		t.Errorf("options %x, want %s", o, d.options)
	}
	if len(got.Payload) != cap(got.Payload) {
		t.Error("appending to the payload would write into the packet")
	}
}

func TestLinkTypes(t *testing.T) {
	sll := "0000 0001 0006 020000000001 0000"
	sll2 := "0000 00000001 0001 00 06 020000000001 0000"
	tests := []decodeTest{
		{name: "Ethernet", link: pcaps.LinkTypeEthernet, packet: macs + "0800" + ip4 + tcp8, want: segment4},
		{name: "Ethernet, IPv6", link: pcaps.LinkTypeEthernet, packet: macs + "86dd" + ip6 + tcp8, want: segment6},
		{name: "VLAN", link: pcaps.LinkTypeEthernet, packet: macs + "8100 0064 0800" + ip4 + tcp8, want: segment4},
		{name: "QinQ", link: pcaps.LinkTypeEthernet, packet: macs + "88a8 0064 8100 0065 86dd" + ip6 + tcp8, want: segment6},
		{name: "QinQ of old", link: pcaps.LinkTypeEthernet, packet: macs + "9100 0064 8100 0065 0800" + ip4 + tcp8, want: segment4},
		{name: "8 tags", link: pcaps.LinkTypeEthernet, packet: macs + strings.Repeat("8100 0064", 8) + "0800" + ip4 + tcp8, want: segment4},
		{name: "9 tags", link: pcaps.LinkTypeEthernet, packet: macs + strings.Repeat("8100 0064", 9) + "0800" + ip4 + tcp8, err: ErrHeader},
		{name: "MPLS", link: pcaps.LinkTypeEthernet, packet: macs + "8847 00064040 00065140" + ip4 + tcp8, want: segment4},
		{name: "MPLS behind a VLAN tag", link: pcaps.LinkTypeEthernet, packet: macs + "8100 0064 8848 00064140" + ip6 + tcp8, want: segment6},
		{name: "MPLS with something else", link: pcaps.LinkTypeEthernet, packet: macs + "8847 00064140 00000000" + macs, err: ErrHeader},
		{name: "9 labels", link: pcaps.LinkTypeEthernet, packet: macs + "8847" + strings.Repeat("00064040", 8) + "00064140" + ip4 + tcp8, err: ErrHeader},
		{name: "MPLS, cut", link: pcaps.LinkTypeEthernet, packet: macs + "8847 00064140" + ip4 + tcp8, captured: 14 + 3, err: ErrShort},
		{name: "PPPoE", link: pcaps.LinkTypeEthernet, packet: macs + "8864 1100 0001 0032 0021" + ip4 + tcp8, want: segment4},
		{name: "PPPoE, IPv6, behind a VLAN tag", link: pcaps.LinkTypeEthernet, packet: macs + "8100 0064 8864 1100 0001 0046 0057" + ip6 + tcp8, want: segment6},
		{name: "PPPoE with something else", link: pcaps.LinkTypeEthernet, packet: macs + "8864 1100 0001 0032 c021" + ip4 + tcp8, err: ErrNotTCP},
		{name: "PPPoE, cut", link: pcaps.LinkTypeEthernet, packet: macs + "8864 1100 0001 0032 0021" + ip4 + tcp8, captured: 14 + 7, err: ErrShort},
		{name: "LLC", link: pcaps.LinkTypeEthernet, packet: macs + "0026 424203" + ip4, err: ErrNotTCP},
		{name: "ARP", link: pcaps.LinkTypeEthernet, packet: macs + "0806 0001 0800", err: ErrNotTCP},
		{name: "Raw, IPv4", link: pcaps.LinkTypeRaw, packet: ip4 + tcp8, want: segment4},
		{name: "Raw, IPv6", link: pcaps.LinkTypeRaw, packet: ip6 + tcp8, want: segment6},
		{name: "Raw, neither", link: pcaps.LinkTypeRaw, packet: "50" + ip4 + tcp8, err: ErrHeader},
		{name: "Raw, empty", link: pcaps.LinkTypeRaw, packet: "", err: ErrHeader},
		{name: "Raw as 12", link: pcaps.LinkTypeRawBSD, packet: ip4 + tcp8, want: segment4},
		{name: "Raw as 14", link: pcaps.LinkTypeRawOpenBSD, packet: ip6 + tcp8, want: segment6},
		{name: "IPv4", link: pcaps.LinkTypeIPv4, packet: ip4 + tcp8, want: segment4},
		{name: "IPv4, but the version says IPv6", link: pcaps.LinkTypeIPv4, packet: ip6 + tcp8, err: ErrHeader},
		{name: "IPv6", link: pcaps.LinkTypeIPv6, packet: ip6 + tcp8, want: segment6},
		{name: "IPv6, but the version says IPv4", link: pcaps.LinkTypeIPv6, packet: ip4 + tcp8, err: ErrHeader},
		{name: "Null, little-endian", link: pcaps.LinkTypeNull, packet: "02000000" + ip4 + tcp8, want: segment4},
		{name: "Null, big-endian", link: pcaps.LinkTypeNull, packet: "00000002" + ip4 + tcp8, want: segment4},
		{name: "Null, IPv6 of FreeBSD", link: pcaps.LinkTypeNull, packet: "1c000000" + ip6 + tcp8, want: segment6},
		{name: "Null, IPv6 of macOS", link: pcaps.LinkTypeNull, packet: "1e000000" + ip6 + tcp8, want: segment6},
		{name: "Null, IPv6 of Linux", link: pcaps.LinkTypeNull, packet: "0a000000" + ip6 + tcp8, want: segment6},
		{name: "Null, another family", link: pcaps.LinkTypeNull, packet: "07000000" + ip4 + tcp8, err: ErrNotTCP},
		{name: "Loop", link: pcaps.LinkTypeLoop, packet: "00000018" + ip6 + tcp8, want: segment6},
		{name: "SLL", link: pcaps.LinkTypeLinuxSLL, packet: sll + "0800" + ip4 + tcp8, want: segment4},
		{name: "SLL, VLAN", link: pcaps.LinkTypeLinuxSLL, packet: sll + "8100 0064 86dd" + ip6 + tcp8, want: segment6},
		{name: "SLL2", link: pcaps.LinkTypeLinuxSLL2, packet: "0800" + sll2 + ip4 + tcp8, want: segment4},
		{name: "SLL2, VLAN", link: pcaps.LinkTypeLinuxSLL2, packet: "8100" + sll2 + "0064 86dd" + ip6 + tcp8, want: segment6},
		{name: "unknown", link: 147, packet: ip4 + tcp8, err: ErrLinkType},
	}
	tested := map[pcaps.LinkType]bool{}
	for _, test := range tests {
		t.Run(test.name, test.run)
		tested[test.link] = true
	}
	for link := range named() {
		if !tested[link] {
			t.Errorf("%v: add packets to the list above", link)
		}
	}
}

// named yields the link types that have a name.
func named() iter.Seq[pcaps.LinkType] {
	return func(yield func(pcaps.LinkType) bool) {
		for n := range 1 << 16 {
			if link := pcaps.LinkType(n); link.String() != "LinkType"+strconv.Itoa(n) && !yield(link) {
				return
			}
		}
	}
}

func TestVXLAN(t *testing.T) {
	const (
		link  = pcaps.LinkTypeEthernet
		inner = macs + "0800" + ip4 + tcp8 // 62 octets
		udp   = "c350 12b5 0056 0000"      // 86 octets = 8 + 8 + 62 + 8
		vxlan = "08000000 00000700"
		over4 = macs + "0800 45 00 006a 0001 0000 40 11 0000 0a010001 0a010002"
		over6 = macs + "86dd 60000000 0056 11 40" + ip6Addresses
		pad   = "0000000000000000"
	)
	tests := []decodeTest{
		{name: "over IPv4", link: link, packet: over4 + udp + vxlan + inner + pad, want: segment4},
		{name: "over IPv6", link: link, packet: over6 + udp + vxlan + inner + pad, want: segment4},
		{name: "of IPv6, with tags outside and inside", link: link,
			packet: macs + "8100 0064" + strings.Replace(over4[len(macs):], "006a", "007a", 1) + udp + vxlan + macs + "8100 0065 86dd" + ip6 + tcp8, want: segment6},
		{name: "cut", link: link, packet: over4 + udp + vxlan + inner + pad, captured: 14 + 20 + 16 + 14 + 20 + 20 + 3, want: left(segment4, 3, 5)},
		{name: "cut within the inner TCP header", link: link, packet: over4 + udp + vxlan + inner + pad, captured: 14 + 20 + 16 + 14 + 20 + 4, err: ErrShort},
		{name: "cut within the VXLAN header", link: link, packet: over4 + udp + vxlan + inner, captured: 14 + 20 + 12, err: ErrNotTCP},
		{name: "without a VNI", link: link, packet: over4 + udp + "00000000 00000700" + inner + pad, err: ErrNotTCP},
		{name: "another port", link: link, packet: over4 + "12b5 0035 0056 0000" + vxlan + inner + pad, err: ErrNotTCP},
		{name: "the port that Linux had", link: link, packet: over4 + "c350 2118 0056 0000" + vxlan + inner + pad, want: segment4},
		{name: "ARP", link: link, packet: over4 + udp + vxlan + macs + "0806 0001 0800", err: ErrNotTCP},
	}
	for _, test := range tests {
		t.Run(test.name, test.run)
	}
}

func TestTunnels(t *testing.T) {
	const (
		link  = pcaps.LinkTypeEthernet
		inner = macs + "0800" + ip4 + tcp8
		gre   = macs + "0800 45 00 0000 0001 0000 40 2f 0000 0a010001 0a010002" // the total length 0 reaches to the end
		gre6  = macs + "86dd 60000000 0000 2f 40" + ip6Addresses
		udp   = macs + "0800 45 00 0000 0001 0000 40 11 0000 0a010001 0a010002 c350"
	)
	tests := []decodeTest{
		{name: "GRE", link: link, packet: gre + "0000 0800" + ip4 + tcp8, want: segment4},
		{name: "GRE over IPv6, with checksum, key and sequence number", link: link, packet: gre6 + "b000 86dd 00000000 00000001 00000002" + ip6 + tcp8, want: segment6},
		{name: "GRE with Ethernet", link: link, packet: gre + "2000 6558 00000001" + inner, want: segment4},
		{name: "GRE of version 1", link: link, packet: gre + "0001 0800" + ip4 + tcp8, err: ErrNotTCP},
		{name: "GRE with routing", link: link, packet: gre + "4000 0800" + ip4 + tcp8, err: ErrNotTCP},
		{name: "GRE with something else", link: link, packet: gre + "0000 0806" + ip4 + tcp8, err: ErrNotTCP},
		{name: "GRE, cut", link: link, packet: gre + "0000 0800" + ip4 + tcp8, captured: 14 + 20 + 3, err: ErrNotTCP},
		{name: "GRE, cut before the inner packet", link: link, packet: gre + "0000 0800" + ip4 + tcp8, captured: 14 + 20 + 4, err: ErrNotTCP},
		{name: "ERSPAN I", link: link, packet: gre + "0000 88be" + inner, want: segment4},
		{name: "ERSPAN II", link: link, packet: gre + "1000 88be 00000007 10000000 00000000" + inner, want: segment4},
		{name: "ERSPAN III", link: link, packet: gre + "1000 22eb 00000007 20000000 00000000 00000000" + inner, want: segment4},
		{name: "ERSPAN III for a platform", link: link, packet: gre + "1000 22eb 00000007 20000000 00000000 00000001 00000000 00000000" + inner, want: segment4},
		{name: "IP in IP", link: link, packet: macs + "0800 45 00 0000 0001 0000 40 04 0000 0a010001 0a010002" + ip4 + tcp8, want: segment4},
		{name: "IPv6 in IP", link: link, packet: macs + "0800 45 00 0000 0001 0000 40 29 0000 0a010001 0a010002" + ip6 + tcp8, want: segment6},
		{name: "Geneve with an option", link: link, packet: udp + "17c1 0000 0000 0200 6558 00000700 01020381 00000000" + inner, want: segment4},
		{name: "Geneve of another version", link: link, packet: udp + "17c1 0000 0000 4000 6558 00000700" + inner, err: ErrNotTCP},
		{name: "VXLAN in ERSPAN", link: link, packet: gre + "0000 88be" + udp + "12b5 0000 0000 08000000 00000700" + inner, want: segment4},
		{name: "three tunnels", link: link, packet: strings.Repeat(gre+"0000 6558", 3) + inner, want: segment4},
		{name: "four tunnels", link: link, packet: strings.Repeat(gre+"0000 6558", 4) + inner, err: ErrNotTCP},
	}
	for _, test := range tests {
		t.Run(test.name, test.run)
	}
}

func TestIPv4(t *testing.T) {
	const raw = pcaps.LinkTypeRaw
	tests := []decodeTest{
		{name: "options", link: raw, packet: ip4Long + tcp8, want: segment4},
		{name: "Ethernet padding", link: pcaps.LinkTypeEthernet, packet: macs + "0800 45 00 0028 1234 0000" + ip4Rest + tcp8[:len(tcp8)-16] + "aaaaaaaaaaaa",
			want: left(segment4, 0, 0)},
		{name: "frame check sequence", link: pcaps.LinkTypeEthernet, packet: macs + "0800" + ip4 + tcp8 + "deadbeef", want: segment4},
		{name: "total length 0", link: raw, packet: ip4TSO + tcp8, want: segment4},
		{name: "total length 0, cut", link: raw, packet: ip4TSO + tcp8, captured: 43, origLen: 65000, want: left(segment4, 3, 65000-43)},
		{name: "total length beyond the wire", link: raw, packet: "45 00 ffff 1234 0000" + ip4Rest + tcp8, want: segment4},
		{name: "total length beyond the wire, cut", link: raw, packet: "45 00 ffff 1234 0000" + ip4Rest + tcp8, captured: 40, want: left(segment4, 0, 8)},
		{name: "original length less than captured", link: raw, packet: ip4 + tcp8, origLen: 1, want: segment4},
		{name: "total length within the IPv4 header", link: raw, packet: "45 00 0013 0000 0000" + ip4Rest + tcp8, err: ErrHeader},
		{name: "total length within the TCP header", link: raw, packet: "45 00 0027 0000 0000" + ip4Rest + tcp8, err: ErrHeader},
		{name: "header length 16", link: raw, packet: "44 00 0030 0000 0000" + ip4Rest + tcp8, err: ErrHeader},
		{name: "header longer than the packet", link: raw, packet: "4f 00 0030 0000 0000" + ip4Rest + tcp8, err: ErrHeader},
		{name: "UDP", link: raw, packet: "45 00 0030 0000 0000 40 11 0000 0a000001 0a000002" + tcp8, err: ErrNotTCP},
		{name: "do not fragment, reserved bit", link: raw, packet: "45 00 0030 1234 c000" + ip4Rest + tcp8, want: segment4},
		{name: "first fragment", link: raw, packet: "45 00 0030 1234 2000" + ip4Rest + tcp8, want: segment4},
		{name: "second fragment", link: raw, packet: "45 00 0030 0000 2006" + ip4Rest + tcp8, err: ErrFragment},
		{name: "last fragment", link: raw, packet: "45 00 0030 0000 1fff" + ip4Rest + tcp8, err: ErrFragment},
		{name: "fragment of UDP", link: raw, packet: "45 00 0030 0000 0006 40 11 0000 0a000001 0a000002" + tcp8, err: ErrNotTCP},
	}
	for _, test := range tests {
		t.Run(test.name, test.run)
	}
}

func TestIPv6(t *testing.T) {
	const raw = pcaps.LinkTypeRaw
	header := func(length, next string) string { return "60000000" + length + next + "40" + ip6Addresses }
	tests := []decodeTest{
		{name: "padding", link: raw, packet: ip6 + tcp8 + "0000", want: segment6},
		{name: "payload length 0", link: raw, packet: header("0000", "06") + tcp8, want: segment6},
		{name: "payload length 0, cut", link: raw, packet: header("0000", "06") + tcp8, captured: 62, origLen: 200000, want: left(segment6, 2, 200000-62)},
		{name: "jumbogram", link: raw, packet: header("0000", "00") + "06 00 c204 00011170" + tcp8, origLen: 70040, want: left(segment6, 8, 70040-76)},
		{name: "payload length beyond the wire", link: raw, packet: header("ffff", "06") + tcp8, want: segment6},
		{name: "hop-by-hop, routing, destination", link: raw,
			packet: header("003c", "00") + "2b 00 050200000104" + "3c 01 0000000000000000000000000000" + "06 00 010400000000" + tcp8, want: segment6},
		{name: "AH", link: raw, packet: header("0034", "33") + "06 04 0000 00000001 00000001 0102030405060708090a0b0c" + tcp8, want: segment6},
		{name: "not fragmented after all", link: raw, packet: header("0024", "2c") + "06 00 0000 00000001" + tcp8, want: segment6},
		{name: "first fragment", link: raw, packet: header("0024", "2c") + "06 00 0001 00000001" + tcp8, want: segment6},
		{name: "second fragment", link: raw, packet: header("0024", "2c") + "06 00 0009 00000001" + tcp8, err: ErrFragment},
		{name: "second fragment behind an extension", link: raw, packet: header("0024", "2c") + "3c 00 0009 00000001" + tcp8, err: ErrFragment},
		{name: "second fragment of UDP", link: raw, packet: header("0024", "2c") + "11 00 0009 00000001" + tcp8, err: ErrNotTCP},
		{name: "UDP", link: raw, packet: header("001c", "11") + tcp8, err: ErrNotTCP},
		{name: "UDP behind an extension", link: raw, packet: header("0024", "00") + "11 00 010400000000" + tcp8, err: ErrNotTCP},
		{name: "nothing follows", link: raw, packet: header("0000", "3b"), err: ErrNotTCP},
		{name: "extension longer than the packet", link: raw, packet: header("0024", "00") + "06 05 010400000000" + tcp8, err: ErrHeader},
		{name: "payload length within an extension", link: raw, packet: header("0007", "00") + "06 00 010400000000" + tcp8, err: ErrHeader},
		{name: "payload length within the TCP header", link: raw, packet: header("0013", "06") + tcp8, err: ErrHeader},
	}
	for _, test := range tests {
		t.Run(test.name, test.run)
	}
}

func TestTCP(t *testing.T) {
	const raw = pcaps.LinkTypeRaw
	withOptions := "45 00 003c 1234 4000" + ip4Rest + tcp8Options
	const options = "0101080a 11111111 22222222"
	tests := []decodeTest{
		{name: "options", link: raw, packet: withOptions, want: segment4, options: options},
		{name: "snaplen cuts the payload", link: raw, packet: withOptions, captured: 54, want: left(segment4, 2, 6), options: options},
		{name: "snaplen cuts at the payload", link: raw, packet: withOptions, captured: 52, want: left(segment4, 0, 8), options: options},
		{name: "snaplen cuts the options", link: raw, packet: withOptions, captured: 41, want: left(segment4, 0, 8), options: options[:2]},
		{name: "all flags", link: raw, packet: "45 00 0028 1234 0000" + ip4Rest + "04d2 1389 ffffffff 00000000 5fff 0000 0000 0000",
			want: with(left(segment4, 0, 0), func(s *Segment) { s.Seq, s.Ack, s.Flags, s.Window = 0xffffffff, 0, 0xff, 0 })},
		{name: "data offset 4", link: raw, packet: ip4 + "04d2 1389 01020304 0a0b0c0d 4018 1000 ffff 0000" + payload8, err: ErrHeader},
		{name: "data offset beyond the packet", link: raw, packet: ip4 + "04d2 1389 01020304 0a0b0c0d 8018 1000 ffff 0000" + payload8, err: ErrHeader},
	}
	for _, test := range tests {
		t.Run(test.name, test.run)
	}
}

// Whatever the link type, a snaplen within the headers is ErrShort, and the same packet if it was really that short is
// ErrHeader.
func TestShort(t *testing.T) {
	packets := []struct {
		link    pcaps.LinkType
		headers string
	}{
		{pcaps.LinkTypeEthernet, macs + "8100 0064 0800" + ip4Long},
		{pcaps.LinkTypeEthernet, macs + "86dd 60000000 0034 00 40" + ip6Addresses + "2c 00 010400000000" + "33 00 0001 00000001" + "06 00 0000 00000001"},
		{pcaps.LinkTypeRaw, ip4},
		{pcaps.LinkTypeRawBSD, ip4},
		{pcaps.LinkTypeRawOpenBSD, ip4},
		{pcaps.LinkTypeIPv4, ip4},
		{pcaps.LinkTypeIPv6, ip6},
		{pcaps.LinkTypeNull, "02000000" + ip4},
		{pcaps.LinkTypeLoop, "00000018" + ip6},
		{pcaps.LinkTypeLinuxSLL, "0000 0001 0006 020000000001 0000 0800" + ip4},
		{pcaps.LinkTypeLinuxSLL2, "0800 0000 00000001 0001 00 06 020000000001 0000" + ip4},
	}
	tested := map[pcaps.LinkType]bool{}
	for _, p := range packets {
		tested[p.link] = true
		data := octets(t, p.headers+tcp8)
		headers := len(data) - 8
		for n := range data {
			var s Segment
			err := s.Decode(p.link, data[:n], len(data))
			if n < headers && err != ErrShort || n >= headers && (err != nil || s.Missing != len(data)-n) {
				t.Errorf("%v with snaplen %d: error %v, %d octets missing", p.link, n, err, s.Missing)
			}
			if err := s.Decode(p.link, data[:n], n); n < headers && err != ErrHeader {
				t.Errorf("%v of %d octets: error %v, want %v", p.link, n, err, ErrHeader)
			}
		}
	}
	for link := range named() {
		if !tested[link] {
			t.Errorf("%v: add its headers to the list above", link)
		}
	}
}

func TestDecodeAllocatesNothing(t *testing.T) {
	for _, packet := range []string{macs + "0800" + ip4 + tcp8, macs + "86dd" + ip6 + tcp8, macs + "0806", macs + "0800", macs} {
		data := octets(t, packet)
		var s Segment
		if n := testing.AllocsPerRun(100, func() { _ = s.Decode(pcaps.LinkTypeEthernet, data, len(data)) }); n != 0 {
			t.Errorf("%v allocations for a packet of %d octets", n, len(data))
		}
	}
}

func TestLen(t *testing.T) {
	if n := (&Segment{Payload: make([]byte, 3), Missing: 4}).Len(); n != 7 {
		t.Errorf("got %d", n)
	}
}

func TestFlags(t *testing.T) {
	for f, want := range map[Flags]string{
		0:               "none",
		SYN:             "SYN",
		SYN | ACK:       "SYN,ACK",
		FIN | PSH | ACK: "FIN,PSH,ACK",
		0xff:            "FIN,SYN,RST,PSH,ACK,URG,ECE,CWR",
	} {
		if got := f.String(); got != want {
			t.Errorf("%#x is %q, want %q", uint8(f), got, want)
		}
	}
	if f := SYN | ACK; !f.Has(SYN) || !f.Has(SYN|ACK) || f.Has(SYN|FIN) {
		t.Error("Has is wrong")
	}
}

// TestClone copies a segment that was decoded, and one that was not.
func TestClone(t *testing.T) {
	packet := octets(t, ip4+tcp8)
	var decoded Segment
	if err := decoded.Decode(pcaps.LinkTypeRaw, packet, len(packet)); err != nil {
		t.Fatal(err)
	}
	for _, s := range []Segment{decoded, {Payload: []byte("payload!")}, {}} {
		want := string(s.Payload)
		c := s.Clone()
		clear(s.Payload)
		if string(c.Payload) != want || !bytes.Equal(c.Options(), s.Options()) {
			t.Errorf("%q, want %q", c.Payload, want)
		}
	}
}
