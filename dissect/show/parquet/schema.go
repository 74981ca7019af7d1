package parquet

// Schemas: the columns of rows, and those of the objects of iwarp check and iwarp stats.

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"

	"github.com/iwarpkit/iwarp/dissect/show/table"
)

// A shape is a part of a schema, and how values of it become those of its columns.
type shape struct {
	node   pq.Node
	leaves []pq.Node // of its columns
	// put adds v to the columns from the given one on, with these levels of repetition and definition.
	put func(b *batch, column int, v reflect.Value, rep, def int)
}

// A member is a named part of a group.
type member struct {
	shape
	name string
	at   []int // indexes of fields: of the group, of that field, and so on
}

// A group is a pq.Node whose fields keep their order.
type group struct {
	pq.Group
	fields []pq.Field
}

// Fields implements pq.Node.
func (g group) Fields() []pq.Field { return g.fields }

// A named is a pq.Field.
type named struct {
	pq.Node
	name string
}

// Name implements pq.Field.
func (n named) Name() string { return n.name }

// Value implements pq.Field.
func (n named) Value(reflect.Value) reflect.Value { panic("rows are written column by column") }

// newGroup is the node of a group.
func newGroup(members []member) pq.Node {
	g := group{pq.Group{}, nil}
	for _, m := range members {
		g.Group[m.name] = m.node
		g.fields = append(g.fields, named{m.node, m.name})
	}
	return g
}

// Nodes of columns, by the type of what they hold.
var (
	number    = pq.Uint(64)
	timestamp = pq.TimestampAdjusted(pq.Nanosecond, false) // DuckDB reads those that are adjusted to UTC as microseconds
)

// A text is the node of a column of texts, which have a dictionary until they have outgrown it.
type text struct {
	pq.Node
	outgrown bool
}

// Encoding implements pq.Node.
func (t *text) Encoding() encoding.Encoding {
	if t.outgrown {
		return &pq.Plain
	}
	return &pq.RLEDictionary
}

// cellLeaf is the node of a column of rows, apart from whether a row has several values or none.
func cellLeaf(c table.Column) pq.Node {
	switch c.Type {
	case table.Flag:
		return pq.Leaf(pq.BooleanType)
	case table.Text:
		return &text{Node: pq.String()}
	case table.Octets:
		return pq.Leaf(pq.ByteArrayType)
	case table.Time:
		return timestamp
	case table.Since, table.Duration:
		return pq.Leaf(pq.DoubleType)
	}
	return number
}

// cell adds the value of a cell.
func (b *batch) cell(t table.Type, c *table.Cell, rep int) {
	v := pq.Int64Value(int64(c.Number))
	switch t {
	case table.Flag:
		v = pq.BooleanValue(c.Number != 0)
	case table.Text:
		v = keepText(b, c.Column, c.Text)
	case table.Octets:
		v = pq.ByteArrayValue(b.keep(c.Text))
	case table.Since, table.Duration:
		v = pq.DoubleValue(float64(int64(c.Number)) / 1e9)
	}
	b.put(c.Column, v, rep, 1)
}

// rowsShape is the shape of rows, which are put cell by cell.
func rowsShape(columns []table.Column) shape {
	var members []member
	for _, c := range columns {
		leaf := cellLeaf(c)
		node := pq.Optional(leaf)
		if c.Many {
			node = pq.List(leaf)
		}
		members = append(members, member{shape{node, []pq.Node{leaf}, nil}, c.Name, nil})
	}
	return structure(members)
}

// leaf is the shape of one column.
func leaf(node pq.Node, value func(v reflect.Value) pq.Value) shape {
	return shape{node, []pq.Node{node}, func(b *batch, column int, v reflect.Value, rep, def int) { b.put(column, value(v), rep, def) }}
}

// texts is the shape of a column of texts.
func texts(of func(v reflect.Value) string) shape {
	node := &text{Node: pq.String()}
	return shape{node, []pq.Node{node}, func(b *batch, column int, v reflect.Value, rep, def int) {
		b.put(column, keepText(b, column, of(v)), rep, def)
	}}
}

