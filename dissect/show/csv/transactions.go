package csv

// Rows about transactions.

import (
	"strconv"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
)

// over writes the row of a transaction that is over, if it belongs to the view.
func (e *Encoder) over(t *record.Transaction) {
	if !e.about.Shows(t) {
		return
	}
	e.row(t.Conn, &t.Request)
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
	if e.about == show.RPCs {
		for _, cell := range t.Upper.(record.Detailed).Cells() {
			e.text(cell)
		}
	}
	e.fields.lay(e.view.Lay(t))
	e.finish(t.Conn)
}
