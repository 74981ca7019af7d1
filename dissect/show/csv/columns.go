package csv

// Which columns there are.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/show"
)

// columns are those of a view: its own, which are written in this order, those of header fields behind them, and what
// came to be told of connections later.
type columns struct{ own, fields, later []string }

func columnsOf(v show.View) columns {
	if v == show.Messages {
		return columns{messageColumns, messageFields, connColumns}
	}
	return columns{transactionColumns, transactionFields, connColumns}
}

// names are those of all, in their order.
func (c *columns) names() []string { return slices.Concat(c.own, c.fields, c.later) }

var connColumns = []string{"stream"}

var messageColumns = []string{
	"frame", "last_frame", "time", "seconds", "conn", "dir", "src", "dst", "type",
	"len", "segments", "complete", "crc", "bad_crcs", "missing",
	"upper_ulp", "upper", "upper_id", "findings", "term_error",
}

var transactionColumns = []string{
	"frame", "last_frame", "time", "seconds", "conn", "dir", "src", "dst", "kind", "name", "id", "outcome", "result",
	"response_frame", "response_last_frame", "response_time", "response_seconds", "latency", "len",
}

// messageFields are the fields of headers that have a column: as the protocols' field tables call them, without the
// name of the protocol. Those that a Terminate carries back begin with "terminated.".
var messageFields = append([]string{
	"marker_flag", "crc_flag", "rej_flag", "enhanced_flag", "rev", "pdlength", "privatedata",
	"enhanced.a", "enhanced.b", "enhanced.c", "enhanced.D", "enhanced.ird", "enhanced.ord",
	"dv", "stag", "tagged_offset", "qn", "msn", "mo", "opcode", "inval_stag", "immediate_data",
	"term_layer", "term_etype", "term_errcode", "term_hdrct_m", "hdrct_d", "hdrct_r",
	"term_meant_layer", "term_meant_etype", "term_meant_errcode", "term_ddp_seg_len",
	"terminated.opcode", "terminated.stag", "terminated.tagged_offset", "terminated.qn", "terminated.msn",
	"terminated.rdmardsz", "terminated.srcstag", "terminated.srcto",
	"atomic.original_request_identifier",
}, append(transactionFields[:len(transactionFields):len(transactionFields)], "ddp_ssn", "function_code")...)

// transactionFields are those of requests, and what was there before an Atomic.
var transactionFields = []string{
	"sinkstag", "sinkto", "rdmardsz", "srcstag", "srcto",
	"atomic.opcode", "atomic.request_identifier", "atomic.remote_stag", "atomic.remote_tagged_offset",
	"atomic.add_data", "atomic.add_mask", "atomic.swap_data", "atomic.swap_mask",
	"atomic.compare_data", "atomic.compare_mask",
	originalValue,
}

const originalValue = "atomic.original_remote_data_value"

// fields are the cells of header fields: they are set as the headers come, and written in the order of their columns.
type fields struct {
	columns map[string]int
	own     map[*field.Table][]int // the columns of a table's fields, -1 for none
	carried map[*field.Table][]int // the same where a Terminate carries the header back
	cells   []cell
	octets  []byte // of all cells
}

// A cell is where its octets begin and end.
type cell struct{ from, to int }

func newFields(names []string) fields {
	f := fields{
		columns: make(map[string]int), own: make(map[*field.Table][]int), carried: make(map[*field.Table][]int),
		cells: make([]cell, len(names)),
	}
	for i, name := range names {
		f.columns[name] = i
	}
	return f
}

// of are the columns of a table's fields.
func (c *fields) of(t *field.Table, enclosed bool) []int {
	known, prefix := c.own, ""
	if enclosed {
		known, prefix = c.carried, "terminated."
	}
	if columns, ok := known[t]; ok {
		return columns
	}
	columns := make([]int, len(t.Fields))
	for i := range t.Fields {
		columns[i] = -1
		if at, ok := c.columns[prefix+t.Fields[i].Name[len(t.Proto)+1:]]; ok {
			columns[i] = at
		}
	}
	known[t] = columns
	return columns
}

// set sets the cells of a part.
func (c *fields) set(p *field.Part) {
	for i, at := range c.of(p.Table, p.Carried) {
		if f := &p.Table.Fields[i]; at >= 0 && f != p.Omit {
			c.setField(at, f, p.Octets)
		}
	}
}

func (c *fields) setField(at int, f *field.Field, b []byte) {
	from := len(c.octets)
	switch v, ok := f.Get(b); {
	case f.Base == field.Octets:
		c.octets = f.AppendValue(c.octets, b)
	case ok:
		c.octets = appendNumber(c.octets, f, v)
	}
	c.cells[at] = cell{from, len(c.octets)}
}

// finish writes the cells and empties them.
func (c *fields) finish(e *Encoder) {
	for i, at := range c.cells {
		e.line = append(append(e.line, c.octets[at.from:at.to]...), ',')
		c.cells[i] = cell{}
	}
	c.octets = c.octets[:0]
}