// shapeOf is the shape of a Go type as encoding/json writes it, within lists of the given depth. It panics if it knows none.
func shapeOf(t reflect.Type, depth int) shape {
	if t.Implements(reflect.TypeFor[fmt.Stringer]()) && t.Kind() == reflect.Struct && t != reflect.TypeFor[time.Time]() {
		return texts(func(v reflect.Value) string { return v.Interface().(fmt.Stringer).String() })
	}
	switch t.Kind() {
	case reflect.Bool:
		return leaf(pq.Leaf(pq.BooleanType), func(v reflect.Value) pq.Value { return pq.BooleanValue(v.Bool()) })
	case reflect.String:
		return texts(reflect.Value.String)
	case reflect.Int: // they count
		return leaf(number, func(v reflect.Value) pq.Value { return pq.Int64Value(v.Int()) })
	case reflect.Int64:
		return leaf(pq.Int(64), func(v reflect.Value) pq.Value { return pq.Int64Value(v.Int()) })
	case reflect.Uint8, reflect.Uint16, reflect.Uint64:
		return leaf(number, func(v reflect.Value) pq.Value { return pq.Int64Value(int64(v.Uint())) })
	case reflect.Float64:
		return leaf(pq.Leaf(pq.DoubleType), func(v reflect.Value) pq.Value { return pq.DoubleValue(v.Float()) })
	case reflect.Pointer:
		return optional(shapeOf(t.Elem(), depth), reflect.Value.Elem)
	case reflect.Slice:
		return list(shapeOf(t.Elem(), depth+1), depth+1)
	case reflect.Map:
		return dictionary(shapeOf(t.Key(), depth+1), shapeOf(t.Elem(), depth+1), depth+1)
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return leaf(timestamp, func(v reflect.Value) pq.Value { return pq.Int64Value(v.Interface().(time.Time).UnixNano()) })
		}
		return structure(members(t, depth, nil))
	}
	panic("no column for " + t.String())
}

// optional is the shape of what is null where the Go value is zero.
func optional(of shape, value func(reflect.Value) reflect.Value) shape {
	return shape{pq.Optional(of.node), of.leaves, func(b *batch, column int, v reflect.Value, rep, def int) {
		if v.IsZero() {
			b.nulls(column, len(of.leaves), rep, def)
			return
		}
		of.put(b, column, value(v), rep, def+1)
	}}
}

// list is the shape of a slice, which is at the given depth of lists.
func list(of shape, depth int) shape {
	return shape{pq.List(of.node), of.leaves, func(b *batch, column int, v reflect.Value, rep, def int) {
		if v.Len() == 0 {
			b.nulls(column, len(of.leaves), rep, def)
		}
		for i := range v.Len() {
			of.put(b, column, v.Index(i), rep, def+1)
			rep = depth
		}
	}}
}

// dictionary is the shape of a map, in the order of its keys.
func dictionary(key, value shape, depth int) shape {
	return shape{pq.Map(key.node, value.node), slices.Concat(key.leaves, value.leaves), func(b *batch, column int, v reflect.Value, rep, def int) {
		if v.Len() == 0 {
			b.nulls(column, len(key.leaves)+len(value.leaves), rep, def)
		}
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, k := range keys {
			key.put(b, column, k, rep, def+1)
			value.put(b, column+len(key.leaves), v.MapIndex(k), rep, def+1)
			rep = depth
		}
	}}
}

// structure is the shape of a struct.
func structure(members []member) shape {
	s := shape{newGroup(members), nil, func(b *batch, column int, v reflect.Value, rep, def int) {
		for i := range members {
			m, of := &members[i], v
			for _, field := range m.at {
				of = of.Field(field)
			}
			m.put(b, column, of, rep, def)
			column += len(m.leaves)
		}
	}}
	for _, m := range members {
		s.leaves = append(s.leaves, m.leaves...)
	}
	return s
}

// members adds the members of a struct, by their keys in JSON, to others. It also adds the members of structs without a key. If two have
// the same key, the first counts. A text that JSON leaves out if it is empty is null then. The tag `parquet:"-"` leaves a field out.
func members(t reflect.Type, depth int, all []member) []member {
	for i := range t.NumField() {
		f := t.Field(i)
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "" && f.IsExported() && f.Type.Kind() == reflect.Struct {
			for _, m := range members(f.Type, depth, nil) {
				m.at = append([]int{i}, m.at...)
				all = with(all, m)
			}
			continue
		}
		if key == "" || f.Tag.Get("parquet") == "-" {
			continue
		}
		m := member{shapeOf(f.Type, depth), key, []int{i}}
		if options == "omitempty" && f.Type.Kind() == reflect.String {
			m.shape = optional(m.shape, func(v reflect.Value) reflect.Value { return v })
		}
		all = with(all, m)
	}
	return all
}

// with adds a member unless one has its name.
func with(all []member, m member) []member {
	if slices.ContainsFunc(all, func(o member) bool { return o.name == m.name }) {
		return all
	}
	return append(all, m)
}
