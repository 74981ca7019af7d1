// Package diff compares two captures of the same workload by their messages, not by time or octets.
//
// A Comparison has two sinks, one for each capture. Each keeps the messages of its connections: what they are called, and the
// values of their fields. Compare then pairs the connections of both, aligns their messages, and says where they differ:
//
//	c := diff.New()
//	err := dissect.NewEngine(c.A, options).Run(ctx, good)
//	...
//	err = dissect.NewEngine(c.B, options).Run(ctx, bad)
//	...
//	report := c.Compare()
//
// Values that differ in each run, such as STags, TOs and XIDs, are not compared but mapped: an STag of A has to be used
// in B wherever its counterpart was advertised, in a chunk of RPC-over-RDMA or among the octets of Private Data and of
// Sends. [field.Reference] says which values these are. Payload, and whatever no field table describes, is compared
// only by its length. Segmentation and times do not count as differences.
package diff

import (
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// MaxMessages is how many messages of a capture are kept. A Report says if there were more.
const MaxMessages = 1 << 18

// A Comparison compares two captures. A and B are sinks; each has to be given all Records of its capture, with those of a
// judge.Judge, before Compare.
type Comparison struct {
	A, B   *Capture
	shapes shapes
}

// New returns a Comparison of nothing so far.
func New() *Comparison {
	c := new(Comparison)
	c.shapes.init()
	c.A, c.B = newCapture(&c.shapes), newCapture(&c.shapes)
	return c
}

// Compare compares what the sinks were given.
func (c *Comparison) Compare() *Report {
	r := &Report{Schema: Schema, Truncated: c.A.dropped > 0 || c.B.dropped > 0}
	for _, p := range pairs(c.A.sessions, c.B.sessions) {
		r.add(&comparer{shapes: &c.shapes, a: p.a, b: p.b})
	}
	r.Operations = compareLatencies(c.A.latencies, c.B.latencies)
	r.finish()
	return r
}

// A Capture is a record.Sink that keeps what a comparison needs: some 100 octets for each message, and 64 of its payload.
type Capture struct {
	shapes    *shapes
	sessions  []*session // in the order in which they began
	of        map[*flow.Conn]*session
	latencies map[string]*samples
	messages  int
	dropped   int
	view      record.View
}

func newCapture(s *shapes) *Capture {
	return &Capture{shapes: s, of: make(map[*flow.Conn]*session), latencies: make(map[string]*samples)}
}

// Record implements record.Sink.
func (c *Capture) Record(r *record.Record) {
	if r.Conn == nil {
		return
	}
	s := c.of[r.Conn]
	if s == nil {
		s = newSession(r.Conn)
		c.of[r.Conn] = s
		c.sessions = append(c.sessions, s)
	}
	for _, f := range r.Findings {
		s.find(f)
	}
	for _, t := range r.Over {
		c.time(t)
	}
	switch r.Kind {
	case record.KindStartup:
		c.keep(s, r, r.Startup.Name(), r.Startup)
	case record.KindMessage:
		name := r.Message.Opcode.String()
		if t, ok := r.Message.Terminate(); ok {
			name += " " + t.Meant().Code.String()
		}
		c.keep(s, r, name, r.Message)
	case record.KindEnd:
		s.end(r.Verdict)
		delete(c.of, r.Conn)
	}
}

// keep adds a step to a session: the parts of a body and of the message of the upper layer that it ends.
func (c *Capture) keep(s *session, r *record.Record, name string, body record.Body) {
	if c.messages == MaxMessages {
		c.dropped++
		return
	}
	c.messages++
	b := builder{shapes: c.shapes, session: s, name: name, shown: name, at: len(s.values)}
	if m := r.Message; m != nil {
		b.add(length, m.Len+m.Missing) // what was not captured was sent
		b.add(badCRCs, uint64(m.BadCRCs))
		b.cut, b.answers = !m.Complete, m.Answers != nil
	}
	layers := c.view.Lay(body)
	b.layers(layers)
	if u := r.Upper; u == nil {
		b.opaque = layers[0].Data.Octets
		if r.Message != nil {
			b.opaque = r.Message.Payload
		}
	} else {
		b.upper(u)
		if u.Body != nil {
			b.layers(c.view.Lay(u.Body))
		}
	}
	lane := &s.lanes[r.Dir]
	*lane = append(*lane, b.step(r.Span))
}

// time notes how long a transaction took.
func (c *Capture) time(t *record.Transaction) {
	if !t.Timed() {
		return
	}
	s := c.latencies[t.Name]
	if s == nil {
		if len(c.latencies) == maxOperations {
			return
		}
		s = new(samples)
		c.latencies[t.Name] = s
	}
	s.add(t.Latency())
}
