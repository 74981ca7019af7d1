package rules

// Tagged messages, Writes and Read Responses. Their segments should be consecutive; a receiver may place them in any order
// (RFC 5041, section 5.3).

import (
	"cmp"
	"fmt"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

var (
	ruleWriteContinuation = newRule("write-continuation", Error,
		"All segments of a Write must have the same STag, and the last L set.",
		"DDP-4.2-8", "DDP-5.2-8", "DDP-5.2-4", "DDP-5.3-2", "DDP-4.1-3", "RDMAP-5.1-7").successive().situation(WriteContinuation)
	ruleTOOrder = newRule("to-order", Warning,
		"Each segment of a tagged message should begin where the previous one ended.", "DDP-5.3-2", "DDP-5.2-8").
		in("iwarp_ddp.tagged_offset").successive()
	ruleTOOverlap = newRule("to-overlap", Error,
		"Each segment must have its own octets of the message: segments must not overlap.",
		"DDP-5.2-8", "DDP-5.2-4").in("iwarp_ddp.tagged_offset").successive().grave()
	ruleWriteHole = newRule("write-hole", Error,
		"All octets of a Write must be sent.", "DDP-5.2-4", "DDP-5.2-8").in("iwarp_ddp.tagged_offset").successive().grave()
	ruleTaggedChanged = newRule("tagged-changed", Error,
		"All segments of a tagged message must have the same opcode.", "DDP-4.2-4").in("iwarp_rdma.opcode").successive().grave()
	ruleTOWrap = newRule("to-wrap", Error,
		"The TO of a tagged segment and the length of its payload must not exceed 64 bits.",
		"DDP-7.1-11", "RDMAP-4.4-6").situation(WriteWrap)

	ruleTOEnd = newRule("to-end", Note,
		"The TO of a tagged segment and the length of its payload must stay below 2^64.", "DDP-7.1-11").situation(WriteWrap).
		lighter(exactly64)
)

// exactly64 is about a sum of TO and length that is exactly 2^64.
const exactly64 = "The sum is 2^64: literally a wrap by the RFCs, but the last octet has a TO, and the Verbs allow it."

// A tagged is the state of a tagged message that may be in progress.
type tagged struct {
	begin, to uint64 // of its first and of its next octet
	stag      uint32
	active    bool
	empty     bool // it has no payload so far
}

// An extent holds the octets of a tagged message whose segments arrive out of the order of their TOs. L need not be last.
type extent struct {
	ddp.Octets
	place         places
	stag          uint32
	sink          ddp.Span // of a Read Response; empty for a Write
	ended         bool     // a segment with L was received, and octets are missing
	from          uint64   // the lowest TO of a Write by then; segments below may be of the next one
	hole          uint64   // octets that are missing above it
	above         uint64   // where the previous Write began, which may be the end of this one; 0 if it may not
	orderReported bool     // that segments are out of order was reported
	loose         bool     // the first segment may be of an earlier message, whose L a gap may hold
}

// spanOf is where the payload of a tagged segment goes.
func spanOf(s *rdmap.Segment, payload int) ddp.Span {
	return ddp.Span{From: s.Tagged.TO, To: s.Tagged.TO + uint64(payload)}
}

// disorder handles a segment of a message that does not come next in it, after the octets that came, and warns of the first.
func (r *Receiver) disorder(t *tagged, s *rdmap.Segment, d *demand, payload int, v []Violation) []Violation {
	if r.extent == nil {
		r.extent = &extent{place: d.place, stag: t.stag, loose: r.missed&d.place != 0}
		if a := &r.answer; d.place == placeResponse {
			r.extent.sink = ddp.Span{From: t.begin, To: t.to + uint64(a.left)}
		}
		r.extent.Begin(ddp.Span{From: t.begin, To: t.to})
		if d.place == placeWrite && r.room > 0 {
			r.extent.above, r.room = t.begin+uint64(r.room), 0
		}
	}
	if r.extent.orderReported || r.extent.Clash(spanOf(s, payload)) {
		return v // an overlap is reported as such
	}
	r.extent.orderReported = true
	return r.elsewhere(ruleTOOrder, t, s, d, v)
}

// elsewhere reports a segment that does not continue the message in progress, unless another message has interrupted that.
func (r *Receiver) elsewhere(rule *Rule, t *tagged, s *rdmap.Segment, d *demand, v []Violation) []Violation {
	if r.cut&d.place != 0 {
		return v
	}
	expected := place(t.stag, t.to)
	if t.to != t.begin || d.place == placeWrite {
		expected += ": the previous segment had no L"
	} else {
		expected += ", the Sink TO of its request"
	}
	return rule.broken(v, place(s.Tagged.STag, s.Tagged.TO), expected)
}

// extend adds the next segment of a message whose segments arrive out of order.
func (r *Receiver) extend(s *rdmap.Segment, payload int, v []Violation) []Violation {
	e, n, found := r.extent, spanOf(s, payload), len(v)
	if n.To < n.From {
		r.extent = nil
		return v
	}
	over, ok := e.Add(n, s.Tagged.L)
	e.end(n)
	switch {
	case over != ddp.Span{}:
		v = ruleTOOverlap.broken(v, "TO "+hex64(n.From), fmt.Sprintf("a TO outside %s to %s, already received", hex64(over.From), hex64(over.To-1)))
		e.doubtWhole(v[found:])
		r.extent = nil
	case e.sink != ddp.Span{} && !e.sink.Holds(n):
		v = ruleResponseTO.broken(v, reach(n.From, n.Len()), "octets that were requested: "+reach(e.sink.From, e.sink.Len()))
		r.extent = nil
	case !ok: // there are too many parts to tell
		r.extent = nil
	case e.ended && e.missing() == 0:
		r.closeExtent()
	}
	return v
}

// closeExtent ends the extent of a message of which nothing is missing. Lower octets of a Write may follow.
func (r *Receiver) closeExtent() {
	if e := r.extent; e.place == placeWrite {
		all, _ := e.Extent()
		r.write.begin, r.orderReported = all.From, e.orderReported
	}
	r.extent = nil
}

// roomBelow returns how many octets there are from the beginning of a Write up to the previous one; 0 if both cannot be one Write whose
// lower octets come later.
func (t *tagged) roomBelow(s *rdmap.Segment, payload int) uint32 {
	room := t.begin - s.Tagged.TO
	if s.Tagged.L || s.Tagged.STag != t.stag || s.Tagged.TO > t.begin || uint64(payload) > room || room >= maxMessage {
		return 0
	}
	return uint32(room)
}

// join ends a Write without L, of which nothing is missing up to where the previous one began, before a segment that does not
// continue it. A Terminate may come within a Write.
func (r *Receiver) join(s *rdmap.Segment, d *demand, v []Violation) []Violation {
	w, e := &r.write, r.extent
	all, missing, above, orderReported := ddp.Span{From: w.begin, To: w.to}, uint64(0), w.begin+uint64(r.room), r.orderReported
	if e != nil {
		all, missing = e.Extent()
		above, orderReported = e.above, orderReported || e.orderReported
	}
	isOther := d.place != placeWrite || !w.follows(s)
	if !w.active || missing > 0 || all.To != above || !isOther || s.Control.Opcode == rdmap.OpTerminate {
		return v
	}
	if !orderReported {
		v = ruleTOOrder.broken(v, "the octets of the previous Write from "+place(w.stag, all.From)+" on came last", "increasing TOs")
	}
	r.endTagged(w, &demands[rdmap.OpWrite])
	w.begin, r.orderReported, r.extent = all.From, true, nil
	return v
}

// end notes, with a segment, whether the message has ended, and what of a Write is missing then.
func (e *extent) end(n ddp.Span) {
	switch {
	case e.ended && n.From >= e.from:
		e.hole -= n.Len()
	case !e.ended && e.Ended():
		all, missing := e.Extent()
		e.ended, e.from, e.hole = true, all.From, missing
	}
}

// missing is how many octets are, of a message that has ended.
func (e *extent) missing() uint64 {
	all, missing := e.Extent()
	if e.sink != (ddp.Span{}) {
		missing += e.sink.Len() - all.Len()
	}
	return missing
}

// isFilledBy reports whether a segment may hold missing octets.
func (e *extent) isFilledBy(s *rdmap.Segment, d *demand, payload int) bool {
	if !s.T || d.place != e.place || s.Tagged.L || s.Tagged.STag != e.stag {
		return false
	}
	all, n := e.sink, spanOf(s, payload)
	if all == (ddp.Span{}) { // nothing says where a Write begins
		all, _ = e.Extent()
		all.From = min(all.From, n.From)
	}
	return all.Holds(n) && !e.Clash(n)
}

// fill handles a segment with missing octets of a message that has ended.
func (r *Receiver) fill(s *rdmap.Segment, d *demand, payload int, v []Violation) []Violation {
	v = r.extend(s, payload, v)
	if d.place == placeResponse {
		a := &r.answer
		a.left -= int64(payload)
		r.matched = Match{a.request, r.extent == nil, a.matched, a.doubt}
	}
	return v
}

// doubtWhole marks violations that rest on all segments being of one message.
func (e *extent) doubtWhole(v []Violation) {
	if e.loose {
		Doubtful(v, Lost)
	}
}

// leaveHole handles a segment of another message after one with missing octets. A Terminate may follow one.
func (r *Receiver) leaveHole(s *rdmap.Segment, v []Violation) []Violation {
	found := len(v)
	rule, name, missing := ruleWriteHole, rdmap.OpWrite, cmp.Or(r.extent.hole, r.extent.missing())
	if r.extent.place == placeResponse {
		rule, name, missing = ruleResponseSize, rdmap.OpReadResponse, r.extent.missing()
	}
	if s.Control.Opcode != rdmap.OpTerminate {
		v = rule.broken(v, fmt.Sprintf("%d octets of the previous %v were not sent", missing, name), "all octets of a message")
		r.extent.doubtWhole(v[found:])
	}
	r.extent = nil
	return v
}

// follows reports whether a segment continues the message.
func (t *tagged) follows(s *rdmap.Segment) bool {
	return s.Tagged.STag == t.stag && s.Tagged.TO == t.to
}

// tagged checks a segment of a tagged message. STag and TO mean nothing in a message without payload (RFC 5041, section
// 5.2).
func (r *Receiver) tagged(t *tagged, s *rdmap.Segment, d *demand, payload int, v []Violation) []Violation {
	h := &s.Tagged
	fresh := !t.active
	switch {
	case payload == 0 && h.L:
		if t.active {
			v = emptySegment(t.empty, v)
		}
		r.extent = nil
		r.endTagged(t, d)
		return v
	case fresh:
		if d.place == placeWrite {
			r.extent, r.room = nil, t.roomBelow(s, payload) // of a Read Response the extent is that of its request
			if r.room == 0 && *t != (tagged{}) {
				r.missed = 0 // the previous Write began later than any in the gap, and this one is not the rest of it
			}
		}
		*t = tagged{begin: h.TO, stag: h.STag}
	case !t.follows(s):
		v = r.displaced(t, s, d, payload, v)
		*t = tagged{begin: h.TO, stag: h.STag}
	}
	if payload == 0 {
		v = emptySegment(false, v)
	}
	v = r.checkTO(s, payload, v)
	t.to = h.TO + uint64(payload)
	if t.to-t.begin > maxMessage {
		v = ruleMessageLength.broken(v, fmt.Sprintf("%d octets", t.to-t.begin), "less than 2^32 octets")
		t.begin = t.to
	}
	t.empty = payload == 0 && (fresh || t.empty)
	if h.L && d.place == placeWrite {
		r.orderReported = false
	}
	if r.extent != nil {
		v = r.extend(s, payload, v)
	}
	if h.L {
		r.endTagged(t, d)
	} else {
		t.active = true
		r.open |= d.place
	}
	return v
}

// endTagged ends a message.
func (r *Receiver) endTagged(t *tagged, d *demand) {
	t.active = false
	r.open &^= d.place
	r.cut &^= d.place
}

// displaced handles a segment that does not continue the message in progress.
func (r *Receiver) displaced(t *tagged, s *rdmap.Segment, d *demand, payload int, v []Violation) []Violation {
	same, write, found := s.Tagged.STag == t.stag, d.place == placeWrite, len(v)
	if same && write || !write && r.lacks(s, payload) {
		return r.disorder(t, s, d, payload, v)
	}
	rule := ruleResponseSTag
	switch {
	case write:
		rule = ruleWriteContinuation
	case same:
		rule = ruleResponseTO
	}
	r.extent, r.room = nil, 0
	v = r.elsewhere(rule, t, s, d, v)
	if write && r.doubtEnd(placeWrite, v[found:]) {
		r.missed = 0
	}
	return v
}

// checkTO checks that the payload of a segment ends within 64 bits.
func (r *Receiver) checkTO(s *rdmap.Segment, payload int, v []Violation) []Violation {
	end := s.Tagged.TO + uint64(payload)
	switch {
	case end >= s.Tagged.TO:
	case end > 0:
		v = ruleTOWrap.broken(v, reach(s.Tagged.TO, uint64(payload)), "at most 2^64")
	case r.profile.wrapsAt64():
		v = ruleTOEnd.broken(v, reach(s.Tagged.TO, uint64(payload)), "less than 2^64")
	}
	return v
}

func place(stag uint32, to uint64) string { return "STag " + hex32(stag) + " TO " + hex64(to) }

func reach(to, n uint64) string { return fmt.Sprintf("TO %s and %d octets", hex64(to), n) }
