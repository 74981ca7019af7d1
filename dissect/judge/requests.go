package judge

// What becomes of requests: they are opened, answered, or given up.

import (
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/match"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// request takes the request of a Transaction.
func (c *connection) request(s *record.Segment, when match.Arrival) {
	if r := c.requests.Excess(s.Dir); r != nil {
		c.finish(r, record.OutcomeUnknown) // its response may still come
	}
	r := c.requests.Open(s, c.order.Gaps(), when != match.InOrder)
	t := &r.Transaction
	if c.follower.Follower != nil {
		c.follower.Request(t)
	}
	if when == match.AnsweredBefore {
		t.Outcome = record.OutcomeUnknown
		c.done(t)
		c.requests.Discard(r)
		return
	}
	c.requests.Push(r)
}

// response takes a segment of a Read Response, or an Atomic Response.
func (c *connection) response(s *record.Segment) {
	d := 1 - s.Dir
	var r *match.Request
	m := c.sides[s.Dir].receiver.Match()
	if m.Known {
		r = c.requests.At(d, m.Request)
	}
	if m.Doubt != rules.Seen {
		c.waiting.doubted[d] = s.LastFrame
	}
	if r == nil || r.Over {
		c.order.Orphan(s)
		c.tagged(s, nil)
		return
	}
	for older := c.requests.Oldest(d); older.Place < m.Request && c.waiting.unsure(older); older = c.requests.Oldest(d) {
		c.giveUp(d) // its response was missed
	}
	r.Answer(s)
	r.Doubt = max(r.Doubt, m.Doubt)
	if r.Kind == record.ReadTransaction {
		c.tagged(s, &r.Transaction)
	}
	if m.Last {
		c.finish(r, record.Answered)
	}
}

// giveUp ends the oldest request of a direction, which nothing answered.
func (c *connection) giveUp(d flow.Direction) record.Outcome {
	r, outcome := c.requests.Oldest(d), record.Unanswered
	if c.waiting.unsure(r) {
		outcome = record.OutcomeUnknown
	}
	c.finish(r, outcome)
	return outcome
}

// finish ends a request and reports it. It keeps its place in the queue until those before it are over.
func (c *connection) finish(r *match.Request, o record.Outcome) {
	r.Outcome, r.Over = o, true
	c.done(&r.Transaction)
	c.requests.Release(r.Dir)
}

// over notes a Transaction that is over, and reports it.
func (c *connection) over(t *record.Transaction) {
	c.waiting.left[t.Dir][t.Kind].take(t)
	if t.Outcome == record.Answered {
		c.story.answered = max(c.story.answered, t.Request.LastFrame)
		if t.Kind == record.UpperTransaction && t.Status == "" {
			c.story.succeeded(t)
		}
	}
	c.a.ended(t)
}

// done reports a Transaction of RDMAP that is over.
func (c *connection) done(t *record.Transaction) {
	c.over(t)
	if c.follower.Follower != nil {
		c.follower.Done(t)
	}
}

// abandon ends what was not answered, and counts it in the Verdict.
func (c *connection) abandon() {
	for d := range c.sides {
		o, d := &c.verdict.Outstanding[d], flow.Direction(d)
		for r := c.requests.Oldest(d); r != nil; r = c.requests.Oldest(d) {
			kind := r.Kind
			switch {
			case c.giveUp(d) != record.Unanswered:
			case kind == record.ReadTransaction:
				o.Reads++
			default:
				o.Atomics++
			}
		}
	}
	if c.follower.Follower != nil {
		c.abandonUpper()
	}
	for d := range c.sides {
		for kind := range c.waiting.left[d] {
			o := &c.verdict.Outstanding[d]
			o.AtLeast = o.AtLeast || c.waiting.left[d][kind].unknown
		}
		if c.operating {
			c.verdict.MaxOutstanding[d] = c.sides[d].receiver.MaxOutstanding()
		}
	}
	if !c.operating {
		c.verdict.Limit = [2]int{-1, -1}
	}
}

// abandonUpper ends the requests of the upper layer that were not answered. Those that may wait forever are not the oldest, and a
// keep-alive that crosses the end of the connection leaves nothing undone.
func (c *connection) abandonUpper() {
	var waits [2]left
	var crossed [2]bool
	for d := range waits {
		waits[d] = c.waiting.left[d][record.UpperTransaction]
		t, n := c.follower.Oldest(flow.Direction(d))
		if crossed[d] = n == 1 && c.waiting.crosses(t); t != nil && !crossed[d] {
			kept := *t
			kept.Outcome = record.Unanswered
			waits[d].take(&kept)
		}
	}
	for d, n := range c.follower.End() {
		if !crossed[d] {
			c.verdict.Outstanding[d].Upper = n
		}
		l := &c.waiting.left[d][record.UpperTransaction]
		l.oldest = waits[d].oldest
	}
}
