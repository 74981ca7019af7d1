package jsonl

// What an analysis adds to an object: the findings about a message, and the upper-layer message that it ends.

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/dissect/internal/marks"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// marks appends what is about the event of the given origin.
func (e *Encoder) marks(o *record.Origin) {
	taken := e.Pending.Take(o)
	if len(taken.Uppers) > 0 {
		e.quoted("upper_ulp", taken.Uppers[0].ULP)
		e.quoted("upper", taken.Uppers[0].Name)
		e.key("upper_id")
		e.line = append(e.line, `"0x`...)
		e.line = append(strconv.AppendUint(e.line, taken.Uppers[0].ID, 16), '"')
	}
	e.findings(taken.Findings)
}

// findings appends the ids of findings.
func (e *Encoder) findings(all []marks.Finding) {
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
