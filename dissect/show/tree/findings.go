package tree

// What an analysis finds.

import (
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// findings prints what was found with a segment, a message or an MPA frame, below the headings and not below a field, for it is about the whole.
func (p *Printer) findings(all []*record.Finding) {
	for _, f := range all {
		p.print(p.opts.Palette.Mark, blanks[:headingIndent], headingIndent+4, "! "+string(appendFinding(nil, f)), "")
	}
}

// appendFinding appends what a finding says in short, or its sentence if there is nothing shorter.
func appendFinding(b []byte, f *record.Finding) []byte {
	b = text.AppendFinding(b, f)
	if f.Seen == "" && f.Expected == "" {
		b = printable.Append(append(b, ": "...), strings.TrimSuffix(f.Text, "."))
	}
	return b
}

// alone prints a finding that is about no tree that is being printed.
func (p *Printer) alone(f *record.Finding) {
	b := append(p.line[:0], findingLabel...)
	b = appendFinding(b, f)
	p.about(p.opts.Palette.Mark, len(findingLabel), b, &f.Origin)
	p.end()
}

// upper prints a message of an upper layer. Its fields stand below the line.
func (p *Printer) upper(u *record.Upper) {
	b := append(p.line[:0], upperLabel...)
	b = text.AppendUpper(b, u)
	b = append(b, ", "...)
	b = quantity.AppendCount(b, u.Len, "octet")
	p.about(p.opts.Palette.Message, len(upperLabel), b, &u.Origin)
	layers := p.view.Lay(u.Body)
	for i := range layers {
		p.layer(&layers[i])
	}
	p.end()
}

// layer prints the parts of a layer, under its name if it has one.
func (p *Printer) layer(l *record.Layer) {
	if l.Name != "" {
		p.end()
		p.print(p.opts.Palette.Message, "", headingIndent+4, l.Name+", "+quantity.Count(l.Len, "octet"), "")
	}
	p.parts(nil, l.Parts)
}

// about prints a line that ends with where something was.
func (p *Printer) about(style text.Style, indent int, b []byte, o *record.Origin) {
	b = o.Conn.Frames.AppendNamed(append(b, ", "...), &o.Span)
	b = append(b, ", connection "...)
	b = strconv.AppendInt(b, int64(o.Conn.ID), 10)
	b = append(b, ' ')
	p.line = append(b, o.Dir.String()...)
	p.print(style, "", indent, string(p.line), "")
}
