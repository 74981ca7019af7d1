package tree

// The lines of a header's fields, and dumps of what has no fields.

import (
	"fmt"
	"strconv"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// part prints the name of a part, and its fields. It is of a layer that begins at offset off.
func (p *Printer) part(part *field.Part, off int) {
	suffix := ""
	switch {
	case part.Carried:
		suffix = " that the Terminate carries back"
	case part.Depth > 0:
		suffix = fmt.Sprintf(" [%d]", part.Index)
	}
	p.header(part.Table, suffix)
	p.fields(part, off)
}

// fields prints the fields of a part of a layer that begins at offset off.
func (p *Printer) fields(part *field.Part, off int) {
	b := part.Octets
	for f := range part.Fields() {
		end := f.End(len(b))
		line := place(p.line[:0], off+part.Off+f.Octet(), end-f.Octet(), bitsOf(f))
		line = append(line, f.Label...)
		line = append(line, ": "...)
		switch {
		case end > len(b):
			line = append(line, "not captured to its end"...)
		case f.Base == field.Octets:
			line = octets(line, f.Bytes(b))
		default:
			line = f.AppendValue(line, b)
			line = named(line, f, b)
		}
		p.line = append(line, '\n')
		p.out.Write(p.line)
	}
}

// named appends what a value is called.
func named(dst []byte, f *field.Field, b []byte) []byte {
	if f.Names == nil {
		return dst
	}
	v, _ := f.Get(b)
	if name := f.Names(v); name != "" {
		dst = append(append(append(dst, " ("...), name...), ')')
	}
	return dst
}

// octets appends an octet string: in quotes if it is readable, as the Key is, else in hex, of a long one the begin.
func octets(dst, b []byte) []byte {
	const most = 32
	readable := true
	for _, o := range b {
		readable = readable && o >= ' ' && o <= '~'
	}
	switch {
	case len(b) == 0:
		return append(dst, "none"...)
	case readable:
		return strconv.AppendQuote(dst, string(b))
	case len(b) > most:
		return fmt.Appendf(dst, "%x... (%d octets)", b[:most], len(b))
	}
	return fmt.Appendf(dst, "%x", b)
}

// place appends where a field is, and blanks up to where its name begins.
func place(dst []byte, off, length int, bits string) []byte {
	return fmt.Appendf(dst, "  %6d:%-4d %-9s ", off, length, bits)
}

// bitsOf says which bits of its octets a field has: "bits 2-15", or nothing if it has all.
func bitsOf(f *field.Field) string {
	first := f.Off % 8
	switch {
	case first == 0 && f.Width%8 == 0:
		return ""
	case f.Width == 1:
		return "bit " + strconv.Itoa(first)
	}
	return fmt.Sprintf("bits %d-%d", first, first+f.Width-1)
}

// dump prints octets that begin at offset off in hex and as text, as many as the options want, and says how many more
// of length there are.
func (p *Printer) dump(b []byte, off, length int) {
	shown := b[:min(len(b), max(p.opts.Payload, 0))]
	const perLine = 16
	for at := 0; at < len(shown); at += perLine {
		row := shown[at:min(at+perLine, len(shown))]
		line := place(p.line[:0], off+at, len(row), "")
		for i := range perLine {
			if i < len(row) {
				line = fmt.Appendf(line, "%02x ", row[i])
			} else {
				line = append(line, "   "...)
			}
		}
		line = append(line, " |"...)
		for _, o := range row {
			if o < ' ' || o > '~' {
				o = '.'
			}
			line = append(line, o)
		}
		p.line = append(line, '|', '\n')
		p.out.Write(p.line)
	}
	if more := length - len(shown); more > 0 {
		p.remark(quantity.Count(uint64(more), "more octet"))
	}
}

// explain says in words what a Terminate header means, after the part that holds its error: in ulpdu, of which length
// octets were sent.
func (p *Printer) explain(part *field.Part, ulpdu []byte, length int) {
	b := ulpdu[part.Off:]
	if len(b) < rdmap.TerminateLen {
		return
	}
	var t rdmap.Terminate
	switch part.Table.Name {
	case rdmap.TerminateFields.Name:
		t.Decode(b)
		p.remark("Error: " + string(text.AppendCode(nil, t.Code)))
		if form := t.Form(); form != rdmap.WellFormed && len(ulpdu) == length {
			p.remark("By the RFC, M, D and R do not fit what follows: " + form.String())
		}
	case rdmap.MeantFields.Name:
		t.DecodeSwapped(b)
		p.remark("Error: " + string(text.AppendCode(nil, t.Code)))
		p.remark("These are the same 4 octets in the bit order of Linux siw, which is not the RFC's.")
		if len(ulpdu) < length {
			return
		}
		switch rdmap.ReadingOf(b) {
		case rdmap.ReadingSwapped:
			p.remark("Only this order agrees with the registered errors and with the length: it is what the sender meant.")
		case rdmap.ReadingAmbiguous:
			p.remark("Both orders make sense; which one the sender used cannot be told from this message alone.")
		}
	}
}
