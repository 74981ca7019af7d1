package filter

// The width of characters on a terminal, so that carets stand in the right place.

import "unicode"

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
