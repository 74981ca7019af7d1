package diff

// What of a message is compared: its name, and the values of its fields that mean the same in each run.

import (
	"encoding/binary"
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A step is one message of a session.
type step struct {
	shape       int32
	values      int32  // place of its values in those of the session
	number      int32  // among those of the session, from 1
	name        int32  // place of its name in that of shapes
	sum         uint64 // of its shape and of all values that mean the same in each run
	frame, last uint64
	cut         bool   // it is a message of which the capture lacks a part
	answers     bool   // a request that the capture has
	joined      bool   // id joins it with its answer or its request
	id          uint64 // of the message of the upper layer
	opaque      string // the first octets of Private Data, or of a Send, that no field table describes
}

// maxOctets is how many octets of a step are kept that no field table describes.
const maxOctets = 64

// shapes numbers the shapes of steps, and their names.
type shapes struct {
	all    []shape
	number map[string]int32
	tables map[*field.Table]uint32
	names  []string
	named  map[string]int32
	key    []byte
}

// A shape is which fields steps have. Those of the same shape have as many values.
type shape struct {
	name   string // empty if the names of these steps have values of fields in them
	fields []*field.Field
}

// The fields of the first values of every message.
var (
	length  = &field.Field{Name: "len", Label: "length", Base: field.Dec, Width: 64}
	badCRCs = &field.Field{Name: "bad_crcs", Label: "FPDUs with a wrong CRC", Base: field.Dec, Width: 64}
)

func (s *shapes) init() {
	s.number, s.tables, s.named = make(map[string]int32), make(map[*field.Table]uint32), make(map[string]int32)
}

// A builder makes a step.
type builder struct {
	shapes  *shapes
	session *session
	name    string // of the shape
	shown   string // of the step
	at      int
	fields  []*field.Field
	tables  []byte
	cut     bool
	answers bool
	joined  bool
	id      uint64
	opaque  []byte
}

func (b *builder) add(f *field.Field, v uint64) {
	b.fields = append(b.fields, f)
	b.session.values = append(b.session.values, v)
}

// upper adds the name of the message of an upper layer. One that has its id in it is made of values, which differ in each run.
func (b *builder) upper(u *record.Upper) {
	if u.Name == "" {
		return
	}
	b.joined, b.id = true, u.ID
	b.shown += " with " + u.Name
	if b.name = b.shown; u.IDName == "" && u.Body != nil {
		b.name = ""
	}
}

// layers adds the fields of layers. Of octets, their number is kept.
func (b *builder) layers(all []record.Layer) {
	for i := range all {
		for j := range all[i].Parts {
			b.part(&all[i].Parts[j])
		}
	}
}

func (b *builder) part(p *field.Part) {
	number, ok := b.shapes.tables[p.Table]
	if !ok {
		number = uint32(len(b.shapes.tables))
		b.shapes.tables[p.Table] = number
	}
	b.tables = binary.AppendUvarint(b.tables, uint64(number))
	before := len(b.fields)
	for f := range p.Fields() {
		if f.Refers == field.ToSegment {
			continue
		}
		v, ok := p.Value(f)
		if !ok {
			v = uint64(len(f.Bytes(p.Octets)))
		}
		b.add(f, v)
	}
	b.tables = binary.AppendUvarint(b.tables, uint64(len(b.fields)-before)) // some may not have been captured
}

// step is the step that was built.
func (b *builder) step(at flow.Span) step {
	number := len(b.session.lanes[0]) + len(b.session.lanes[1]) + 1
	s := step{values: int32(b.at), number: int32(number), frame: at.Frame, last: at.LastFrame, cut: b.cut, answers: b.answers, joined: b.joined, id: b.id, opaque: string(b.opaque[:min(len(b.opaque), maxOctets)])}
	key := append(append(b.shapes.key[:0], b.name...), 0)
	key = append(key, b.tables...)
	b.shapes.key = key
	kind, ok := b.shapes.number[string(key)]
	if !ok {
		kind = int32(len(b.shapes.all))
		b.shapes.all = append(b.shapes.all, shape{b.name, slices.Clone(b.fields)})
		b.shapes.number[string(key)] = kind
	}
	if s.name, ok = b.shapes.named[b.shown]; !ok {
		s.name = int32(len(b.shapes.names))
		b.shapes.names = append(b.shapes.names, b.shown)
		b.shapes.named[b.shown] = s.name
	}
	s.shape = kind
	s.sum = mix(0, uint64(kind))
	for i, f := range b.fields {
		if f.Refers == field.ToItself {
			s.sum = mix(s.sum, b.session.values[b.at+i])
		}
	}
	return s
}

// mix adds a number to a sum.
func mix(sum, v uint64) uint64 {
	const prime = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio: its multiples are spread evenly
	sum = (sum ^ v) * prime
	return sum ^ sum>>29
}
