package pcaps_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/pcaps"
)

const (
	optComment  = 1
	optTsresol  = 9
	optTsoffset = 14
)

func TestPcapngOctetByOctet(t *testing.T) {
	file := []byte{
		0x0a, 0x0d, 0x0d, 0x0a, 0, 0, 0, 28, // Section Header Block
		0x1a, 0x2b, 0x3c, 0x4d, 0, 1, 0, 0, // big-endian, version 1.0
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0, 0, 0, 28,
		0, 0, 0, 1, 0, 0, 0, 20, // Interface Description Block
		0, 101, 0, 0, 0, 0, 0, 0, // Raw, no limit
		0, 0, 0, 20,
		0, 0, 0, 6, 0, 0, 0, 48, // Enhanced Packet Block
		0, 0, 0, 0, // interface 0
		0, 0, 0, 1, 0, 0, 0, 2, // 2^32 + 2 µs
		0, 0, 0, 3, 0, 0, 0, 60, // 3 octets of 60
		'a', 'b', 'c', 0,
		0, 1, 0, 2, 'o', 'k', 0, 0, // comment
		0, 0, 0, 0, // end of options
		0, 0, 0, 48,
	}
	expect(t, mustRead(t, file), []packet{{
		Time: 4_294_967_298_000, LinkType: pcaps.LinkTypeRaw, Data: "abc", OrigLen: 60, Offset: 48, Comments: []string{"ok"},
	}})
}

func TestPcapngPacketBlocks(t *testing.T) {
	for _, order := range []byteOrder{little, big} {
		t.Run(order.String(), func(t *testing.T) {
			file := slices.Concat(
				sectionHeader(order),
				interfaceBlock(order, 1, 6),
				interfaceBlock(order, 276, 0, option(order, optTsresol, "\x09")),
				enhancedPacket(order, 1, 5_000_000_007, "enhanced"),
				simplePacket(order, 60, "simple"),
				simplePacket(order, 3, "SPB"),
				obsoletePacket(order, 0, 9, "obsolete", option(order, optComment, "long gone"), option(order, 0, "")),
			)
			expect(t, mustRead(t, file), []packet{
				{Time: 5_000_000_007, LinkType: 276, Interface: 1, Data: "enhanced", OrigLen: 8, Offset: 76},
				{LinkType: 1, Data: "simple", OrigLen: 60, Offset: 116},
				{LinkType: 1, Data: "SPB", OrigLen: 3, Offset: 140},
				{Time: 9000, LinkType: 1, Data: "obsolete", OrigLen: 8, Offset: 160, Comments: []string{"long gone"}},
			})
		})
	}
}

// Each section brings its own byte order and interfaces.
func TestPcapngSections(t *testing.T) {
	file := slices.Concat(
		sectionHeader(little, option(little, optComment, "first section")),
		interfaceBlock(little, 1, 0),
		enhancedPacket(little, 0, 1, "one"),
		sectionHeader(big),
		interfaceBlock(big, 101, 0, option(big, optTsresol, "\x00")),
		interfaceBlock(big, 229, 0),
		enhancedPacket(big, 0, 2, "two"),
		enhancedPacket(big, 1, 3, "three"),
		sectionHeader(little),
	)
	expect(t, mustRead(t, file), []packet{
		{Time: 1000, LinkType: 1, Data: "one", OrigLen: 3, Offset: 68},
		{Time: 2 * second, LinkType: 101, Data: "two", OrigLen: 3, Offset: 180},
		{Time: 3000, LinkType: 229, Interface: 1, Data: "three", OrigLen: 5, Offset: 216},
	})
}

func TestPcapngInterfacesEndWithTheirSection(t *testing.T) {
	file := slices.Concat(
		sectionHeader(little),
		interfaceBlock(little, 1, 0),
		sectionHeader(little),
		enhancedPacket(little, 0, 1, "lost"),
	)
	if _, err := readFile(file); !errors.Is(err, pcaps.ErrDamaged) {
		t.Errorf("error %v, want ErrDamaged", err)
	}
}

