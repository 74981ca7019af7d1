package filter

// What a filter can name: fields, headers and protocols.

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"github.com/iwarpkit/iwarp/codec/field"
)

// A Type is what sort of value a field has.
type Type uint8

// The types.
const (
	Number   Type = iota // unsigned, of up to 64 bits; its values may have names
	Flag                 // a Number of one bit
	Octets               // an octet string
	Name                 // a text
	Address              // of IP
	Endpoint             // IP address and port
	Time                 // when something was captured
	Seconds              // a span of time
	Presence             // a header or a protocol: it is there or not
)

var typeNames = [...]string{
	"number", "flag", "octets", "name", "address", "address and port", "time", "seconds", "presence",
}

// String is a word or two: "number".
func (t Type) String() string { return typeNames[t] }

// A Field is what a filter can name.
type Field struct {
	Name   string   // "iwarp_ddp.stag"
	Type   Type     // of its values
	Bits   int      // width of a Number or Flag
	Text   string   // what it is: "STag: DDP tagged header"
	Values []string // the names that its values have, if they have any; they can stand on the right side
	Proto  string   // the protocol of a header field: "iwarp_ddp"; empty for what every event has
}

// Fields is everything that a filter can name: what is the event's own first, then the header fields by protocol, then
// headers and protocols.
func Fields() []Field {
	all := theIndex().entries
	fields := make([]Field, len(all))
	for i, e := range all {
		fields[i] = e.Field
		fields[i].Values = e.valueNames()
	}
	return fields
}

// A source calls check for the values that an event has of a field, until it is true, and then is true itself.
type source[T any] func(e *Event, check func(T) bool) bool

// An entry is a Field and how to come by its values: one of the sources.
type entry struct {
	Field
	needs     Needs
	variants  []*field.Field  // in the tables that have it; one for a number that is an event's own, for its names
	namesOnly bool            // its numbers mean nothing to users
	nonzero   bool            // alone, it means: not zero
	known     func() []string // the values of a Name, if they are known

	numbers   source[number]
	octets    func(slice) source[[]byte]
	names     source[string]
	addresses source[netip.AddrPort]
	times     source[moment]
	seconds   source[int64] // nanoseconds
	present   predicate
}

