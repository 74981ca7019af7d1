package judge

// Requests of upper layers that were refused, by a Terminate or by their response.

import (
	"github.com/iwarpkit/iwarp/dissect/record"
)

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
}

// refused reports that a request was refused.
func (c *connection) refused(t *record.Transaction, obs *Observation) {
	o := &record.Origin{Conn: c.conn, Dir: 1 - t.Dir, Span: t.Response}
	what := record.Sender(o.Dir).String()
	for _, cause := range c.verdict.Terminations {
		if cause.Terminate.Span == t.Response {
			o = &cause.Terminate
			what = "Terminate of the " + what
		}
	}
	f := c.finding
	*f = record.Finding{Origin: *o, Severity: obs.Severity, ID: obs.ID, Name: obs.Name, Seen: t.Status}
	c.report(f, obs.role, func() tale {
		says := told("The %s refused %s in %s", what, c.waiting.transactionText(t), frames(t.Conn, t.Response)).seen(t.Name)
		if t.Status != "" {
			says.what += ": " + t.Status
		}
		return says
	}, nil)
}
