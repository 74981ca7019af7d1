// Package layout makes the fields of which the tables of upper layers consist. They are given by the offset of their
// first octet, and enumerations know which of their values have a name.
package layout

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
)

// Little is a number of whole octets in little-endian order.
func Little(name, label string, at, octets int, base field.Base) field.Field {
	f := Big(name, label, at, octets, base)
	f.LittleEndian = true
	return f
}

// Big is a number of whole octets in big-endian order.
func Big(name, label string, at, octets int, base field.Base) field.Field {
	return Bits(name, label, at, 0, 8*octets, base)
}

// Opaque is octets that are no number.
func Opaque(name, label string, at, octets int) field.Field {
	return Big(name, label, at, octets, field.Octets)
}

// Bits is a number within an octet, or one that begins there. Its offset off is in bits from the begin of that octet.
func Bits(name, label string, at, off, width int, base field.Base) field.Field {
	return field.Field{Name: name, Label: label, Off: 8*at + off, Width: width, Base: base}
}

// Enum is a field whose values have names. Those of known have one of their own.
func Enum(f field.Field, names func(uint64) string, known iter.Seq[uint64]) field.Field {
	f.Names, f.Known = names, known
	return f
}

// Listed are the places of a list that have a name.
func Listed(names []string) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for v, name := range names {
			if name != "" && !yield(uint64(v)) {
				return
			}
		}
	}
}

// Keys are the keys of a map from values to names, ascending.
func Keys[M ~map[K]V, K cmp.Ordered, V any](names M, value func(K) uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for _, k := range slices.Sorted(maps.Keys(names)) {
			if !yield(value(k)) {
				return
			}
		}
	}
}
