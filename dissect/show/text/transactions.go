package text

// Lines about transactions.

import (
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
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
	p.line = t.Upper.(record.Detailed).AppendDetail(p.line)
	p.end()
}

func (p *Printer) transaction(t *record.Transaction) {
	p.beginTransaction(t)
	//exhaustive:enforce
	switch t.Kind {
	case record.ReadTransaction:
		p.encoded, _ = t.Read.AppendBinary(p.encoded[:0])
		p.request(rdmap.ReadRequestFields)
	case record.AtomicTransaction:
		p.encoded, _ = t.Atomic.AppendBinary(p.encoded[:0]) // what was decoded fits in again
		p.request(rdmap.AtomicRequestFields(t.Atomic.AOpCode))
		if t.Outcome == record.Answered {
			original := rdmap.AtomicResponseFields.Lookup("iwarp_rdma.atomic.original_remote_data_value")
			p.label(original.Label)
			p.line = original.AppendNumber(p.line, t.Original)
		}
	case record.UpperTransaction:
		if result := t.Result(); result != "" {
			p.line = printable.Append(append(p.line, ": "...), result)
		}
	}
	p.end()
}

// request appends the fields of a request whose header is encoded, but for what stands in columns.
func (p *Printer) request(table *field.Table) {
	for i := range table.Fields {
		f := &table.Fields[i]
		switch f.Name {
		case "iwarp_rdma.atomic.opcode", "iwarp_rdma.atomic.request_identifier":
			continue
		case "iwarp_rdma.atomic.compare_data", "iwarp_rdma.atomic.compare_mask":
			if table == rdmap.FetchAddFields {
				continue // it compares nothing
			}
		}
		p.field(f, p.encoded, false)
	}
}
