package filter

// What a filter can name: fields, headers and protocols.

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// A Type is the kind of value that a field has.
type Type uint8

// The types.
const (
	Number   Type = iota // unsigned, of up to 64 bits; its values may have names
	Flag                 // a Number of one bit
	Octets               // an octet string
	Name                 // a text
	Address              // of IP
	Endpoint             // IP address and port
	Time                 // a time of capture
	Seconds              // a span of time
	Presence             // a header or a protocol, present or not
)

var typeNames = [...]string{
	"number", "flag", "octets", "name", "address", "address and port", "time", "seconds", "presence",
}

// String returns a word or two: "number".
func (t Type) String() string { return typeNames[t] }

// A Field is what a filter can name.
type Field struct {
	Name   string   // "iwarp_ddp.stag"
	Type   Type     // of its values
	Bits   int      // width of a Number or Flag
	Text   string   // what it is: "STag: DDP tagged header"
	Values []string // names of its values, if there are any, for the right side
	Proto  string   // the protocol of a header field: "iwarp_ddp"; empty for fields of every event
	Shared bool     // all parts of an exchange have the value of its request
}

// Fields lists everything that a filter can name, except RequestFields: first the event's own fields, then header fields by
// protocol, then headers and protocols.
func Fields() (all []Field) {
	for _, e := range theIndex().entries {
		f := e.Field
		f.Values = e.valueNames()
		all = append(all, f)
	}
	return all
}

// RequestFields lists the header fields of upper layers in a request: with RequestPrefix before their names.
func RequestFields() (all []Field) {
	for _, e := range theIndex().entries {
		if e.inRequest() {
			f := e.Field
			f.Name, f.Values, f.Shared = RequestPrefix+e.Name, e.valueNames(), false
			all = append(all, f)
		}
	}
	return all
}

// A source calls check for each value of a field in an event until check returns true. It reports whether it did.
type source[T any] func(e *Event, check func(T) bool) bool

// An entry is a Field and the source of its values, one of several.
type entry struct {
	Field
	needs     Needs
	variants  []*field.Field  // in the tables that have it; one for a number that is an event's own, for its names
	namesOnly bool            // its numbers mean nothing to users
	nonzero   bool            // alone, it means: not zero
	single    bool            // a number of which an event has at most one
	upper     bool            // a header of an upper layer has it
	known     func() []string // the usual values of a Name, if they are known

	unknown    func(word string) bool // of a Name: it never has this value; nil if it may have any
	suggestion func(word string) string

	numbers   source[number]
	octets    func(slice) source[[]byte]
	names     source[string]
	addresses source[netip.AddrPort]
	times     source[moment]
	seconds   source[int64] // nanoseconds
	present   predicate
}

// valueNames returns the names of the values of a field, in any of its tables.
func (e *entry) valueNames() (names []string) {
	if e.known != nil {
		return e.known()
	}
	seen := map[string]bool{}
	for _, f := range e.variants {
		if f.Known == nil {
			continue
		}
		for v := range f.Known {
			if name := f.Names(v); !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}

// headersAndProtocols returns the headers that Wireshark names, and all protocols.
func headersAndProtocols() (entries []*entry) {
	asked := map[string]bool{}
	var protos []string
	for _, t := range tables {
		if t.Header != "" && !asked[t.Header] {
			asked[t.Header] = true
			entries = append(entries, presence(t.Header, "header: "+t.Name, t.Proto, func(o *field.Table) bool { return o.Header == t.Header }))
		}
		if !slices.Contains(protos, t.Proto) {
			protos = append(protos, t.Proto)
		}
	}
	for _, p := range protos {
		e := presence(p, "any header of the protocol", p, func(t *field.Table) bool { return t.Proto == p })
		for _, l := range all.Layers() {
			if text, ok := l.Speaks[p]; ok {
				headers := e.present
				e.Text, e.present = text, func(e *Event) bool { return headers(e) || e.speaks(p) }
			}
		}
		entries = append(entries, e)
	}
	return append(entries, presence("iwarp_ddp_rdmap", "any header of DDP or RDMAP", "", func(t *field.Table) bool {
		return t.Proto == "iwarp_ddp" || t.Proto == "iwarp_rdma"
	}))
}

// presence returns the entry for headers with certain tables.
func presence(name, text, proto string, wanted func(*field.Table) bool) *entry {
	e := &entry{Field: Field{Name: name, Type: Presence, Text: text, Proto: proto}}
	var in [groups]bool
	for h, t := range tables {
		if wanted(t) {
			in[h.group] = true
			e.needs = e.needs.with(h.needs)
		}
	}
	e.present = func(e *Event) bool {
		for g := range groups {
			if in[g] && slices.ContainsFunc(e.layout(g), func(h field.Part) bool { return wanted(h.Table) }) {
				return true
			}
		}
		return false
	}
	return e
}

// describe describes a field for a message: "iwarp_ddp.stag is a number of 32 bits".
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
