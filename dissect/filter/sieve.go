package filter

import (
	"slices"

	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/record"
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
// about it and its segments, with the message of an upper layer that it carries, and with the transaction that it ends:
// all of them can be named in one filter. So findings and messages of upper layers wait for the event that they are
// about, and then go before it.
//
// As an analysis.Joiner, behind an Analyser, it also knows to which exchange of an upper layer messages and segments
// belong, and keeps the requests of those that are not over.
type Sieve struct {
	filter  *Filter
	sink    analysis.Sink
	event   Event // of an Engine, with what is known of it
	alone   Event // one that no other event is known for
	conns   map[*record.Conn]*flow
	conn    *record.Conn // of the latest event
	latest  *flow        // of conn
	held    []held
	payload int // octets of memory for payload

	joined   joined
	ended    record.Transaction // the latest one that is over
	idle     []*exchange        // to be used again
	requests int                // octets of memory for requests
}

// A flow is what a Sieve keeps of one connection.
type flow struct {
	sides [2]side           // by direction
	open  map[key]*exchange // nil until there is one
}

// A side is what a Sieve keeps of one direction of a connection.
type side struct {
	payload  []byte            // of a Send in progress
	findings []*record.Finding // about the segments of a message in progress
	moving   participation     // of the latest segment, of an RDMA Read or Write
	frame    uint64            // the last one of that
}

// A held event is a finding or a message of an upper layer.
type held struct {
	finding *record.Finding
	upper   *record.Upper
}

// NewSieve returns a Sieve that passes on to sink what f matches.
func NewSieve(f *Filter, sink analysis.Sink) *Sieve {
	return &Sieve{filter: f, sink: sink, conns: make(map[*record.Conn]*flow)}
}

// Start says when the first packet of the capture was captured, in nanoseconds since 1970-01-01 UTC.
func (s *Sieve) Start(ns int64) { s.event.Start, s.alone.Start = ns, ns }

// StartupFrame implements dissect.Sink.
func (s *Sieve) StartupFrame(f *record.Startup) {
	s.event.Reset()
	s.event.StartupFrame = f
	of := &s.flow(f.Conn).sides[f.Dir]
	if s.carries(&f.Origin, of) {
		s.sink.StartupFrame(f)
	}
	of.findings = of.findings[:0]
}

// Segment implements dissect.Sink.
func (s *Sieve) Segment(g *record.Segment) {
	s.event.Reset()
	s.event.Segment = g
	f := s.flow(g.Conn)
	of := &f.sides[g.Dir]
	of.moving, of.frame = s.joined.participation, g.LastFrame
	s.belong(of.moving.of(), g.Dir, false)
	if s.carries(&g.Origin, of) {
		s.sink.Segment(g)
	}
	s.left(f)
	if s.filter.needs.Payload && isSend(g) {
		s.join(of, g)
	}
}

// Message implements dissect.Sink.
func (s *Sieve) Message(m *record.Message) {
	s.event.Reset()
	s.event.Message = m
	f := s.flow(m.Conn)
	of := &f.sides[m.Dir]
	send := m.Opcode.IsSend()
	if send {
		s.event.Payload, s.event.PayloadLen = of.payload, m.Len
	}
	if s.ends(m) {
		s.event.Transaction = &s.ended
	}
	s.event.carried = s.carriedBy(&m.Origin)
	s.belong(s.exchangeOf(m, of), m.Dir, send)
	if s.carries(&m.Origin, of) {
		s.sink.Message(m)
	}
	of.findings = of.findings[:0]
	if send {
		of.payload = of.payload[:0]
	}
	s.left(f)
}

// Note implements dissect.Sink.
func (s *Sieve) Note(n *record.Note) {
	s.release()
	s.sink.Note(n)
}

// End implements dissect.Sink.
func (s *Sieve) End(c *record.Conn) {
	s.release()
	if f := s.conns[c]; f != nil {
		s.payload -= cap(f.sides[record.C2S].payload) + cap(f.sides[record.S2C].payload)
		for k := range f.open {
			s.over(f, k)
		}
		s.left(f)
		delete(s.conns, c)
		s.conn, s.latest = nil, nil
	}
	s.sink.End(c)
}

// Verdict implements analysis.Sink.
func (s *Sieve) Verdict(v *record.Verdict) {
	s.release()
	s.sink.Verdict(v)
}

// Transaction implements analysis.Sink.
func (s *Sieve) Transaction(t *record.Transaction) {
	s.alone.Reset()
	s.alone.Transaction, s.alone.Request = t, s.requestOf(t)
	if s.filter.Match(&s.alone) {
		s.sink.Transaction(t)
	}
	s.end(t)
}

// Finding implements analysis.Sink.
func (s *Sieve) Finding(f *record.Finding) {
	c := *f
	c.Also = slices.Clone(f.Also)
	s.hold(held{finding: &c})
}

// Upper implements analysis.Sink.
func (s *Sieve) Upper(u *record.Upper) {
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
func (s *Sieve) carries(o *record.Origin, of *side) bool {
	for _, h := range s.held {
		switch {
		case !h.about(o):
			s.alone.Reset()
			s.pass(h, &s.alone)
			continue
		case h.finding != nil && len(of.findings) < maxFindings:
			of.findings = append(of.findings, h.finding)
		}
		s.pass(h, &s.event)
	}
	s.held = s.held[:0]
	s.event.Findings = append(s.event.Findings[:0], of.findings...)
	s.event.Upper = s.event.carried
	return s.filter.Match(&s.event)
}

// carriedBy is the message of an upper layer among what is held that an event carries; nil if there is none.
func (s *Sieve) carriedBy(o *record.Origin) (u *record.Upper) {
	for _, h := range s.held {
		if h.upper != nil && h.about(o) {
			u = h.upper
		}
	}
	return u
}

// about tells whether what was held can be about an event: they share a frame.
func (h held) about(o *record.Origin) bool {
	of := h.origin()
	return of.Conn == o.Conn && of.Dir == o.Dir && of.Frame <= o.LastFrame && of.LastFrame >= o.Frame
}

func (h held) origin() *record.Origin {
	if h.finding != nil {
		return &h.finding.Origin
	}
	return &h.upper.Origin
}

// flow is what is kept of a connection.
func (s *Sieve) flow(c *record.Conn) *flow {
	if s.latest == nil || s.conn != c {
		s.conn, s.latest = c, s.conns[c]
	}
	if s.latest == nil {
		s.latest = new(flow)
		s.conns[c] = s.latest
	}
	return s.latest
}

// join adds the payload of a segment to that of its Send, if it follows what is there.
func (s *Sieve) join(of *side, g *record.Segment) {
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
