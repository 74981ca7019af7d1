package rdmap_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

func TestReadingOf(t *testing.T) {
	const (
		tagged  = " 0012 c140 a1b2c301 00000000 00001000"
		send    = " 0016 4143 00000000 00000000 00000009 00000000"
		sendInv = " 0000 4144 11223344 00000000 00000009 00000000"
		read    = " 0000 4141 00000000 00000001 00000001 00000000 cafe0001 00000000 00002000 00001800 beef0002 00007f00 00004000"
	)
	for wire, want := range map[string]rdmap.Reading{
		// as the RFC says
		"0101e000" + read:   rdmap.ReadingRFC,
		"1100c000" + tagged: rdmap.ReadingRFC,
		"1203c000" + send:   rdmap.ReadingRFC,
		"1000c000" + tagged: rdmap.ReadingRFC,
		"0200c000" + send:   rdmap.ReadingRFC, // a code that some hardware sends; neither reading is registered
		"20020000":          rdmap.ReadingRFC,
		"20070000":          rdmap.ReadingRFC, // headers belong to 0/2/07
		"10000000":          rdmap.ReadingRFC, // and with 0/1/00
		"01000000":          rdmap.ReadingRFC, // and with 1/0/00
		"02080000":          rdmap.ReadingRFC,
		"30000000":          rdmap.ReadingRFC, // nonsense both ways
		"1000e000":          rdmap.ReadingRFC, // cut both ways
		"201000":            rdmap.ReadingRFC,

		// swapped, because the RFC's reading is not registered
		"10010700" + read: rdmap.ReadingSwapped,
		"21020300" + send: rdmap.ReadingSwapped,
		"21060000":        rdmap.ReadingSwapped,
		"02040000":        rdmap.ReadingSwapped,
		"31000000":        rdmap.ReadingSwapped,
		// because it announces no headers, but some follow
		"10000700" + read:    rdmap.ReadingSwapped,
		"01000300" + send:    rdmap.ReadingSwapped,
		"11000300" + tagged:  rdmap.ReadingSwapped,
		"20070300" + read:    rdmap.ReadingRFC, // MD announce less than follows
		"20070300" + send:    rdmap.ReadingSwapped,
		"10090700" + sendInv: rdmap.ReadingSwapped, // R, but a Send with Invalidate has no Read Request header

		// both
		"20050000": rdmap.ReadingAmbiguous,
		"20060000": rdmap.ReadingAmbiguous,
		"02050000": rdmap.ReadingAmbiguous,
		"02060000": rdmap.ReadingAmbiguous,
		"02070000": rdmap.ReadingAmbiguous,
		"02020000": rdmap.ReadingAmbiguous, // swapped: 2/0/02; RDMAC Verbs: 0x0202
		"02030000": rdmap.ReadingAmbiguous,

		"00ff0000":          rdmap.ReadingIdentical,
		"11040000":          rdmap.ReadingIdentical,
		"22000000":          rdmap.ReadingIdentical,
		"1100c300" + tagged: rdmap.ReadingIdentical,
	} {
		b := octets(t, wire)
		if got := rdmap.ReadingOf(b, len(b)); got != want {
			t.Errorf("%s: %s, want %s", wire, got, want)
		}
	}
	for reading, want := range map[rdmap.Reading]string{0: "rfc", 1: "swapped", 2: "ambiguous", 3: "identical", 4: "Reading4"} {
		if reading.String() != want {
			t.Errorf("%s, want %s", reading, want)
		}
	}
}

