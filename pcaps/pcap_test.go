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

const second = 1_000_000_000

func TestPcapOctetByOctet(t *testing.T) {
	file := []byte{
		0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, // little-endian, microseconds, version 2.4
		0, 0, 0, 0, 0, 0, 0, 0,
		0xff, 0xff, 0, 0, 1, 0, 0, 0, // snapshot length 65535, Ethernet
		0x01, 0x02, 0, 0, 0x05, 0, 0, 0, // 513 s, 5 µs
		3, 0, 0, 0, 60, 0, 0, 0, // 3 octets of 60
		'a', 'b', 'c',
	}
	expect(t, mustRead(t, file), []packet{
		{Time: 513*second + 5000, LinkType: pcaps.LinkTypeEthernet, Data: "abc", OrigLen: 60, Offset: 24},
	})
}

func TestPcapVariants(t *testing.T) {
	for _, order := range []byteOrder{little, big} {
		for _, variant := range []struct {
			name  string
			magic uint32
			time  int64 // of 1700000000 s and 123456 units
		}{
			{"microseconds", 0xa1b2c3d4, 1_700_000_000_123_456_000},
			{"nanoseconds", 0xa1b23c4d, 1_700_000_000_000_123_456},
		} {
			t.Run(order.String()+"/"+variant.name, func(t *testing.T) {
				file := slices.Concat(
					pcapHeader(order, variant.magic, 276),
					pcapRecord(order, 1_700_000_000, 123_456, 5, "first"),
					pcapRecord(order, 1_700_000_000, 123_456, 1500, ""),
					pcapRecord(order, 1_700_000_000, 123_456, 6, "third!"),
				)
				expect(t, mustRead(t, file), []packet{
					{Time: variant.time, LinkType: pcaps.LinkTypeLinuxSLL2, Data: "first", OrigLen: 5, Offset: 24},
					{Time: variant.time, LinkType: pcaps.LinkTypeLinuxSLL2, Data: "", OrigLen: 1500, Offset: 45},
					{Time: variant.time, LinkType: pcaps.LinkTypeLinuxSLL2, Data: "third!", OrigLen: 6, Offset: 61},
				})
			})
		}
	}
}

func TestPcapLinkTypeField(t *testing.T) {
	tests := []struct {
		name  string
		field uint32
		want  pcaps.LinkType
	}{
		{"Ethernet", 1, pcaps.LinkTypeEthernet},
		{"Ethernet with FCS length 4", 0x24000001, pcaps.LinkTypeEthernet},
		{"all upper bits", 0xffff0065, pcaps.LinkTypeRaw},
		{"more than 8 bits", 276, pcaps.LinkTypeLinuxSLL2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := pcaps.NewReader(bytes.NewReader(pcapHeader(big, 0xa1b2c3d4, test.field)))
			if err != nil {
				t.Fatal(err)
			}
			if got := r.LinkType(); got != test.want {
				t.Errorf("link type %v, want %v", got, test.want)
			}
		})
	}
}

// A snapshot length that the packets exceed, or 0, must not matter.
func TestPcapSnapshotLengthIsIgnored(t *testing.T) {
	for _, snapLen := range []uint32{0, 4, math.MaxUint32} {
		file := pcapHeader(little, 0xa1b2c3d4, 1)
		little.PutUint32(file[16:], snapLen)
		long := strings.Repeat("x", pcaps.MaxPacket)
		file = slices.Concat(file,
			pcapRecord(little, 1, 0, 9, "nine octets"[:9]),
			pcapRecord(little, 2, 0, pcaps.MaxPacket, long),
			pcapRecord(little, 3, 0, 1, "z"),
		)
		expect(t, mustRead(t, file), []packet{
			{Time: 1 * second, LinkType: 1, Data: "nine octets"[:9], OrigLen: 9, Offset: 24},
			{Time: 2 * second, LinkType: 1, Data: long, OrigLen: pcaps.MaxPacket, Offset: 49},
			{Time: 3 * second, LinkType: 1, Data: "z", OrigLen: 1, Offset: 65 + pcaps.MaxPacket},
		})
	}
}

func TestPcapOddFields(t *testing.T) {
	tests := []struct {
		name   string
		record []byte
		want   packet
	}{
		{"original length below captured", pcapRecord(little, 0, 0, 2, "four"), packet{Data: "four", OrigLen: 4}},
		{"a second of microseconds and more", pcapRecord(little, 7, 1_500_000, 1, "x"), packet{Time: 8*second + second/2, Data: "x", OrigLen: 1}},
		{"greatest time", pcapRecord(little, math.MaxUint32, math.MaxUint32, 1, "x"),
			packet{Time: math.MaxUint32*second + math.MaxUint32*1000, Data: "x", OrigLen: 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.want.LinkType, test.want.Offset = 1, 24
			expect(t, mustRead(t, append(pcapHeader(little, 0xa1b2c3d4, 1), test.record...)), []packet{test.want})
		})
	}
}

func TestPcapWithoutPackets(t *testing.T) {
	expect(t, mustRead(t, pcapHeader(little, 0xa1b2c3d4, 1)), nil)
}

func TestPcapVersion(t *testing.T) {
	file := pcapHeader(little, 0xa1b2c3d4, 1)
	little.PutUint16(file[4:], 9)
	_, err := readFile(file)
	if !errors.Is(err, pcaps.ErrFormat) || !strings.Contains(err.Error(), "version 9.4") {
		t.Errorf("error %v, want ErrFormat that names version 9.4", err)
	}
}
