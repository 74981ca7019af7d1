package diff

// What is kept of a connection.

import (
	"encoding/binary"
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A session is a connection of a capture.
type session struct {
	conn     *flow.Conn
	lanes    [2][]step // by direction: messages in the order in which they became whole
	values   []uint64  // of all steps
	findings map[string]*found
	refused  map[uint64]bool // frames of messages whose STag a Terminate refused, and nothing could have advertised
	verdict  string          // why it failed; empty if it did not
	by       flow.Party
}

// A found counts the findings of one ID.
type found struct {
	frame    uint64 // of the first
	count    int
	severity rules.Severity
}

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

func newSession(c *flow.Conn) *session {
	return &session{conn: c, findings: make(map[string]*found), refused: make(map[uint64]bool)}
}

// find counts an error or warning, unless it is a habit of its sender. Notes explain, and depend on time and loss.
func (s *session) find(f *record.Finding) {
	if t := f.Termination; t != nil && t.Unadvertised && (slices.Contains(t.Situations, rules.WriteSTag) || slices.Contains(t.Situations, rules.ReadSTag)) {
		s.refused[t.Culprit.Frame] = true
	}
	if f.Severity < rules.Warning || f.Habit != nil {
		return
	}
	seen := s.findings[f.ID]
	if seen == nil {
		seen = &found{frame: f.Frame, severity: f.Severity}
		s.findings[f.ID] = seen
	}
	seen.count++
}

func (s *session) end(v *record.Verdict) {
	if v == nil {
		return
	}
	s.by = v.By
	if v.Cause != nil {
		s.verdict = v.Text
	}
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

// A pair is a connection of A and its counterpart in B; one of the two is nil if it has none.
type pair struct{ a, b *session }

// pairs aligns the connections of both captures, in the order in which they began. Those with the same messages belong
// together; of the others those that begin alike, then those to the same port, then those in the same place.
func pairs(a, b []*session) (all []pair) {
	return pairBy([]func(*session) uint64{(*session).course, (*session).opening, (*session).port, (*session).any}, a, b)
}

func pairBy(likeness []func(*session) uint64, a, b []*session) (all []pair) {
	if len(likeness) == 0 || len(a) == 0 || len(b) == 0 {
		for _, s := range a {
			all = append(all, pair{a: s})
		}
		for _, s := range b {
			all = append(all, pair{b: s})
		}
		return all
	}
	atA, atB := 0, 0
	align(sums(likeness[0], a), sums(likeness[0], b), func(i, j int) {
		all = append(all, pairBy(likeness[1:], a[atA:i], b[atB:j])...)
		all = append(all, pair{a[i], b[j]})
		atA, atB = i+1, j+1
	})
	return append(all, pairBy(likeness[1:], a[atA:], b[atB:])...)
}

func sums(of func(*session) uint64, all []*session) []uint64 {
	s := make([]uint64, len(all))
	for i := range all {
		s[i] = of(all[i])
	}
	return s
}

// any is the same for all.
func (s *session) any() uint64 { return 0 }

// port sums up whom a connection leads to.
func (s *session) port() uint64 { return uint64(s.conn.Server.Port()) }

// opening sums up how a connection began: the first messages of both sides.
func (s *session) opening() uint64 { return s.upTo(4) }

// course sums up all messages of a connection.
func (s *session) course() uint64 { return s.upTo(MaxMessages) }

func (s *session) upTo(n int) (sum uint64) {
	for _, lane := range s.lanes {
		for _, at := range lane[:min(n, len(lane))] {
			sum = mix(sum, at.sum)
		}
		sum = mix(sum, 0)
	}
	return sum
}
