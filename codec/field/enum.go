package field

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
)

// An Enum names the values of an enumeration. It is static data: looking up a name takes at most a binary search, and only
// a value without a name costs an allocation.
type Enum struct {
	Kind   string  // prefixes the number of a value without a name: "HType"; if empty, the number is hexadecimal: "0x1f"
	Values []Value // the values that have a name, in ascending order
}

// A Value is a number of an [Enum] and its name.
type Value = struct {
	Number uint64
	Name   string
}

// Find returns the name of v. It is false if v has none.
func (e *Enum) Find(v uint64) (name string, ok bool) {
	if len(e.Values) == 0 {
		return "", false
	}
	if i := v - e.Values[0].Number; i < uint64(len(e.Values)) && e.Values[i].Number == v {
		return e.Values[i].Name, true // most enumerations have no gaps
	}
	i, ok := slices.BinarySearchFunc(e.Values, v, func(x Value, v uint64) int { return cmp.Compare(x.Number, v) })
	if !ok {
		return "", false
	}
	return e.Values[i].Name, true
}

// Has reports whether v has a name.
func (e *Enum) Has(v uint64) bool {
	_, ok := e.Find(v)
	return ok
}

// Name returns the name of v, or Kind and the number: "HType9".
func (e *Enum) Name(v uint64) string {
	if name, ok := e.Find(v); ok {
		return name
	}
	if e.Kind == "" {
		return "0x" + strconv.FormatUint(v, 16)
	}
	return e.Kind + strconv.FormatUint(v, 10)
}

// Known yields each value that has a name, in ascending order.
func (e *Enum) Known() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for i := range e.Values {
			if !yield(e.Values[i].Number) {
				return
			}
		}
	}
}

// NameIn returns the name of v in the list of an enumeration that is kept as an array, or kind and the number: "HType9".
func NameIn[T ~uint8 | ~uint16 | ~uint32](names []string, v T, kind string) string {
	if uint64(v) < uint64(len(names)) {
		return names[v]
	}
	return kind + strconv.FormatUint(uint64(v), 10)
}

// Listed yields the indexes of a list whose names are not empty: the known values of an enumeration that is
// kept as an array.
func Listed(names []string) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for v, name := range names {
			if name != "" && !yield(uint64(v)) {
				return
			}
		}
	}
}