// TestCaptured decodes Terminates that siw (Linux 6.1, x86-64) sent.
func TestCaptured(t *testing.T) {
	const terminate = "4147 00000000 00000002 00000001 00000000 "
	control := func(o rdmap.Opcode) rdmap.Control { return rdmap.Control{RV: 1, Opcode: o} }
	tagged := func(h ddp.Tagged) rdmap.Header {
		h.DV, h.RsvdULP = 1, 0x40
		return rdmap.Header{T: true, Control: control(rdmap.OpWrite), Tagged: h}
	}
	read := func(msn uint32) rdmap.Header {
		return rdmap.Header{Control: control(rdmap.OpReadRequest), Untagged: ddp.Untagged{L: true, DV: 1, RsvdULP: 0x41_00000000, QN: 1, MSN: msn}}
	}
	send := func(l bool, mo uint32) rdmap.Header {
		return rdmap.Header{Control: control(rdmap.OpSend), Untagged: ddp.Untagged{L: l, DV: 1, RsvdULP: 0x43_00000000, MSN: 1, MO: mo}}
	}
	for _, tc := range []struct {
		name, wire string
		rfc        rdmap.Code
		reading    rdmap.Reading
		meant      rdmap.Terminate
	}{
		{"Read Request, bad STag", terminate + "10000700 0000 4141 00000000 00000001 00000040 00000000 4ce9f400 00007fc9221d6000 00000040 24ddb500 00007f3c065fc000",
			rdmap.Code{Layer: 1}, rdmap.ReadingSwapped,
			rdmap.Terminate{Code: rdmap.Code{EType: 1}, M: true, D: true, R: true, HasSegmentLength: true, HasHeader: true, Header: read(64),
				HasReadRequest: true, ReadRequest: rdmap.ReadRequest{SinkSTag: 0x4ce9f400, SinkTO: 0x7fc9221d6000, RDMARDSZ: 64, SrcSTag: 0x24ddb500, SrcTO: 0x7f3c065fc000}}},
		{"Read Request, out of bounds", terminate + "10010700 0000 4141 00000000 00000001 00002000 00000000 42946b00 00007fd3b9ce8000 00002000 3c7a5800 00005629eba26000",
			rdmap.Code{Layer: 1, ErrorCode: 1}, rdmap.ReadingSwapped,
			rdmap.Terminate{Code: rdmap.Code{EType: 1, ErrorCode: 1}, M: true, D: true, R: true, HasSegmentLength: true, HasHeader: true, Header: read(8192),
				HasReadRequest: true, ReadRequest: rdmap.ReadRequest{SinkSTag: 0x42946b00, SinkTO: 0x7fd3b9ce8000, RDMARDSZ: 8192, SrcSTag: 0x3c7a5800, SrcTO: 0x5629eba26000}}},
		{"Send, bad local STag", terminate + "01000300 0040 4143 00000000 00000000 00000001 00000000",
			rdmap.Code{EType: 1}, rdmap.ReadingSwapped,
			rdmap.Terminate{Code: rdmap.Code{Layer: 1}, M: true, D: true, HasSegmentLength: true, SegmentLength: 64, HasHeader: true, Header: send(true, 0)}},
		{"Send, no buffer", terminate + "21020300 0040 4143 00000000 00000000 00000001 00000000",
			rdmap.Code{Layer: 2, EType: 1, ErrorCode: 2}, rdmap.ReadingSwapped,
			rdmap.Terminate{Code: rdmap.Code{Layer: 1, EType: 2, ErrorCode: 2}, M: true, D: true, HasSegmentLength: true, SegmentLength: 64, HasHeader: true, Header: send(true, 0)}},
		{"Send, too long", terminate + "21020300 0590 0143 00000000 00000000 00000001 00000b20",
			rdmap.Code{Layer: 2, EType: 1, ErrorCode: 2}, rdmap.ReadingSwapped,
			rdmap.Terminate{Code: rdmap.Code{Layer: 1, EType: 2, ErrorCode: 2}, M: true, D: true, HasSegmentLength: true, SegmentLength: 1424, HasHeader: true, Header: send(false, 2848)}},
		{"Write, bad STag", terminate + "11000300 0040 c140 28e95400 00007fb5020c1000",
			rdmap.Code{Layer: 1, EType: 1}, rdmap.ReadingSwapped,
			rdmap.Terminate{Code: rdmap.Code{Layer: 1, EType: 1}, M: true, D: true, HasSegmentLength: true, SegmentLength: 64,
				HasHeader: true, Header: tagged(ddp.Tagged{L: true, STag: 0x28e95400, TO: 0x7fb5020c1000})}},
		{"Write, out of bounds", terminate + "11010300 0594 8140 830bb500 000055a57a987b28",
			rdmap.Code{Layer: 1, EType: 1, ErrorCode: 1}, rdmap.ReadingSwapped,
			rdmap.Terminate{Code: rdmap.Code{Layer: 1, EType: 1, ErrorCode: 1}, M: true, D: true, HasSegmentLength: true, SegmentLength: 1428,
				HasHeader: true, Header: tagged(ddp.Tagged{STag: 0x830bb500, TO: 0x55a57a987b28})}},
		{"local error", terminate + "00ff0000", rdmap.Code{ErrorCode: 0xff}, rdmap.ReadingIdentical, rdmap.Terminate{Code: rdmap.Code{ErrorCode: 0xff}}},
	} {
		var s rdmap.Segment
		if _, err := s.Decode(octets(t, tc.wire)); err != nil || s.Check() != nil {
			t.Fatalf("%s: %v, %v", tc.name, err, s.Check())
		}
		var got rdmap.Terminate
		got.Decode(s.Body)
		if got.Code != tc.rfc {
			t.Errorf("%s: the RFC reads %s, want %s", tc.name, got.Code, tc.rfc)
		}
		if got := rdmap.ReadingOf(s.Body, len(s.Body)); got != tc.reading {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.reading)
		}
		if n, err := got.DecodeSwapped(s.Body); n != len(s.Body) || err != nil {
			t.Errorf("%s: n = %d, %v", tc.name, n, err)
		}
		if d := cmp.Diff(tc.meant, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.name, d)
		}
		if err := got.Check(); err != nil {
			t.Errorf("%s: as meant: %v", tc.name, err)
		}
		if b, err := got.AppendSwapped(nil); err != nil || !bytes.Equal(b, s.Body) {
			t.Errorf("%s: AppendSwapped: %v\n got % x\nwant % x", tc.name, err, b, s.Body)
		}
	}
}

