package rpcrdma

// What the enumerations of this package have in common.

import (
	"fmt"
	"strconv"
	"strings"
)

// An enum names the values of one enumeration.
type enum struct {
	kind  string // what an unknown value is called, before its number: "HType"
	names []named
}

type named struct {
	value uint32
	name  string
}

// lookup is the name of v; empty if it has none.
func (e *enum) lookup(v uint32) string {
	for i := range e.names {
		if e.names[i].value == v {
			return e.names[i].name
		}
	}
	return ""
}

func (e *enum) known(v uint32) bool { return e.lookup(v) != "" }

// format is the name of v, or kind and number.
func (e *enum) format(v uint32) string {
	if name := e.lookup(v); name != "" {
		return name
	}
	return e.kind + strconv.FormatUint(uint64(v), 10)
}

// knownValues calls yield for the values that have a name, in ascending order.
func (e *enum) knownValues(yield func(uint64) bool) {
	for i := range e.names {
		if !yield(uint64(e.names[i].value)) {
			return
		}
	}
}

// fieldName is format for a [field.Field].
func (e *enum) fieldName(v uint64) string { return e.format(uint32(v)) }

// parse reads what format writes.
func (e *enum) parse(s string) (uint32, error) {
	for i := range e.names {
		if e.names[i].name == s {
			return e.names[i].value, nil
		}
	}
	if digits, ok := strings.CutPrefix(s, e.kind); ok {
		if v, err := strconv.ParseUint(digits, 10, 32); err == nil {
			return uint32(v), nil
		}
	}
	all := make([]string, len(e.names))
	for i := range e.names {
		all[i] = e.names[i].name
	}
	return 0, fmt.Errorf("rpcrdma: %q is no %s: want one of %s, or %s and a number", s, e.kind, strings.Join(all, ", "), e.kind)
}
