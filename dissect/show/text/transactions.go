package text

// Lines about transactions.

import (
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// over prints a transaction that is over, if it belongs to the view.
func (p *Printer) over(t *record.Transaction) {
	switch {
	case !p.opts.View.Shows(t):
	case p.opts.View == show.RPCs:
		p.detail(t)
	default:
		p.transaction(t)
	}
}

// detail prints an RPC: its result, what carried Call and Reply, and credits.
//
//	... NFSv3 READ: SUCCESS; Call 152 inline; Reply 128 inline, 4096 by Writes 14-17; credits 32/32
func (p *Printer) detail(t *record.Transaction) {
	p.beginTransaction(t)
	p.line = t.Upper.(record.Detailed).AppendDetail(p.line, t.Conn.Frames)
	p.end()
}

// transaction prints a transaction with the fields of its request, but for what stands in columns, or with its result.
func (p *Printer) transaction(t *record.Transaction) {
	p.beginTransaction(t)
	p.view.Lay(t)
	for i := range p.view.Parts {
		part := &p.view.Parts[i]
		for f := range part.Fields() {
			if v, _ := part.Value(f); !inColumn(t, f, v) {
				p.field(f, part.Octets, false)
			}
		}
	}
	if result := t.Result(); result != "" {
		p.line = printable.Append(append(p.line, ": "...), result)
	}
	p.end()
}

// inColumn reports whether a column has what a field says: the number or the name of the transaction.
func inColumn(t *record.Transaction, f *field.Field, v uint64) bool {
	return f.Names != nil && f.Names(v) == t.Name || f.Refers == field.ToRun && f.Base == field.Dec && v == t.ID
}
