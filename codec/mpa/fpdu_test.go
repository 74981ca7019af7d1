package mpa_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
)

// Whole FPDUs: the Ready to Receive indications of RFC 6581 and Terminates, their CRCs computed independently.
var wholeFPDUs = []string{
	"0012 4143 00000000 00000000 00000001 00000000 587be8c4",
	"000e c140 00000000 0000000000000000 a30572ab",
	"002e 4141 00000000 00000001 00000001 00000000 00000000 0000000000000000 00000000 00000000 0000000000000000 f2c6dd3d",
	"000e c142 00000000 0000000000000000 6975d6ca",
	"0016 4147 00000000 00000002 00000001 00000000 20020000 7fe42585",
	"0016 4147 00000000 00000002 00000001 00000000 20070000 1bd2babe",
}

func TestCRC(t *testing.T) {
	ramp := make([]byte, 32)
	for i := range ramp {
		ramp[i] = byte(i)
	}
	for _, tc := range []struct {
		b    []byte
		want uint32
	}{
		{[]byte("123456789"), 0xe3069283},
		{make([]byte, 32), 0x8a9136aa},                    // RFC 3720, appendix B.4
		{ramp, 0x46dd794e},                                // RFC 3720, appendix B.4
		{octets(t, figure5[:len(figure5)-8]), 0x83992352}, // RFC 5044, figure 5
	} {
		if got := mpa.CRC(tc.b); got != tc.want {
			t.Errorf("CRC(% x) = %#x, want %#x", tc.b, got, tc.want)
		}
	}
}

func TestFPDU(t *testing.T) {
	for _, wire := range wholeFPDUs {
		b := octets(t, wire)
		var f mpa.FPDU
		n, err := f.Decode(append(b[:len(b):len(b)], 1, 2, 3))
		if n != len(b) || err != nil || f.Check() != nil {
			t.Errorf("%s: n = %d, %v, %v", wire, n, err, f.Check())
		}
		if got := mpa.CRC(b[:len(b)-4]); got != f.CRC {
			t.Errorf("%s: CRC %#x, want %#x", wire, f.CRC, got)
		}
		if got, err := f.AppendBinary(nil); err != nil || string(got) != string(b) || f.Len() != len(b) {
			t.Errorf("%s: encoded as % x, %v, %d octets", wire, got, err, f.Len())
		}
	}
}

func TestFPDUCut(t *testing.T) {
	b := octets(t, "0003 010203 000000 11223344")
	names := []string{"ULPDU_Length", "ULPDU_Length", "ULPDU", "ULPDU", "ULPDU", "PAD", "PAD", "PAD", "CRC", "CRC", "CRC", "CRC"}
	var f mpa.FPDU
	for cut, name := range names {
		var e *field.Error
		n, err := f.Decode(b[:cut])
		if n != cut || !errors.As(err, &e) || e.Reason != field.ErrShort || e.Field != name {
			t.Errorf("%d octets: n = %d, %v, want an error about %s", cut, n, err, name)
		}
	}
	f.Decode(b[:4])
	if d := cmp.Diff(mpa.FPDU{ULPDULength: 3, ULPDU: []byte{1, 2}}, f); d != "" {
		t.Errorf("what lies before the cut: (-want +got)\n%s", d)
	}
	f.Decode(b)
	if d := cmp.Diff(mpa.FPDU{ULPDULength: 3, ULPDU: []byte{1, 2, 3}, PAD: []byte{0, 0, 0}, CRC: 0x44332211}, f); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if allocs := testing.AllocsPerRun(100, func() { f.Decode(b); f.Decode(b[:4]) }); allocs != 0 {
		t.Errorf("Decode allocates %v times", allocs)
	}
	buf := make([]byte, 0, 64)
	if allocs := testing.AllocsPerRun(100, func() { f.AppendBinary(buf) }); allocs != 0 {
		t.Errorf("AppendBinary allocates %v times", allocs)
	}
}

