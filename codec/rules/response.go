package rules

// Responses: each answers the request that is due, and as requested.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

var (
	ruleResponseUnexpected = newRule("response-unexpected", Error,
		"A Read Response must not come unless a Read Request is outstanding.",
		"RDMAP-5.2.2-1", "RDMAP-5.2-1", "RDMAP-1.2-1").situation(ResponseUnexpected)
	ruleResponseOrder = newRule("response-order", Error,
		"Responses must come in the order of their requests, Reads and Atomics alike.",
		"RDMAP-5.2.2-7", "RDMAP-5.2.1-8", "RDMAP-5.5-20", "RDMAP-B-3", "RDMAPX-5.2.1-7", "RDMAPX-5.2.2-8", "RDMAPX-5.4-8",
		"RDMAPX-7-4").in("iwarp_ddp.stag", "iwarp_ddp.tagged_offset").situation(ResponseUnexpected)
	ruleResponseSTag = newRule("response-stag", Error,
		"A Read Response must have the Sink STag of its request in all segments.",
		"RDMAP-4.4-2", "RDMAP-5.2.2-9", "DDP-4.2-8").in("iwarp_ddp.stag").situation(ResponseSTag)
	ruleResponseTO = newRule("response-to", Error,
		"The octets of a Read Response must go where its request says: from the Sink TO on.",
		"RDMAP-4.4-3", "DDP-5.2-8", "DDP-5.2-4", "DDP-5.3-2").in("iwarp_ddp.tagged_offset").situation(ResponseBounds)
	ruleResponseSize = newRule("response-size", Error,
		"A Read Response must carry as many octets as requested, and set L with the last.",
		"RDMAP-4.4-5", "RDMAP-5.2.1-15", "DDP-4.1-3", "DDP-4.1-4").in("iwarp_ddp.last_flag").situation(ResponseBounds)
	ruleResponseEmpty = newRule("response-empty", Warning,
		"A Read Response without payload must have the Sink STag and Sink TO of its request, too.",
		"RDMAP-4.4-2", "RDMAP-4.4-3").in("iwarp_ddp.stag", "iwarp_ddp.tagged_offset").
		lighter("RFC 5041, section 5.2, says that STag and TO need not be valid without payload, and that receivers must not check them.")
	ruleAtomicResponseUnexpected = newRule("atomic-response-unexpected", Error,
		"An Atomic Response must not come unless an Atomic Request is outstanding.", "RDMAPX-5.2.2-1").situation(AtomicResponse)
	ruleAtomicResponseID = newRule("atomic-response-id", Error,
		"An Atomic Response must have the Request Identifier of its request.", "RDMAPX-5.2.1-12").situation(AtomicResponse)
)

// An answer is the state of the Read Response being received.
type answer struct {
	tagged
	request uint64
	left    int64 // octets still to come
	matched bool  // its request is known
	sized   bool  // left is known
	gap     bool  // segments of it may have been missed
	doubt   Doubt // whether it answers that request
}

// response checks a segment of a Read Response.
func (r *Receiver) response(s *rdmap.Segment, d *demand, payload int, v []Violation) []Violation {
	a, found := &r.answer, len(v)
	switch {
	case !a.active:
	case a.gap:
		r.resume(s, payload == 0 && s.Tagged.L)
	case !a.follows(s) && payload > 0 && !r.lacks(s, payload) && (a.sized && a.left == 0 || r.begins(s)):
		// The next one begins: the end of this one is missing.
		if r.cut&d.place == 0 {
			v = ruleResponseSize.broken(v, fmt.Sprintf("the next Response with %d octets to come", a.left), "those octets, and L")
			r.doubtEnd(d.place, v[found:])
		}
		a.active = false
	}
	if !a.active {
		v = r.beginResponse(s, payload, v)
	}
	v = r.tagged(&a.tagged, s, d, payload, v)
	a.left -= int64(payload)
	waits := r.extent != nil && spanOf(s, payload).To == r.extent.sink.To // octets before these may follow
	if a.sized && (a.left < 0 || s.Tagged.L && a.left > 0 && !waits) {
		v = ruleResponseSize.broken(v, sizeText(a.left), "as many octets as RDMARDSZ says")
		a.sized, r.extent = false, nil
	}
	r.matched = Match{a.request, s.Tagged.L && r.extent == nil, a.matched, a.doubt}
	if r.ours.inferred || a.gap {
		Doubtful(v[found:], Inferred)
		r.matched.Doubt = max(r.matched.Doubt, Inferred)
	}
	a.gap = a.gap && !s.Tagged.L
	if s.Tagged.L {
		r.missed = 0
	}
	return v
}

