package ulptest

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Printer prints what is reported about the first connection, for examples.
type Printer struct {
	Before uint64                           // messages that begin before this frame are printed
	Line   func(*record.Transaction) string // the line for a transaction; empty to print none
}

// Record implements record.Sink.
func (p *Printer) Record(r *record.Record) {
	if r.Upper != nil {
		p.upper(r.Upper)
	}
	for _, t := range r.Over {
		p.transaction(t)
	}
}

func (p *Printer) upper(m *record.Upper) {
	if m.Conn.ID == 0 && m.Frame < p.Before {
		fmt.Printf("frame %d %v: %s\n", m.Frame, m.Dir, m.Name)
	}
}

func (p *Printer) transaction(t *record.Transaction) {
	if line := p.Line(t); line != "" && t.Conn.ID == 0 {
		fmt.Println(line)
	}
}
