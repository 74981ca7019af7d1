package text

import (
	"strings"
	"unicode/utf8"
)

// AppendWrapped appends s in lines of at most width characters, as far as its words allow. first stands before the
// first line, where it takes up used columns, and indent before the others. Line feeds and spaces in s only part words.
func AppendWrapped(dst []byte, width int, first string, used int, indent, s string) []byte {
	dst = append(dst, first...)
	column, begun := used, false
	for word := range strings.FieldsSeq(s) {
		n := utf8.RuneCountInString(word)
		switch {
		case !begun:
		case column+1+n > width:
			dst = append(append(dst, '\n'), indent...)
			column = utf8.RuneCountInString(indent)
		default:
			dst = append(dst, ' ')
			column++
		}
		dst = append(dst, word...)
		column += n
		begun = true
	}
	return append(dst, '\n')
}
