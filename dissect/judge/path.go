package judge

// What two captures, one at either end, show of the path between them.

import "github.com/iwarpkit/iwarp/dissect/record"

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
	if e.verdict.Ends == nil {
		return
	}
	for d := range e.verdict.Ends.Ways {
		w, d := &e.verdict.Ends.Ways[d], record.Direction(d)
		e.observeLost(w, d)
		e.observeChanged(w, d)
		if w.Forged.Own > 0 {
			e.observe(e.origin(d, w.Forged.Span), ObsForgedReset, told("The reset in frame %v never left the %v: something on the way sent it",
				w.Forged, record.Sender(d)))
		}
		if w.Unheard.Own > 0 {
			e.observe(e.origin(d, w.Unheard.Span), ObsUnheardReset, told("The reset in frame %v left the %v and never reached the %v",
				w.Unheard, record.Sender(d), record.Sender(1-d)))
		}
		for i, n := range w.Missing {
			if n > 0 {
				e.observe(e.origin(d, record.Span{}), ObsCaptureMissing, told("The %v's capture lacks %s of what the %v sent; they passed that point, so the capture dropped them, not the network",
					record.Sender(record.Direction(i)), plural(n, "octet"), record.Sender(d)))
			}
		}
	}
}

// observeLost says what left one end and did not arrive. It explains a failure if it was sent in vain more than once, or a
// second or more before the end.
func (e *ending) observeLost(w *record.Way, d record.Direction) {
	var first *record.Loss
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
		e.observe(e.origin(d, record.Span{}), ObsPathLoss, told("%s of the %v were lost on the way to the %v, with %s",
			plural(again, "packet"), record.Sender(d), record.Sender(1-d), plural(w.Octets, "octet")))
	}
	if first == nil || copies < 2 && e.until()-first.Sent.LastTime < unackedAfter {
		return
	}
	what := "Frame"
	if first.Pos < 0 {
		what = "The SYN in frame"
	}
	t := told("%s %v left the %v and never reached the %v", what, first.Sent, record.Sender(d), record.Sender(1-d))
	switch {
	case copies > 1 && first.Pos < 0:
		t = t.and(sentence("It was sent %d times, and no copy arrived", copies))
	case copies > 1:
		t = t.and(sentence("Its %s were sent %d times, and no copy arrived", plural(uint64(first.Len), "octet"), copies))
	}
	e.observe(e.origin(d, first.Sent.Span), ObsLostOnPath, t)
}

// observeChanged says what arrived otherwise than it left.
func (e *ending) observeChanged(w *record.Way, d record.Direction) {
	var first *record.Change
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
		e.observe(e.origin(d, record.Span{}), ObsPathDamage, told("%s of the %v arrived damaged at the %v, and arrived whole when sent again",
			plural(damaged, "packet"), record.Sender(d), record.Sender(1-d)))
	}
	if first == nil {
		return
	}
	span := first.Sent.Span
	if span == (record.Span{}) {
		span = first.Arrived.Span
	}
	whose, shown := "", ""
	if first.Message != "" {
		whose = sentence(" of the %v's %s", record.Sender(d), first.Message)
	}
	what := "An octet" + whose + " was"
	if first.Differ > 1 {
		what = plural(uint64(first.Differ), "octet") + whose + " were"
	}
	if first.Len > len(first.Left) {
		shown = sentence(" (the first %d are shown)", len(first.Left))
	}
	t := told("%s changed on the way%s: % x left the %v in frame %v, % x reached the %v in frame %v", what, shown, first.Left,
		record.Sender(d), first.Sent, first.Came, record.Sender(1-d), first.Arrived)
	if first.Message != "" {
		t = t.and(sentence("It begins at octet %d of the FPDU, in the %s", first.Offset, first.Field))
	}
	if more := w.Changed - damaged - sums - 1; more > 0 {
		t = t.and(sentence("So were octets at %s", plural(more, "other place")))
	}
	e.observe(e.origin(d, span), ObsChangedOnPath, t.and(witnessText(first.CRC)))
}

// witnessText says what CRCs tell of who changed octets.
func witnessText(w record.Witness) string {
	switch w {
	case record.Exposed:
		return "The CRC of MPA was right when it left and is wrong where it arrived, so the receiver can tell"
	case record.Covered:
		return "The CRC of MPA is right at both ends: what changed it has computed the CRC again"
	case record.Unhealed:
		return "The CRC of MPA was wrong already when it left"
	}
	return "No CRC of MPA tells"
}

// silentAlone reports whether two captures show that the cause is the silence of one end: all that was sent has arrived.
func (e *ending) silentAlone() bool {
	o, ends := LookupObservation(e.verdict.Cause.Name), e.verdict.Ends
	return ends != nil && o != nil && o.role == silence && ends.Ways[0].Never == 0 && ends.Ways[1].Never == 0
}
