package ddp_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

var octets = codectest.Octets

func TestTagged(t *testing.T) {
	for _, tc := range []struct {
		name, wire string
		want       ddp.Tagged
	}{
		{"RDMA Write, last, version 1", "c1 40 00000a2c 0000000000004000",
			ddp.Tagged{L: true, DV: 1, RsvdULP: 0x40, STag: 0xa2c, TO: 16384}},
		{"RDMA Read Response, middle, version 0", "80 02 12345678 fedcba9876543210",
			ddp.Tagged{RsvdULP: 2, STag: 0x12345678, TO: 0xfedcba9876543210}},
		{"all bits set", "ff ff ffffffff ffffffffffffffff",
			ddp.Tagged{L: true, Rsvd: 15, DV: 3, RsvdULP: 255, STag: 1<<32 - 1, TO: 1<<64 - 1}},
	} {
		b := octets(t, tc.wire)
		var got ddp.Tagged
		if n, err := got.Decode(append(b, 0xaa)); n != ddp.TaggedLen || err != nil {
			t.Errorf("%s: n = %d, %v", tc.name, n, err)
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.name, d)
		}
		codectest.Laws(t, func() codectest.Header { return new(ddp.Tagged) }, ddp.TaggedFields, b)
	}
}

func TestUntagged(t *testing.T) {
	for _, tc := range []struct {
		name, wire string
		want       ddp.Untagged
	}{
		{"Send, last, version 1", "41 43 00000000 00000000 00000001 00000000",
			ddp.Untagged{L: true, DV: 1, RsvdULP: 0x43_0000_0000, MSN: 1}},
		{"Send with Invalidate, middle", "01 44 0badcafe 00000000 ffffffff 000005ca",
			ddp.Untagged{DV: 1, RsvdULP: 0x44_0bad_cafe, MSN: 1<<32 - 1, MO: 1482}},
		{"all bits set but T", "7f ff ffffffff ffffffff ffffffff ffffffff",
			ddp.Untagged{L: true, Rsvd: 15, DV: 3, RsvdULP: 1<<40 - 1, QN: 1<<32 - 1, MSN: 1<<32 - 1, MO: 1<<32 - 1}},
	} {
		b := octets(t, tc.wire)
		var got ddp.Untagged
		if n, err := got.Decode(append(b, 0xaa)); n != ddp.UntaggedLen || err != nil {
			t.Errorf("%s: n = %d, %v", tc.name, n, err)
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.name, d)
		}
		codectest.Laws(t, func() codectest.Header { return new(ddp.Untagged) }, ddp.UntaggedFields, b)
	}
}

// TestCut checks that what lies before the cut is decoded.
func TestCut(t *testing.T) {
	var tagged ddp.Tagged
	n, err := tagged.Decode(octets(t, "c1 40 00000a2c 0000"))
	if n != 8 || !errors.Is(err, field.ErrShort) || err.Error() != "DDP tagged header: TO: header ends early" {
		t.Errorf("n = %d, %v", n, err)
	}
	if tagged.STag != 0xa2c || tagged.RsvdULP != 0x40 || !tagged.L {
		t.Errorf("fields before the cut: %+v", tagged)
	}
	var untagged ddp.Untagged
	if n, err := untagged.Decode(octets(t, "41 43 00000000 00000002 0000")); n != 12 || err.Error() != "DDP untagged header: MSN: header ends early" {
		t.Errorf("n = %d, %v", n, err)
	}
	if untagged.QN != 2 {
		t.Errorf("fields before the cut: %+v", untagged)
	}
}

func TestModel(t *testing.T) {
	tagged, untagged := []byte{0x80}, []byte{0x7f}
	if !ddp.IsTagged(tagged) || ddp.IsTagged(untagged) || ddp.IsTagged(nil) {
		t.Error("IsTagged does not follow the T bit")
	}
	if ddp.HeaderLen(tagged) != 14 || ddp.HeaderLen(untagged) != 18 {
		t.Error("HeaderLen does not follow the T bit")
	}
	if n, err := new(ddp.Tagged).Decode(make([]byte, 18)); n != 0 || !errors.Is(err, field.ErrValue) {
		t.Errorf("an untagged header was read as a tagged one: %d, %v", n, err)
	}
	if n, err := new(ddp.Untagged).Decode(tagged); n != 0 || !errors.Is(err, field.ErrValue) {
		t.Errorf("a tagged header was read as an untagged one: %d, %v", n, err)
	}
}

