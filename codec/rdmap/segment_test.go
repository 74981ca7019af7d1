package rdmap_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

func TestSegment(t *testing.T) {
	control := func(o rdmap.Opcode) rdmap.Control { return rdmap.Control{RV: 1, Opcode: o} }
	for name, want := range map[string]rdmap.Segment{
		"Send": {Header: rdmap.Header{Control: control(rdmap.OpSend),
			Untagged: ddp.Untagged{L: true, DV: 1, RsvdULP: 0x43_00000000, MSN: 1}}, Body: []byte("abcd")},
		"SendInvalidate": {Header: rdmap.Header{Control: control(rdmap.OpSendInvalidate), InvalidateSTag: 0x11223344,
			Untagged: ddp.Untagged{L: true, DV: 1, RsvdULP: 0x44_11223344, MSN: 2}}, Body: []byte("abcd")},
		"Write": {Header: rdmap.Header{T: true, Control: control(rdmap.OpWrite),
			Tagged: ddp.Tagged{L: true, DV: 1, RsvdULP: 0x40, STag: 0xa1b2c301, TO: 0x1000}}, Body: []byte("abcd")},
		"ReadResponse first": {Header: rdmap.Header{T: true, Control: control(rdmap.OpReadResponse),
			Tagged: ddp.Tagged{DV: 1, RsvdULP: 0x42, STag: 0xcafe0001, TO: 0x2000}}, Body: []byte{0}},
		"AtomicResponse": {Header: rdmap.Header{Control: control(rdmap.OpAtomicResponse),
			Untagged: ddp.Untagged{L: true, DV: 1, RsvdULP: 0x4b_00000000, QN: 3, MSN: 1}},
			Body: []byte{0, 0, 0, 7, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef}},
		"Write empty": {Header: rdmap.Header{T: true, Control: control(rdmap.OpWrite),
			Tagged: ddp.Tagged{L: true, DV: 1, RsvdULP: 0x40}}, Body: []byte{}},
	} {
		var got rdmap.Segment
		wire := octets(t, ulpdus[name])
		if n, err := got.Decode(wire); n != len(wire) || err != nil {
			t.Errorf("%s: n = %d, %v", name, n, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", name, d)
		}
	}
}

// TestSegmentReuse decodes every segment into the same struct after every other: nothing may stay behind.
func TestSegmentReuse(t *testing.T) {
	for first, a := range ulpdus {
		for second, b := range ulpdus {
			var fresh, used rdmap.Segment
			fresh.Decode(octets(t, b))
			used.Decode(octets(t, a))
			used.Decode(octets(t, b))
			if d := cmp.Diff(fresh, used); d != "" {
				t.Errorf("%s after %s: (-fresh +used)\n%s", second, first, d)
			}
		}
	}
}

func TestSegmentRoundTrip(t *testing.T) {
	buf := make([]byte, 0, 128)
	for name, s := range ulpdus {
		wire := octets(t, s)
		var seg rdmap.Segment
		seg.Decode(wire)
		if err := seg.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		seg.Tagged.RsvdULP, seg.Untagged.RsvdULP = 0x99, 0x9999999999 // must not matter
		got, err := seg.AppendBinary(buf[:0])
		if !bytes.Equal(got, wire) || err != nil || seg.Len() != len(wire) {
			t.Errorf("%s: % x, %v, Len %d\nwant % x", name, got, err, seg.Len(), wire)
		}
		if allocs := testing.AllocsPerRun(100, func() {
			seg.Decode(wire)
			seg.AppendBinary(buf[:0])
			seg.Check()
			seg.PayloadLen(len(wire))
			seg.Decode(wire[:7])
		}); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
		if name, _, _ := strings.Cut(name, " "); rdmap.Opcode.String(seg.Control.Opcode) != name && !strings.HasPrefix(name, "RTR") && seg.Control.Opcode != rdmap.OpAtomicRequest {
			t.Errorf("%s was decoded as %s", name, seg.Control.Opcode)
		}
	}
}

// TestSegmentCut cuts a tagged and an untagged segment at every octet.
func TestSegmentCut(t *testing.T) {
	for _, tc := range []struct {
		ulpdu  string
		labels string // the first field that is not whole, by the number of octets that are there
	}{
		{"Write", "T RV STag STag STag STag TO TO TO TO TO TO TO TO"},
		{"SendInvalidate", "T RV InvalidateSTag InvalidateSTag InvalidateSTag InvalidateSTag QN QN QN QN MSN MSN MSN MSN MO MO MO MO"},
		{"Send", "T RV Reserved Reserved Reserved Reserved QN QN QN QN MSN MSN MSN MSN MO MO MO MO"},
	} {
		wire := octets(t, ulpdus[tc.ulpdu])
		var whole rdmap.Segment
		whole.Decode(wire)
		for cut, label := range strings.Fields(tc.labels) {
			var s rdmap.Segment
			n, err := s.Decode(wire[:cut:cut])
			var e *field.Error
			if n != cut || !errors.As(err, &e) || e.Reason != field.ErrShort || strings.ReplaceAll(e.Field, " ", "") != label {
				t.Errorf("%s cut at %d: n = %d, %v, want an error about %s", tc.ulpdu, cut, n, err, label)
			}
			if cut >= 2 && s.Control != whole.Control {
				t.Errorf("%s cut at %d: %+v", tc.ulpdu, cut, s.Control)
			}
			if cut >= 6 && (s.InvalidateSTag != whole.InvalidateSTag || s.Tagged.STag != whole.Tagged.STag) {
				t.Errorf("%s cut at %d: %+v", tc.ulpdu, cut, s)
			}
			if len(s.Body) != 0 {
				t.Errorf("%s cut at %d: body % x", tc.ulpdu, cut, s.Body)
			}
		}
	}
}

func TestSegmentCheck(t *testing.T) {
	untagged := func(o rdmap.Opcode, qn uint32, stag uint32, body int) rdmap.Segment {
		return rdmap.Segment{Header: rdmap.Header{Untagged: ddp.Untagged{DV: 1, QN: qn}, Control: rdmap.Control{RV: 1, Opcode: o}, InvalidateSTag: stag},
			Body: make([]byte, body)}
	}
	tagged := func(o rdmap.Opcode) rdmap.Segment {
		return rdmap.Segment{Header: rdmap.Header{T: true, Tagged: ddp.Tagged{DV: 1}, Control: rdmap.Control{RV: 1, Opcode: o}}}
	}
	badDV, badRV := tagged(0), tagged(0)
	badDV.Tagged.DV, badRV.Control.RV = 2, 2
	for _, tc := range []struct {
		segment rdmap.Segment
		field   string
		reason  error
	}{
		{tagged(0), "", nil},
		{tagged(3), "Opcode", field.ErrValue},
		{badDV, "DV", field.ErrValue},
		{badRV, "RV", field.ErrValue},
		{untagged(0, 0, 0, 0), "Opcode", field.ErrValue},
		{untagged(3, 0, 0, 0), "", nil},
		{untagged(3, 1, 0, 0), "QN", field.ErrValue},
		{untagged(3, 0, 1, 0), "Reserved", field.ErrValue},
		{untagged(4, 0, 1, 0), "", nil},
		{untagged(1, 1, 0, 28), "", nil},
		{untagged(1, 1, 0, 27), "SrcTO", field.ErrShort},
		{untagged(1, 1, 0, 29), "Trailing octets", field.ErrValue},
		{untagged(7, 2, 0, 4), "", nil},
		{untagged(7, 2, 0, 3), "Reserved", field.ErrShort},
		{untagged(8, 0, 0, 8), "", nil},
		{untagged(9, 0, 0, 9), "Trailing octets", field.ErrValue},
		{untagged(10, 1, 0, 52), "", nil},
		{untagged(10, 1, 0, 51), "Compare Mask", field.ErrShort},
		{untagged(11, 3, 0, 12), "", nil},
		{untagged(11, 0, 0, 12), "QN", field.ErrValue},
	} {
		var e *field.Error
		err := tc.segment.Check()
		if tc.field == "" && err != nil || tc.field != "" && (!errors.As(err, &e) || e.Field != tc.field || e.Reason != tc.reason) {
			t.Errorf("%+v: %v, want a complaint about %q", tc.segment, err, tc.field)
		}
	}
}

func TestHeaderBits(t *testing.T) {
	for _, h := range []rdmap.Header{
		{T: true, Tagged: ddp.Tagged{L: true, DV: 3}},
		{Untagged: ddp.Untagged{L: true, DV: 3}},
	} {
		if !h.L() || h.DV() != 3 {
			t.Errorf("%+v: L %v, DV %d", h, h.L(), h.DV())
		}
	}
}

func TestPayloadLen(t *testing.T) {
	for name, want := range map[string]int{
		"Send": 4, "SendSE empty": 0, "Write": 4, "ReadResponse last": 1, "ReadRequest": 0, "Immediate": 8, "ImmediateSE": 8,
		"CmpSwap": 0, "AtomicResponse": 0, "Terminate 111": 0,
	} {
		var s rdmap.Segment
		wire := octets(t, ulpdus[name])
		s.Decode(wire)
		if got := s.PayloadLen(len(wire)); got != want {
			t.Errorf("%s: %d octets of payload, want %d", name, got, want)
		}
	}
	var s rdmap.Segment
	s.Decode(octets(t, ulpdus["Send"])[:10])
	if got := s.PayloadLen(1442); got != 1424 {
		t.Errorf("a Send that was cut has %d octets of payload, want 1424", got)
	}
	if got := s.PayloadLen(3); got != 0 {
		t.Errorf("a ULPDU of 3 octets has %d octets of payload", got)
	}
}
