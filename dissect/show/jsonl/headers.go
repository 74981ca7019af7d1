package jsonl

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// headers appends the fields of a ULPDU of the given length, of which b is the begin: those that a Terminate carries
// back in an object of their own.
func (e *Encoder) headers(b []byte, length int) {
	e.parts = rdmap.AppendLayout(e.parts[:0], b, length)
	enclosed := false
	for i := range e.parts {
		p := &e.parts[i]
		if p.Carried != enclosed {
			enclosed = p.Carried
			if enclosed {
				e.key("terminated")
				e.line = append(e.line, '{')
			} else {
				e.line = append(e.line, '}')
			}
		}
		for f := range p.Fields() {
			e.field(p.Table, f, p.Octets)
		}
		if p.Table.Name == rdmap.TerminateFields.Name && len(b) == length && length-p.Off >= rdmap.TerminateLen {
			e.text("term_reading", rdmap.ReadingOf(b[p.Off:]).String())
		}
	}
	if enclosed {
		e.line = append(e.line, '}')
	}
}
