package text

// Which header fields of a message are worth a place on its line.

import (
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// headers appends the fields of a message's headers that matter, or all of them if something is wrong with one.
func (p *Printer) headers(m *record.Message) {
	p.view.Lay(m)
	remarks := p.view.Remarks(m)
	all := !m.Regular()
	for i := range p.view.Parts {
		part := &p.view.Parts[i]
		if !part.Table.Aside {
			p.fields(part, all && !part.Carried)
			continue
		}
		for _, r := range remarks {
			if r.Part == i && len(r.Brief) > 0 {
				p.line = append(append(p.line, ' '), r.Brief...)
			}
		}
	}
}

// fields appends the fields of a part that matter, or all of them.
func (p *Printer) fields(part *field.Part, all bool) {
	for f := range part.Fields() {
		p.field(f, part.Octets, all)
	}
}

// field appends a field of the header b, unless its value is usual and not all are wanted.
func (p *Printer) field(f *field.Field, b []byte, all bool) {
	if f.Usual == field.Always && !all { // most are
		return
	}
	v, ok := f.Get(b)
	switch {
	case v < f.Usual && !all:
	case f.Base == field.Octets:
		if octets := f.Bytes(b); len(octets) > 0 {
			p.octets(f.Label, octets)
		}
	case ok && (all || f.Words == nil || !p.words(f, f.Words(v))):
		p.label(f.Label)
		p.line = f.AppendNumber(p.line, v)
	}
}

// words appends what a value of a field means, in another style if it is bad news. It reports whether there are words.
func (p *Printer) words(f *field.Field, s string) bool {
	if s == "" {
		return false
	}
	var style Style
	if f.Bad {
		style = p.opts.Palette.Mark
	}
	p.line = append(append(append(append(p.line, style.On...), ' '), s...), style.Off...)
	return true
}

// label appends the name of a field, without the spaces in it.
func (p *Printer) label(s string) {
	b := append(p.line, ' ')
	b = append(b, p.opts.Palette.Label.On...)
	for i := range len(s) {
		if s[i] != ' ' {
			b = append(b, s[i])
		}
	}
	b = append(b, '=')
	p.line = append(b, p.opts.Palette.Label.Off...)
}

const hexDigits = "0123456789abcdef"

// maxOctets is how many octets of an octet string are printed.
const maxOctets = 16

// octets appends the beginning of an octet string in hex.
func (p *Printer) octets(label string, octets []byte) {
	p.label(label)
	for _, o := range octets[:min(len(octets), maxOctets)] {
		p.line = append(p.line, hexDigits[o>>4], hexDigits[o&15])
	}
	if len(octets) > maxOctets {
		p.line = append(p.line, "..."...)
	}
}

// startup appends the fields of an MPA frame, or a session control message.
func (p *Printer) startup(f *record.Startup) {
	layer := &p.view.Lay(f)[0]
	parts := layer.Parts
	if f.Private != nil {
		parts = parts[:len(parts)-1]
	}
	for i := range parts {
		p.fields(&parts[i], false)
	}
	if pd := layer.Data.Octets; len(pd) > 0 {
		p.octets("PrivateData", pd)
	}
	if private := f.Private; private != nil {
		p.line = append(append(p.line, " ("...), private.ULP...)
		for f := range private.Part.Fields() {
			p.privateField(f, private.Part.Octets)
		}
		p.line = append(p.line, ')')
	}
}

// privateField appends a field of the upper layer's Private Data, or what its value means, unless it only says that the
// rest is what it is.
func (p *Printer) privateField(f *field.Field, b []byte) {
	v := f.Number(b)
	if f.Width == 32 && f.Base == field.Hex || v == 0 && f.Base != field.Dec {
		return
	}
	p.label(f.Label)
	if f.Names != nil {
		p.line = append(p.line, f.Names(v)...)
		return
	}
	p.line = f.AppendNumber(p.line, v)
}

// A Describer says of messages and MPA frames what a Printer shows after its columns, without colours. The zero value
// is ready. It allocates nothing in the steady state.
type Describer struct{ p Printer }

// AppendMessage appends the header fields of a message that matter, each after a space: " MSN=1".
func (d *Describer) AppendMessage(dst []byte, m *record.Message) []byte {
	d.p.line = dst
	d.p.headers(m)
	return d.p.line
}

// AppendStartupFrame appends the fields of an MPA frame that matter, each after a space: " Markers=no CRC=yes Rev=1".
func (d *Describer) AppendStartupFrame(dst []byte, f *record.Startup) []byte {
	d.p.line = dst
	d.p.startup(f)
	return d.p.line
}