func sizeText(left int64) string {
	if left < 0 {
		return fmt.Sprintf("%d octets too many", -left)
	}
	return fmt.Sprintf("L with %d octets to come", left)
}

// lacks reports whether a segment holds octets of the Read Response in progress that have not come.
func (r *Receiver) lacks(s *rdmap.Segment, payload int) bool {
	a, n := &r.answer, spanOf(s, payload)
	switch {
	case payload == 0 || !a.sized || a.gap || s.Tagged.STag != a.stag || !r.ours.certain():
		return false
	case r.extent != nil:
		return r.extent.sink.Holds(n) && !r.extent.Clash(n)
	}
	return ddp.Span{From: a.to, To: a.to + uint64(max(0, a.left))}.Holds(n)
}

// resume reports whether a segment after a gap continues the Response in progress or begins another. If both are
// possible, its octets are not counted.
func (r *Receiver) resume(s *rdmap.Segment, empty bool) {
	a, h := &r.answer, &s.Tagged
	missing, most := h.TO-a.to, uint64(maxMessage)
	if a.sized {
		most = uint64(a.left)
	}
	within := h.STag == a.stag && missing <= most
	another := within && r.ours.search(func(e *request) bool { return e.answeredBy(s, empty) || e.goesOnWith(s) }) >= 0
	r.ours.inferred = r.ours.inferred || within && !another && r.ours.unseen()
	a.active = within && (a.sized || !another)
	a.sized = a.sized && !another
	a.gap = within && another
	a.to = h.TO
	a.left -= int64(missing)
}

// begins reports whether a segment is the first of the Read Response that is due.
func (r *Receiver) begins(s *rdmap.Segment) bool {
	e := r.ours.next()
	return e != nil && !e.atomic && !e.blind && e.stag == s.Tagged.STag && e.to == s.Tagged.TO
}

// beginResponse finds the request that a Read Response answers.
func (r *Receiver) beginResponse(s *rdmap.Segment, payload int, v []Violation) []Violation {
	q, h, found := &r.ours, &s.Tagged, len(v)
	empty := payload == 0 && h.L
	r.extent = nil
	if e := q.next(); e != nil && q.clear() && e.answeredBy(s, empty) {
		r.answer = answer{request: e.ordinal, matched: true, sized: !e.blind, left: int64(e.size)}
		q.due++
		v = e.copied(s, v)
		q.answer(e)
		return v
	}
	lost := q.lost()
	fits := func(e *request) bool { return e.answeredBy(s, empty && !lost) || q.missed && e.goesOnWith(s) }
	i := int(q.due)
	if e := q.next(); lost || e == nil || !fits(e) {
		i = q.pick(fits)
	}
	switch {
	case i >= 0:
	case !q.unknown():
		i, v = r.mismatched(s, payload, v)
	case q.search(isKnownRead) >= 0: // a missing one may fit
		_, v = r.mismatched(s, payload, v)
		Doubtful(v[found:], Lost)
	}
	doubt := r.answer.gap
	r.answer = answer{}
	to := sink{known: true, exact: i >= 0 || !q.missed, stag: h.STag, to: h.TO}
	if i >= 0 && q.at(i).goesOnWith(s) {
		to.to = q.at(i).to
	}
	sure := i >= 0 && !doubt && q.sure(i, &to, fits)
	q.responded(&to, i >= 0)
	if i < 0 {
		return v
	}
	late := q.missed && q.at(i).goesOnWith(s)
	e, early := q.take(i, sure)
	if early && len(v) == found {
		v = ruleResponseOrder.broken(v, "the Response to a later request", "that to the first outstanding one")
	}
	r.answer = answer{
		request: e.ordinal, matched: !e.missing, sized: !e.blind && sure, left: int64(e.size), doubt: unless(sure),
	}
	switch {
	case empty && e.size == 0 && sure && !early:
		v = e.copied(s, v)
	case late && !empty:
		r.answer.left -= int64(h.TO - e.to)
	case sure && q.certain() && e.holds(s, payload): // the segment with the Sink TO comes later
		v = r.disorder(&tagged{begin: e.to, to: e.to, stag: e.stag}, s, &demands[rdmap.OpReadResponse], payload, v)
	}
	return v
}

// sink is what a Read Request asks for; empty if that is not known, or not possible.
func (e *request) sink() (n ddp.Span) {
	if end := e.to + uint64(e.size); !e.blind && end > e.to {
		n = ddp.Span{From: e.to, To: end}
	}
	return n
}

