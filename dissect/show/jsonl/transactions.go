package jsonl

// Objects about transactions.

import (
	"encoding/json"
	"strconv"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// The forms of the objects by what they are about.
const (
	TransactionsSchema = "iwarp.transactions/1"
	RPCSchema          = "iwarp.rpc/1"
)

// schemas are the forms by text.View.
var schemas = [...]string{show.Messages: Schema, show.Transactions: TransactionsSchema, show.RPCs: RPCSchema}

// over writes the object of a transaction that is over, if it belongs to the view.
func (e *Encoder) over(t *record.Transaction) {
	switch {
	case !e.about.Shows(t):
	case e.about == show.RPCs:
		e.detail(t)
	default:
		e.transaction(t)
	}
}

// detail writes the object of an RPC, with all that its upper layer says of it.
func (e *Encoder) detail(t *record.Transaction) {
	e.beginTransaction(t)
	form, _ := json.Marshal(t.Upper.(ulp.Detailed).Object(t.Conn.Frames)) // it holds nothing that JSON has not
	form = printable.AppendJSON(nil, form)
	e.line = append(e.line, ',')
	e.line = append(e.line, form[1:]...) // its own brace stays open
	e.line = e.line[:len(e.line)-1]
	e.end()
}

func (e *Encoder) transaction(t *record.Transaction) {
	e.beginTransaction(t)
	e.text("kind", t.Kind.String())
	e.number("id", t.ID)
	e.view.Lay(t)
	e.headers(e.view.Parts, nil)
	if result := t.Result(); result != "" {
		e.quoted("result", result)
	}
	e.end()
}

// beginTransaction begins an object with what every transaction has.
func (e *Encoder) beginTransaction(t *record.Transaction) {
	e.line, e.in = append(e.line[:0], e.head...), t.Conn.Frames
	e.conn(t.Conn, t.Dir)
	e.quoted("name", t.Name)
	e.text("outcome", t.Outcome.String())
	e.span("", &t.Request)
	if t.Response.Frame != 0 {
		e.span("response_", &t.Response)
	}
	if t.Timed() {
		e.key("latency")
		e.line = strconv.AppendFloat(e.line, float64(t.Latency())/1e9, 'f', -1, 64)
	}
	e.number("len", t.Octets)
}

// span appends frames and their times, under keys that begin with prefix.
func (e *Encoder) span(prefix string, s *flow.Span) {
	e.frame(prefix, "", s.Frame)
	e.frame(prefix, "last_", s.LastFrame)
	e.prefixed(prefix, "time")
	e.time(s.Time)
}

// frame appends the number of a frame, after its file if there are several.
func (e *Encoder) frame(prefix, which string, frame uint64) {
	file, number := e.in.Place(frame)
	if file != "" {
		e.quoted(prefix+which+"file", file)
	}
	e.prefixed(prefix+which, "frame")
	e.line = strconv.AppendUint(e.line, number, 10)
}

// prefixed appends a key of two parts.
func (e *Encoder) prefixed(prefix, name string) {
	e.line = append(e.line, ',', '"')
	e.line = append(e.line, prefix...)
	e.line = append(e.line, name...)
	e.line = append(e.line, '"', ':')
}
