package mpa_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

var octets = codectest.Octets

const (
	requestKey = "4D504120494420526571204672616D65"
	replyKey   = "4D504120494420526570204672616D65"
)

func TestFrame(t *testing.T) {
	for _, tc := range []struct {
		name, wire string
		want       mpa.Frame
		enhanced   *mpa.Enhanced
		ulp        string
	}{
		{
			name: "Request, revision 1, no Private Data", wire: requestKey + "00 01 0000",
			want: mpa.Frame{Rev: 1, PrivateData: []byte{}},
		}, {
			name: "Reply, revision 0, all of M, C and R", wire: replyKey + "e0 00 0003 616263",
			want: mpa.Frame{Reply: true, M: true, C: true, R: true, PDLength: 3, PrivateData: []byte("abc")},
			ulp:  "abc",
		}, {
			name: "enhanced Request: peer-to-peer, RTR by Write or Read, IRD 32, ORD 16", wire: requestKey + "50 02 0004 8020 c010",
			want:     mpa.Frame{C: true, S: true, Rev: 2, PDLength: 4, PrivateData: []byte{0x80, 0x20, 0xc0, 0x10}},
			enhanced: &mpa.Enhanced{A: true, C: true, D: true, IRD: 32, ORD: 16},
		}, {
			name: "enhanced Reply with ULP data, reserved bits set", wire: replyKey + "1f 02 0006 7fff 3fff 7879",
			want:     mpa.Frame{Reply: true, S: true, Res: 15, Rev: 2, PDLength: 6, PrivateData: []byte{0x7f, 0xff, 0x3f, 0xff, 'x', 'y'}},
			enhanced: &mpa.Enhanced{B: true, IRD: mpa.NotNegotiated, ORD: mpa.NotNegotiated},
			ulp:      "xy",
		}, {
			name: "S is a reserved bit in revision 1", wire: requestKey + "10 01 0004 01020304",
			want: mpa.Frame{S: true, Rev: 1, PDLength: 4, PrivateData: []byte{1, 2, 3, 4}},
			ulp:  "\x01\x02\x03\x04",
		}, {
			name: "enhanced, but no room for the word", wire: requestKey + "10 02 0003 010203",
			want: mpa.Frame{S: true, Rev: 2, PDLength: 3, PrivateData: []byte{1, 2, 3}},
			ulp:  "\x01\x02\x03",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := octets(t, tc.wire)
			var f mpa.Frame
			if n, err := f.Decode(append(b[:len(b):len(b)], "more"...)); n != len(b) || err != nil {
				t.Fatalf("n = %d, %v", n, err)
			}
			if d := cmp.Diff(tc.want, f); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			var e mpa.Enhanced
			if ok := f.Enhanced(&e); ok != (tc.enhanced != nil) {
				t.Errorf("Enhanced = %v", ok)
			} else if ok && e != *tc.enhanced {
				t.Errorf("Enhanced word %+v, want %+v", e, *tc.enhanced)
			}
			if got := f.ULPPrivateDataLen(); got != len(tc.ulp) {
				t.Errorf("ULP Private Data of %d octets, want %d", got, len(tc.ulp))
			}
			if got := string(f.ULPPrivateData()); got != tc.ulp {
				t.Errorf("ULP Private Data %q, want %q", got, tc.ulp)
			}
		})
	}
}

func TestFrameLaws(t *testing.T) {
	fresh := func() codectest.Header { return new(mpa.Frame) }
	codectest.Laws(t, fresh, mpa.RequestFields, octets(t, requestKey+"50 02 0000"))
	codectest.Laws(t, fresh, mpa.RequestFields, octets(t, requestKey+"af 01 0000"))
	// Up to the octet in which the Keys differ, a cut Reply looks like a Request.
	b := octets(t, replyKey+"40 01 0002 0102")
	for cut := range b {
		var f mpa.Frame
		n, err := f.Decode(b[:cut:cut])
		if n != cut || !errors.Is(err, field.ErrShort) {
			t.Errorf("%d octets: n = %d, %v", cut, n, err)
		}
		if cut > 9 && !f.Reply {
			t.Errorf("%d octets are not recognised as those of a Reply", cut)
		}
	}
	var f mpa.Frame
	if _, err := f.Decode(b[:21]); err.Error() != "MPA Reply: Private Data: header ends early" || len(f.PrivateData) != 1 || f.PDLength != 2 {
		t.Errorf("Private Data cut: %v, %+v", err, f)
	}
	codectest.Laws(t, func() codectest.Header { return new(mpa.Enhanced) }, mpa.EnhancedFields, octets(t, "00000000"))
	codectest.Laws(t, func() codectest.Header { return new(mpa.Enhanced) }, mpa.EnhancedFields, octets(t, "ffffffff"))
}

func TestFrameKey(t *testing.T) {
	for at, wire := range map[int]string{
		0:  "47455420",                         // "GET "
		3:  "4D5041 00",                        //
		9:  "4D504120494420526572",             // "MPA ID Rer"
		15: "4D504120494420526571204672616D66", // "MPA ID Req Framf"
	} {
		var f mpa.Frame
		if n, err := f.Decode(octets(t, wire)); n != at || !errors.Is(err, field.ErrValue) {
			t.Errorf("%s: n = %d, %v, want a wrong Key at %d", wire, n, err, at)
		}
	}
}