func TestTrailerFields(t *testing.T) {
	for ulpdu, want := range map[int]string{18: "", 17: "00", 16: "0000", 15: "000000"} {
		var f mpa.Framer
		b, err := f.Append(nil, make([]byte, ulpdu), nil)
		if err != nil {
			t.Fatal(err)
		}
		table := mpa.TrailerFields(ulpdu)
		trailer := b[2+ulpdu:]
		if table.Len() != len(trailer) {
			t.Errorf("ULPDU of %d: the table has %d octets, the FPDU %d", ulpdu, table.Len(), len(trailer))
		}
		pad := table.Lookup("iwarp_mpa.pad")
		if (pad != nil) != (want != "") {
			t.Errorf("ULPDU of %d: PAD %v", ulpdu, pad)
		}
		if pad != nil && string(pad.AppendValue(nil, trailer)) != want {
			t.Errorf("ULPDU of %d: PAD %s, want %s", ulpdu, pad.AppendValue(nil, trailer), want)
		}
	}
	if got := string(mpa.TrailerFields(18).Lookup("iwarp_mpa.crc").AppendValue(nil, []byte{1, 2, 3, 4})); got != "0x01020304" {
		t.Errorf("CRC shown as %s", got)
	}
}

// TestMULPDU compares with RFC 5044, section 4.5, worked out by hand.
func TestMULPDU(t *testing.T) {
	for _, tc := range []struct{ emss, without, with int }{
		{100, 128, 128}, {128, 128, 128}, {140, 134, 130}, {512, 506, 502}, {536, 530, 522}, {1220, 1214, 1202}, {1440, 1434, 1422},
		{1448, 1442, 1430}, {1460, 1454, 1442}, {4352, 4346, 4310}, {8948, 8942, 8870}, {8960, 8954, 8882}, {65495, 64768, 64768},
	} {
		if got := mpa.MULPDU(tc.emss, false); got != tc.without {
			t.Errorf("MULPDU(%d, false) = %d, want %d", tc.emss, got, tc.without)
		}
		if got := mpa.MULPDU(tc.emss, true); got != tc.with {
			t.Errorf("MULPDU(%d, true) = %d, want %d", tc.emss, got, tc.with)
		}
	}
}

// TestMULPDUFits checks that an FPDU of MULPDU octets fits its segment wherever the Markers lie.
func TestMULPDUFits(t *testing.T) {
	step := 13
	if testing.Short() {
		step *= 10
	}
	for emss := 160; emss < 9100; emss += step {
		for start := 0; start < mpa.MarkerSpacing; start += 4 {
			f := mpa.Framer{Options: mpa.Options{Markers: true}}
			if start > 8 {
				if _, err := f.Append(nil, make([]byte, start-4-2-4), nil); err != nil {
					t.Fatal(err)
				}
			}
			b, err := f.Append(nil, make([]byte, mpa.MULPDU(emss, true)), nil)
			if err != nil || len(b) > emss {
				t.Fatalf("EMSS %d, start %d: FPDU of %d octets, %v", emss, start, len(b), err)
			}
		}
	}
}

func ExampleFPDU_Decode() {
	// An RDMA Write without payload, as it opens a peer-to-peer connection.
	b := []byte("\x00\x0e\xc1\x40\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xa3\x05\x72\xab")
	var f mpa.FPDU
	n, err := f.Decode(b)
	fmt.Printf("%d octets, ULPDU of %d, CRC %#x, right: %v, %v\n", n, len(f.ULPDU), f.CRC, mpa.CRC(b[:n-4]) == f.CRC, err)
	// Output: 20 octets, ULPDU of 14, CRC 0xab7205a3, right: true, <nil>
}

func ExampleFrame_Decode() {
	b := []byte("MPA ID Req Frame\x50\x02\x00\x08\x80\x20\xc0\x10ulp!")
	var f mpa.Frame
	if _, err := f.Decode(b); err != nil {
		fmt.Println(err)
		return
	}
	var e mpa.Enhanced
	fmt.Println("revision", f.Rev, "markers", f.M, "CRC", f.C)
	if f.Enhanced(&e) {
		fmt.Println("IRD", e.IRD, "ORD", e.ORD, "peer-to-peer", e.A)
	}
	fmt.Printf("%s\n", f.ULPPrivateData())
	// Output:
	// revision 2 markers false CRC true
	// IRD 32 ORD 16 peer-to-peer true
	// ulp!
}
