package judge

// Requests of upper layers that were refused, by a Terminate or by their response.

import (
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// A deferral is a request of one direction that was refused in a way that passes, and such requests since; none of them has
// succeeded.
type deferral struct {
	first, last *record.Transaction // nil as long as there was none
	n           int
	passage     ulp.Passage
	advice      string // about the latest one
	succeeded   bool   // a request of the direction has
	worked      bool   // one that does work has
	asked       uint64 // frame of the latest other request of the direction, answered or not
}

// judgeAnswer reports that a request was refused, or answered by an error that is not of everyday use.
func (c *connection) judgeAnswer(t *record.Transaction) {
	e, ok := t.Upper.(record.Exchange)
	everyday := ok && t.Status != "" && e.Everyday()
	switch {
	case t.Outcome == record.Refused && everyday:
		c.refused(t, ObsFailedUpper)
	case t.Outcome == record.Refused, t.Outcome == record.Answered && t.Status != "" && !everyday:
		c.refused(t, ObsRefusedUpper)
	}
	d := &c.deferred[t.Dir]
	if t.Outcome == record.Answered && t.Status == "" {
		p, ok := t.Upper.(ulp.Preparing)
		d.succeeded, d.worked = true, d.worked || !ok || !p.Prepares()
	}
	passage := ulp.Lasting
	if p, ok := t.Upper.(ulp.Passing); ok && t.Status != "" {
		passage = p.Passage()
	}
	switch {
	case passage != ulp.Lasting && (d.n == 0 || d.last.Task != t.Task):
		if d.last == nil {
			d.first, d.last = new(record.Transaction), new(record.Transaction)
		}
		*d.first, *d.last, d.n, d.passage, d.advice = *t, *t, 1, passage, adviceOn(t)
	case passage != ulp.Lasting:
		*d.last, d.n, d.passage, d.advice = *t, d.n+1, passage, adviceOn(t)
	default:
		d.asked = max(d.asked, t.Request.Frame)
		if d.n > 0 && t.Outcome == record.Answered && t.Status == "" && d.last.Task == t.Task {
			d.n = 0
		}
	}
}

// adviceOn is what the upper layer says of the response to a request; empty if it says nothing.
func adviceOn(t *record.Transaction) string {
	if a, ok := t.Upper.(ulp.Advising); ok {
		return a.Advice()
	}
	return ""
}

// observeDeferred reports requests that the server put off for as long as owed says, or that no other request followed. What the capture
// lacks may have been one.
func (e *ending) observeDeferred(d *deferral, owed int64) {
	if d.n == 0 {
		return
	}
	t := d.last
	lasted := t.Response.LastTime - d.first.Response.Time
	over := e.complete() || d.passage != ulp.Probe && e.until()-t.Response.LastTime >= owed
	last := d.asked < t.Request.Frame || d.passage == ulp.Denied
	alone := d.passage != ulp.Repeated && over && last && !e.anyLossy()
	repeated := d.passage != ulp.Probe && d.passage != ulp.Denied && d.n > 1 && lasted >= owed && max(e.MissedAt[0], e.MissedAt[1]) < t.Request.Frame
	early := d.passage == ulp.Starting && e.waitedFor(&d.first.Response) < stallAfter
	if d.passage == ulp.Absent && d.succeeded || d.passage == ulp.Denied && d.worked || early || !alone && !repeated {
		return
	}
	what := told("The %v refused %s in %s: %s", flow.Sender(1-t.Dir), e.transactionText(t), frames(e.conn, t.Response), t.Status)
	switch {
	case d.n == 1 && t.Outcome == record.Answered:
		what = told("The %v answered %s in %s with %s", flow.Sender(1-t.Dir), e.transactionText(t), frames(e.conn, t.Response), t.Status)
	case d.n > 1:
		what = told("The %v answered the %s of the %v %d times, from %s to %s, for %s, with %s", flow.Sender(1-t.Dir), t.Name, flow.Sender(t.Dir), d.n,
			frames(e.conn, d.first.Response), frames(e.conn, t.Response), duration(lasted), t.Status)
	}
	what.advice = d.advice
	what.passes = !repeated && (d.passage == ulp.Temporary || d.passage == ulp.Absent)
	obs, after := ObsDeferred, "No such request succeeded afterwards"
	switch d.passage {
	case ulp.Probe:
		obs, after = ObsUnsupported, sentence("The %v asked for nothing more", flow.Sender(t.Dir))
	case ulp.Denied:
		obs, after = ObsRefusedUpper, "Nothing that does work succeeded on the connection"
	}
	e.observe(&record.Origin{Conn: e.conn, Dir: 1 - t.Dir, Span: t.Response}, obs, what.and(after))
}

// refused reports that a request was refused.
func (c *connection) refused(t *record.Transaction, obs *Observation) {
	o := &record.Origin{Conn: c.conn, Dir: 1 - t.Dir, Span: t.Response}
	what := flow.Sender(o.Dir).String()
	for _, cause := range c.verdict.Terminations {
		if cause.Terminate.Span == t.Response {
			o = &cause.Terminate
			what = "Terminate of the " + what
		}
	}
	f := c.finding
	*f = record.Finding{Origin: *o, Severity: obs.Severity, ID: obs.ID, Name: obs.Name, Seen: t.Status}
	c.reportOn(f, obs.role, askedFor(t), func() tale {
		says := told("The %s refused %s in %s", what, c.waiting.transactionText(t), frames(t.Conn, t.Response))
		says.advice = adviceOn(t)
		if t.Status != "" {
			says.what += ": " + t.Status
		}
		return says
	}, nil)
}
