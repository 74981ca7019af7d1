package csv

// Rows about transactions.

import (
	"strconv"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// over writes the row of a transaction that is over, if it belongs to the view.
func (e *Encoder) over(t *record.Transaction) {
	if !e.view.Shows(t) {
		return
	}
	e.row()
	e.span(&t.Request)
	e.conn(t.Conn, t.Dir)
	e.cell(t.Kind.String())
	e.text(t.Name)
	e.number(t.ID)
	e.cell(t.Outcome.String())
	e.text(t.Result())
	if t.Response.Frame != 0 {
		e.span(&t.Response)
	} else {
		e.empty(4)
	}
	if t.Timed() {
		e.line = strconv.AppendFloat(e.line, float64(t.Latency())/1e9, 'f', -1, 64)
	}
	e.empty(1) // its end
	e.number(t.Octets)
	e.request(t)
	e.finish(t.Conn)
}

// request sets the fields of a request.
func (e *Encoder) request(t *record.Transaction) {
	switch t.Kind {
	case record.ReadTransaction:
		e.encoded, _ = t.Read.AppendBinary(e.encoded[:0])
		e.fields.set(&field.Part{Table: rdmap.ReadRequestFields, Octets: e.encoded})
	case record.AtomicTransaction:
		e.encoded, _ = t.Atomic.AppendBinary(e.encoded[:0]) // what was decoded fits in again
		e.fields.set(&field.Part{Table: rdmap.AtomicRequestFields(t.Atomic.AOpCode), Octets: e.encoded})
		if t.Outcome == record.Answered {
			r := rdmap.AtomicResponse{OriginalRequestIdentifier: t.Atomic.RequestIdentifier}
			r.OriginalRemoteDataValue = t.Original
			e.encoded, _ = r.AppendBinary(e.encoded[:0])
			e.fields.set(&field.Part{Table: rdmap.AtomicResponseFields, Octets: e.encoded})
		}
	}
}
