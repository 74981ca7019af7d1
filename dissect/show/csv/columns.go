package csv

// Which columns there are, and the cells of header fields.

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// columnsOf returns the columns of a view in their order: its own, and those of header fields. The stream stands among these.
func columnsOf(v show.View) (own, fields []string) {
	own, fields = transactionColumns, transactionFields
	tables := headers(record.TransactionTables, "")
	switch v {
	case show.RPCs:
		return slices.Concat(own, details()), []string{streamColumn}
	case show.Messages:
		own, fields = messageColumns, messageFields
		tables = slices.Values(ofMessages())
	}
	seen := map[string]bool{}
	for _, name := range slices.Concat(own, fields) {
		seen[name] = true
	}
	for name := range tables {
		if !seen[name] && !strings.HasSuffix(name, "rsvdulp") { // the fields in it have columns
			fields = append(fields[:len(fields):len(fields)], name)
		}
		seen[name] = true
	}
	return own, fields
}

// details are the columns of exchanges that have details.
func details() (names []string) {
	for _, l := range all.Layers() {
		names = append(names, l.Details...)
	}
	return names
}

// ofMessages are the columns that messageTables yields.
var ofMessages = sync.OnceValue(func() []string { return slices.Collect(messageTables) })

// messageTables yields the columns of all header fields of MPA frames and messages.
func messageTables(yield func(string) bool) {
	sources := []iter.Seq[string]{
		headers(record.StartupTables, ""), headers(record.MessageTables, ""), headers(record.CarriedTables, carriedPrefix),
	}
	for _, l := range all.Layers() {
		sources = append(sources, upperHeaders(l.PrivateTables), upperHeaders(l.Tables))
	}
	for _, names := range sources {
		for name := range names {
			if !yield(name) {
				return
			}
		}
	}
}

// carriedPrefix begins the columns of fields that a Terminate carries back.
const carriedPrefix = "terminated."

// headers yields prefix and the names of the fields of some tables, without their protocol.
func headers(tables []*field.Table, prefix string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for t, f := range field.All(tables) {
			if !yield(prefix + short(t, f)) {
				return
			}
		}
	}
}

// upperHeaders yields the names of the fields of some tables of an upper layer, with their protocol.
func upperHeaders(tables []*field.Table) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range field.All(tables) {
			if !yield(f.Name) {
				return
			}
		}
	}
}

// short is the name of a field without its protocol.
func short(t *field.Table, f *field.Field) string { return f.Name[len(t.Proto)+1:] }

var messageColumns = []string{
	"frame", "last_frame", "time", "seconds", "conn", "dir", "src", "dst", "type",
	"len", "segments", "complete", "crc", "bad_crcs", "missing",
	"upper_ulp", "upper", "upper_id", "findings", "term_error",
}

var transactionColumns = []string{
	"frame", "last_frame", "time", "seconds", "conn", "dir", "src", "dst", "kind", "name", "id", "outcome", "result",
	"response_frame", "response_last_frame", "response_time", "response_seconds", "latency", "len",
}

// messageFields are the header fields whose columns stand before that of the stream, in their order.
var messageFields = append([]string{
	"marker_flag", "crc_flag", "rej_flag", "enhanced_flag", "rev", "pdlength", "privatedata",
	"enhanced.a", "enhanced.b", "enhanced.c", "enhanced.D", "enhanced.ird", "enhanced.ord",
	"dv", "stag", "tagged_offset", "qn", "msn", "mo", "opcode", "inval_stag", "immediate_data",
	"term_layer", "term_etype", "term_errcode", "term_hdrct_m", "hdrct_d", "hdrct_r",
	"term_meant_layer", "term_meant_etype", "term_meant_errcode", "term_ddp_seg_len",
	"terminated.opcode", "terminated.stag", "terminated.tagged_offset", "terminated.qn", "terminated.msn",
	"terminated.rdmardsz", "terminated.srcstag", "terminated.srcto",
	"atomic.original_request_identifier",
}, append(transactionFields[:len(transactionFields)-1:len(transactionFields)-1], "ddp_ssn", "function_code", streamColumn)...)

// transactionFields are the same of transactions.
var transactionFields = []string{
	"sinkstag", "sinkto", "rdmardsz", "srcstag", "srcto",
	"atomic.opcode", "atomic.request_identifier", "atomic.remote_stag", "atomic.remote_tagged_offset",
	"atomic.add_data", "atomic.add_mask", "atomic.swap_data", "atomic.swap_mask",
	"atomic.compare_data", "atomic.compare_mask",
	"atomic.original_remote_data_value",
	streamColumn,
}

const streamColumn = "stream"

// fields are the cells of header fields. They are set as the headers come, and written in the order of their columns.
type fields struct {
	columns map[string]int
	own     map[*field.Table][]int // the columns of a table's fields, -1 for none
	carried map[*field.Table][]int // the same where a Terminate carries the header back
	set     []cell
	octets  []byte // of all cells
}

// A cell is the octets of fields from one offset to another, in a column.
type cell struct{ column, from, to int }

func newFields(names []string) fields {
	f := fields{columns: make(map[string]int), own: make(map[*field.Table][]int), carried: make(map[*field.Table][]int)}
	for i, name := range names {
		f.columns[name] = i
	}
	return f
}

// columnsOf returns the columns of a table's fields.
func (c *fields) columnsOf(t *field.Table, carried bool) []int {
	known, prefix := c.own, ""
	if carried {
		known, prefix = c.carried, carriedPrefix
	}
	if columns, ok := known[t]; ok {
		return columns
	}
	columns := make([]int, len(t.Fields))
	for i := range t.Fields {
		f := &t.Fields[i]
		at, ok := c.columns[f.Name]
		if !ok {
			at, ok = c.columns[prefix+short(t, f)]
		}
		if !ok {
			at = -1
		}
		columns[i] = at
	}
	known[t] = columns
	return columns
}

// lay sets the cells of all parts of layers.
func (c *fields) lay(layers []record.Layer) {
	for i := range layers {
		for j := range layers[i].Parts {
			p := &layers[i].Parts[j]
			for k, column := range c.columnsOf(p.Table, p.Carried) {
				if f := &p.Table.Fields[k]; column >= 0 && f != p.Omit {
					c.add(column, p, f)
				}
			}
		}
	}
}

// add sets a cell, or adds to it, if the field was captured.
func (c *fields) add(column int, p *field.Part, f *field.Field) {
	from := len(c.octets)
	if v, ok := p.Value(f); ok {
		c.octets = appendNumber(c.octets, f, v)
	} else if f.Base == field.Octets {
		c.octets = f.AppendValue(c.octets, p.Octets)
	}
	if len(c.octets) > from {
		c.set = append(c.set, cell{column, from, len(c.octets)})
	}
}

// number sets a cell to a number.
func (c *fields) number(name string, v uint64) {
	from := len(c.octets)
	c.octets = strconv.AppendUint(c.octets, v, 10)
	c.set = append(c.set, cell{c.columns[name], from, len(c.octets)})
}

// finish writes the cells, with spaces between the values of one, and empties them.
func (c *fields) finish(e *Encoder) {
	slices.SortStableFunc(c.set, func(a, b cell) int { return cmp.Compare(a.column, b.column) })
	written := 0
	for i, s := range c.set {
		if i > 0 && s.column < written {
			e.line[len(e.line)-1] = ' '
		} else {
			e.empty(s.column - written)
			written = s.column + 1
		}
		e.line = append(append(e.line, c.octets[s.from:s.to]...), ',')
	}
	e.empty(len(c.columns) - written)
	c.set, c.octets = c.set[:0], c.octets[:0]
}
