package field

import (
	"iter"
	"slices"
)

// A Table describes one header: its fields in the order of the wire.
type Table struct {
	Name   string // "DDP tagged header"
	Proto  string // the name of the protocol in display filters: "iwarp_ddp"
	Source string // where it is defined: "RFC 5041, section 4.2"
	Fields []Field
	Header string // the name by which a display filter asks whether the header is there: "iwarp_mpa.req"; empty if there is none
	Aside  bool   // a line about a message leaves the header out

	octets int     // of the fields of fixed width
	short  []Error // by field of fixed width: of a header that ends in it
}

// NewTable makes a table and, in advance, the errors for headers that end early. Fields must come in the order
// of the wire.
func NewTable(name, proto, source string, fields ...Field) *Table {
	t := &Table{Name: name, Proto: proto, Source: source, Fields: fields}
	fixed := len(fields)
	if i := slices.IndexFunc(fields, func(f Field) bool { return f.Width == 0 }); i >= 0 {
		fixed = i
	}
	t.short = make([]Error, fixed)
	for i := range t.short {
		t.octets = max(t.octets, fields[i].End(0))
		t.short[i] = Error{Header: name, Field: fields[i].Label, Reason: ErrShort}
	}
	return t
}

// Asked returns t with the name by which a display filter asks for it.
func (t *Table) Asked(header string) *Table {
	t.Header = header
	return t
}

// LeftOut returns t with Aside set.
func (t *Table) LeftOut() *Table {
	t.Aside = true
	return t
}

// All yields the fields of some tables, with the table of each.
func All(tables []*Table) iter.Seq2[*Table, *Field] {
	return func(yield func(*Table, *Field) bool) {
		for _, t := range tables {
			for i := range t.Fields {
				if !yield(t, &t.Fields[i]) {
					return
				}
			}
		}
	}
}

// Len returns the number of octets that the fields of fixed width cover.
func (t *Table) Len() int { return t.octets }

// Short returns the error for a header of which only n octets are there: it names the first field that is not
// whole. It returns nil if n octets hold all fields of fixed width.
func (t *Table) Short(n int) error {
	if n >= t.octets {
		return nil
	}
	return &t.short[slices.IndexFunc(t.Fields, func(f Field) bool { return n < f.End(0) })]
}

// Lookup finds a field by its display filter name; nil if there is none.
func (t *Table) Lookup(name string) *Field {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return &t.Fields[i]
		}
	}
	return nil
}

// Err makes an error about a field of this table. It is meant for package variables and panics if the table has
// no such field.
func (t *Table) Err(name string, reason error, rule string) *Error {
	f := t.Lookup(name)
	if f == nil {
		panic("field: " + t.Name + " has no field " + name)
	}
	return &Error{Header: t.Name, Field: f.Label, Reason: reason, Rule: rule}
}
