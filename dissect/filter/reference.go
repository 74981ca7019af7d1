package filter

// Finding and reading header fields.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
)

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
	for h, t := range tables {
		if _, ok := protos[t.Proto]; !ok {
			protos[t.Proto] = len(protos)
		}
		for i := range t.Fields {
			f := &t.Fields[i]
			e := byName[f.Name]
			if e == nil {
				e = &entry{Field: Field{Name: f.Name, Proto: t.Proto, Type: typeOf(f), Shared: isShared(f.Name)}}
				byName[f.Name], places[e] = e, new(reference)
				entries = append(entries, e)
			}
			e.add(f)
			e.needs = e.needs.with(h.needs).with(Needs{Request: e.Shared})
			e.upper = e.upper || h.group == upper
			places[e][h.group] = append(places[e][h.group], located{t, f})
		}
	}
	for e, r := range places {
		e.Text = r.text()
		places := placesOf{own: r}
		if e.Shared {
			places.request = r
		}
		e.read(places)
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

// text describes the field: its label, and the headers where it has this label.
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

// read makes the sources of a header field.
func (e *entry) read(p placesOf) {
	if e.Type == Octets {
		e.octets = p.octets
	} else {
		e.numbers = p.numbers()
	}
}

// placesOf returns the places of a field in the headers of an event, and in those of its request. Either may be nil.
type placesOf struct{ own, request *reference }

// numbers returns the source of a field's numbers.
func (p placesOf) numbers() source[number] {
	return values(p, func(h *field.Part, f *field.Field) (number, bool) {
		v, ok := h.Value(f)
		return number{f, v}, ok
	})
}

// octets returns the source of slices of a field's octets. It skips fields that are too short.
func (p placesOf) octets(s slice) source[[]byte] {
	return values(p, func(h *field.Part, f *field.Field) ([]byte, bool) {
		b := s.of(f.Bytes(h.Octets))
		return b, len(b) > 0
	})
}

// values returns the source of what get reads in the headers that have the field.
func values[T any](p placesOf, get func(*field.Part, *field.Field) (T, bool)) source[T] {
	return func(e *Event, check func(T) bool) bool {
		for g := range groups {
			if p.own != nil && len(p.own[g]) > 0 && valuesIn(e.layout(g), p.own[g], get, check) {
				return true
			}
			if p.request != nil && e.Request != nil && valuesIn(e.Request.headers, p.request[g], get, check) {
				return true
			}
		}
		return false
	}
}

// valuesIn calls check for each value that get reads in some headers until check returns true. It reports whether it did.
func valuesIn[T any](
	headers []field.Part, places []located, get func(*field.Part, *field.Field) (T, bool), check func(T) bool,
) bool {
	for i := range headers {
		h := &headers[i]
		for _, l := range places {
			if l.table != h.Table {
				continue
			}
			if v, ok := get(h, l.field); ok && check(v) {
				return true
			}
		}
	}
	return false
}

// inRequest reports whether requests can have the field.
func (e *entry) inRequest() bool { return e.upper && e.Type != Presence }

// ofRequest returns the entry for a header field of an upper layer in the request of an event's exchange.
func (e *entry) ofRequest() *entry {
	r := new(reference)
	for h, t := range tables {
		if f := t.Lookup(e.Name); f != nil && h.group == upper {
			r[upper] = append(r[upper], located{t, f})
		}
	}
	of := *e
	of.Name = RequestPrefix + e.Name
	of.needs.Request = true
	of.read(placesOf{request: r})
	return &of
}
