package field

// Fields by the offset of their first octet: what a table of whole octets is written with.

import (
	"iter"
	"math"
)

// Big returns a number of whole octets in big-endian order.
func Big(name, label string, at, octets int, base Base) Field {
	return Bits(name, label, at, 0, 8*octets, base)
}

// Little returns a number of whole octets in little-endian order.
func Little(name, label string, at, octets int, base Base) Field {
	f := Big(name, label, at, octets, base)
	f.LittleEndian = true
	return f
}

// Opaque returns an octet string; of 0 octets if it reaches to the end of what the table describes.
func Opaque(name, label string, at, octets int) Field {
	return Big(name, label, at, octets, Octets)
}

// Bits returns a number of the given width in bits that begins off bits into octet at.
func Bits(name, label string, at, off, width int, base Base) Field {
	return Field{Name: name, Label: label, Off: 8*at + off, Width: width, Base: base}
}

// Named returns f with the names of an enumeration. Known are the values that have a name of their own; nil if that
// cannot be said.
func (f Field) Named(names func(uint64) string, known iter.Seq[uint64]) Field {
	f.Names, f.Known = names, known
	return f
}

// Of returns f with the names of e.
func (f Field) Of(e *Enum) Field { return f.Named(e.Name, e.Known()) }

// What is usual of a field.
const (
	Zero   = 1              // it is zero as a rule
	Always = math.MaxUint64 // it says no more than the type of its message
)

// Says returns Words for a flag: what a line says of 0 and of 1.
func Says(zero, one string) func(uint64) string {
	return func(v uint64) string {
		if v == 0 {
			return zero
		}
		return one
	}
}

// To returns f with what its value refers to.
func (f Field) To(r Reference) Field {
	f.Refers = r
	return f
}