func TestCheck(t *testing.T) {
	for _, tc := range []struct {
		header interface{ Check() error }
		field  string // the field that is wrong; empty if none is
	}{
		{&ddp.Tagged{DV: 1}, ""},
		{&ddp.Tagged{DV: 0}, ""},
		{&ddp.Tagged{DV: 2}, "DV"},
		{&ddp.Tagged{DV: 1, Rsvd: 8}, "Rsvd"},
		{&ddp.Untagged{DV: 1, QN: 77}, ""},
		{&ddp.Untagged{DV: 3}, "DV"},
		{&ddp.Untagged{Rsvd: 1}, "Rsvd"},
	} {
		codectest.Complains(t, tc.header, tc.field)
	}
}

func TestValueTooLarge(t *testing.T) {
	for name, h := range map[string]codectest.Header{
		"DDP tagged header: Rsvd: value does not fit the field":      &ddp.Tagged{Rsvd: 16},
		"DDP tagged header: DV: value does not fit the field":        &ddp.Tagged{DV: 4},
		"DDP untagged header: Rsvd: value does not fit the field":    &ddp.Untagged{Rsvd: 16},
		"DDP untagged header: DV: value does not fit the field":      &ddp.Untagged{DV: 4},
		"DDP untagged header: RsvdULP: value does not fit the field": &ddp.Untagged{RsvdULP: 1 << 40},
	} {
		if b, err := h.AppendBinary([]byte("kept")); !errors.Is(err, field.ErrRange) || err.Error() != name || string(b) != "kept" {
			t.Errorf("%q, %v, want %s", b, err, name)
		}
	}
}

func ExampleTagged_Decode() {
	segment := []byte("\xc1\x40\x00\x00\x0a\x2c\x00\x00\x00\x00\x00\x00\x40\x00payload")
	var h ddp.Tagged
	n, err := h.Decode(segment)
	fmt.Printf("STag %#x, TO %d, last %v, payload %q, %v\n", h.STag, h.TO, h.L, segment[n:], err)
	// Output: STag 0xa2c, TO 16384, last true, payload "payload", <nil>
}

func ExampleUntagged_AppendBinary() {
	h := ddp.Untagged{L: true, DV: ddp.Version, RsvdULP: 0x43 << 32, QN: 0, MSN: 7}
	b, err := h.AppendBinary(nil)
	fmt.Printf("% x %v\n", b, err)
	// Output: 41 43 00 00 00 00 00 00 00 00 00 00 00 07 00 00 00 00 <nil>
}

func BenchmarkDecode(b *testing.B) {
	tagged := octets(b, "c1 40 00000a2c 0000000000004000")
	untagged := octets(b, "41 43 00000000 00000000 00000001 00000000")
	b.Run("Tagged", func(b *testing.B) {
		var h ddp.Tagged
		for b.Loop() {
			h.Decode(tagged)
		}
	})
	b.Run("Untagged", func(b *testing.B) {
		var h ddp.Untagged
		for b.Loop() {
			h.Decode(untagged)
		}
	})
}

func BenchmarkAppendBinary(b *testing.B) {
	buf := make([]byte, 0, 64)
	b.Run("Tagged", func(b *testing.B) {
		h := ddp.Tagged{L: true, DV: 1, STag: 1, TO: 2}
		for b.Loop() {
			h.AppendBinary(buf)
		}
	})
	b.Run("Untagged", func(b *testing.B) {
		h := ddp.Untagged{L: true, DV: 1, MSN: 1}
		for b.Loop() {
			h.AppendBinary(buf)
		}
	})
}
