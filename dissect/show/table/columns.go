package table

// Which columns there are.

import (
	"slices"
	"strings"
	"sync"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// A Type says what the cells of a column hold.
type Type uint8

// The types of columns.
const (
	Number     Type = iota // an unsigned number
	Identifier             // a number that people read in hexadecimal
	Flag                   // a number that is 0 or 1
	Text                   // UTF-8, except where octets of a capture are not
	Octets                 // an octet string
	Time                   // a number: nanoseconds since 1970-01-01 UTC
	Since                  // a signed number: nanoseconds since the first packet
	Duration               // a number: nanoseconds
)

// A Column is one column of a table.
type Column struct {
	Name string
	Type Type
	Many bool // a row may have several values, such as those of all operations of an NFSv4 COMPOUND
}

// Columns returns the columns of a view in their order. With file, the first is the file of the first frame.
func Columns(v show.View, file bool) (columns []Column) {
	if file {
		columns = append(columns, fileColumn)
	}
	switch v {
	case show.RPCs:
		columns = append(columns, transactionColumns...)
		for _, l := range all.Layers() {
			for _, name := range l.Details {
				columns = append(columns, Column{name, Text, false})
			}
		}
		return append(columns, streamColumn)
	case show.Transactions:
		return append(columns, ofTransactions()...)
	}
	return append(columns, ofMessages()...)
}

var (
	ofMessages     = sync.OnceValue(func() []Column { return withHeaders(messageColumns, messageFields, messageHeaders()) })
	ofTransactions = sync.OnceValue(func() []Column {
		return withHeaders(transactionColumns, transactionFields, headers(record.TransactionTables, ""))
	})
)

// withHeaders adds the columns of header fields: first those named in first, then the stream, then the others.
func withHeaders(columns []Column, first []string, headers []Column) []Column {
	columns = slices.Clip(columns)
	byName := make(map[string]Column)
	for _, c := range slices.Backward(headers) {
		c.Many = c.Many || byName[c.Name].Many
		byName[c.Name] = c
	}
	for _, c := range columns {
		delete(byName, c.Name)
	}
	for _, name := range first {
		columns = append(columns, byName[name])
		delete(byName, name)
	}
	columns = append(columns, streamColumn)
	for _, c := range headers {
		if c, ok := byName[c.Name]; ok && !strings.HasSuffix(c.Name, "rsvdulp") { // the fields in it have columns
			columns = append(columns, c)
		}
		delete(byName, c.Name)
	}
	return columns
}

// messageHeaders are the columns of all header fields of MPA frames and messages. A name may come several times.
func messageHeaders() []Column {
	c := slices.Concat(headers(record.StartupTables, ""), headers(record.MessageTables, ""), headers(record.CarriedTables, carriedPrefix))
	for _, l := range all.Layers() {
		c = append(c, upperHeaders(l.PrivateTables, false)...)
		c = append(c, upperHeaders(l.Tables, true)...)
	}
	return c
}

// carriedPrefix begins the columns of fields that a Terminate carries back.
const carriedPrefix = "terminated."

// headers are a column for each field of some tables, named by the prefix and the field's name without the protocol.
func headers(tables []*field.Table, prefix string) (columns []Column) {
	for t, f := range field.All(tables) {
		columns = append(columns, Column{prefix + short(t, f), typeOf(f), false})
	}
	return columns
}

// upperHeaders are a column for each field of some tables of an upper layer, whose names keep the protocol.
func upperHeaders(tables []*field.Table, many bool) (columns []Column) {
	for _, f := range field.All(tables) {
		columns = append(columns, Column{f.Name, typeOf(f), many})
	}
	return columns
}

// typeOf is the type of a field's column.
func typeOf(f *field.Field) Type {
	switch f.Base {
	case field.Flag:
		return Flag
	case field.Octets:
		return Octets
	}
	return Number
}

// short is the name of a field without its protocol.
func short(t *field.Table, f *field.Field) string { return f.Name[len(t.Proto)+1:] }

var fileColumn, streamColumn = Column{"file", Text, false}, Column{"stream", Number, false}

// spanColumns begin every row: who sent something to whom, and when.
var spanColumns = []Column{
	{"frame", Number, false}, {"last_frame", Number, false}, {"time", Time, false}, {"seconds", Since, false},
	{"conn", Number, false}, {"dir", Text, false}, {"src", Text, false}, {"dst", Text, false},
}

var messageColumns = slices.Concat(spanColumns, []Column{
	{"type", Text, false}, {"len", Number, false}, {"segments", Number, false}, {"complete", Flag, false},
	{"crc", Text, false}, {"bad_crcs", Number, false}, {"missing", Number, false},
	{"upper_ulp", Text, false}, {"upper", Text, false}, {"upper_id", Identifier, false},
	{"findings", Text, true}, {"term_error", Text, false},
})

var transactionColumns = slices.Concat(spanColumns, []Column{
	{"kind", Text, false}, {"name", Text, false}, {"id", Number, false}, {"outcome", Text, false}, {"result", Text, false},
	{"response_frame", Number, false}, {"response_last_frame", Number, false}, {"response_time", Time, false}, {"response_seconds", Since, false},
	{"latency", Duration, false}, {"len", Number, false},
})

// messageFields are the header fields whose columns stand before that of the stream, in their order.
var messageFields = slices.Concat([]string{
	"marker_flag", "crc_flag", "rej_flag", "enhanced_flag", "rev", "pdlength", "privatedata",
	"enhanced.a", "enhanced.b", "enhanced.c", "enhanced.D", "enhanced.ird", "enhanced.ord",
	"dv", "stag", "tagged_offset", "qn", "msn", "mo", "opcode", "inval_stag", "immediate_data",
	"term_layer", "term_etype", "term_errcode", "term_hdrct_m", "hdrct_d", "hdrct_r",
	"term_meant_layer", "term_meant_etype", "term_meant_errcode", "term_ddp_seg_len",
	"terminated.opcode", "terminated.stag", "terminated.tagged_offset", "terminated.qn", "terminated.msn",
	"terminated.rdmardsz", "terminated.srcstag", "terminated.srcto",
	"atomic.original_request_identifier",
}, transactionFields, []string{"ddp_ssn", "function_code"})

// transactionFields are the same for transactions.
var transactionFields = []string{
	"sinkstag", "sinkto", "rdmardsz", "srcstag", "srcto",
	"atomic.opcode", "atomic.request_identifier", "atomic.remote_stag", "atomic.remote_tagged_offset",
	"atomic.add_data", "atomic.add_mask", "atomic.swap_data", "atomic.swap_mask",
	"atomic.compare_data", "atomic.compare_mask",
	"atomic.original_remote_data_value",
}
