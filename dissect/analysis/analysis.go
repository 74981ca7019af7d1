// Package analysis says what happened on iWARP connections and what was wrong: it joins requests and responses to
// transactions, follows upper layers, and judges everything by the rules of the protocols.
//
// An [Analyser] stands between a dissect.Engine and a [Sink]. It passes the Engine's events on, and adds its own before
// the event that they are about: findings and upper-layer messages come before the Message that they concern, a Verdict
// comes before the End of its connection.
//
// A [Finding] is a breach of one of the rules of package rules, or one of the [Observations] of this package: what is
// allowed and yet explains why something failed. Each RDMA Read and Atomic is one [Transaction], each connection has
// one [Verdict].
//
// What an Analyser keeps is bounded, whatever the capture holds: of a connection some 2 KiB, the requests that wait for
// their response, and the Send that is being put together; of all connections together the latest segments, for the
// search for what a Terminate is about, and the latest STags. Nothing is allocated per segment in the steady state.
package analysis

import (
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// Options choose how an Analyser judges and what it keeps. The zero value stands for the defaults.
type Options struct {
	Profile    *rules.Profile // default "rfc"
	ULPs       []ULP          // the upper layers to look for
	MaxPayload int            // octets kept of one upper-layer message; default 1 MiB

	// Suppress tells which findings are not wanted. It is asked with the name of their rule or observation, and with
	// their ID.
	Suppress func(rule string) bool
}

// An Analyser is a dissect.Sink that analyses what it is given. It is not safe for concurrent use.
type Analyser struct {
	sink   Sink
	joiner Joiner // the sink, if it is one; else nil
	opts   Options

	conns   map[*record.Conn]*connection
	latest  *connection   // of the latest event
	now     int64         // the latest time of a segment
	idle    []*connection // to be used again
	history history
	stags   stagTable

	requests   requestPool
	payloads   payloadPool
	violations []rules.Violation // of one segment
	finding    record.Finding    // used again and again
}

// New returns an Analyser that gives its events to sink.
func New(sink Sink, o Options) *Analyser {
	if o.Profile == nil {
		o.Profile = &rules.RFC
	}
	if o.MaxPayload <= 0 {
		o.MaxPayload = 1 << 20
	}
	if o.Suppress == nil {
		o.Suppress = func(string) bool { return false }
	}
	joiner, _ := sink.(Joiner)
	return &Analyser{
		sink: sink, joiner: joiner, opts: o, conns: make(map[*record.Conn]*connection), payloads: payloadPool{most: o.MaxPayload},
	}
}

// StartupFrame implements dissect.Sink.
func (a *Analyser) StartupFrame(f *record.Startup) {
	a.of(f.Conn).startupFrame(f)
	a.sink.StartupFrame(f)
}

// Segment implements dissect.Sink.
func (a *Analyser) Segment(s *record.Segment) {
	a.of(s.Conn).segment(s)
	a.sink.Segment(s)
}

// Message implements dissect.Sink.
func (a *Analyser) Message(m *record.Message) {
	a.of(m.Conn).message(m)
	a.sink.Message(m)
}

// Note implements dissect.Sink.
func (a *Analyser) Note(n *record.Note) {
	a.of(n.Conn).note(n)
	a.sink.Note(n)
}

// End implements dissect.Sink.
func (a *Analyser) End(c *record.Conn) {
	s := a.of(c)
	s.end()
	a.sink.End(c)
	a.forget(s)
}

// of is what is known of a connection.
func (a *Analyser) of(c *record.Conn) *connection {
	if a.latest == nil || a.latest.conn != c {
		s := a.conns[c]
		if s == nil {
			s = a.follow(c)
		}
		a.latest = s
	}
	return a.latest
}

// maxIdle is how many connections that are over are kept, with their memory, to be used again.
const maxIdle = 64

// follow begins with a connection.
func (a *Analyser) follow(c *record.Conn) *connection {
	var s *connection
	if n := len(a.idle); n > 0 {
		s, a.idle = a.idle[n-1], a.idle[:n-1]
	} else {
		s = &connection{a: a}
	}
	s.begin(c)
	a.conns[c] = s
	return s
}

// forget ends with a connection.
func (a *Analyser) forget(s *connection) {
	delete(a.conns, s.conn)
	a.latest = nil
	for d := range s.sides {
		s.sides[d].payload.drop(&a.payloads)
	}
	if len(a.idle) < maxIdle {
		a.idle = append(a.idle, s)
	}
}
