package printable

import (
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendJSON appends a JSON text, with escapes for the characters in its strings that Append replaces.
// Octets that are not UTF-8 become U+FFFD. Line feeds between values stay.
func AppendJSON(dst, text []byte) []byte {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == '\n' || unicode.IsPrint(r) && (r != utf8.RuneError || n > 1) {
			dst = append(dst, text[:n]...)
		} else {
			dst = AppendJSONEscape(dst, r)
		}
		text = text[n:]
	}
	return dst
}

// AppendJSONEscape appends the escape of a character in a JSON string: \u001b, and two of them if its number has more
// than 16 bits.
func AppendJSONEscape(dst []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return appendRune(appendRune(dst, high), low)
	}
	return appendRune(dst, r)
}
