package field

import (
	"iter"
	"strconv"
)

// A Part is a stretch of a message and the table that describes it. A codec's AppendLayout divides a message into its
// parts, in the order of the wire; whatever shows, filters or compares messages walks these parts and knows no protocol.
type Part struct {
	Table  *Table
	Octets []byte // what was captured of the part
	Off    int    // octets from the beginning of the message to the beginning of the part
	Omit   *Field // a field whose octets other parts explain; nil if there is none

	Index   uint32 // if Depth is not 0: which element of its list it is, from 0
	Count   uint32 // of a List: its elements; a view shows it in place of the field's 1 or 0, as Wireshark does
	Depth   uint8  // 0 for a header or the beginning of a list, 1 for an element of a list, 2 for what is in an element
	List    bool   // the part begins a list, and its numeric field says whether anything follows: 1 or 0
	Carried bool   // a Terminate carries the part back
}

// AppendPart appends a part and returns it too, for what else is to be set. It is faster than append with a literal, which
// the compiler would make elsewhere and copy.
func AppendPart(parts []Part, table *Table, octets []byte, off int) ([]Part, *Part) {
	if len(parts) == cap(parts) {
		parts = append(parts, Part{})[:len(parts)]
	}
	parts = parts[:len(parts)+1]
	p := &parts[len(parts)-1]
	p.Table, p.Octets, p.Off, p.Omit = table, octets, off, nil
	p.Index, p.Count, p.Depth, p.List, p.Carried = 0, 0, 0, false, false
	return parts, p
}

// Title is the name of its table, and what tells the part from others with that table.
func (p *Part) Title() string {
	switch {
	case p.Carried:
		return p.Table.Name + " that the Terminate carries back"
	case p.Depth > 0:
		return p.Table.Name + " [" + strconv.Itoa(int(p.Index)) + "]"
	}
	return p.Table.Name
}

// End is the offset in the message of the first octet after the part, or after what was captured of it.
func (p *Part) End() int { return p.Off + len(p.Octets) }

// Fields yields the fields that a view should show: all but Omit that begin within Octets.
func (p *Part) Fields() iter.Seq[*Field] {
	return func(yield func(*Field) bool) {
		for i := range p.Table.Fields {
			if f := &p.Table.Fields[i]; f != p.Omit && f.Octet() < len(p.Octets) && !yield(f) {
				return
			}
		}
	}
}

// Value is the value of a numeric field, but the Count of a List. It is false if the octets end before the field does
// or if the field is an octet string.
func (p *Part) Value(f *Field) (v uint64, ok bool) {
	if v, ok = f.Get(p.Octets); ok && p.List {
		v = uint64(p.Count)
	}
	return v, ok
}

// AppendValue appends the value of a field as text, as [Field.AppendValue] does, but the Count of a List.
func (p *Part) AppendValue(dst []byte, f *Field) []byte {
	if v, ok := p.Value(f); ok {
		return f.AppendNumber(dst, v)
	}
	return f.AppendValue(dst, p.Octets)
}

// A Layout divides a message into its parts, one after the other.
type Layout struct {
	Parts   []Part
	Message []byte // what was captured of it
	Off     int    // where the next part begins, in octets from the beginning of the message; beyond it once that is cut
}

// Add adds a part of n octets, or as many of them as are there, and steps over it. It reports whether all of it is there.
func (l *Layout) Add(table *Table, n int) bool { return l.AddElement(table, n, 0, 0) }

// AddElement is Add for what has a [Part.Depth] and an [Part.Index].
func (l *Layout) AddElement(table *Table, n int, depth uint8, index uint32) bool {
	if left := len(l.Message) - l.Off; n > 0 && left > 0 {
		parts, p := AppendPart(l.Parts, table, l.Message[l.Off:l.Off+min(n, left)], l.Off)
		p.Depth, p.Index, l.Parts = depth, index, parts
	}
	l.Off += n
	return l.Off <= len(l.Message)
}
