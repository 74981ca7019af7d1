package jsonl

// What an analysis adds to an object: the findings about a message, and the upper-layer message that it ends.

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/flow"
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
		e.layers(u)
	}
	if s := &r.Elsewhere; s.At != flow.Nobody {
		e.key("elsewhere")
		e.line = append(e.line, '{')
		e.text("end", s.At.String())
		if s.Own != 0 {
			e.number("frame", s.Own)
			e.key("time")
			e.time(s.Time)
		}
		e.line = append(e.line, '}')
	}
	e.findings(r.Marks)
}

// layers appends the fields of an upper-layer message, part by part.
func (e *Encoder) layers(u *record.Upper) {
	layers := e.view.Lay(u.Body)
	if len(layers) == 0 {
		return
	}
	e.key("layers")
	e.line = append(e.line, '[')
	for i := range layers {
		l := &layers[i]
		e.open()
		if l.Name != "" {
			e.text("name", l.Name)
		}
		e.number("len", l.Len)
		e.key("parts")
		e.line = append(e.line, '[')
		for j := range l.Parts {
			e.part(&l.Parts[j])
		}
		e.line = append(e.line, ']', '}')
	}
	e.line = append(e.line, ']')
}

// part appends an object about a part of a message.
func (e *Encoder) part(p *field.Part) {
	e.open()
	e.text("header", p.Table.Name)
	if p.Depth > 0 {
		e.number("index", uint64(p.Index))
	}
	e.number("offset", uint64(p.Off))
	e.number("length", uint64(len(p.Octets)))
	e.key("fields")
	e.line = append(e.line, '{')
	for f := range p.Fields() {
		e.field(p, f)
	}
	e.line = append(e.line, '}', '}')
}

// open begins an element of an array that is an object.
func (e *Encoder) open() {
	if e.line[len(e.line)-1] != '[' {
		e.line = append(e.line, ',')
	}
	e.line = append(e.line, '{')
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
