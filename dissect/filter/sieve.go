package filter

import (
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// maxFindings is how many findings about a message are matched.
const maxFindings = 64

// A Sieve is a record.Sink that passes on what a Filter matches: MPA frames, segments, messages, findings, transactions
// and messages of upper layers. Records about a whole connection, or about octets that could not be decoded, always
// pass.
//
// A finding is matched together with the segment or message with which it was found, and a message together with the
// findings about it and its segments, with the message of an upper layer that it carries, and with the transaction that
// it ends: all of them can be named in one filter. What matches while its segment or message does not is passed on in a
// Record of KindLate.
//
// A Sieve keeps the requests of open exchanges of upper layers. A judge.Judge before it must supply the Payload of messages
// and the findings.
type Sieve struct {
	filter *Filter
	sink   record.Sink
	event  Event // a Record
	alone  Event // something of a Record, apart from it

	conns  map[*flow.Conn]exchanges
	conn   *flow.Conn // of the latest Record
	latest exchanges  // of conn

	passed   record.Record // what passes of a Record
	findings []*record.Finding
	over     []*record.Transaction
	marks    []record.Mark

	idle     []*exchange // to be used again
	requests int         // octets of memory for requests
}

// NewSieve returns a Sieve that passes what f matches on to sink.
func NewSieve(f *Filter, sink record.Sink) *Sieve {
	return &Sieve{filter: f, sink: sink, conns: make(map[*flow.Conn]exchanges)}
}

// Start sets the time of the first packet of the capture, in nanoseconds since 1970-01-01 UTC.
func (s *Sieve) Start(ns int64) { s.event.Start, s.alone.Start = ns, ns }

// Record implements record.Sink.
func (s *Sieve) Record(r *record.Record) {
	e := &s.event
	e.Reset()
	e.StartupFrame, e.Segment, e.Message, e.carried = r.Startup, r.Segment, r.Message, r.Upper
	if m := r.Message; m != nil {
		if m.Opcode.IsSend() {
			e.Payload, e.PayloadLen = m.Payload[:min(len(m.Payload), maxSent)], m.Len
		}
		if !m.Opcode.IsTerminate() {
			e.Transaction = m.Answers
		}
	}
	x := s.belong(r)
	s.pass(r, x)
	s.left(r)
}

// pass passes on what matches of a Record, which belongs to an exchange, or to none.
func (s *Sieve) pass(r *record.Record, x *exchange) {
	p := &s.passed
	*p = *r
	own := r.Startup != nil || r.Segment != nil || r.Message != nil
	s.passOver(r, x)
	s.passFindings(r, own)
	if r.Upper != nil && !s.matches(own, r.Upper, nil) {
		p.Upper = nil
	}
	switch r.Kind {
	case record.KindStartup, record.KindSegment, record.KindMessage:
		if s.matchesAll(r) {
			break
		}
		if len(p.Findings) == 0 && len(p.Over) == 0 && len(p.Marks) == 0 && p.Upper == nil {
			return
		}
		p.Kind, p.Startup, p.Segment, p.Message = record.KindLate, nil, nil, nil
	case record.KindLate:
		if len(p.Findings) == 0 && len(p.Over) == 0 && p.Upper == nil {
			return
		}
	}
	s.sink.Record(p)
}

// passOver passes on the transactions that match.
func (s *Sieve) passOver(r *record.Record, x *exchange) {
	s.over = s.over[:0]
	for _, t := range r.Over {
		s.alone.Reset()
		s.alone.Transaction, s.alone.Request = t, s.requestOf(t, x)
		if s.filter.Match(&s.alone) {
			s.over = append(s.over, t)
		}
	}
	s.passed.Over = s.over
}

// passFindings passes on the findings that match, and hides the others among the marks.
func (s *Sieve) passFindings(r *record.Record, own bool) {
	s.findings = s.findings[:0]
	marks := marksOf(r)
	for _, f := range r.Findings {
		if s.matches(own, nil, f) {
			s.findings = append(s.findings, f)
		} else {
			*marks = record.HideMark(*marks, f)
		}
	}
	s.passed.Findings, s.marks = s.findings, s.marks[:0]
	if r.Segment == nil || r.Segment.Message == nil {
		for i := range *marks {
			if m := &(*marks)[i]; !m.Hidden {
				s.marks = append(s.marks, *m)
			}
		}
	}
	s.passed.Marks = s.marks
}

func marksOf(r *record.Record) *[]record.Mark {
	switch {
	case r.Message != nil:
		return &r.Message.Marks
	case r.Segment != nil && r.Segment.Message != nil:
		return &r.Segment.Message.Marks
	}
	return &r.Marks
}

// matches reports whether a finding, or a message of an upper layer, matches: with s.event, if it has one of its own.
func (s *Sieve) matches(own bool, u *record.Upper, f *record.Finding) bool {
	e := &s.event
	if !own {
		e = &s.alone
		e.Reset()
	}
	e.Upper, e.Findings = u, e.Findings[:0]
	if f != nil {
		e.Findings = append(e.Findings, f)
	}
	return s.filter.Match(e)
}

// matchesAll reports whether s.event matches, with all that is known of it.
func (s *Sieve) matchesAll(r *record.Record) bool {
	e := &s.event
	e.Upper, e.Findings = r.Upper, e.Findings[:0]
	e.Findings = append(e.Findings, r.Findings...)
	marks := *marksOf(r)
	for i := range marks[:min(len(marks), maxFindings)] {
		e.Findings = append(e.Findings, &marks[i].Finding)
	}
	return s.filter.Match(e)
}
