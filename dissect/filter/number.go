package filter

// Numbers and their names.

import (
	"cmp"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/internal/spelling"
)

// A number is a value of a numeric field.
type number struct {
	f *field.Field // in the table that applies; nil if there is one only
	v uint64
}

// A constant is the right side of a comparison: a number, or a name, whose number depends on the table.
type constant struct {
	v     uint64
	named []number
}

func (c comparison) numberCheck(b basic, t token) (func(number) bool, *Error) {
	if b == contains || b == matches {
		return nil, c.unsuitable("; compare it, or use \"in\"")
	}
	k, err := c.constant(t)
	if err != nil {
		return nil, err
	}
	switch {
	case k.named == nil && b == equal:
		return func(n number) bool { return n.v == k.v }, nil
	case k.named == nil:
		return func(n number) bool { return b.holds(cmp.Compare(n.v, k.v)) }, nil
	}
	return func(n number) bool {
		for _, other := range k.named {
			if n.f == other.f && b.holds(cmp.Compare(n.v, other.v)) {
				return true
			}
		}
		return false
	}, nil
}

// constant reads a number or a name.
func (c comparison) constant(t token) (k constant, err *Error) {
	s, err := t.value()
	if err != nil {
		return k, err
	}
	if c.Type == Flag && (strings.EqualFold(s, "true") || strings.EqualFold(s, "false")) {
		if strings.EqualFold(s, "true") {
			k.v = 1
		}
		return k, nil
	}
	if s != "" && s[0] >= '0' && s[0] <= '9' && !c.namesOnly {
		k.v, err = c.parseNumber(t, s)
		return k, err
	}
	return c.name(t, s)
}

// parseNumber reads a number: decimal, 0x hexadecimal, 0 octal, 0b binary.
func (c comparison) parseNumber(t token, s string) (uint64, *Error) {
	v, err := strconv.ParseUint(s, 0, 64)
	most := uint64(math.MaxUint64) >> (64 - c.Bits)
	switch {
	case errors.Is(err, strconv.ErrRange), err == nil && v > most:
		return 0, t.errorf("%v is too large: %s, at most %d", t, c.describe(), most)
	case err == nil && !strings.Contains(s, "_"):
		return v, nil
	}
	return 0, t.errorf("%v is not a number%s", t, hexadecimal(s))
}

// hexadecimal suggests 0x before what can only be a hexadecimal number.
func hexadecimal(s string) string {
	if _, err := strconv.ParseUint(s, 16, 64); err != nil {
		return ""
	}
	return "; did you mean 0x" + s + "?"
}

// name finds the numbers that a name stands for.
func (c comparison) name(t token, s string) (k constant, err *Error) {
	for _, f := range c.variants {
		for _, v := range valuesOf(f, s) {
			k.named = append(k.named, number{f, v})
		}
	}
	switch {
	case len(k.named) == 1 && len(c.variants) == 1:
		return constant{v: k.named[0].v}, nil
	case k.named != nil:
		return k, nil
	}
	return k, c.nameError(t, s)
}

// nameError reports a value that is neither a number nor the name of one.
func (c comparison) nameError(t token, s string) *Error {
	const few = 20 // values, which can all be listed
	names := c.valueNames()
	suggestion := suggest(s, names)
	switch {
	case c.Type == Flag:
		return t.errorf("%v is neither true nor false", t)
	case len(names) == 0 && strings.HasPrefix(s, "-"):
		return t.errorf("%v is negative: %s", t, c.describe())
	case len(names) == 0:
		return t.errorf("%v is not a number: %s%s", t, c.describe(), hexadecimal(s))
	case suggestion == "" && len(names) <= few:
		suggestion = "; write " + spelling.Or(names)
	}
	return t.errorf("%s has no value %v%s", c.Name, t, suggestion)
}

// valuesOf returns the values of a field with a name, usually one; only letters, without regard to case, and digits count.
// A value without a name of its own is named by its number, "Opcode14".
func valuesOf(f *field.Field, name string) (some []uint64) {
	if f.Names == nil {
		return nil
	}
	folded := spelling.Fold(name)
	if f.Known != nil {
		for v := range f.Known {
			if spelling.Fold(f.Names(v)) == folded {
				some = append(some, v)
			}
		}
	}
	kind := strings.TrimRight(name, "0123456789")
	v, err := strconv.ParseUint(name[len(kind):], 10, 32)
	if some == nil && err == nil && kind != "" && v>>min(f.Width, 63) == 0 && spelling.Fold(f.Names(v)) == folded {
		some = []uint64{v}
	}
	return some
}
