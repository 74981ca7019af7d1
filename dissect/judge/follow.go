package judge

// Upper layers: who follows a connection, and what that reports.

import (
	"cmp"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// maxLooks is how many Sends of each direction upper layers may look at until they have to recognise their connection.
const maxLooks = 4

// A follower is the upper layer of a connection.
type follower struct {
	ulp.Follower         // nil until the connection was recognised
	looks        [2]int  // Sends of each direction that upper layers may still look at
	unread       [2]bool // by direction: a Send was looked at of which octets are missing

	layer   *ulp.Layer // of Follower
	read    [2]bool    // by direction: a Send could be read as one of the layer
	strange [2]int     // by direction: Sends that could not, as long as none could; at most maxLooks
}

// listen notes whether a Send reads as one of the layer that follows its connection.
func (l *follower) listen(m *record.Message, octets []byte) {
	if l.layer.Read == nil || l.read[m.Dir] || l.strange[m.Dir] == maxLooks || m.Len == 0 || !m.Complete || m.Missing > 0 {
		return
	}
	if l.read[m.Dir] = l.layer.Read(octets, m.Len) != nil; !l.read[m.Dir] {
		l.strange[m.Dir]++
	}
}

// isStranger reports whether only the other side has announced the upper layer, in Private Data or by what it sent, and no Send of
// direction d reads as one of it.
func (l *follower) isStranger(c *flow.Conn, d flow.Direction) bool {
	if l.Follower == nil || l.read[d] || l.strange[d] == 0 {
		return false
	}
	says := [2]bool{}
	if l.layer.Private != nil {
		_, says[flow.C2S] = l.layer.Private(c, &c.Request)
		_, says[flow.S2C] = l.layer.Private(c, &c.Reply)
	}
	return !says[d] && (says[1-d] || l.read[1-d])
}

// look lets the upper layers look at the first Sends, unless one follows the connection already.
func (c *connection) look() {
	if len(c.a.opts.ULPs) > 0 && c.follower.Follower == nil {
		c.follower.looks = [2]int{maxLooks, maxLooks}
	}
}

// private looks for Private Data of an upper layer in an MPA frame.
func (c *connection) private(f *record.Startup) {
	for _, u := range c.a.opts.ULPs {
		if u.Private == nil {
			continue
		}
		if p, ok := u.Private(c.conn, &f.MPA); ok {
			f.Private = new(p) // p itself would be allocated for each layer
			return
		}
	}
}

// recognise asks the upper layers whether a connection is theirs.
func (c *connection) recognise(send *record.Message, payload []byte) {
	for _, u := range c.a.opts.ULPs {
		if f := u.Recognise(c.conn, send, payload); f != nil {
			c.follower.Follower, c.follower.layer, c.waiting.follower = f, u, f
			c.verdict.ULP = u.Name
			f.Begin(c)
			for d := range c.sides {
				if c.order.MissedOf(flow.Direction(d)) > 0 || c.follower.unread[d] {
					f.Gap(flow.Direction(d))
				}
			}
			return
		}
	}
}

// send hands a Send to the upper layer.
func (c *connection) send(m *record.Message) {
	j := c.sides[m.Dir].payload.Of(m)
	var octets []byte
	if j != nil {
		octets = j.Octets
		m.Payload, c.a.joined = octets, j
	}
	if c.follower.Follower == nil && c.follower.looks[m.Dir] > 0 && m.Len > 0 { // one of nothing may be a Ready to Receive
		c.follower.looks[m.Dir]--
		c.recognise(m, octets)
		if c.follower.Follower == nil && m.Missing > 0 {
			c.follower.unread[m.Dir] = true
		}
	}
	if c.follower.Follower != nil {
		c.follower.listen(m, octets)
		c.follower.Send(m, octets)
		c.a.hold(c)
		if c.waiting.progress[m.Dir].late { // what answers it may have come before
			c.follower.Gap(1 - m.Dir)
		}
	}
}

// tagged hands a segment of an RDMA Write, or of a Read Response to t, to the upper layer.
func (c *connection) tagged(s *record.Segment, t *record.Transaction) {
	if c.follower.Follower != nil && s.RDMAP.T {
		c.follower.Tagged(s, t)
	}
}

// Finding implements ulp.Reporter.
func (c *connection) Finding(f *record.Finding) {
	f.Conn = c.conn
	if f.Span == (flow.Span{}) {
		f.Span = c.startup.frames[f.Dir]
	}
	if f.Rule != nil {
		c.fill(f)
		v := rules.Violation{Rule: f.Rule, Situation: f.Rule.Situation, Doubt: f.Doubt}
		what := func() string { return cmp.Or(c.follower.Subject(f), c.opcodeOf(f), "message") }
		c.report(f, roleOf(&v), func() statement { return wrong(f, what()) }, func() string {
			return c.explain(f, f.Rule.Situation, sentence("The %s in %s from the %v", what(), frames(f.Conn, f.Span), flow.Sender(f.Dir)))
		})
		return
	}
	o := LookupObservation(f.Name)
	if o == nil {
		c.report(f, bystander, nil, func() string { return f.Name })
		return
	}
	f.ID, f.Name, f.Severity = o.ID, o.Name, o.Severity
	c.report(f, o.role, func() statement {
		if f.Seen == "" {
			return stated("%s", strings.TrimSuffix(o.Text, "."))
		}
		return wrong(f, cmp.Or(c.follower.Subject(f), c.opcodeOf(f), "message"))
	}, nil)
}

// MissedAt implements ulp.Reporter.
func (c *connection) MissedAt() [2]uint64 { return c.order.MissedAt }

// Mute implements ulp.Reporter.
func (c *connection) Mute(t *record.Transaction) bool { return c.waiting.mute(t) }

// opcodeOf names the segment that is being judged if a finding is about that; else it is empty.
func (c *connection) opcodeOf(f *record.Finding) string {
	if r := c.a.judged; r.Kind == record.KindSegment && r.Span == f.Span && r.Dir == f.Dir {
		return r.Segment.RDMAP.Control.Opcode.String()
	}
	return ""
}

// Transaction implements ulp.Reporter.
func (c *connection) Transaction(t *record.Transaction) {
	if t.Kind == record.UpperTransaction {
		c.judgeAnswer(t)
	}
	c.over(t)
}

// Stray implements ulp.Reporter.
func (c *connection) Stray(d flow.Direction, at flow.Span, id uint64) {
	c.observe(&record.Origin{Conn: c.conn, Dir: d, Span: at}, ObsStrayAnswer, stated("The %v's response in %s answers no request that is open: it has %s",
		flow.Sender(d), frames(c.conn, at), c.waiting.idText(&record.Transaction{Kind: record.UpperTransaction, ID: id})))
}

// Join implements ulp.Reporter.
func (c *connection) Join(t *record.Transaction, request record.Body) { c.a.join(t, request) }

// Advertise implements ulp.Reporter.
func (c *connection) Advertise(d flow.Direction, stag uint32) {
	c.stags.advertise(d, stag)
	c.adverts[1-d].stag(stag, c.a.judged.Frame)
}

// Upper implements ulp.Reporter.
func (c *connection) Upper(m *record.Upper) { c.a.upper(m) }
