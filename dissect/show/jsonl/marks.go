package jsonl

// What an analysis adds to an object: the findings about a message, and the upper-layer message that it ends.

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// marks appends what an analysis has added to a Record.
func (e *Encoder) marks(r *record.Record) {
	if u := r.Upper; u != nil {
		e.quoted("upper_ulp", u.ULP)
		e.quoted("upper", u.Name)
		e.key("upper_id")
		e.line = append(e.line, `"0x`...)
		e.line = append(strconv.AppendUint(e.line, u.ID, 16), '"')
	}
	e.findings(r.Marks)
}

// findings appends the ids of findings.
func (e *Encoder) findings(all []record.Mark) {
	if len(all) == 0 {
		return
	}
	e.key("findings")
	e.line = append(e.line, '[')
	for i := range all {
		if i > 0 {
			e.line = append(e.line, ',')
		}
		e.line = appendQuoted(e.line, all[i].ID)
	}
	e.line = append(e.line, ']')
}

// quoted appends a string that may need escapes.
func (e *Encoder) quoted(name, s string) {
	e.key(name)
	e.line = appendQuoted(e.line, s)
}

// appendQuoted appends s as a JSON string.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"', r == '\\':
			dst = append(dst, '\\', byte(r))
		case unicode.IsPrint(r):
			dst = utf8.AppendRune(dst, r)
		default:
			dst = printable.AppendJSONEscape(dst, r)
		}
	}
	return append(dst, '"')
}
