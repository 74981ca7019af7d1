package analysis

// Requests of upper layers that were refused, by a Terminate or by their response.

import "github.com/iwarpkit/iwarp/dissect"

// refused reports that a request was refused.
func (c *connection) refused(t *Transaction) {
	obs := ObsRefusedUpper
	if e, ok := t.Upper.(Everyday); ok && t.Status != "" && e.Everyday() {
		obs = ObsFailedUpper
	}
	o := &dissect.Origin{Conn: c.conn, Dir: 1 - t.Dir, Span: t.Response}
	what := sender(o.Dir).String()
	for _, cause := range c.verdict.Causes {
		if cause.Terminate.Span == t.Response {
			o = &cause.Terminate
			what = "Terminate of the " + what
		}
	}
	f := &c.a.finding
	*f = Finding{Origin: *o, Severity: obs.Severity, ID: obs.ID, Name: obs.Name, Seen: t.Status}
	c.report(f, func() string {
		text := sentence("In %s the %s refused %s", frames(&t.Response), what, c.transactionText(t))
		if t.Status != "" {
			text += ": " + t.Status
		}
		return text + "."
	})
}
