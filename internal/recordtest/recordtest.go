// Package recordtest lets tests take Records apart, and make Records from their parts.
package recordtest

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// Discard is a Sink that does nothing.
var Discard record.Sink = record.SinkFunc(func(*record.Record) {})

// Pieces passes the parts of a Record to those of these methods that to has, in this order:
//
//	Finding(*record.Finding), Upper(*record.Upper), Transaction(*record.Transaction), StartupFrame(*record.Startup),
//	Streaming(*record.Streaming), Segment(*record.Segment), Message(*record.Message), Note(*record.Note),
//	Verdict(*record.Verdict), End(*flow.Conn)
func Pieces(r *record.Record, to any) {
	if s, ok := to.(interface{ Finding(*record.Finding) }); ok {
		for _, f := range r.Findings {
			s.Finding(f)
		}
	}
	if s, ok := to.(interface{ Upper(*record.Upper) }); ok && r.Upper != nil {
		s.Upper(r.Upper)
	}
	if s, ok := to.(interface{ Transaction(*record.Transaction) }); ok {
		for _, t := range r.Over {
			s.Transaction(t)
		}
	}
	if s, ok := to.(interface{ StartupFrame(*record.Startup) }); ok && r.Startup != nil {
		s.StartupFrame(r.Startup)
	}
	if s, ok := to.(interface{ Streaming(*record.Streaming) }); ok && r.Streaming != nil {
		s.Streaming(r.Streaming)
	}
	if s, ok := to.(interface{ Segment(*record.Segment) }); ok && r.Segment != nil {
		s.Segment(r.Segment)
	}
	if s, ok := to.(interface{ Message(*record.Message) }); ok && r.Message != nil {
		s.Message(r.Message)
	}
	if s, ok := to.(interface{ Note(*record.Note) }); ok && r.Note != nil {
		s.Note(r.Note)
	}
	if s, ok := to.(interface{ Verdict(*record.Verdict) }); ok && r.Verdict != nil {
		s.Verdict(r.Verdict)
	}
	if s, ok := to.(interface{ End(*flow.Conn) }); ok && r.Kind == record.KindEnd {
		s.End(r.Conn)
	}
}

// A Giver makes Records from the parts that a test passes to its methods, and gives them to a Sink.
type Giver struct {
	sink  record.Sink
	alone bool
	next  record.Record
}

// To returns a Giver that puts findings into the next Record.
func To(s record.Sink) *Giver { return &Giver{sink: s} }

// Alone returns a Giver that puts each finding into a Record of its own.
func Alone(s record.Sink) *Giver { return &Giver{sink: s, alone: true} }

// Finding adds a finding to the next Record.
func (g *Giver) Finding(f *record.Finding) {
	g.next.Findings = append(g.next.Findings, f)
	g.next.Marks = record.AppendMark(g.next.Marks, f, false)
	g.found(f.Origin)
}

func (g *Giver) found(o record.Origin) {
	if g.alone {
		g.Late(o)
	}
}

// Upper adds a message of an upper layer to the next Record.
func (g *Giver) Upper(u *record.Upper) {
	g.next.Upper = u
	g.found(u.Origin)
}

// Transaction adds a transaction that is over to the next Record.
func (g *Giver) Transaction(t *record.Transaction) {
	g.next.Over = append(g.next.Over, t)
	g.found(record.Origin{Conn: t.Conn, Dir: t.Dir, Span: t.Request})
}

// Verdict gives the end of a connection, with its Verdict.
func (g *Giver) Verdict(v *record.Verdict) {
	g.next.Verdict = v
	g.End(v.Conn)
}

// Join sets the exchange to which the next Record belongs.
func (g *Giver) Join(t *record.Transaction, request record.Body) {
	g.next.Exchange, g.next.Body = t, request
}

// StartupFrame gives a Record.
func (g *Giver) StartupFrame(f *record.Startup) {
	g.next.Startup = f
	g.give(record.KindStartup, f.Origin)
}

// Segment gives a Record.
func (g *Giver) Segment(s *record.Segment) {
	g.next.Segment = s
	if m := s.Message; m != nil {
		for _, f := range g.next.Findings {
			m.Marks = record.AppendMark(m.Marks, f, false)
		}
		g.next.Marks = nil
	}
	g.give(record.KindSegment, s.Origin)
}

// Message gives a Record.
func (g *Giver) Message(m *record.Message) {
	c := *m
	c.Marks = slices.Clone(m.Marks)
	for _, f := range g.next.Findings {
		c.Marks = record.AppendMark(c.Marks, f, false)
	}
	for _, t := range g.next.Over {
		if t.Response == m.Span {
			c.Answers = t
		}
	}
	g.next.Message, g.next.Marks = &c, c.Marks
	g.give(record.KindMessage, m.Origin)
}

// Note gives a Record.
func (g *Giver) Note(n *record.Note) {
	g.next.Note = n
	g.give(record.KindNote, n.Origin)
}

// Late gives a Record with the findings so far.
func (g *Giver) Late(o record.Origin) { g.give(record.KindLate, o) }

// End gives a Record.
func (g *Giver) End(c *flow.Conn) { g.give(record.KindEnd, record.Origin{Conn: c, Span: c.Span}) }

func (g *Giver) give(k record.Kind, o record.Origin) {
	r := g.next
	r.Kind, r.Origin = k, o
	g.next = record.Record{}
	g.sink.Record(&r)
}

// Untagged returns a segment of an untagged message with a payload, captured in the second of its frame number.
func Untagged(d flow.Direction, frame uint64, o rdmap.Opcode, h ddp.Untagged, body []byte) *record.Segment {
	h.DV = 1
	return segment(d, frame, rdmap.Header{Control: rdmap.Control{RV: 1, Opcode: o}, Untagged: h}, body)
}

// Tagged returns the last segment of a tagged message with a payload, captured in the second of its frame number.
func Tagged(d flow.Direction, frame uint64, o rdmap.Opcode, stag uint32, body []byte) *record.Segment {
	tagged := ddp.Tagged{L: true, DV: 1, STag: stag}
	return segment(d, frame, rdmap.Header{T: true, Control: rdmap.Control{RV: 1, Opcode: o}, Tagged: tagged}, body)
}

func segment(d flow.Direction, frame uint64, h rdmap.Header, body []byte) *record.Segment {
	s := &record.Segment{Origin: record.Origin{Conn: new(flow.Conn), Dir: d, Span: flow.At(frame, int64(frame)*1e9)}}
	s.RDMAP.Header, s.RDMAP.Body = h, body
	s.FPDU.ULPDU, _ = h.AppendBinary(nil)
	s.FPDU.ULPDU = append(s.FPDU.ULPDU, body...)
	s.FPDU.ULPDULength = uint16(len(s.FPDU.ULPDU))
	return s
}
