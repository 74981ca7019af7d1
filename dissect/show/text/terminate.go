package text

// What a Terminate says, in words.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// terminate appends the error of a Terminate, and the type of the message it is about. The fields of the headers that it
// carries back follow as those of any other header.
func (p *Printer) terminate(m *record.Message) {
	t, ok := m.Terminate()
	if !ok {
		p.line = append(p.line, " cut before its error code"...)
		return
	}
	rfc, swapped := t.RFC.Code, t.Swapped.Code
	p.line = t.Meant().Code.AppendNamed(append(p.line, ' '))
	switch t.Reading {
	case rdmap.ReadingSwapped:
		p.line = append(p.line, " (bits swapped"...)
		if swapped != rfc {
			p.line = rfc.AppendDigits(append(p.line, "; the RFC reads "...))
		}
		p.line = append(p.line, ')')
	case rdmap.ReadingAmbiguous:
		p.line = swapped.AppendNamed(append(p.line, ", or with bits swapped "...))
	}
	if meant := t.Meant(); meant.HasHeader {
		p.line = append(append(p.line, "; about "...), meant.Header.Control.Opcode.String()...)
	}
}