func TestPcapngSkipsOtherBlocks(t *testing.T) {
	huge := make([]byte, 3<<20) // greater than the buffer
	file := slices.Concat(
		sectionHeader(little),
		block(little, 0x80000001, huge),
		interfaceBlock(little, 1, 0),
		block(little, 5, words(little, 0, 0, 0)),          // Interface Statistics Block
		block(little, 0x0bad, words(little, 32473), huge), // Custom Block
		block(little, 4, words(little, 0)),                // Name Resolution Block
		enhancedPacket(little, 0, 1, "found"),
		block(little, 0xffffffff),
	)
	expect(t, mustRead(t, file), []packet{
		{Time: 1000, LinkType: 1, Data: "found", OrigLen: 5, Offset: int64(len(file) - 12 - 40)},
	})
}

func TestPcapngComments(t *testing.T) {
	long := strings.Repeat("é", 30_000)
	tests := []struct {
		name    string
		options []byte
		want    []string
	}{
		{"none", nil, nil},
		{"one", option(little, optComment, "checksum"), []string{"checksum"}},
		{"empty", option(little, optComment, ""), []string{""}},
		{"several among others", slices.Concat(option(little, 2, "flag"), option(little, optComment, "a"), option(little, 2988, "custom"),
			option(little, optComment, "bc"), option(little, 0, "")), []string{"a", "bc"}},
		{"after the end", slices.Concat(option(little, 0, ""), option(little, optComment, "unseen")), nil},
		{"long", option(little, optComment, long), []string{long}},
		{"not UTF-8", option(little, optComment, "\xff\x00\xfe"), []string{"\xff\x00\xfe"}},
		{"length beyond the block", slices.Concat(option(little, optComment, "kept"), words(little, 0xffff0001)), []string{"kept"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file := slices.Concat(
				sectionHeader(little),
				interfaceBlock(little, 1, 0),
				enhancedPacket(little, 0, 1, "x", test.options),
				enhancedPacket(little, 0, 1, "y"),
			)
			packets := mustRead(t, file)
			expect(t, packets, []packet{
				{Time: 1000, LinkType: 1, Data: "x", OrigLen: 1, Offset: 48, Comments: test.want},
				{Time: 1000, LinkType: 1, Data: "y", OrigLen: 1, Offset: int64(len(file) - 36)},
			})
			if packets[1].Comments != nil {
				t.Errorf("comments %q of a packet without, want nil", packets[1].Comments)
			}
		})
	}
}

