package text

// What a Terminate says, in words.

import "github.com/iwarpkit/iwarp/codec/rdmap"

// terminate appends the error of a Terminate header of n octets that begins with b, and the type of the message it is
// about. The fields of the headers that it carries back follow as those of any other header.
func (p *Printer) terminate(b []byte, n int) {
	if len(b) < rdmap.TerminateLen {
		p.line = append(p.line, " cut before its error code"...)
		return
	}
	var rfc, meant rdmap.Terminate
	rfc.Decode(b)
	meant.DecodeSwapped(b)
	culprit := &rfc
	p.line = append(p.line, ' ')
	switch p.reading(b, n) {
	case rdmap.ReadingSwapped:
		culprit = &meant
		p.line = AppendCode(p.line, meant.Code)
		p.line = append(p.line, " (bits swapped"...)
		if meant.Code != rfc.Code {
			p.line = append(p.line, "; the RFC reads "...)
			p.line = appendDigits(p.line, rfc.Code)
		}
		p.line = append(p.line, ')')
	case rdmap.ReadingAmbiguous:
		p.line = AppendCode(p.line, rfc.Code)
		p.line = append(p.line, ", or with bits swapped "...)
		p.line = AppendCode(p.line, meant.Code)
	default:
		p.line = AppendCode(p.line, rfc.Code)
	}
	if culprit.HasHeader {
		p.line = append(p.line, "; about "...)
		p.line = append(p.line, culprit.Header.Control.Opcode.String()...)
	}
}

// reading is rdmap.ReadingOf for a Terminate header of n octets that b may hold in part only. If both readings are
// offered for one that was cut, it is called ambiguous.
func (p *Printer) reading(b []byte, n int) rdmap.Reading {
	if len(b) >= n {
		return rdmap.ReadingOf(b)
	}
	for i := range p.parts {
		if p.parts[i].Table.Name == rdmap.MeantFields.Name {
			return rdmap.ReadingAmbiguous
		}
	}
	return rdmap.ReadingRFC
}

// AppendCode appends an error code and its name: "0/1/00 RDMAP Remote Protection Error: Invalid STag".
func AppendCode(dst []byte, c rdmap.Code) []byte {
	dst = appendDigits(dst, c)
	dst = append(dst, ' ')
	dst = append(dst, c.Layer.String()...)
	dst = append(dst, ' ')
	dst = append(dst, c.ETypeName()...)
	if name := c.Name(); name != "" {
		dst = append(dst, ": "...)
		dst = append(dst, name...)
	}
	return dst
}

// appendDigits appends what Code.String returns.
func appendDigits(dst []byte, c rdmap.Code) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, digits[c.Layer&15], '/', digits[c.EType&15], '/', digits[c.ErrorCode>>4], digits[c.ErrorCode&15])
}
