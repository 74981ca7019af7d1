package judge

// Requests of upper layers (not connections) that were refused, by a Terminate or by their response.

import (
	"slices"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// A deferral is a request of one direction that was refused in a way that passes, and such requests since; none of them has
// succeeded.
type deferral struct {
	first, last record.Transaction
	n           int
	passage     ulp.Passage
	advice      string // about the latest one
}

// deferrals are those of one direction.
type deferrals struct {
	all       []deferral // one for each task, the latest first; at most maxDeferrals
	succeeded bool       // a request of the direction has
	worked    uint64     // frame of the latest one that does work and has
	left      uint64     // frame of the latest request that ends a session
	asked     uint64     // frame of the latest request of the direction that was not refused in a way that passes, nor ends a session
}

const maxDeferrals = 8

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
	c.deferred[t.Dir].take(t)
}

// take takes a request that is over.
func (d *deferrals) take(t *record.Transaction) {
	success := t.Outcome == record.Answered && t.Status == ""
	if success {
		p, ok := t.Upper.(ulp.Preparing)
		d.succeeded = true
		if !ok || !p.Prepares() {
			d.worked = max(d.worked, t.Request.Frame)
		}
	}
	i := slices.IndexFunc(d.all, func(d deferral) bool { return d.last.Task == t.Task })
	passage := ulp.Lasting
	if p, ok := t.Upper.(ulp.Passing); ok && t.Status != "" {
		passage = p.Passage()
	}
	if passage == ulp.Lasting {
		if leaves(t) {
			d.left = max(d.left, t.Request.Frame)
		} else {
			d.asked = max(d.asked, t.Request.Frame)
		}
		if success && i >= 0 {
			d.all = slices.Delete(d.all, i, i+1)
		}
		return
	}
	latest := deferral{first: *t}
	if i >= 0 {
		latest = d.all[i]
		d.all = slices.Delete(d.all, i, i+1)
	}
	latest.last, latest.n, latest.passage, latest.advice = *t, latest.n+1, passage, adviceOn(t)
	d.all = slices.Insert(d.all[:min(len(d.all), maxDeferrals-1)], 0, latest)
}

// leaves reports whether a request ends a session, as of a mount.
func leaves(t *record.Transaction) bool {
	l, ok := t.Upper.(ulp.Leaving)
	return ok && l.Leaves()
}

// adviceOn is what the upper layer says of the response to a request; empty if it says nothing.
func adviceOn(t *record.Transaction) string {
	if a, ok := t.Upper.(ulp.Advising); ok {
		return a.Advice()
	}
	return ""
}

// observeDeferred reports requests that the server put off for as long as maxWait says, or, of the latest ones, that no other request followed.
// What the capture lacks may have been one.
func (e *ending) observeDeferred(all *deferrals) {
	for i := range all.all {
		if d := &all.all[i]; e.explains(d, all, i == 0) {
			e.reportDeferred(d, all)
		}
	}
}

// explains reports whether a deferral explains a failure. latest says that none came later.
func (e *ending) explains(d *deferral, all *deferrals, latest bool) bool {
	response := &d.last.Response
	over := e.complete() || d.passage != ulp.Probe && e.until()-response.LastTime >= e.maxWait
	alone := latest && over && max(all.asked, all.left) < d.last.Request.Frame && !e.anyLossy()
	switch d.passage {
	case ulp.Denied:
		cut := latest && e.asksNothing(all, d) && (all.worked == 0 || all.left > d.last.Request.Frame)
		return (over || cut) && all.worked < d.last.Request.Frame && e.whole()
	case ulp.Missing:
		return (e.complete() || latest && all.left > d.last.Request.Frame) && all.worked < d.last.Request.Frame && e.whole()
	case ulp.Probe:
		return alone
	case ulp.Absent:
		return (alone || e.lasts(d, e.maxWait)) && !all.succeeded
	case ulp.Starting:
		return (alone || e.lasts(d, e.maxWait)) && e.waitedFor(&d.first.Response) >= stallAfter
	case ulp.Repeated:
		return e.loops(d)
	}
	return alone || e.loops(d)
}

// A server that puts the same request off so often, for such a part of the time to wait at most, and never answers it, keeps the client waiting.
const (
	loopLeast = 3
	loopPart  = 3
)

// asksNothing reports whether the client has asked for nothing since a refusal, but perhaps to end the session.
func (e *ending) asksNothing(all *deferrals, d *deferral) bool {
	t := e.oldest(d.last.Dir)
	return all.asked < d.last.Request.Frame && (t == nil || leaves(t))
}

// lasts reports whether a deferral lasts longer than a healthy one.
func (e *ending) lasts(d *deferral, least int64) bool {
	return d.n > 1 && d.last.Response.LastTime-d.first.Response.Time >= least && max(e.MissedAt[0], e.MissedAt[1]) < d.last.Request.Frame
}

// loops reports whether a deferral lasts so long, or comes so often for a part of that time.
func (e *ending) loops(d *deferral) bool {
	return e.lasts(d, e.maxWait) || d.n >= loopLeast && e.lasts(d, e.maxWait/loopPart)
}

// reportDeferred reports a deferral.
func (e *ending) reportDeferred(d *deferral, all *deferrals) {
	t := &d.last
	lasted := t.Response.LastTime - d.first.Response.Time
	what := stated("The %v refused %s in %s: %s", flow.Sender(1-t.Dir), e.transactionText(t), frames(e.conn, t.Response), t.Status)
	switch {
	case d.n == 1 && t.Outcome == record.Answered:
		what = stated("The %v answered %s in %s with %s", flow.Sender(1-t.Dir), e.transactionText(t), frames(e.conn, t.Response), t.Status)
	case d.n > 1:
		what = stated("The %v answered the %s of the %v %d times, from %s to %s, for %s, with %s", flow.Sender(1-t.Dir), t.Name, flow.Sender(t.Dir), d.n,
			frames(e.conn, d.first.Response), frames(e.conn, t.Response), duration(lasted), t.Status)
	}
	what.advice, what.about = d.advice, t.Status
	denied := d.passage == ulp.Denied || d.passage == ulp.Missing
	tries := denied && all.worked == 0 // a mount is tried again with another version
	what.passes = !e.lasts(d, e.maxWait) && (tries || d.passage == ulp.Versioned || d.passage == ulp.Absent)
	obs, after := ObsDeferred, "No such request succeeded afterwards"
	switch {
	case d.passage == ulp.Probe:
		obs, after = ObsUnsupported, sentence("The %v asked for nothing more", flow.Sender(t.Dir))
	case denied:
		obs, after = ObsRefusedUpper, "Nothing that does work succeeded afterwards"
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
	c.reportOn(f, obs.role, askedFor(t), func() statement {
		says := stated("The %s refused %s in %s", what, c.waiting.transactionText(t), frames(t.Conn, t.Response))
		says.advice, says.name, says.about = adviceOn(t), c.waiting.upperText(t), t.Status
		if t.Status != "" {
			says.what += ": " + t.Status
		}
		return says
	}, nil)
}