func TestPcapngTimes(t *testing.T) {
	offset := func(seconds int64) []byte {
		return option(little, optTsoffset, string(little.AppendUint64(nil, uint64(seconds))))
	}
	resolution := func(b byte) []byte { return option(little, optTsresol, string([]byte{b})) }
	const top = math.MaxUint64
	tests := []struct {
		name    string
		options []byte
		units   uint64
		want    int64
	}{
		{"microseconds by default", nil, 1_700_000_000_000_001, 1_700_000_000_000_001_000},
		{"seconds", resolution(0), 17, 17 * second},
		{"milliseconds", resolution(3), 17, 17_000_000},
		{"nanoseconds", resolution(9), 17, 17},
		{"picoseconds", resolution(12), 17_999, 17},
		{"10^-28", resolution(28), top, 1}, // 18446744073709551615 / 10^19
		{"10^-29", resolution(29), top, 0},
		{"10^-127", resolution(127), top, 0},
		{"binary seconds", resolution(0x80), 17, 17 * second},
		{"halves", resolution(0x81), 3, second + second/2},
		{"2^-30", resolution(0x80 | 30), 1<<30 + 1<<29, second + second/2},
		{"2^-32", resolution(0x80 | 32), 1700000000<<32 | 1<<31, 1_700_000_000*second + second/2},
		{"2^-63", resolution(0x80 | 63), top, 2*second - 1},
		{"2^-64", resolution(0x80 | 64), top, second - 1},
		{"2^-64, half", resolution(0x80 | 64), 1 << 63, second / 2},
		{"2^-65", resolution(0x80 | 65), 1 << 63, second / 4},
		{"2^-127", resolution(0xff), top, 0},
		{"offset", offset(1000), 5, 1000*second + 5000},
		{"negative offset", offset(-1), 5, -second + 5000},
		{"both", slices.Concat(offset(2), resolution(9)), 5, 2*second + 5},
		{"microseconds saturate", nil, top, math.MaxInt64},
		{"nanoseconds saturate", resolution(9), 1 << 63, math.MaxInt64},
		{"seconds saturate", resolution(0), top, math.MaxInt64},
		{"binary saturates", resolution(0x80), top, math.MaxInt64},
		{"seconds saturate, lower half 0", resolution(0), 1 << 63, math.MaxInt64},
		{"binary saturates, lower half 0", resolution(0x80), 1 << 63, math.MaxInt64},
		{"offset saturates", offset(math.MaxInt64), 0, math.MaxInt64},
		{"negative offset saturates", offset(math.MinInt64), 0, math.MinInt64},
		{"sum saturates", slices.Concat(offset(9_223_372_036), resolution(9)), 1 << 62, math.MaxInt64},
		{"resolution of the wrong length is ignored", option(little, optTsresol, "\x09\x00"), 1, 1000},
		{"offset of the wrong length is ignored", option(little, optTsoffset, "\x09"), 1, 1000},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file := slices.Concat(
				sectionHeader(little),
				interfaceBlock(little, 1, 0, test.options),
				enhancedPacket(little, 0, test.units, "x"),
			)
			if got := mustRead(t, file)[0].Time; got != test.want {
				t.Errorf("time %d, want %d", got, test.want)
			}
		})
	}
}

func TestPcapngLinkTypeBeforePackets(t *testing.T) {
	tests := []struct {
		name string
		file []byte
		want pcaps.LinkType
	}{
		{"first interface", slices.Concat(sectionHeader(big), block(big, 4), interfaceBlock(big, 228, 0), interfaceBlock(big, 1, 0)), pcaps.LinkTypeIPv4},
		{"no interface", sectionHeader(big), pcaps.LinkTypeNull},
		{"cut", slices.Concat(sectionHeader(big), interfaceBlock(big, 228, 0)[:19]), pcaps.LinkTypeNull},
		{"packet in front", slices.Concat(sectionHeader(big), enhancedPacket(big, 0, 0, "x"), interfaceBlock(big, 1, 0)), pcaps.LinkTypeNull},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := pcaps.NewReader(bytes.NewReader(test.file))
			if err != nil {
				t.Fatal(err)
			}
			if got := r.LinkType(); got != test.want {
				t.Errorf("link type %v, want %v", got, test.want)
			}
		})
	}
}

// Looking for the link type neither loses a packet nor an error.
func TestPcapngLinkTypeFollowsPackets(t *testing.T) {
	file := slices.Concat(
		sectionHeader(little),
		interfaceBlock(little, 1, 0),
		interfaceBlock(little, 276, 0),
		enhancedPacket(little, 1, 0, "x"),
		enhancedPacket(little, 0, 0, "y"),
	)
	r, err := pcaps.NewReader(bytes.NewReader(file[:len(file)-1]))
	if err != nil {
		t.Fatal(err)
	}
	if got := r.LinkType(); got != pcaps.LinkTypeEthernet {
		t.Errorf("before: %v, want Ethernet", got)
	}
	var rec pcaps.Record
	if err := r.Next(&rec); err != nil || string(rec.Data) != "x" {
		t.Fatalf("packet %q, error %v; want x", rec.Data, err)
	}
	if got := r.LinkType(); got != pcaps.LinkTypeLinuxSLL2 {
		t.Errorf("after: %v, want LinuxSLL2", got)
	}
	if err := r.Next(&rec); err == nil || r.LinkType() != pcaps.LinkTypeLinuxSLL2 {
		t.Errorf("error %v, link type %v; want an error, and LinuxSLL2 still", err, r.LinkType())
	}
}
