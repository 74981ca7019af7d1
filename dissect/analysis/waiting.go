package analysis

// What waits for an answer: requests that nothing answers while time passes, and the oldest of those that nothing
// answered at all.

import (
	"time"

	"github.com/iwarpkit/iwarp/dissect/record"
)

// stallAfter is how long nothing may come while something is outstanding.
const stallAfter = int64(time.Second)

// stall looks whether a segment comes late while something is outstanding. What came in the meantime is known only if
// both directions are in the capture, and neither has octets that wait to be decoded, or were acknowledged by now and
// have not come.
func (c *connection) stall(s *record.Segment) {
	before := &c.latest
	quiet := s.Time - before.LastTime
	if quiet < stallAfter || before.LastTime == 0 || s.Time == 0 || s.Frame < before.LastFrame || s.Ahead || c.anyHidden() {
		return
	}
	if what := c.waiting(before); what != "" {
		c.observe(&s.Origin, ObsStall, "Nothing came for %s between frame %d and frame %d, while %s.",
			duration(quiet), before.LastFrame, s.Frame, what)
	}
}

// hidden tells whether what a side sends cannot be read now: where its FPDUs begin is not known, or none of its packets
// is in the capture.
func (c *connection) hidden(d record.Direction) bool { return c.sides[d].astray || c.absent(d) }

func (c *connection) anyHidden() bool { return c.hidden(record.C2S) || c.hidden(record.S2C) }

// waiting says what was outstanding when a segment had come; empty if nothing was. What would end it may be among octets
// that the other side has acknowledged, and that were not decoded by then.
func (c *connection) waiting(since *record.Span) string {
	for d := range c.sides {
		d := record.Direction(d)
		s, other := &c.sides[d], &c.sides[1-d]
		if t := c.oldest(d); t != nil && t.Request.LastFrame <= since.LastFrame && !s.ahead {
			return c.transactionText(t) + " was not answered"
		}
		if s.unfinished && !s.lost && s.latest.LastFrame <= since.LastFrame && !other.ahead {
			return sentence("the %v had sent a part of a message only", record.Sender(d))
		}
	}
	return ""
}

// oldest is the oldest transaction of a direction that waits for its response, and the response of which cannot have
// been missed; nil if there is none.
func (c *connection) oldest(d record.Direction) (t *record.Transaction) {
	q := &c.sides[d].requests
	for i := range q.n {
		if r := q.at(q.first + uint64(i)); !r.over && !c.unsure(r) {
			t = &r.Transaction
			break
		}
	}
	w, ok := c.follower.(Waiter)
	if !ok {
		return t
	}
	upper, _ := w.Oldest(d)
	if upper == nil || upper.Request.LastFrame <= c.sides[1-d].missedAt || c.hidden(1-d) {
		return t
	}
	if t == nil || upper.Request.Frame < t.Request.Frame {
		return upper
	}
	return t
}

// hung says what still waits when the capture ends before the connection does.
func (c *connection) hung() {
	now := max(c.conn.Latest, c.a.now)
	if c.complete() || c.givenUp || c.anyHidden() {
		return
	}
	for d := range c.sides {
		t := c.oldest(record.Direction(d))
		if t == nil || t.Request.LastTime == 0 || now-t.Request.LastTime < stallAfter {
			continue
		}
		c.observe(&record.Origin{Conn: c.conn, Dir: t.Dir, Span: t.Request}, ObsStall,
			"%s was not answered for %s, until the capture ends.",
			capital(c.transactionText(t)), duration(now-t.Request.LastTime))
	}
}

// A left is what was left over of one kind of transactions of one direction.
type left struct {
	oldest  record.Transaction // of those that were never answered
	found   bool
	unknown bool // of others it is not known whether they were answered
}

// take takes in a transaction that is over.
func (l *left) take(t *record.Transaction) {
	switch t.Outcome {
	case record.OutcomeUnknown:
		l.unknown = true
	case record.Unanswered:
		if !l.found || t.Request.Frame < l.oldest.Request.Frame {
			l.oldest, l.found = *t, true
			l.oldest.Upper = nil // it is its follower's
		}
	}
}

// observeUnanswered names what was never answered on a connection whose end the capture shows.
func (c *connection) observeUnanswered(d record.Direction, kind record.TransactionKind, n int, obs *Observation) {
	l := &c.sides[d].left[kind]
	if n == 0 || !c.complete() {
		return
	}
	c.observe(c.origin(d, l.oldest.Request), obs, "%s %s", c.unansweredText(d, kind), c.endedText())
}

// unansweredText says how many transactions of a kind were not answered, and which the oldest of them is.
func (c *connection) unansweredText(d record.Direction, kind record.TransactionKind) string {
	o, l := &c.verdict.Outstanding[d], &c.sides[d].left[kind]
	n, thing := o.Upper, "request"
	switch {
	case kind == record.ReadTransaction:
		n, thing = o.Reads, "RDMA Read"
	case kind == record.AtomicTransaction:
		n, thing = o.Atomics, "Atomic Request"
	case c.verdict.ULP != "":
		thing = c.verdict.ULP + " request"
	}
	never := "never answered"
	if !c.complete() {
		never = "not answered yet"
	}
	switch {
	case l.found && n == 1 && !l.unknown:
		return sentence("%s was %s%s.", capital(c.transactionText(&l.oldest)), never, c.waited(&l.oldest, "; it waited"))
	case l.unknown:
		thing = sentence("At least %s of the %v", plural(uint64(n), thing), record.Sender(d))
	default:
		thing = sentence("%s of the %v", plural(uint64(n), thing), record.Sender(d))
	}
	was := "were"
	if n == 1 {
		was = "was"
	}
	if !l.found {
		return sentence("%s %s %s.", thing, was, never)
	}
	oldest := "the oldest"
	switch {
	case n == 1:
		oldest = "it"
	case l.unknown:
		oldest = "the oldest of these"
	}
	return sentence("%s %s %s: %s is %s%s.", thing, was, never, oldest,
		c.transactionText(&l.oldest), c.waited(&l.oldest, ", which waited"))
}

// waited is how long a transaction waited for its answer: what and " for 3 s"; empty if that is not known.
func (c *connection) waited(t *record.Transaction, what string) string {
	until := max(c.conn.Latest, c.a.now)
	if c.complete() {
		until = c.over().Time
	}
	if t.Request.LastTime == 0 || until <= t.Request.LastTime {
		return ""
	}
	return what + " for " + duration(until-t.Request.LastTime)
}

// transactionText names a transaction: "the NFSv3 READ of the client in frame 8 (XID 0x5a000001)".
func (c *connection) transactionText(t *record.Transaction) string {
	return sentence("the %s of the %v in %s (%s)", t.Name, record.Sender(t.Dir), frames(&t.Request), c.idText(t))
}

// idText is the ID of a transaction with what it is called.
func (c *connection) idText(t *record.Transaction) string {
	switch t.Kind {
	case record.ReadTransaction:
		return sentence("MSN %d", t.ID)
	case record.AtomicTransaction:
		return sentence("Request Identifier %#x", t.ID)
	}
	if i, ok := c.follower.(Identifier); ok {
		return i.Identify(t)
	}
	return sentence("ID %#x", t.ID)
}
