package oncrpc

// Enumerations of 4 octets, most of whose values have no name.

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
)

// An enum knows the names of an enumeration's values.
type enum struct {
	kind   string // what a value without a name is called, before its number
	known  map[uint32]string
	values map[string]uint32
}

// newEnum is the enum of names that stand in one table or in several.
func newEnum(kind string, tables ...map[uint32]string) *enum {
	e := &enum{kind: kind, known: make(map[uint32]string), values: make(map[string]uint32)}
	for _, known := range tables {
		for v, name := range known {
			e.known[v], e.values[name] = name, v
		}
	}
	return e
}

// name is what a value is called: its name, or kind and its number.
func (e *enum) name(v uint32) string {
	if name, ok := e.known[v]; ok {
		return name
	}
	return e.kind + strconv.FormatUint(uint64(v), 10)
}

// names is name as field tables want it.
func (e *enum) names(v uint64) string { return e.name(uint32(v)) }

// knownValues calls yield for the values that have a name, in ascending order.
func (e *enum) knownValues(yield func(uint64) bool) {
	for _, v := range slices.Sorted(maps.Keys(e.known)) {
		if !yield(uint64(v)) {
			return
		}
	}
}

// word is the field of a value, which begins behind the given number of octets.
func (e *enum) word(name, label string, at int) field.Field {
	f := word(name, label, at, field.Dec)
	f.Names, f.Known = e.names, e.knownValues
	return f
}

func (e *enum) has(v uint32) bool {
	_, ok := e.known[v]
	return ok
}

// parse reads what name writes.
func parse[T ~uint32](e *enum, s string) (T, error) {
	if v, ok := e.values[s]; ok {
		return T(v), nil
	}
	if digits, ok := strings.CutPrefix(s, e.kind); ok {
		if v, err := strconv.ParseUint(digits, 10, 32); err == nil {
			return T(v), nil
		}
	}
	return 0, fmt.Errorf("oncrpc: %q is no %s: want a name, in capitals as the specification spells it, or %s and a number",
		s, e.kind, e.kind)
}
