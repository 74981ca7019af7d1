package rdmap_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

var (
	writeHeader = rdmap.Header{T: true, Control: rdmap.Control{RV: 1, Opcode: rdmap.OpWrite},
		Tagged: ddp.Tagged{L: true, DV: 1, RsvdULP: 0x40, STag: 0xa1b2c301, TO: 0x1000}}
	sendHeader = rdmap.Header{Control: rdmap.Control{RV: 1, Opcode: rdmap.OpSend},
		Untagged: ddp.Untagged{L: true, DV: 1, RsvdULP: 0x43_00000000, MSN: 9}}
	readHeader = rdmap.Header{Control: rdmap.Control{RV: 1, Opcode: rdmap.OpReadRequest},
		Untagged: ddp.Untagged{L: true, DV: 1, RsvdULP: 0x41_00000000, QN: 1, MSN: 1}}
	readRequest = rdmap.ReadRequest{SinkSTag: 0xcafe0001, SinkTO: 0x2000, RDMARDSZ: 0x1800, SrcSTag: 0xbeef0002, SrcTO: 0x7f0000004000}
)

func TestTerminate(t *testing.T) {
	for name, want := range map[string]rdmap.Terminate{
		"Terminate 000": {},
		"Terminate 100": {Code: rdmap.Code{Layer: 1}, M: true, HasSegmentLength: true, SegmentLength: 9},
		"Terminate 110 T": {Code: rdmap.Code{Layer: 1, EType: 1}, M: true, D: true, HasSegmentLength: true, SegmentLength: 18,
			HasHeader: true, Header: writeHeader},
		"Terminate 110 U": {Code: rdmap.Code{Layer: 1, EType: 2, ErrorCode: 3}, M: true, D: true, HasSegmentLength: true, SegmentLength: 22,
			HasHeader: true, Header: sendHeader},
		"Terminate 111": {Code: rdmap.Code{EType: 1, ErrorCode: 1}, M: true, D: true, R: true, HasSegmentLength: true, SegmentLength: 46,
			HasHeader: true, Header: readHeader, HasReadRequest: true, ReadRequest: readRequest},
		"Terminate 111 adv": {Code: rdmap.Code{EType: 1, ErrorCode: 1}, M: true, D: true, R: true, HasSegmentLength: true, SegmentLength: 46,
			HasHeader: true, Header: readHeader, HasReadRequest: true, ReadRequest: readRequest.Advanced(2048)},
		"Terminate 2/0/07": {Code: rdmap.Code{Layer: 2, ErrorCode: 7}},
	} {
		b := body(t, name)
		var got rdmap.Terminate
		if n, err := got.Decode(b); n != len(b) || err != nil {
			t.Errorf("%s: n = %d, %v", name, n, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", name, d)
		}
		if err := got.Check(); err != nil || got.Form() != rdmap.WellFormed {
			t.Errorf("%s: %v, %s", name, err, got.Form())
		}
		terminateLaws(t, b)
	}
}

// terminateLaws checks what holds for every Terminate: it is encoded as it was decoded, every bit of its first 4 octets
// is in one field, and nothing allocates.
func terminateLaws(t *testing.T, b []byte) {
	t.Helper()
	var whole, h rdmap.Terminate
	whole.Decode(b)
	buf := make([]byte, 0, 128)
	if got, err := whole.AppendBinary(buf); err != nil || !bytes.Equal(got, b) || whole.Len() != len(b) {
		t.Errorf("AppendBinary: %v, Len %d\n got % x\nwant % x", err, whole.Len(), got, b)
	}
	if got, err := whole.AppendSwapped(buf); err != nil || len(got) != len(b) {
		t.Errorf("AppendSwapped: %v, % x", err, got)
	} else if h.DecodeSwapped(got); !cmp.Equal(whole, h) {
		t.Errorf("DecodeSwapped: (-want +got)\n%s", cmp.Diff(whole, h))
	}
	for i := range rdmap.TerminateFields.Fields {
		f := &rdmap.TerminateFields.Fields[i]
		for bit := range f.Width {
			flipped := bytes.Clone(b)
			v, _ := f.Get(flipped)
			if err := f.Set(flipped, v^1<<uint(bit)); err != nil {
				t.Fatal(err)
			}
			h.Decode(flipped)
			if got, err := h.AppendBinary(buf); err != nil || !bytes.Equal(got, flipped) {
				t.Errorf("bit %d of %s: %v\n got % x\nwant % x", bit, f.Name, err, got, flipped)
			}
			x := [7]any{whole.Code.Layer, whole.Code.EType, whole.Code.ErrorCode, whole.M, whole.D, whole.R, whole.Reserved}
			y := [7]any{h.Code.Layer, h.Code.EType, h.Code.ErrorCode, h.M, h.D, h.R, h.Reserved}
			for j := range x {
				if (x[j] != y[j]) != (j == i) {
					t.Errorf("bit %d of %s: %v became %v", bit, f.Name, x, y)
				}
			}
		}
	}
	if allocs := testing.AllocsPerRun(100, func() {
		h.Decode(b)
		h.AppendBinary(buf)
		h.Form()
		h.Check()
		rdmap.ReadingOf(b, len(b))
		h.DecodeSwapped(b)
		h.AppendSwapped(buf)
		h.Decode(b[:3])
		h.Code.Registered()
		h.Code.Name()
		h.Code.ETypeName()
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func TestTerminateShort(t *testing.T) {
	for n, label := range []string{"Layer", "Error Code", "M", "Reserved"} {
		var h rdmap.Terminate
		got, err := h.Decode([]byte{0x12, 0x03, 0xc0}[:n])
		var e *field.Error
		if got != n || !errors.As(err, &e) || e.Reason != field.ErrShort || e.Field != label {
			t.Errorf("%d octets: n = %d, %v, want an error about %s", n, got, err, label)
		}
		if want := (rdmap.Code{Layer: 1, EType: 2, ErrorCode: 3}); n >= 2 && h.Code != want {
			t.Errorf("%d octets: %s", n, h.Code)
		}
	}
}

// TestTerminateForms takes every combination of M, D and R, with every culprit, in every length.
func TestTerminateForms(t *testing.T) {
	const (
		tagged   = "c140 a1b2c301 00000000 00001000"
		untagged = "4143 00000000 00000000 00000009 00000000"
		read     = "4141 00000000 00000001 00000001 00000000"
		request  = "cafe0001 00000000 00002000 00001800 beef0002 00007f00 00004000"
	)
	// What a Terminate of so many octets holds, whose HdrCt announces a DDP header of h octets if D is set: the parts
	// that are there and the form. Written from the table of combinations, not from the decoder.
	type expected struct {
		length, header, request bool
		form                    rdmap.Form
	}
	well := func(n, end int) rdmap.Form {
		switch {
		case n == end:
			return rdmap.WellFormed
		case n > end:
			return rdmap.TrailingOctets
		}
		return rdmap.HeaderCut
	}
	expect := func(mdr, n, h int) expected {
		switch mdr {
		case 0b000:
			return expected{form: well(n, 4)}
		case 0b100:
			return expected{length: n >= 6, form: well(n, 6)}
		case 0b110, 0b010:
			return expected{length: n >= 6, header: n >= 6+h, form: well(n, 6+h)}
		case 0b111, 0b011:
			e := expected{length: n >= 6, header: n >= 6+h, request: n >= 6+h+28, form: well(n, 6+h+28)}
			if n == 6+h {
				e.form = rdmap.NoReadRequest
			}
			return e
		case 0b101:
			switch n {
			case 6:
				return expected{length: true, form: rdmap.NoReadRequest}
			case 32:
				return expected{request: true, form: rdmap.WellFormed}
			}
			return expected{length: n >= 6, request: n >= 34, form: well(n, 34)}
		default: // 001
			switch n {
			case 4:
				return expected{form: rdmap.NoReadRequest}
			case 34:
				return expected{length: true, request: true, form: rdmap.WellFormed}
			}
			return expected{request: n >= 32, form: well(n, 32)}
		}
	}
	for mdr := range 8 {
		for culprit, wire := range map[string]string{"tagged": tagged, "untagged": untagged, "Read Request": read} {
			h := len(octets(t, wire))
			whole := append([]byte{0x11, 0x00, byte(mdr << 5), 0x00}, 0x2e, 0x2f)
			if mdr&0b010 != 0 {
				whole = append(whole, octets(t, wire)...)
			}
			whole = append(whole, octets(t, request)...)
			whole = append(whole, 0xaa, 0xbb)
			for n := 4; n <= len(whole); n++ {
				what := fmt.Sprintf("%03b, %s, %d octets", mdr, culprit, n)
				var got rdmap.Terminate
				if m, err := got.Decode(whole[:n:n]); m != n || err != nil {
					t.Errorf("%s: n = %d, %v", what, m, err)
				}
				if got.Code != (rdmap.Code{Layer: 1, EType: 1}) {
					t.Errorf("%s: code %s", what, got.Code)
				}
				is := expected{got.HasSegmentLength, got.HasHeader, got.HasReadRequest, got.Form()}
				if want := expect(mdr, n, h); is != want {
					t.Errorf("%s: %+v, want %+v", what, is, want)
				}
				if is.length && got.SegmentLength != 0x2e2f || is.header && got.Header.T != (culprit == "tagged") {
					t.Errorf("%s: %+v", what, got)
				}
				if want := octets(t, request); is.request && mdr&0b010 != 0 {
					if b, _ := got.ReadRequest.AppendBinary(nil); !bytes.Equal(b, want) {
						t.Errorf("%s: Read Request % x", what, b)
					}
				}
				if b, err := got.AppendBinary(nil); err != nil || !bytes.Equal(b, whole[:n]) {
					t.Errorf("%s: AppendBinary: %v\n got % x\nwant % x", what, err, b, whole[:n])
				}
				wantGood := is.form == rdmap.WellFormed && (mdr&0b001 == 0 || mdr&0b010 != 0 && culprit == "Read Request")
				if err := got.Check(); (err == nil) != wantGood {
					t.Errorf("%s: Check: %v", what, err)
				}
			}
		}
	}
}

// TestPackedReadRequest looks where a Read Request without a DDP header is found.
func TestPackedReadRequest(t *testing.T) {
	const request = "cafe0001 00000000 00002000 00001800 beef0002 00007f00 00004000"
	for _, wire := range []string{"01012000" + request, "01012000 0000" + request, "0101a000 002e" + request, "0101a000" + request} {
		var got rdmap.Terminate
		got.Decode(octets(t, wire))
		if !got.HasReadRequest || got.ReadRequest != readRequest {
			t.Errorf("%s: %+v", wire, got)
		}
	}
}

func TestTerminateCheck(t *testing.T) {
	for _, tc := range []struct {
		name, wire string
		form       rdmap.Form
		field      string
	}{
		{"reserved bit in octet 2", "20020100", rdmap.WellFormed, "Reserved"},
		{"reserved bit in octet 3", "20020001", rdmap.WellFormed, "Reserved"},
		{"unregistered", "02020000", rdmap.WellFormed, "Error Code"},
		{"0/0 with any code", "00ff0000", rdmap.WellFormed, ""},
		{"0/0 with a header", "0000c000 0012 c140 a1b2c301 00000000 00001000", rdmap.WellFormed, "D"},
		{"1/0 with a header", "1000c000 0012 c140 a1b2c301 00000000 00001000", rdmap.WellFormed, ""},
		{"absent fields as zero", "00000000 0000 00000000 00000000 00000000 0000", rdmap.ZeroFilled, "HdrCt"},
		{"trailing octets", "00000000 0001", rdmap.TrailingOctets, "HdrCt"},
		{"header cut", "1100c000 0012 c140", rdmap.HeaderCut, "HdrCt"},
		{"R without its header", "0109e000 0000 4144 11223344 00000000 00000001 00000000", rdmap.NoReadRequest, "R"},
		{"R for a tagged culprit", "0101e000 0012 c140 a1b2c301 00000000 00001000 cafe0001 00000000 00002000 00001800 beef0002 00007f00 00004000", rdmap.WellFormed, "R"},
		{"R without D", "01012000 cafe0001 00000000 00002000 00001800 beef0002 00007f00 00004000", rdmap.WellFormed, "R"},
	} {
		var got rdmap.Terminate
		got.Decode(octets(t, tc.wire))
		if got.Form() != tc.form {
			t.Errorf("%s: %s, want %s", tc.name, got.Form(), tc.form)
		}
		var e *field.Error
		err := got.Check()
		if tc.field == "" && err != nil || tc.field != "" && (!errors.As(err, &e) || e.Field != tc.field || e.Reason != field.ErrValue) {
			t.Errorf("%s: %v, want a complaint about %q", tc.name, err, tc.field)
		}
		terminateLaws(t, octets(t, tc.wire))
	}
}

func TestFormNames(t *testing.T) {
	for form, want := range map[rdmap.Form]string{0: "well-formed", 3: "trailing octets", 4: "header cut", 5: "Form5"} {
		if form.String() != want {
			t.Errorf("%s, want %s", form, want)
		}
	}
}

func TestEnclose(t *testing.T) {
	for _, tc := range []struct {
		culprit  string // of ulpdus
		cut      int    // octets of it; 0 for all
		withRead bool
		code     rdmap.Code
		want     string // the Terminate
	}{
		{"Write", 0, true, rdmap.Code{Layer: 1, EType: 1}, "1100c000 0012 c140 a1b2c301 00000000 00001000"},
		{"Send", 0, false, rdmap.Code{Layer: 1, EType: 2, ErrorCode: 3}, "1203c000 0016 4143 00000000 00000000 00000001 00000000"},
		{"ReadRequest", 0, true, rdmap.Code{EType: 1, ErrorCode: 1}, "0101e000 002e 4141 00000000 00000001 00000001 00000000 cafe0001 00000000 00002000 00001800 beef0002 00007f00 00004000"},
		{"ReadRequest", 0, false, rdmap.Code{EType: 2, ErrorCode: 5}, "0205c000 002e 4141 00000000 00000001 00000001 00000000"},
		{"ReadRequest", 45, true, rdmap.Code{EType: 2, ErrorCode: 0xff}, "02ffc000 002d 4141 00000000 00000001 00000001 00000000"},
		{"Send", 9, false, rdmap.Code{Layer: 1}, "10008000 0009"},
	} {
		culprit := octets(t, ulpdus[tc.culprit])
		if tc.cut != 0 {
			culprit = culprit[:tc.cut]
		}
		got := rdmap.Terminate{Code: tc.code, Rest: []byte("old")}
		got.Enclose(culprit, tc.withRead)
		if b, err := got.AppendBinary(nil); err != nil || !bytes.Equal(b, octets(t, tc.want)) {
			t.Errorf("%s: %v, % x, want %s", tc.culprit, err, b, tc.want)
		}
	}
}
