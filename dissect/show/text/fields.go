package text

// Which header fields of a message are worth a place on its line.

import (
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// headers appends the fields of a message's headers that matter, or all of them if something is wrong with one.
func (p *Printer) headers(m *record.Message) {
	p.view.Lay(m)
	all := !Regular(m)
	for i := range p.view.Parts {
		part := &p.view.Parts[i]
		switch part.Table.Name {
		case rdmap.TerminateFields.Name:
			p.terminate(m)
			continue
		case mpa.FPDUFields.Name, rdmap.MeantFields.Name, rdmap.SegmentLengthFields.Name:
			continue // terminate has explained the second, the others add nothing to a line
		}
		for f := range part.Fields() {
			p.field(f, part.Octets, all && !part.Carried)
		}
	}
}

// Regular reports whether the first two octets and the queue are what the message's type and the connection make them. Of a
// message that is not regular all fields matter.
func Regular(m *record.Message) bool {
	version := m.Conn.Agreement.DDPVersion
	return m.First.Header.Check() == nil && (!m.Conn.Agreed || m.First.DV() == version && m.First.Control.RV == version)
}

// field appends a field of the header b, unless it is an ordinary one and not all are wanted.
func (p *Printer) field(f *field.Field, b []byte, all bool) {
	v, ok := f.Get(b)
	switch {
	case f.Base == field.Octets:
		if octets := f.Bytes(b); len(octets) > 0 {
			p.octets(f.Label, octets)
		}
		return
	case !ok, !all && ordinary(f.Name, v):
		return
	}
	p.label(f.Label)
	p.line = f.AppendNumber(p.line, v)
}

// ordinary reports whether a field tells nothing that the type of the message does not.
func ordinary(name string, v uint64) bool {
	switch name {
	case "iwarp_ddp.tagged_flag", "iwarp_ddp.last_flag", "iwarp_ddp.dv", "iwarp_ddp.qn", "iwarp_rdma.version", "iwarp_rdma.opcode":
		return true
	case "iwarp_ddp.rsvd", "iwarp_ddp.mo", "iwarp_rdma.rsv", "iwarp_rdma.reserved", "iwarp_rdma.atomic.reserved":
		return v == 0
	}
	return false
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

// octets appends the begin of an octet string in hex.
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
		for fd := range parts[i].Fields() {
			p.startupField(fd, parts[i].Octets)
		}
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

// startupField appends a field of the frame b that matters.
func (p *Printer) startupField(f *field.Field, b []byte) {
	switch f.Base {
	case field.Flag:
		p.option(f, b)
		return
	case field.Octets: // the Key, which the type tells, and the Private Data
		return
	}
	v, _ := f.Get(b)
	if f.Name == "iwarp_mpa.res" && v == 0 || f.Name == "iwarp_mpa.pdlength" && v <= mpa.MaxPrivateData || f.Name == "iwarp_sctp.function_code" {
		return // as always, and told by the column of lengths, and by the type
	}
	p.label(f.Label)
	p.line = f.AppendNumber(p.line, v)
	if f.Names != nil && v != mpa.Rev1 && v != mpa.Rev2 {
		p.line = append(append(append(p.line, '('), f.Names(v)...), ')')
	}
}

// privateField appends a field of the upper layer's Private Data, or what its value means, unless it only says that the
// rest is what it is.
func (p *Printer) privateField(f *field.Field, b []byte) {
	v, _ := f.Get(b)
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

// options says in words what the flags of MPA frames mean: if set, and if clear.
var options = map[string][2]string{
	"iwarp_mpa.marker_flag": {" Markers=yes", " Markers=no"},
	"iwarp_mpa.crc_flag":    {" CRC=yes", " CRC=no"},
	"iwarp_mpa.rej_flag":    {" REJECTED", ""},
	"iwarp_mpa.enhanced.a":  {" peer-to-peer", ""},
	"iwarp_mpa.enhanced.b":  {" RTR=Send", ""},
	"iwarp_mpa.enhanced.c":  {" RTR=Write", ""},
	"iwarp_mpa.enhanced.D":  {" RTR=ReadRequest", ""},
}

// option appends what a flag of the header b means.
func (p *Printer) option(f *field.Field, b []byte) {
	words := options[f.Name]
	switch v, _ := f.Get(b); {
	case v == 0:
		p.line = append(p.line, words[1]...)
	case f.Name == "iwarp_mpa.rej_flag":
		p.line = append(p.line, p.opts.Palette.Mark.On...)
		p.line = append(p.line, words[0]...)
		p.line = append(p.line, p.opts.Palette.Mark.Off...)
	default:
		p.line = append(p.line, words[0]...)
	}
}
