package fuzz

// DDP segment headers of any octets: package ddp.

import (
	"bytes"
	"errors"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

// FuzzDDP decodes any octets as both DDP headers. The T bit chooses the one that can be decoded; that is encoded to
// the same octets, and a shorter piece gives the error of the field table.
func FuzzDDP(f *testing.F) {
	for _, seed := range []string{
		"",
		"\x41",
		"\xc1\x40\x00\x00\x0a\x2c\x00\x00\x00\x00\x00\x00\x40\x00payload",
		"\x80\x02\x12\x34\x56\x78\xfe\xdc\xba\x98\x76\x54\x32\x10",
		"\x41\x43\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00payload",
		"\x01\x44\x0b\xad\xca\xfe\x00\x00\x00\x00\xff\xff\xff\xff\x00\x00\x05\xca",
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		"\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
	} {
		f.Add([]byte(seed))
	}
	for _, seed := range captured(f).ulpdus {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, segment []byte) {
		var (
			right, wrong codectest.Header = new(ddp.Untagged), new(ddp.Tagged)
			table                         = ddp.UntaggedFields
		)
		if ddp.IsTagged(segment) {
			right, wrong, table = wrong, right, ddp.TaggedFields
		}
		if n := ddp.HeaderLen(segment); n != right.Len() {
			t.Errorf("HeaderLen is %d, want %d", n, right.Len())
		}
		if n, err := wrong.Decode(segment); len(segment) > 0 && (n != 0 || !errors.Is(err, field.ErrValue)) {
			t.Errorf("%T was decoded: %d, %v", wrong, n, err)
		}
		decodesAsTable(t, right, table, segment)
	})
}

// decodesAsTable decodes a header of fixed length and checks that its field table agrees: in where it ends, and in
// every value after it was encoded again.
func decodesAsTable(t *testing.T, h codectest.Header, table *field.Table, b []byte) {
	t.Helper()
	n, err := h.Decode(b)
	if n != min(len(b), table.Len()) || err != table.Short(len(b)) {
		t.Errorf("%T: %d octets of %d, %v; the table says %v", h, n, len(b), err, table.Short(len(b)))
	}
	out, err := h.AppendBinary(nil)
	if err != nil || len(out) != h.Len() {
		t.Fatalf("%T: AppendBinary: %v, %d octets", h, err, len(out))
	}
	if n == h.Len() && !bytes.Equal(out, b[:n]) {
		t.Errorf("%T: decoded % x\nencoded % x", h, b[:n], out)
	}
	for i := range table.Fields {
		f := &table.Fields[i]
		if f.End(len(b)) > len(b) {
			break
		}
		want, _ := f.Get(b)
		if got, _ := f.Get(out); got != want {
			t.Errorf("%T: %s is %#x before a cut at %d, want %#x", h, f.Name, got, len(b), want)
		}
	}
}