func TestCheck(t *testing.T) {
	word := []byte{0, 1, 0, 1}
	for _, tc := range []struct {
		header interface{ Check() error }
		field  string // the field that is wrong; empty if none is
	}{
		{&mpa.Frame{Rev: 1}, ""},
		{&mpa.Frame{Rev: 1, Reply: true, R: true}, ""},
		{&mpa.Frame{Rev: 1, R: true}, "R"},
		{&mpa.Frame{Rev: 1, Res: 1}, "Res"},
		{&mpa.Frame{Rev: 1, S: true, PDLength: 4, PrivateData: word}, "S"},
		{&mpa.Frame{Rev: 2, S: true, PDLength: 4, PrivateData: word}, ""},
		{&mpa.Frame{Rev: 2, S: true, PDLength: 3, PrivateData: word[:3]}, "PD_Length"},
		{&mpa.Frame{Rev: 1, PDLength: 512, PrivateData: make([]byte, 512)}, ""},
		{&mpa.Frame{Rev: 1, PDLength: 513, PrivateData: make([]byte, 513)}, "PD_Length"},
		{&mpa.Frame{Rev: 1, PDLength: 5, PrivateData: word}, "PD_Length"},
		{&mpa.Enhanced{}, ""},
		{&mpa.Enhanced{A: true}, "A"},
		{&mpa.Enhanced{A: true, D: true}, ""},
		{&mpa.FPDU{ULPDULength: 2, ULPDU: []byte{1, 2}}, ""},
		{&mpa.FPDU{ULPDULength: 3, ULPDU: []byte{1, 2, 3}, PAD: []byte{0, 0, 0}}, ""},
		{&mpa.FPDU{ULPDULength: 3, ULPDU: []byte{1, 2, 3}, PAD: []byte{0, 0, 1}}, "PAD"},
		{&mpa.FPDU{ULPDULength: 3, ULPDU: []byte{1, 2, 3}}, "PAD"},
		{&mpa.FPDU{ULPDULength: 3, ULPDU: []byte{1, 2}}, "ULPDU_Length"},
		{&mpa.FPDU{}, "ULPDU_Length"},
		{&mpa.FPDU{ULPDULength: 64769}, "ULPDU_Length"},
	} {
		codectest.Complains(t, tc.header, tc.field)
	}
}

func TestValueTooLarge(t *testing.T) {
	for name, h := range map[string]codectest.Header{
		"Res": &mpa.Frame{Res: 16},
		"IRD": &mpa.Enhanced{IRD: 1 << 14},
		"ORD": &mpa.Enhanced{ORD: 1 << 14},
	} {
		var e *field.Error
		if b, err := h.AppendBinary([]byte("kept")); !errors.As(err, &e) || e.Field != name || e.Reason != field.ErrRange || string(b) != "kept" {
			t.Errorf("%q, %v, want a complaint about %s", b, err, name)
		}
	}
}

// TestLegacy reads the Private Data of the SMB Direct client and server of a Linux kernel, and of others that send as
// many octets.
func TestLegacy(t *testing.T) {
	for _, tc := range []struct {
		name, privateData string
		littleEndian      bool
		want              *mpa.Legacy
	}{
		{"Linux client", "00200000 20000000 01000000", true, &mpa.Legacy{IRD: 32, ORD: 1}},
		{"Linux server", "00010008 00000001 00000008", false, &mpa.Legacy{IRD: 1, ORD: 8}},
		{"a depth of zero", "00010008 00000000 00000008", false, nil},
		{"RFC 8797", "00010008 f6ab0e18 01000303", false, nil},
		{"8 octets of text", "00010008 6c6f7564 6c6f7564", false, nil},
		{"too short", "00010008 00000001 000000", false, nil},
		{"too long", "00010008 00000001 00000008 00", false, nil},
	} {
		b := octets(t, tc.privateData)
		f := mpa.Frame{Rev: 2, S: true, PDLength: uint16(len(b)), PrivateData: b}
		var l mpa.Legacy
		littleEndian, ok := f.Legacy(&l)
		if ok != (tc.want != nil) || ok && (l != *tc.want || littleEndian != tc.littleEndian) {
			t.Errorf("%s: %v, %v, %+v", tc.name, ok, littleEndian, l)
		}
		if !ok {
			continue
		}
		codectest.Laws(t, func() codectest.Header { return new(mpa.Legacy) }, mpa.LegacyFields, b[4:])
	}
}

// TestFrameAsItStands checks that a length that lies is written as the struct says.
func TestFrameAsItStands(t *testing.T) {
	f := mpa.Frame{Rev: 7, PDLength: 9, PrivateData: []byte{1}}
	got, err := f.AppendBinary(nil)
	if want := octets(t, requestKey+"00 07 0009 01"); err != nil || string(got) != string(want) {
		t.Errorf("% x, %v", got, err)
	}
}