// valueNames are the names that the values of a field have, in any of its tables.
func (e *entry) valueNames() (names []string) {
	if e.known != nil {
		return e.known()
	}
	for _, f := range e.variants {
		if f.Known == nil {
			continue
		}
		for v := range f.Known {
			if name := f.Names(v); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// An index finds entries by their names.
type index struct {
	entries []*entry
	byName  map[string]*entry
}

// theIndex is built when it is first asked.
var theIndex = sync.OnceValue(func() *index {
	ix := &index{byName: make(map[string]*entry)}
	for _, entries := range [][]*entry{ownFields(), headerFields(), headersAndProtocols()} {
		for _, e := range entries {
			if ix.byName[e.Name] != nil {
				panic("filter: two fields are called " + e.Name)
			}
			ix.byName[e.Name] = e
			ix.entries = append(ix.entries, e)
		}
	}
	return ix
})

// find is the entry that a token names.
func (ix *index) find(t token) (*entry, *Error) {
	if e := ix.byName[t.text]; e != nil {
		return e, nil
	}
	if t.text[0] >= '0' && t.text[0] <= '9' {
		return nil, t.errorf("%v is no field; the field stands on the left side, values on the right", t)
	}
	names := make([]string, len(ix.entries))
	for i, e := range ix.entries {
		names[i] = e.Name
	}
	return nil, t.errorf("%v: no such field%s", t, suggest(t.text, names))
}

// A located field is a field and the table that has it.
type located struct {
	table *field.Table
	field *field.Field
}

// A reference is the places where a header field can be.
type reference [groups][]located

// headerFields are the fields of all tables, by protocol. Those of one name are one entry.
func headerFields() (entries []*entry) {
	byName := map[string]*entry{}
	places := map[*entry]*reference{}
	protos := map[string]int{}
	for g, t := range tables {
		if _, ok := protos[t.Proto]; !ok {
			protos[t.Proto] = len(protos)
		}
		for i := range t.Fields {
			f := &t.Fields[i]
			e := byName[f.Name]
			if e == nil {
				e = &entry{Field: Field{Name: f.Name, Proto: t.Proto, Type: typeOf(f)}}
				byName[f.Name], places[e] = e, new(reference)
				entries = append(entries, e)
			}
			e.add(f)
			e.needs.Payload = e.needs.Payload || g == upper
			places[e][g] = append(places[e][g], located{t, f})
		}
	}
	for e, r := range places {
		e.Text = r.text()
		if e.Type == Octets {
			e.octets = r.octets
		} else {
			e.numbers = r.numbers()
		}
	}
	slices.SortStableFunc(entries, func(a, b *entry) int { return cmp.Compare(protos[a.Proto], protos[b.Proto]) })
	return entries
}

// add adds a field of the same name, in another table.
func (e *entry) add(f *field.Field) {
	e.variants = append(e.variants, f)
	if e.Type != Octets {
		e.Bits = max(e.Bits, f.Width)
	}
}

// text says what the field is: its label, and the headers where it is called so.
func (r *reference) text() string {
	var labels []string
	headers := map[string][]string{} // by label
	for _, l := range slices.Concat(r[:]...) {
		label := l.field.Label
		if headers[label] == nil {
			labels = append(labels, label)
		}
		if !slices.Contains(headers[label], l.table.Name) {
			headers[label] = append(headers[label], l.table.Name)
		}
	}
	for i, label := range labels {
		labels[i] = label + ": " + strings.Join(headers[label], ", ")
	}
	return strings.Join(labels, "; ")
}

func typeOf(f *field.Field) Type {
	switch f.Base {
	case field.Octets:
		return Octets
	case field.Flag:
		return Flag
	}
	return Number
}

// numbers is the source of a field's numbers.
func (r *reference) numbers() source[number] {
	return values(r, func(h *header, f *field.Field) (number, bool) {
		v, ok := h.number(f)
		return number{f, v}, ok
	})
}

// octets is the source of slices of a field's octets. What has none in the slice is passed over.
func (r *reference) octets(s slice) source[[]byte] {
	return values(r, func(h *header, f *field.Field) ([]byte, bool) {
		b := s.of(h.bytes(f))
		return b, len(b) > 0
	})
}

// values is the source of what get reads out of the headers that have the field.
func values[T any](r *reference, get func(*header, *field.Field) (T, bool)) source[T] {
	return func(e *Event, check func(T) bool) bool {
		for g := range groups {
			if len(r[g]) == 0 {
				continue
			}
			headers := e.layout(g)
			for i := range headers {
				h := &headers[i]
				for _, l := range r[g] {
					if l.table != h.table {
						continue
					}
					if v, ok := get(h, l.field); ok && check(v) {
						return true
					}
				}
			}
		}
		return false
	}
}

// headersAndProtocols are the headers that have a name of their own in Wireshark, and all protocols.
func headersAndProtocols() (entries []*entry) {
	for _, h := range wiresharkHeaders {
		entries = append(entries, presence(h.name, "header: "+h.table.Name, h.table.Proto,
			func(t *field.Table) bool { return t.Name == h.table.Name }))
	}
	var protos []string
	for _, t := range tables {
		if !slices.Contains(protos, t.Proto) {
			protos = append(protos, t.Proto)
		}
	}
	for _, p := range protos {
		entries = append(entries, presence(p, "any header of the protocol", p,
			func(t *field.Table) bool { return t.Proto == p }))
	}
	return append(entries, presence("iwarp_ddp_rdmap", "any header of DDP or RDMAP", "", func(t *field.Table) bool {
		return strings.HasPrefix(t.Proto, "iwarp_") && t.Proto != "iwarp_mpa"
	}))
}

// presence is the entry for headers with certain tables.
func presence(name, text, proto string, wanted func(*field.Table) bool) *entry {
	e := &entry{Field: Field{Name: name, Type: Presence, Text: text, Proto: proto}}
	var in [groups]bool
	for g, t := range tables {
		in[g] = in[g] || wanted(t)
	}
	e.needs.Payload = in[upper]
	e.present = func(e *Event) bool {
		for g := range groups {
			if in[g] && slices.ContainsFunc(e.layout(g), func(h header) bool { return wanted(h.table) }) {
				return true
			}
		}
		return false
	}
	return e
}

// describe says what a field is, for a message: "iwarp_ddp.stag is a number of 32 bits".
func (e *entry) describe() string {
	switch e.Type {
	case Number:
		if e.namesOnly {
			return e.Name + " has names for values"
		}
		return fmt.Sprintf("%s is a number of %d bits", e.Name, e.Bits)
	case Octets:
		return e.Name + " is octets"
	case Address, Endpoint:
		return e.Name + " is an " + e.Type.String()
	case Seconds:
		return e.Name + " is a number of seconds"
	case Presence:
		return e.Name + " is a header or protocol"
	}
	return e.Name + " is a " + e.Type.String()
}
