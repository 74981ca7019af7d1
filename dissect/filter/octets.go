package filter

// Octet strings and slices of them, and names, which are compared without regard to case.

import (
	"bytes"
	"cmp"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"sync"
)

func (c comparison) octetsCheck(b basic, t token) (func([]byte) bool, *Error) {
	if b == matches {
		pattern, err := c.pattern(t)
		if err != nil {
			return nil, err
		}
		return pattern.Match, nil
	}
	want, err := c.parseOctets(t)
	switch {
	case err != nil:
		return nil, err
	case b == contains:
		return func(v []byte) bool { return bytes.Contains(v, want) }, nil
	}
	return func(v []byte) bool { return b.holds(bytes.Compare(v, want)) }, nil
}

// pattern reads a regular expression, which ignores case unless it says otherwise.
func (c comparison) pattern(t token) (*regexp.Regexp, *Error) {
	s, err := t.value()
	if err != nil {
		return nil, err
	}
	const ignoreCase = "(?i)"
	pattern, bad := regexp.Compile(ignoreCase + s)
	if e, ok := bad.(*syntax.Error); ok {
		wrong := strings.TrimPrefix(e.Expr, ignoreCase)
		return nil, t.errorf("%v is not a regular expression: %s: %s", t, e.Code, clip(wrong))
	}
	return pattern, nil
}

// parseOctets reads octets: hexadecimal, separated by colons, hyphens, dots or nothing, or a string in quotation marks.
func (c comparison) parseOctets(t token) ([]byte, *Error) {
	s, err := t.value()
	if err != nil || t.kind == quoted {
		return []byte(s), err
	}
	var groups []string
	if i := strings.IndexAny(s, ":.-"); i >= 0 {
		groups = strings.Split(s, s[i:i+1])
	} else {
		groups = pairs(strings.TrimPrefix(s, "0x"))
	}
	b := make([]byte, len(groups))
	for i, g := range groups {
		v, err := strconv.ParseUint(g, 16, 8)
		if err != nil {
			return nil, t.errorf("%v is not a string of octets: write it as 4d:50:41, or as a string in quotation marks", t)
		}
		b[i] = byte(v)
	}
	return b, nil
}

// pairs splits hexadecimal digits into octets. It does not split an odd number of digits, unless it is one.
func pairs(digits string) (some []string) {
	if len(digits)%2 != 0 {
		return []string{digits}
	}
	for ; digits != ""; digits = digits[2:] {
		some = append(some, digits[:2])
	}
	return some
}

// A slice is some of the octets of a field. The zero value is all of them.
type slice struct {
	cut   bool // not all of them
	from  int  // the first; negative counts from the end
	n     int  // how many
	toEnd bool // all from the first on
}

// of returns the slice of b; nil if b is too short.
func (s slice) of(b []byte) []byte {
	if !s.cut {
		return b
	}
	from := s.from
	if from < 0 {
		from += len(b)
	}
	switch {
	case from < 0 || from >= len(b):
		return nil
	case s.toEnd:
		return b[from:]
	case s.n > len(b)-from:
		return nil
	}
	return b[from : from+s.n]
}

// slicePattern matches a slice: the first octet, then a colon and how many, or a hyphen and the last.
var slicePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\[ *(-?[0-9]+)? *(?:([:-]) *([0-9]+)?)? *\]$`)
})

// parseSlice reads [i], [i:n] for n octets from i on, [i-j] for those from i to j, [:n] and [i:].
func parseSlice(t token) (s slice, err *Error) {
	if t.kind != bracket {
		return s, nil
	}
	m := slicePattern().FindStringSubmatch(t.text)
	if m == nil {
		return s, sliceError(t)
	}
	first, separator, second := m[1], m[2], m[3]
	from, ok := sliceNumber(cmp.Or(first, "0"))
	n, _ := sliceNumber(second)
	s = slice{cut: true, from: from, n: 1}
	switch {
	case !ok, first == "" && second == "", separator == "-" && (first == "" || second == "" || from < 0):
		return s, sliceError(t)
	case separator == ":":
		s.n, s.toEnd = n, second == ""
	case separator == "-":
		s.n = n - from + 1
	}
	if s.n <= 0 && !s.toEnd {
		return s, t.errorf("%v is a slice without octets", t)
	}
	return s, nil
}

func sliceError(t token) *Error {
	return t.errorf("%v is not a slice: "+
		"write [i] for an octet, [i:n] for n octets, [i-j] for those from i to j, [:n] or [i:]", t)
}

// sliceNumber reads a number of a slice; ok is false if it is greater than the length of any field.
func sliceNumber(s string) (v int, ok bool) {
	n, err := strconv.ParseInt(s, 10, 32)
	return int(n), err == nil
}

func (c comparison) nameCheck(b basic, t token) (func(string) bool, *Error) {
	if b == matches {
		pattern, err := c.pattern(t)
		if err != nil {
			return nil, err
		}
		return pattern.MatchString, nil
	}
	s, err := t.value()
	switch {
	case err != nil:
		return nil, err
	case b == equal && c.unknown != nil && c.unknown(s):
		return nil, t.errorf("%s has no value %v%s", c.Name, t, c.suggestion(s))
	case b == equal:
		return func(v string) bool { return strings.EqualFold(v, s) }, nil
	case b == contains:
		return regexp.MustCompile("(?i)" + regexp.QuoteMeta(s)).MatchString, nil
	}
	return nil, c.unsuitable(", and names have no order")
}
