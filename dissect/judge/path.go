package judge

// What two captures, one at either end, show of the path between them.

import (
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/transit"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// TwoCaptures reports whether only captures of both ends can show an Observation.
func (o *Observation) TwoCaptures() bool {
	switch o {
	case ObsLostOnPath, ObsChangedOnPath, ObsForgedReset, ObsUnheardReset, ObsPathLoss, ObsCaptureMissing:
		return true
	}
	return false
}

// onPath reports whether a candidate is something that happened between two captures: it explains what both ends did.
func (c *candidate) onPath() bool {
	o := LookupObservation(c.Name)
	return c.role != bystander && o != nil && o.TwoCaptures()
}

// observePath says what became of packets between the two captures.
func (e *ending) observePath() {
	if e.reporter.verdict.Ends == nil {
		return
	}
	for d := range e.reporter.verdict.Ends.Ways {
		w, d := &e.reporter.verdict.Ends.Ways[d], flow.Direction(d)
		e.observeLost(w, d)
		e.observeChanged(w, d)
		if w.Forged.Own > 0 {
			e.observe(e.origin(d, w.Forged.Span), ObsForgedReset, stated("The reset in frame %v never left the %v: something on the way sent it",
				w.Forged, flow.Sender(d)))
		}
		if w.Unheard.Own > 0 {
			e.observe(e.origin(d, w.Unheard.Span), ObsUnheardReset, stated("The reset in frame %v left the %v and never reached the %v",
				w.Unheard, flow.Sender(d), flow.Sender(1-d)))
		}
		for i, n := range w.Missing {
			if n > 0 {
				e.observe(e.origin(d, flow.Span{}), ObsCaptureMissing, stated("The %v's capture lacks %s of what the %v sent; they passed that point, so the capture dropped them, not the network",
					flow.Sender(flow.Direction(i)), quantity.Count(n, "octet"), flow.Sender(d)))
			}
		}
	}
}

// observeLost says what left one end and did not arrive. It explains a failure if it was sent in vain more than once, or a
// second or more before the end.
func (e *ending) observeLost(w *transit.Way, d flow.Direction) {
	var first *transit.Loss
	copies := 0
	for i := range w.Lost {
		l := &w.Lost[i]
		if first == nil && !l.Again {
			first = l
		}
		if first != nil && l.Pos <= first.Pos && l.Pos+l.Len > first.Pos {
			copies++
		}
	}
	if again := w.Losses - uint64(copies); again > 0 {
		e.observe(e.origin(d, flow.Span{}), ObsPathLoss, stated("%s of the %v were lost on the way to the %v, with %s",
			quantity.Count(again, "packet"), flow.Sender(d), flow.Sender(1-d), quantity.Count(w.Octets, "octet")))
	}
	if first == nil || copies < 2 && e.until()-first.Sent.LastTime < unackedAfter {
		return
	}
	what := "Frame"
	if first.Pos < 0 {
		what = "The SYN in frame"
	}
	t := stated("%s %v left the %v and never reached the %v", what, first.Sent, flow.Sender(d), flow.Sender(1-d))
	switch {
	case copies > 1 && first.Pos < 0:
		t = t.and(sentence("It was sent %d times, and no copy arrived", copies))
	case copies > 1:
		t = t.and(sentence("Its %s were sent %d times, and no copy arrived", quantity.Count(uint64(first.Len), "octet"), copies))
	}
	e.observe(e.origin(d, first.Sent.Span), ObsLostOnPath, t)
}

// observeChanged says what arrived otherwise than it left.
func (e *ending) observeChanged(w *transit.Way, d flow.Direction) {
	var first *transit.Change
	damaged, sums := uint64(0), uint64(0)
	for i := range w.Changes {
		switch c := &w.Changes[i]; {
		case c.Again:
			damaged++
		case c.IsCRC:
			sums++
		case first == nil:
			first = c
		}
	}
	if damaged > 0 {
		e.observe(e.origin(d, flow.Span{}), ObsPathDamage, stated("%s of the %v arrived damaged at the %v, and arrived whole when sent again",
			quantity.Count(damaged, "packet"), flow.Sender(d), flow.Sender(1-d)))
	}
	if first == nil {
		return
	}
	span := first.Sent.Span
	if span == (flow.Span{}) {
		span = first.Arrived.Span
	}
	whose, shown := "", ""
	if first.Message != "" {
		whose = sentence(" of the %v's %s", flow.Sender(d), first.Message)
	}
	what := "An octet" + whose + " was"
	if first.Differ > 1 {
		what = quantity.Count(uint64(first.Differ), "octet") + whose + " were"
	}
	if first.Len > len(first.Left) {
		shown = sentence(" (the first %d are shown)", len(first.Left))
	}
	t := stated("%s changed on the way%s: % x left the %v in frame %v, % x reached the %v in frame %v", what, shown, first.Left,
		flow.Sender(d), first.Sent, first.Came, flow.Sender(1-d), first.Arrived)
	if first.Message != "" {
		t = t.and(sentence("It begins at octet %d of the FPDU, in the %s", first.Offset, first.Field))
	}
	if more := w.Changed - damaged - sums - 1; more > 0 {
		t = t.and(sentence("So were octets at %s", quantity.Count(more, "other place")))
	}
	e.observe(e.origin(d, span), ObsChangedOnPath, t.and(witnessText(first.CRC)))
}

// witnessText says what CRCs tell of who changed octets.
func witnessText(w transit.Witness) string {
	switch w {
	case transit.Exposed:
		return "The CRC of MPA was right when it left and is wrong where it arrived, so the receiver can tell"
	case transit.Covered:
		return "The CRC of MPA is right at both ends: what changed it has computed the CRC again"
	case transit.Unhealed:
		return "The CRC of MPA was wrong already when it left"
	}
	return "No CRC of MPA tells"
}
