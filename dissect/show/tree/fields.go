package tree

// The lines of a header's fields, and dumps of what has no fields.

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// parts prints the names of parts, and their fields. If they begin a layer that is not nil, its length comes after the first.
func (p *Printer) parts(begun *record.Layer, parts []field.Part) {
	for i := range parts {
		part := &parts[i]
		suffix := ""
		if begun != nil && part == &begun.Parts[0] {
			suffix = fmt.Sprintf(", %d octets", begun.Len)
		}
		p.heading(part.Title(), suffix+"  ("+part.Table.Source+")")
		for f := range part.Fields() {
			p.field(part, f)
		}
	}
}

func (p *Printer) field(part *field.Part, f *field.Field) {
	b := part.Octets
	end := f.End(len(b))
	line := append(append(p.line[:0], f.Label...), ": "...)
	switch {
	case end > len(b):
		line = append(line, "not captured to its end"...)
	case f.Base == field.Octets:
		line = octets(line, f.Bytes(b), p.opts.Width-fieldIndent)
	default:
		line = named(part.AppendValue(line, f), part, f)
	}
	p.line = line
	first := fmt.Sprintf("%s%-9s ", place(part.Off+f.Octet(), end-f.Octet()), bitsOf(f))
	p.print(text.Style{}, first, fieldIndent+2, string(line), "")
}

// named appends what a value is called.
func named(dst []byte, p *field.Part, f *field.Field) []byte {
	if f.Names == nil {
		return dst
	}
	v, _ := p.Value(f)
	if name := f.Names(v); name != "" {
		dst = append(append(append(dst, " ("...), name...), ')')
	}
	return dst
}

// octets appends an octet string: in quotes if it is readable, as the Key is, else in hex; only the beginning of a long one. Blanks divide hex
// that does not fit a line of the given width.
func octets(dst, b []byte, width int) []byte {
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
	}
	more := ""
	if len(b) > most {
		more = fmt.Sprintf("... (%d octets)", len(b))
	}
	shown := b[:min(len(b), most)]
	together := most
	if len(dst)+2*len(shown)+len(more) > width {
		together = most / 2
	}
	for part := range slices.Chunk(shown, together) {
		dst = fmt.Appendf(dst, "%x ", part)
	}
	return append(dst[:len(dst)-1], more...)
}

// place returns where octets are, and a blank.
func place(off, length int) string { return fmt.Sprintf("  %6d:%-4d ", off, length) }

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

// dump prints the data of a layer in hex and as text, as much as the options want, and says how much more there is.
func (p *Printer) dump(d *record.Data) {
	shown := d.Octets[:min(len(d.Octets), max(p.opts.Payload, 0))]
	perLine := 16
	for perLine > 1 && len(place(0, 0))+4*perLine+len("||") > p.opts.Width {
		perLine /= 2
	}
	for at := 0; at < len(shown); at += perLine {
		row := shown[at:min(at+perLine, len(shown))]
		line := append(p.line[:0], place(d.Off+at, len(row))...)
		for i := range perLine {
			if i < len(row) {
				line = fmt.Appendf(line, "%02x ", row[i])
			} else {
				line = append(line, "   "...)
			}
		}
		line = append(line, '|')
		for _, o := range row {
			if o < ' ' || o > '~' {
				o = '.'
			}
			line = append(line, o)
		}
		p.line = append(line, '|', '\n')
		p.Write(p.line)
	}
	if more := d.Len - len(shown); more > 0 {
		p.remark(quantity.Count(more, "more octet"))
	}
}
