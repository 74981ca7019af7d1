// Package codectest checks the laws that hold for every header of every codec package. It also has what the
// tests of codecs share: octets written in hex, and benchmarks.
package codectest

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
)

// A Header has the methods of every header.
type Header interface {
	Decode(b []byte) (n int, err error)
	AppendBinary(b []byte) ([]byte, error)
	Len() int
}

// Laws checks a header type against its field table, starting from octets that decode without an error:
//
//   - what is decoded is encoded to the same octets, and Len says how many;
//   - every bit of the table is in exactly one field of the struct, and comes back when encoded;
//   - every cut is reported by Decode with its place and the table's error;
//   - neither decoding, nor encoding, nor failing allocates.
//
// fresh makes an empty header.
func Laws(t *testing.T, fresh func() Header, table *field.Table, octets []byte) {
	t.Helper()
	h := fresh()
	n, err := h.Decode(octets)
	if err != nil {
		t.Fatalf("%s: Decode: %v at %d", table.Name, err, n)
	}
	if n != h.Len() {
		t.Errorf("%s: Decode took %d octets, Len says %d", table.Name, n, h.Len())
	}
	if got, err := h.AppendBinary([]byte("before")); err != nil || !bytes.Equal(got, append([]byte("before"), octets[:n]...)) {
		t.Errorf("%s: AppendBinary: %v\n got % x\nwant % x", table.Name, err, got[6:], octets[:n])
	}
	everyBit(t, fresh, table, octets[:n])
	everyCut(t, fresh, table, octets[:n])
	noAllocation(t, fresh, octets[:n])
}

// Complains checks that the Check of a header reports the field with the given label as wrong, or nothing if label is empty.
func Complains(t testing.TB, h interface{ Check() error }, label string) {
	t.Helper()
	var e *field.Error
	switch err := h.Check(); {
	case label == "" && err != nil:
		t.Errorf("%+v: %v", h, err)
	case label != "" && (!errors.As(err, &e) || e.Field != label || e.Reason != field.ErrValue || e.Rule == ""):
		t.Errorf("%+v: %v, want a complaint about %s", h, err, label)
	}
}

// everyBit flips each bit that the table covers.
func everyBit(t *testing.T, fresh func() Header, table *field.Table, octets []byte) {
	t.Helper()
	whole := fresh()
	whole.Decode(octets)
	for i := range table.Fields {
		f := &table.Fields[i]
		if f.Base == field.Octets {
			continue
		}
		for bit := range f.Width {
			b := bytes.Clone(octets)
			v, ok := f.Get(b)
			if !ok {
				continue // a field that this header does not have
			}
			if err := f.Set(b, v^1<<uint(bit)); err != nil {
				t.Fatalf("%s: %s: %v", table.Name, f.Name, err)
			}
			h := fresh()
			if n, err := h.Decode(b); err != nil {
				if !errors.Is(err, field.ErrValue) && !errors.Is(err, field.ErrShort) {
					t.Errorf("%s: bit %d of %s: %v at %d", table.Name, bit, f.Name, err, n)
				}
				continue
			}
			if changed := difference(whole, h); len(changed) != 1 {
				t.Errorf("%s: bit %d of %s changes fields %v of the struct", table.Name, bit, f.Name, changed)
			}
			if got, err := h.AppendBinary(nil); err != nil || !bytes.Equal(got, b[:len(got)]) {
				t.Errorf("%s: bit %d of %s: AppendBinary: %v\n got % x\nwant % x", table.Name, bit, f.Name, err, got, b)
			}
		}
	}
}

// difference names the struct fields in which a and b differ.
func difference(a, b Header) (names []string) {
	x, y := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	for i := range x.NumField() {
		if f := x.Type().Field(i); f.IsExported() && !reflect.DeepEqual(x.Field(i).Interface(), y.Field(i).Interface()) {
			names = append(names, f.Name)
		}
	}
	return names
}

// everyCut decodes every beginning of the header.
func everyCut(t *testing.T, fresh func() Header, table *field.Table, octets []byte) {
	t.Helper()
	for cut := range min(table.Len(), len(octets)) {
		n, err := fresh().Decode(octets[:cut:cut])
		if n != cut || !errors.Is(err, field.ErrShort) {
			t.Errorf("%s: %d octets of %d: n = %d, %v", table.Name, cut, len(octets), n, err)
		}
		if err != table.Short(cut) {
			t.Errorf("%s: %d octets of %d: %v, the table says %v", table.Name, cut, len(octets), err, table.Short(cut))
		}
	}
}

func noAllocation(t *testing.T, fresh func() Header, octets []byte) {
	t.Helper()
	h, buf := fresh(), make([]byte, 0, len(octets)+16)
	for what, f := range map[string]func(){
		"Decode":            func() { h.Decode(octets) },
		"AppendBinary":      func() { h.AppendBinary(buf) },
		"Decode that fails": func() { h.Decode(octets[:len(octets)-1]) },
	} {
		h.Decode(octets)
		if allocs := testing.AllocsPerRun(100, f); allocs != 0 {
			t.Errorf("%T: %s allocates %v times", h, what, allocs)
		}
	}
}

// Names checks what values of an enumerated type are called.
func Names[T ~uint32](t testing.TB, kind string, name func(T) string, want map[T]string) {
	t.Helper()
	for v, s := range want {
		if name(v) != s {
			t.Errorf("%s %d is called %s, want %s", kind, v, name(v), s)
		}
	}
}

// A Sample is a header for benchmarks, with its octets.
type Sample = struct {
	Name   string
	Header Header
	Octets []byte
}

// BenchmarkDecode measures the decoding of each header.
func BenchmarkDecode(b *testing.B, samples []Sample) {
	for _, s := range samples {
		b.Run(s.Name, func(b *testing.B) {
			for b.Loop() {
				s.Header.Decode(s.Octets)
			}
		})
	}
}

// BenchmarkAppendBinary measures the encoding of each header.
func BenchmarkAppendBinary(b *testing.B, samples []Sample) {
	buffer := make([]byte, 0, 128)
	for _, s := range samples {
		s.Header.Decode(s.Octets)
		b.Run(s.Name, func(b *testing.B) {
			for b.Loop() {
				s.Header.AppendBinary(buffer)
			}
		})
	}
}

// Octets reads octets in hexadecimal digits, with any white space between them.
func Octets(t testing.TB, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
	if err != nil {
		t.Fatalf("%q: %v", digits, err)
	}
	return b
}

// Messages reads a file of messages, each with its name: "NAME: OCTETS # comment" on a line.
func Messages(t testing.TB, file string) map[string][]byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	messages := map[string][]byte{}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		if name, digits, ok := strings.Cut(line, ": "); ok {
			messages[name] = Octets(t, digits)
		}
	}
	return messages
}