// holds reports whether a segment that does not have the Sink TO of a Read Request has other octets that it asks for.
func (e *request) holds(s *rdmap.Segment, payload int) bool {
	return !e.atomic && e.stag == s.Tagged.STag && payload > 0 && s.Tagged.TO != e.to && e.sink().Holds(spanOf(s, payload))
}

// answeredBy reports whether a segment begins the Read Response to e. anyPlace allows another STag and TO for a Read of
// zero octets, whose Response need not repeat them (RFC 5041, section 5.2).
func (e *request) answeredBy(s *rdmap.Segment, anyPlace bool) bool {
	if e.atomic || e.missing {
		return false
	}
	return e.blind || e.stag == s.Tagged.STag && e.to == s.Tagged.TO || anyPlace && e.size == 0
}

// copied checks that the only segment of the Response to a Read of zero octets has the place of its request.
func (e *request) copied(s *rdmap.Segment, v []Violation) []Violation {
	if e.blind || e.stag == s.Tagged.STag && e.to == s.Tagged.TO {
		return v
	}
	return ruleResponseEmpty.broken(v, place(s.Tagged.STag, s.Tagged.TO), place(e.stag, e.to))
}

// goesOnWith reports whether a segment belongs to the Read Response to e.
func (e *request) goesOnWith(s *rdmap.Segment) bool {
	return !e.atomic && !e.blind && e.stag == s.Tagged.STag && s.Tagged.TO-e.to < uint64(e.size)
}

func isKnownRead(e *request) bool { return !e.atomic && !e.missing }

// mismatched finds the request of a Read Response that fits none, and reports the difference; -1 if there is no Read
// Request at all.
func (r *Receiver) mismatched(s *rdmap.Segment, payload int, v []Violation) (int, []Violation) {
	i := r.ours.search(isKnownRead)
	switch {
	case i < 0:
		return -1, ruleResponseUnexpected.broken(v, "a Read Response", "none: no Read Request is outstanding")
	case payload == 0 && s.Tagged.L: // its STag and TO mean nothing; its wrong size is reported later
		return i, v
	}
	e := r.ours.at(i)
	if r.ours.certain() && e.holds(s, payload) { // only their order is another
		return i, v
	}
	rule := ruleResponseTO
	if s.Tagged.STag != e.stag {
		rule = ruleResponseSTag
	}
	return i, rule.broken(v, place(s.Tagged.STag, s.Tagged.TO), place(e.stag, e.to))
}

// atomicResponse checks an Atomic Response against the request that it answers.
func (r *Receiver) atomicResponse(s *rdmap.Segment, v []Violation) []Violation {
	q, found := &r.ours, len(v)
	var h rdmap.AtomicResponse
	_, err := h.Decode(s.Body)
	id, blind := h.OriginalRequestIdentifier, err != nil
	fits := func(e *request) bool {
		return e.atomic && (blind || e.blind || e.id == id)
	}
	i := int(q.due)
	if e := q.next(); q.lost() || e == nil || !fits(e) {
		i = q.pick(fits)
	}
	if i < 0 && !q.unknown() {
		i, v = r.mismatchedAtomic(id, v)
	}
	to := sink{known: true, exact: true, atomic: true, stag: id}
	sure := i >= 0 && q.sure(i, &to, fits)
	q.responded(&to, i >= 0)
	if i >= 0 {
		e, early := q.take(i, sure)
		if early && len(v) == found {
			v = ruleResponseOrder.broken(v, "the Response to a later request", "that to the first outstanding one")
		}
		r.matched = Match{e.ordinal, true, !e.missing, unless(sure)}
	}
	if q.inferred {
		Doubtful(v[found:], Inferred)
		r.matched.Doubt = max(r.matched.Doubt, Inferred)
	}
	return v
}

// unless returns the Doubt of a match.
func unless(sure bool) Doubt {
	if sure {
		return Seen
	}
	return Lost
}

// mismatchedAtomic returns mismatched for an Atomic Response.
func (r *Receiver) mismatchedAtomic(id uint32, v []Violation) (int, []Violation) {
	i := r.ours.search(func(e *request) bool { return e.atomic })
	if i < 0 {
		return -1, ruleAtomicResponseUnexpected.broken(v, "an Atomic Response", "none: no Atomic Request is outstanding")
	}
	return i, ruleAtomicResponseID.broken(v, requestID(id), requestID(r.ours.at(i).id))
}

func requestID(id uint32) string { return "Request Identifier " + hex32(id) }
