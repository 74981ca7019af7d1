// Package field describes protocol headers as data: where each field lies, how wide it is, what it is called
// and how it is shown.
//
//	part := field.Part{Table: ddp.TaggedFields, Octets: segment}
//	for f := range part.Fields() {
//		fmt.Printf("%s: %s\n", f.Label, part.AppendValue(nil, f))
//	}
//
// Every codec package exports one [Table] for each header. All code that shows, filters, compares, mutates or names
// fields walks these tables; there is no second list of fields. A table describes octets: it applies to a header from
// the wire as well as to one that AppendBinary has written.
package field

import (
	"encoding/binary"
	"errors"
	"iter"
	"strconv"
)

// Base says how a field is shown.
type Base uint8

// The ways a field is shown.
const (
	Dec    Base = iota // unsigned decimal number
	Hex                // hexadecimal number with 0x, padded to the field's width
	Flag               // one bit
	Octets             // octet string, not a number
)

// A Field is one field of a header.
type Field struct {
	Name  string              // display filter name, Wireshark's where it has one: "iwarp_ddp.stag"
	Label string              // the name as the RFC spells it: "STag"
	Off   int                 // offset in bits from the first bit of the header; bit 0 is the most significant of octet 0
	Width int                 // width in bits; 0 for Octets that reach to the end of what is given
	Base  Base                // how it is shown
	Names func(uint64) string // what an enumerated value is called; nil for a plain number
	Known iter.Seq[uint64]    // the values that have a name of their own, ascending; nil if that cannot be said

	LittleEndian bool // the least significant octet comes first; such a field is whole octets
	Refers       Reference
	Bad          bool // what Words say is bad news

	// What a line about a message, which has no room for all fields, says of the field. Values below Usual are left out; if that is
	// Always, so is the greatest. Words are what it says in place of label and value; empty for these two.
	Usual uint64
	Words func(uint64) string
}

// A Reference says what the value of a field refers to. Whoever compares two runs of the same workload needs it: a length means
// the same in both, an STag does not.
type Reference uint8

// What a value can refer to.
const (
	ToItself   Reference = iota // nothing: it means the same in each run
	ToSegment                   // how the message was cut into segments: ULPDU_Length, L
	ToSequence                  // a place in a sequence that begins with the same number on each connection: MSN
	ToRun                       // something that its sender has chosen for this run: an XID
	ToOwnSTag                   // an STag of the header's sender
	ToOwnTO                     // a TO in memory of the header's sender, beside its STag
	ToPeerSTag                  // an STag of the header's receiver
	ToPeerTO                    // a TO in memory of the header's receiver, beside its STag
)

// Octet is the offset of the field's first octet.
func (f *Field) Octet() int { return f.Off / 8 }

// End is the offset of the first octet after the field, in a header of n octets.
func (f *Field) End(n int) int {
	if f.Width == 0 {
		return n
	}
	return (f.Off + f.Width + 7) / 8
}

// Get reads a numeric field (at most 64 bits) out of header b. It is false if b ends before the field does or
// if the field is an octet string.
func (f *Field) Get(b []byte) (v uint64, ok bool) {
	if f.Base == Octets || f.End(len(b)) > len(b) {
		return 0, false
	}
	octets := b[f.Octet():f.End(len(b))]
	switch {
	case f.LittleEndian:
		for i, o := range octets {
			v |= uint64(o) << (8 * i)
		}
		return v, true
	case len(octets) == 4:
		v = uint64(binary.BigEndian.Uint32(octets))
	default:
		for _, o := range octets {
			v = v<<8 | uint64(o)
		}
	}
	v >>= uint(-(f.Off + f.Width) & 7)
	return v & f.mask(), true
}

// Number is Get, but 0 instead of false.
func (f *Field) Number(b []byte) uint64 {
	v, _ := f.Get(b)
	return v
}

// Set writes a numeric field into header b and leaves all other bits alone. It returns ErrShort if b ends before the
// field does, ErrRange if v does not fit.
func (f *Field) Set(b []byte, v uint64) error {
	switch {
	case f.Base == Octets || v&^f.mask() != 0:
		return ErrRange
	case f.End(len(b)) > len(b):
		return ErrShort
	}
	if f.LittleEndian {
		for i := f.Octet(); i < f.End(len(b)); i++ {
			b[i], v = byte(v), v>>8
		}
		return nil
	}
	shift := uint(-(f.Off + f.Width) & 7)
	mask := f.mask()
	for i := f.End(len(b)) - 1; i >= f.Octet(); i-- {
		b[i] = b[i]&^byte(mask<<shift) | byte(v<<shift)
		v, mask, shift = v>>(8-shift), mask>>(8-shift), 0
	}
	return nil
}

// Bytes is the field as octets of header b, cut where b ends; nil if it begins after b.
func (f *Field) Bytes(b []byte) []byte {
	if f.Octet() >= len(b) {
		return nil
	}
	return b[f.Octet():min(f.End(len(b)), len(b))]
}

// AllZero reports whether all octets are zero, as fill must be.
func AllZero(octets []byte) bool {
	for _, octet := range octets {
		if octet != 0 {
			return false
		}
	}
	return true
}

func (f *Field) mask() uint64 { return 1<<uint(f.Width) - 1 }

const hexDigits = "0123456789abcdef"

// AppendValue appends the field's value as text: a number in the field's base, an octet string in plain hex.
// It appends nothing if b ends before the field does.
func (f *Field) AppendValue(dst, b []byte) []byte {
	if f.Base == Octets {
		for _, o := range f.Bytes(b) {
			dst = append(dst, hexDigits[o>>4], hexDigits[o&15])
		}
		return dst
	}
	v, ok := f.Get(b)
	if !ok {
		return dst
	}
	return f.AppendNumber(dst, v)
}

// AppendNumber appends v as this field would be shown: 0x00000a2c for a Hex field of 32 bits, 2604 for Dec.
func (f *Field) AppendNumber(dst []byte, v uint64) []byte {
	if f.Base != Hex {
		return strconv.AppendUint(dst, v, 10)
	}
	dst = append(dst, '0', 'x')
	for shift := (f.Width+3)/4*4 - 4; shift >= 0; shift -= 4 {
		dst = append(dst, hexDigits[v>>uint(shift)&15])
	}
	return dst
}

// The reasons for which a header cannot be decoded, encoded or accepted. Every [Error] wraps one of them.
var (
	ErrShort = errors.New("header ends early")
	ErrRange = errors.New("value does not fit the field")
	ErrValue = errors.New("value is not allowed")
)

// An Error names the field that could not be read, written or accepted. All values are made once, when a codec
// package is initialised, so that decoding allocates nothing even when it fails.
type Error struct {
	Header string // the header's name: "DDP tagged header"
	Field  string // the field's name as the RFC spells it
	Reason error  // ErrShort, ErrRange or ErrValue
	Rule   string // for ErrValue: what the protocol demands, with its source; else empty
}

// Error is all of it in a line: "DDP tagged header: DV: value is not allowed".
func (e *Error) Error() string {
	s := e.Header + ": " + e.Field + ": " + e.Reason.Error()
	if e.Rule != "" {
		s += ": " + e.Rule
	}
	return s
}

// Unwrap returns the reason, so that errors.Is(err, field.ErrShort) works.
func (e *Error) Unwrap() error { return e.Reason }
