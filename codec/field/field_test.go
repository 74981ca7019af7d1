package field_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
)

var table = field.NewTable("sample header", "sample", "nowhere",
	field.Field{Name: "sample.a", Label: "A", Off: 0, Width: 1, Base: field.Flag},
	field.Field{Name: "sample.b", Label: "B", Off: 1, Width: 11, Base: field.Hex},
	field.Field{Name: "sample.c", Label: "C", Off: 12, Width: 4, Base: field.Dec},
	field.Field{Name: "sample.d", Label: "D", Off: 16, Width: 64, Base: field.Hex},
	field.Field{Name: "sample.e", Label: "E", Off: 80, Width: 32, Base: field.Hex},
	field.Field{Name: "sample.little", Label: "Little", Off: 112, Width: 24, Base: field.Hex, LittleEndian: true},
	field.Field{Name: "sample.f", Label: "F", Off: 136, Base: field.Octets},
)

func TestGet(t *testing.T) {
	b := []byte{0x92, 0x35, 1, 2, 3, 4, 5, 6, 7, 8, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0xaa, 0xbb}
	want := map[string]string{
		"sample.a": "1", "sample.b": "0x123", "sample.c": "5", "sample.d": "0x0102030405060708",
		"sample.e": "0x11223344", "sample.little": "0x776655", "sample.f": "aabb",
	}
	for name, text := range want {
		if got := string(table.Lookup(name).AppendValue(nil, b)); got != text {
			t.Errorf("%s = %s, want %s", name, got, text)
		}
	}
	if table.Lookup("sample.g") != nil {
		t.Error("a field that does not exist was found")
	}
	if _, ok := table.Lookup("sample.d").Get(b[:9]); ok {
		t.Error("a field cut in its last octet was read")
	}
	if got := table.Lookup("sample.d").Bytes(b[:4]); len(got) != 2 {
		t.Errorf("octets of a cut field: % x", got)
	}
	if got := table.Lookup("sample.f").Bytes(b[:17]); got != nil {
		t.Errorf("octets of an absent field: % x", got)
	}
}

// TestSet writes every field with every bit pattern of interest, over ones and over zeros, and checks that it is
// read back and that no other bit changed.
func TestSet(t *testing.T) {
	for i := range table.Fields {
		f := &table.Fields[i]
		if f.Base == field.Octets {
			continue
		}
		for _, background := range []byte{0x00, 0xff} {
			for _, v := range []uint64{0, 1, 0x5555555555555555, ^uint64(0)} {
				v >>= uint(64 - f.Width)
				b := make([]byte, 20)
				for i := range b {
					b[i] = background
				}
				if err := f.Set(b, v); err != nil {
					t.Fatalf("%s: %v", f.Name, err)
				}
				if got, _ := f.Get(b); got != v {
					t.Errorf("%s: wrote %#x, read %#x", f.Name, v, got)
				}
				for j := range table.Fields {
					g := &table.Fields[j]
					if j == i || g.Base == field.Octets {
						continue
					}
					want := uint64(0)
					if background == 0xff {
						want = ^uint64(0) >> uint(64-g.Width)
					}
					if got, _ := g.Get(b); got != want {
						t.Errorf("writing %s changed %s to %#x", f.Name, g.Name, got)
					}
				}
			}
		}
	}
	if err := table.Lookup("sample.c").Set(make([]byte, 2), 16); !errors.Is(err, field.ErrRange) {
		t.Errorf("value too large: %v", err)
	}
	if err := table.Lookup("sample.d").Set(make([]byte, 9), 16); !errors.Is(err, field.ErrShort) {
		t.Errorf("header too short: %v", err)
	}
}

func TestShort(t *testing.T) {
	for n, label := range map[int]string{0: "A", 1: "B", 2: "D", 9: "D", 10: "E", 13: "E", 16: "Little"} {
		var e *field.Error
		if err := table.Short(n); !errors.As(err, &e) || e.Field != label {
			t.Errorf("%d octets: %v, want an error about %s", n, err, label)
		}
	}
	if err := table.Short(17); err != nil {
		t.Errorf("whole header: %v", err)
	}
	if table.Len() != 17 {
		t.Errorf("length %d", table.Len())
	}
}

func TestErr(t *testing.T) {
	err := table.Err("sample.c", field.ErrValue, "must be odd (nowhere, section 1)")
	if got := err.Error(); got != "sample header: C: value is not allowed: must be odd (nowhere, section 1)" {
		t.Errorf("%q", got)
	}
	if got := table.Err("sample.b", field.ErrRange, "").Error(); got != "sample header: B: value does not fit the field" {
		t.Errorf("%q", got)
	}
	if !errors.Is(err, field.ErrValue) || errors.Is(err, field.ErrShort) {
		t.Error("the error does not wrap its reason alone")
	}
	defer func() {
		if recover() == nil {
			t.Error("an error about a field that does not exist was made")
		}
	}()
	table.Err("sample.z", field.ErrValue, "")
}

// TestNothingThere looks at fields that a header is too short for, and at ones that are not numbers.
func TestNothingThere(t *testing.T) {
	b := make([]byte, 3)
	if got := table.Lookup("sample.d").AppendValue([]byte("kept"), b); string(got) != "kept" {
		t.Errorf("%q", got)
	}
	octets := table.Lookup("sample.f")
	if _, ok := octets.Get(make([]byte, 20)); ok {
		t.Error("an octet string was read as a number")
	}
	if err := octets.Set(make([]byte, 20), 1); !errors.Is(err, field.ErrRange) {
		t.Errorf("an octet string was set to a number: %v", err)
	}
	if got := string(octets.AppendValue(nil, make([]byte, 17))); got != "" {
		t.Errorf("%q", got)
	}
}

func ExampleTable_Short() {
	header := field.NewTable("sample header", "sample", "nowhere",
		field.Field{Name: "sample.length", Label: "Length", Off: 0, Width: 16, Base: field.Dec},
		field.Field{Name: "sample.tag", Label: "Tag", Off: 16, Width: 32, Base: field.Hex},
	)
	fmt.Println(header.Short(3))
	// Output: sample header: Tag: header ends early
}

func ExampleField_Get() {
	qn := field.Field{Name: "iwarp_ddp.qn", Label: "QN", Off: 48, Width: 32, Base: field.Dec}
	header := []byte{0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0}
	v, ok := qn.Get(header)
	fmt.Println(qn.Label, v, ok)
	// Output: QN 2 true
}
