package filter

// What is wrong with a filter, and where: carets below the place on a terminal.

import (
	"fmt"
	"strings"
	"unicode"
)

// An Error says what is wrong with a filter, and where.
type Error struct {
	Text    string // the filter
	Off     int    // octets of it before what is wrong
	Len     int    // octets that are wrong; 0 if something is missing
	Problem string // "iwarp_ddp.stagg: no such field; did you mean iwarp_ddp.stag?"
}

func errorf(off, length int, format string, args ...any) *Error {
	return &Error{Off: off, Len: length, Problem: fmt.Sprintf(format, args...)}
}

// Error is the problem and, on two more lines, the filter with a caret under the place.
func (e *Error) Error() string {
	const indent = "  "
	line, before, marked := e.excerpt()
	caret := strings.Repeat(" ", before) + "^" + strings.Repeat("~", max(0, marked-1))
	return clipped(e.Problem) + "\n" + indent + line + "\n" + indent + caret
}

// longest is how many octets of a problem are shown; it may quote the whole filter.
const longest = 400

// clipped returns s, without its middle if it is long.
func clipped(s string) string {
	if len(s) <= longest {
		return s
	}
	return strings.ToValidUTF8(s[:longest/2]+"..."+s[len(s)-longest/2:], "")
}

// excerpt returns the part of the filter that a line shows, and how many columns come before the place and belong to it.
func (e *Error) excerpt() (line string, before, marked int) {
	const context = 60 // octets to either side
	begin, end := max(0, e.Off-context), min(len(e.Text), e.Off+min(max(1, e.Len), context)+context)
	var b strings.Builder
	if begin > 0 {
		b.WriteString("...")
		before = len("...")
	}
	for i, r := range e.Text[begin:end] {
		r = printable(r)
		switch {
		case begin+i < e.Off:
			before += columns(r)
		case begin+i < e.Off+e.Len:
			marked += columns(r)
		}
		b.WriteRune(r)
	}
	if end < len(e.Text) {
		b.WriteString("...")
	}
	return b.String(), before, marked
}

// wide are the characters that take two columns: those of East Asian scripts, and pictures.
var wide = []*unicode.RangeTable{
	unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Yi,
	{
		R16: []unicode.Range16{{0x3000, 0x303e, 1}, {0xff01, 0xff60, 1}, {0xffe0, 0xffe6, 1}},
		R32: []unicode.Range32{{0x1f300, 0x1f64f, 1}, {0x1f680, 0x1f6ff, 1}, {0x1f900, 0x1faff, 1}},
	},
}

// halfwidth are the letters of such scripts that take one column.
var halfwidth = &unicode.RangeTable{R16: []unicode.Range16{{0xff61, 0xffdc, 1}}}

// columns returns how many columns a printable character takes.
func columns(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me): // combining characters
		return 0
	case unicode.In(r, wide...) && !unicode.Is(halfwidth, r):
		return 2
	}
	return 1
}
