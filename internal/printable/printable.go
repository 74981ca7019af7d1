// Package printable makes text safe to print: text from a capture must not control the terminal that shows it, nor break the
// file that contains it.
package printable

import (
	"encoding/json"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Append appends s, which may come from a capture. Octets that are not UTF-8, control characters such as those that begin an
// escape sequence, and characters that change how their neighbours are shown are written as \x1b or \u202e. The result is
// valid UTF-8 without line feeds.
func Append[S string | []byte](dst []byte, s S) []byte {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return appendEscaped(append(dst, s[:i]...), s[i:])
		}
	}
	return append(dst, s...)
}

// String returns what Append appends: as a rule s itself.
func String(s string) string {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return string(Append(nil, s))
		}
	}
	return s
}

const digits = "0123456789abcdef"

func appendEscaped[S string | []byte](dst []byte, s S) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(string(s[:min(utf8.UTFMax, len(s))]))
		switch {
		case r == utf8.RuneError && n == 1, r < utf8.RuneSelf && !unicode.IsPrint(r):
			dst = append(dst, '\\', 'x', digits[s[0]>>4], digits[s[0]&15])
		case unicode.IsPrint(r):
			dst = append(dst, s[:n]...)
		default:
			dst = appendRune(dst, r)
		}
		s = s[n:]
	}
	return dst
}

// appendRune appends the number of a character, as \u with 4 digits or \U with 8.
func appendRune(dst []byte, r rune) []byte {
	letter, shift := byte('u'), 12
	if r > 0xffff {
		letter, shift = 'U', 28
	}
	dst = append(dst, '\\', letter)
	for ; shift >= 0; shift -= 4 {
		dst = append(dst, digits[r>>shift&15])
	}
	return dst
}

// AppendJSON appends a JSON text, with escapes for the characters in its strings that Append replaces.
// Octets that are not UTF-8 become U+FFFD. Line feeds between values stay.
func AppendJSON(dst, text []byte) []byte {
	for len(text) > 0 {
		plain := 0 // most of a text
		for plain < len(text) && (text[plain]-' ' < 0x7f-' ' || text[plain] == '\n') {
			plain++
		}
		if dst, text = append(dst, text[:plain]...), text[plain:]; len(text) == 0 {
			break
		}
		r, n := utf8.DecodeRune(text)
		if unicode.IsPrint(r) && (r != utf8.RuneError || n > 1) {
			dst = append(dst, text[:n]...)
		} else {
			dst = AppendJSONEscape(dst, r)
		}
		text = text[n:]
	}
	return dst
}

// WriteJSON writes a value as indented JSON. Its strings are expected to be printable.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// AppendJSONEscape appends the escape of a character in a JSON string: \u001b, and two of them if its number has more
// than 16 bits.
func AppendJSONEscape(dst []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return appendRune(appendRune(dst, high), low)
	}
	return appendRune(dst, r)
}

// Lines is String, but keeps line feeds.
func Lines(s string) string {
	var b []byte
	for line := range strings.Lines(s) {
		before, feed := strings.CutSuffix(line, "\n")
		b = Append(b, before)
		if feed {
			b = append(b, '\n')
		}
	}
	return string(b)
}
