// Package judge says what happened on iWARP connections and what was wrong.
//
//	sink := judge.New(printer, judge.Options{Profile: &rules.RFC})
//	err := dissect.NewEngine(sink, dissect.Options{}).Run(ctx, capture)
//
// A [Judge] stands between a dissect.Engine and another record.Sink. It passes on the Engine's Records, and adds what
// it finds: breaches of the rules of package rules; the [Observations] of this package, which break no rule and yet
// explain why something failed; finished transactions; messages of upper layers; and, at the end of a connection, the
// Verdict. What becomes known later about earlier frames comes in separate Records, of KindLate.
//
// A Judge's state is bounded, whatever the capture holds: for each connection some 4 KiB, the requests that wait for
// their response, and the Send that is being reassembled; for all connections together the latest segments, for the
// search for what a Terminate is about, and the latest STags. In the steady state, a Judge does not allocate per
// segment.
package judge

import (
	"cmp"
	"time"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/match"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/transit"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// DefaultMaxWait is how long a request waits until it counts as unanswered.
const DefaultMaxWait = 30 * time.Second

// Options choose how a Judge judges and what it keeps. The zero value stands for the defaults.
type Options struct {
	Profile    *rules.Profile // by which both sides are judged; nil for the RFCs, and the deviations of the peers that the sides are recognised as
	ULPs       []*ulp.Layer   // the upper layers to look for
	MaxWait    time.Duration  // how long a request waits until it counts as unanswered, if the capture ends first; default DefaultMaxWait
	MaxPayload int            // octets kept of one upper-layer message; default 1 MiB
	Payload    bool           // give Messages their Payload, whoever follows the connection

	// Ends is asked at the end of a connection what captures at its two ends show together; nil if there is one capture.
	Ends func(*flow.Conn) *transit.Ends

	// Suppress tells which findings are not wanted. It is asked with the name of their rule or observation, and with
	// their ID.
	Suppress func(rule string) bool
}

// A Judge is a record.Sink that judges what it is given. It is not safe for concurrent use.
type Judge struct {
	sink    record.Sink
	opts    Options
	profile *rules.Profile // the documents to judge by

	conns   map[*flow.Conn]*connection
	latest  *connection     // of the latest event
	now     int64           // the latest time of a packet
	idle    []*connection   // to be used again
	spoke   map[route]spoke // at most maxWell
	history history
	stags   stagTable

	requests   match.RequestPool
	payloads   match.PayloadPool
	held       int               // octets that upper layers have for all connections
	violations []rules.Violation // of one segment
	finding    record.Finding    // used again and again

	judged *record.Record // that is being judged
	joined *match.Join    // the payload of its Message; nil if there is none
	late   record.Record  // used again and again
}

// New returns a Judge that gives its Records to sink.
func New(sink record.Sink, o Options) *Judge {
	if o.MaxWait <= 0 {
		o.MaxWait = DefaultMaxWait
	}
	if o.MaxPayload <= 0 {
		o.MaxPayload = 1 << 20
	}
	if o.Suppress == nil {
		o.Suppress = func(string) bool { return false }
	}
	return &Judge{
		sink: sink, opts: o, profile: cmp.Or(o.Profile, &rules.RFC), conns: make(map[*flow.Conn]*connection), spoke: make(map[route]spoke), payloads: match.PayloadPool{Most: o.MaxPayload},
	}
}

// Record implements record.Sink: it judges what happened, and passes it on with what it found.
func (a *Judge) Record(r *record.Record) {
	c := a.latest
	if c == nil || c.conn != r.Conn {
		c = a.of(r.Conn)
	}
	a.judged = r
	if len(r.Over) > 0 {
		r.Over = r.Over[:0]
	}
	r.Upper, r.Exchange, r.Body, r.Findings, r.Marks = nil, nil, nil, nil, nil
	switch r.Kind {
	case record.KindStartup:
		c.startupFrame(r.Startup)
	case record.KindSegment:
		c.segment(r.Segment)
		if c.follower.Follower != nil {
			c.sides[r.Dir].latest.of(r)
		}
	case record.KindMessage:
		c.message(r.Message)
		if c.follower.Follower != nil {
			c.sides[r.Dir].latest.pass(r)
		}
		r.Marks = r.Message.Marks
	case record.KindNote:
		c.note(r.Note)
	case record.KindEnd:
		c.end()
	}
	if len(r.Findings) > 0 {
		a.hold(c)
	}
	a.sink.Record(r)
	if a.joined != nil {
		a.joined.Drop(&a.payloads)
		a.joined = nil
	}
	if r.Kind == record.KindEnd {
		a.forget(c)
	}
}

// Pass says that the capture has a packet of a time, in nanoseconds since 1970-01-01 UTC: what is unanswered has waited until then.
func (a *Judge) Pass(time int64) { a.now = flow.Later(a.now, time) }

// Held returns how many octets of memory the Judge has for connections, beyond some fixed ones for each: open requests, payload, findings,
// and what upper layers have.
func (a *Judge) Held() int { return a.held + a.requests.Held() + a.payloads.Held() }

// hold counts what a connection has by now.
func (a *Judge) hold(c *connection) {
	n := findingHeld * len(c.tally)
	for d := range c.sides {
		n += c.sides[d].receiver.Held()
	}
	if c.follower.Follower != nil {
		n += c.follower.Held()
	}
	a.held, c.held = a.held+n-c.held, n
}

// findingHeld is what the findings of one rule take in memory, here and in outputs, as a rule.
const findingHeld = 1 << 10

// of is what is known of a connection.
func (a *Judge) of(c *flow.Conn) *connection {
	s := a.conns[c]
	if s == nil {
		s = a.follow(c)
	}
	a.latest = s
	return s
}

// maxIdle is how many connections that are over are kept, with their memory, to be used again.
const maxIdle = 64

// follow begins with a connection.
func (a *Judge) follow(c *flow.Conn) *connection {
	var s *connection
	if n := len(a.idle); n > 0 {
		s, a.idle = a.idle[n-1], a.idle[:n-1]
	} else {
		s = &connection{a: a, requests: match.NewRequests(&a.requests)}
	}
	s.begin(c)
	a.conns[c] = s
	return s
}

// forget ends with a connection.
func (a *Judge) forget(s *connection) {
	delete(a.conns, s.conn)
	a.keepSpoken(s)
	a.latest = nil
	a.held -= s.held
	for d := range s.sides {
		s.sides[d].payload.Drop(&a.payloads)
	}
	if len(a.idle) < maxIdle {
		a.idle = append(a.idle, s)
	}
}