// TestSwappedBits checks that the swapped order moves each bit where the comment of the source says.
func TestSwappedBits(t *testing.T) {
	for wire, want := range map[string]rdmap.Terminate{
		"12345600": {Code: rdmap.Code{Layer: 2, EType: 1, ErrorCode: 0x34}, R: true, D: true, Reserved: 0x1200},
		"00000100": {M: true},
		"00000200": {D: true},
		"00000400": {R: true},
		"00000800": {Reserved: 0x0800},
		"00008000": {Reserved: 0x0100},
		"00004000": {Reserved: 0x0200},
		"00002000": {Reserved: 0x0400},
		"000018ff": {Reserved: 0x18ff},
	} {
		var got rdmap.Terminate
		got.DecodeSwapped(octets(t, wire))
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", wire, d)
		}
	}
	var got rdmap.Terminate
	if n, err := got.DecodeSwapped([]byte{0x10, 0}); n != 2 || err == nil {
		t.Errorf("2 octets: n = %d, %v", n, err)
	}
	big := rdmap.Terminate{Reserved: 1 << 13}
	if b, err := big.AppendSwapped([]byte("kept")); err == nil || string(b) != "kept" {
		t.Errorf("AppendSwapped of a value too large: %q, %v", b, err)
	}
}

// TestTransposed writes codes in the swapped order and reads them in that of the RFC.
func TestTransposed(t *testing.T) {
	for _, c := range []rdmap.Code{{rdmap.LayerRDMAP, 1, 0x02}, {rdmap.LayerDDP, 2, 0x05}, {rdmap.LayerLLP, 0, 0x02}, {rdmap.LayerDDP, 1, 0x00}} {
		b, err := (&rdmap.Terminate{Code: c}).AppendSwapped(nil)
		if err != nil {
			t.Fatal(err)
		}
		var read rdmap.Terminate
		if _, err := read.Decode(b); err != nil || read.Code != c.Transposed() {
			t.Errorf("%v is read as %v, %v; want %v", c, read.Code, err, c.Transposed())
		}
	}
}
