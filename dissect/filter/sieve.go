package filter

import (
	"slices"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/analysis"
)

// Limits of what a Sieve keeps.
const (
	maxJoined   = 16 << 10 // octets of the payload of one Send
	maxPayloads = 16 << 20 // octets of memory for the payloads of Sends of all connections
	maxHeld     = 64       // findings and messages of upper layers that wait for the event that they are about
	maxFindings = 64       // findings about the segments of one message
)

// A Sieve is an analysis.Sink that passes on what a Filter matches: MPA frames, segments, messages, findings,
// transactions and messages of upper layers. What is about a whole connection, or about octets that could not be
// decoded, always passes.
//
// A finding is matched together with the segment or message that it is about, and a message together with the findings
// about it and its segments and with the message of an upper layer that it carries: all of them can be named in one
// filter. So findings and messages of upper layers wait for the event that they are about, and then go before it.
type Sieve struct {
	filter  *Filter
	sink    analysis.Sink
	event   Event // of an Engine, with what is known of it
	alone   Event // one that no other event is known for
	conns   map[*dissect.Conn]*[2]side
	conn    *dissect.Conn // of the latest event
	latest  *[2]side      // of conn
	held    []held
	payload int // octets of memory for payload
}

// A side is what a Sieve keeps of one direction of a connection.
type side struct {
	payload  []byte              // of a Send in progress
	findings []*analysis.Finding // about the segments of a message in progress
}

// A held event is a finding or a message of an upper layer.
type held struct {
	finding *analysis.Finding
	upper   *analysis.UpperMessage
}

// NewSieve returns a Sieve that passes on to sink what f matches.
func NewSieve(f *Filter, sink analysis.Sink) *Sieve {
	return &Sieve{filter: f, sink: sink, conns: make(map[*dissect.Conn]*[2]side)}
}

// Start says when the first packet of the capture was captured, in nanoseconds since 1970-01-01 UTC.
func (s *Sieve) Start(ns int64) { s.event.Start, s.alone.Start = ns, ns }

// StartupFrame implements dissect.Sink.
func (s *Sieve) StartupFrame(f *dissect.StartupFrame) {
	s.event.Reset()
	s.event.StartupFrame = f
	of := s.side(&f.Origin)
	if s.carries(&f.Origin, of) {
		s.sink.StartupFrame(f)
	}
	of.findings = of.findings[:0]
}

// Segment implements dissect.Sink.
func (s *Sieve) Segment(g *dissect.Segment) {
	s.event.Reset()
	s.event.Segment = g
	of := s.side(&g.Origin)
	if s.carries(&g.Origin, of) {
		s.sink.Segment(g)
	}
	if s.filter.needs.Payload && isSend(g) {
		s.join(of, g)
	}
}

// Message implements dissect.Sink.
func (s *Sieve) Message(m *dissect.Message) {
	s.event.Reset()
	s.event.Message = m
	of := s.side(&m.Origin)
	if m.Opcode.IsSend() {
		s.event.Payload, s.event.PayloadLen = of.payload, m.Len
	}
	if s.carries(&m.Origin, of) {
		s.sink.Message(m)
	}
	of.findings = of.findings[:0]
	if m.Opcode.IsSend() {
		of.payload = of.payload[:0]
	}
}

// Note implements dissect.Sink.
func (s *Sieve) Note(n *dissect.Note) {
	s.release()
	s.sink.Note(n)
}

// End implements dissect.Sink.
func (s *Sieve) End(c *dissect.Conn) {
	s.release()
	if sides := s.conns[c]; sides != nil {
		s.payload -= cap(sides[dissect.C2S].payload) + cap(sides[dissect.S2C].payload)
		delete(s.conns, c)
		s.conn, s.latest = nil, nil
	}
	s.sink.End(c)
}

// Verdict implements analysis.Sink.
func (s *Sieve) Verdict(v *analysis.Verdict) {
	s.release()
	s.sink.Verdict(v)
}

// Transaction implements analysis.Sink.
func (s *Sieve) Transaction(t *analysis.Transaction) {
	s.alone.Reset()
	s.alone.Transaction = t
	if s.filter.Match(&s.alone) {
		s.sink.Transaction(t)
	}
}

// Finding implements analysis.Sink.
func (s *Sieve) Finding(f *analysis.Finding) {
	c := *f
	c.Also = slices.Clone(f.Also)
	s.hold(held{finding: &c})
}

// Upper implements analysis.Sink.
func (s *Sieve) Upper(u *analysis.UpperMessage) {
	c := *u
	s.hold(held{upper: &c})
}

func (s *Sieve) hold(h held) {
	if len(s.held) == maxHeld {
		s.release()
	}
	s.held = append(s.held, h)
}

// release passes on what is held and waits no longer.
func (s *Sieve) release() {
	for _, h := range s.held {
		s.alone.Reset()
		s.pass(h, &s.alone)
	}
	s.held = s.held[:0]
}

// pass matches what was held, with what e knows of the event that it is about, and passes it on.
func (s *Sieve) pass(h held, e *Event) {
	e.Upper, e.Findings = h.upper, e.Findings[:0]
	if h.finding != nil {
		e.Findings = append(e.Findings, h.finding)
	}
	switch {
	case !s.filter.Match(e):
	case h.finding != nil:
		s.sink.Finding(h.finding)
	default:
		s.sink.Upper(h.upper)
	}
}

// carries passes on what is held about s.event, and tells whether that matches itself.
func (s *Sieve) carries(o *dissect.Origin, of *side) bool {
	var carried *analysis.UpperMessage
	for _, h := range s.held {
		switch {
		case !h.about(o):
			s.alone.Reset()
			s.pass(h, &s.alone)
			continue
		case h.upper != nil:
			carried = h.upper
		case len(of.findings) < maxFindings:
			of.findings = append(of.findings, h.finding)
		}
		s.pass(h, &s.event)
	}
	s.held = s.held[:0]
	s.event.Findings = append(s.event.Findings[:0], of.findings...)
	s.event.Upper = carried
	return s.filter.Match(&s.event)
}

// about tells whether what was held can be about an event: they share a frame.
func (h held) about(o *dissect.Origin) bool {
	of := h.origin()
	return of.Conn == o.Conn && of.Dir == o.Dir && of.Frame <= o.LastFrame && of.LastFrame >= o.Frame
}

func (h held) origin() *dissect.Origin {
	if h.finding != nil {
		return &h.finding.Origin
	}
	return &h.upper.Origin
}

// side is what is kept of the direction of an event.
func (s *Sieve) side(o *dissect.Origin) *side {
	if s.latest == nil || s.conn != o.Conn {
		s.conn, s.latest = o.Conn, s.conns[o.Conn]
	}
	if s.latest == nil {
		s.latest = new([2]side)
		s.conns[o.Conn] = s.latest
	}
	return &s.latest[o.Dir]
}

// join adds the payload of a segment to that of its Send, if it follows what is there.
func (s *Sieve) join(of *side, g *dissect.Segment) {
	mo, before := g.RDMAP.Untagged.MO, cap(of.payload)
	if mo == 0 {
		of.payload = of.payload[:0]
	}
	if uint64(mo) != uint64(len(of.payload)) || s.payload >= maxPayloads && before == 0 {
		return
	}
	n := min(len(g.RDMAP.Body), maxJoined-len(of.payload))
	of.payload = append(of.payload, g.RDMAP.Body[:n]...)
	s.payload += cap(of.payload) - before
}
