// Package analysis says what happened on iWARP connections and what was wrong: it joins requests and responses to
// transactions, follows upper layers, and judges everything by the rules of the protocols.
//
// An [Analyser] stands between a dissect.Engine and a [Sink]. It passes the Engine's events on, and adds its own before
// the event that they are about: findings and upper-layer messages come before the Message that they concern, a Verdict
// comes before the End of its connection.
package analysis

import (
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
)

// Options choose how an Analyser judges and what it keeps. The zero value stands for the defaults.
type Options struct {
	Profile    *rules.Profile         // default "rfc"
	ULPs       []ULP                  // the upper layers to look for
	MaxPayload int                    // octets kept of one upper-layer message; default 1 MiB
	Suppress   func(rule string) bool // findings by the name of their rule or observation that are not wanted
}

// An Analyser is a dissect.Sink that analyses what it is given. It is not safe for concurrent use.
type Analyser struct {
	sink Sink
	opts Options
}

// New returns an Analyser that gives its events to sink.
func New(sink Sink, o Options) *Analyser {
	if o.Profile == nil {
		o.Profile = rules.LookupProfile("rfc")
	}
	if o.MaxPayload <= 0 {
		o.MaxPayload = 1 << 20
	}
	return &Analyser{sink: sink, opts: o}
}

// StartupFrame implements dissect.Sink.
func (a *Analyser) StartupFrame(f *dissect.StartupFrame) { a.sink.StartupFrame(f) }

// Segment implements dissect.Sink.
func (a *Analyser) Segment(s *dissect.Segment) { a.sink.Segment(s) }

// Message implements dissect.Sink.
func (a *Analyser) Message(m *dissect.Message) { a.sink.Message(m) }

// Note implements dissect.Sink.
func (a *Analyser) Note(n *dissect.Note) { a.sink.Note(n) }

// End implements dissect.Sink.
func (a *Analyser) End(c *dissect.Conn) { a.sink.End(c) }
