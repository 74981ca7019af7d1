package ulptest

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Printer prints what is reported of the first connection, for examples.
type Printer struct {
	analysis.Discard
	Before uint64                           // messages that begin before this frame are printed
	Line   func(*record.Transaction) string // of a transaction; empty if that is not to be printed
}

// Upper implements analysis.Reporter.
func (p *Printer) Upper(m *record.Upper) {
	if m.Conn.ID == 0 && m.Frame < p.Before {
		fmt.Printf("frame %d %v: %s\n", m.Frame, m.Dir, m.Name)
	}
}

// Transaction implements analysis.Reporter.
func (p *Printer) Transaction(t *record.Transaction) {
	if line := p.Line(t); line != "" && t.Conn.ID == 0 {
		fmt.Println(line)
	}
}
