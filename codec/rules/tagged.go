package rules

// Tagged messages, Writes and Read Responses: their segments are consecutive.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

var (
	ruleWriteContinuation = newRule("write-continuation", Error,
		"All segments of a Write have the same STag, and the last has L set.",
		"DDP-4.2-8", "DDP-5.2-8", "DDP-5.2-4", "DDP-5.3-2", "DDP-4.1-3", "RDMAP-5.1-7").successive().situation(WriteContinuation)
	ruleTOOrder = newRule("to-order", Warning,
		"Each segment of a Write begins where the previous one ended.", "DDP-5.3-2", "DDP-5.2-8").
		in("iwarp_ddp.tagged_offset").successive()
	ruleWriteHole = newRule("write-hole", Error,
		"All octets of a Write are sent.", "DDP-5.2-4", "DDP-5.2-8").in("iwarp_ddp.tagged_offset").successive().grave()
	ruleTaggedChanged = newRule("tagged-changed", Error,
		"All segments of a tagged message have the same opcode.", "DDP-4.2-4").in("iwarp_rdma.opcode").successive().grave()
	ruleTOWrap = newRule("to-wrap", Error,
		"The TO of a tagged segment and the length of its payload do not exceed 64 bits.",
		"DDP-7.1-11", "RDMAP-4.4-6").situation(WriteWrap)

	ruleTOEnd = newRule("to-end", Note,
		"The TO of a tagged segment and the length of its payload stay below 2^64.", "DDP-7.1-11").situation(WriteWrap).
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

// An extent holds the octets of a Write whose segments arrive out of the order of their TOs. L need not be last.
type extent struct {
	ended    bool   // a segment with L was received, and octets before it are missing
	stag     uint32 // of the Write
	from, to uint64 // TO of the first octet, and of the one after the last
	octets   uint64 // received
}

// jump handles a segment that does not continue the Write in progress.
func (r *Receiver) jump(s *rdmap.Segment) {
	if t := &r.write; s.Tagged.STag != t.stag {
		r.extent = nil
	} else if r.extent == nil {
		r.extent = &extent{stag: t.stag, from: t.begin, to: t.to, octets: t.to - t.begin}
	}
}

// extend adds the next segment of a Write whose segments arrive out of order.
func (r *Receiver) extend(s *rdmap.Segment, payload int) {
	e, h, n := r.extent, &s.Tagged, uint64(payload)
	e.from, e.to, e.octets = min(e.from, h.TO), max(e.to, h.TO+n), e.octets+n
	if e.ended = e.ended || h.L; e.ended && e.octets >= e.to-e.from {
		r.extent = nil
	}
}

// isFilledBy reports whether a segment may hold missing octets.
func (e *extent) isFilledBy(s *rdmap.Segment, d *demand, payload int) bool {
	h := &s.Tagged
	return s.T && d.place == placeWrite && !h.L && h.STag == e.stag && h.TO-e.from < e.to-e.from &&
		e.octets+uint64(payload) <= e.to-e.from
}

// leaveHole handles a segment of another message after a Write with missing octets. A Terminate may follow one.
func (r *Receiver) leaveHole(s *rdmap.Segment, v []Violation) []Violation {
	if missing := r.extent.to - r.extent.from - r.extent.octets; s.Control.Opcode != rdmap.OpTerminate {
		v = ruleWriteHole.broken(v, fmt.Sprintf("%d octets of the previous Write were not sent", missing), "all octets of a message")
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
		r.endTagged(t, d)
		return v
	case fresh:
		*t = tagged{begin: h.TO, stag: h.STag}
		if d.place == placeWrite {
			r.extent = nil
		}
	case !t.follows(s):
		if r.cut&d.place == 0 {
			v = t.misplaced(d, s, v)
		}
		if d.place == placeWrite {
			r.jump(s)
		}
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
	if d.place == placeWrite && r.extent != nil {
		r.extend(s, payload)
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

// misplaced checks a segment that does not continue the message in progress.
func (t *tagged) misplaced(d *demand, s *rdmap.Segment, v []Violation) []Violation {
	rule := ruleWriteContinuation
	switch {
	case d.place == placeWrite && s.Tagged.STag == t.stag:
		rule = ruleTOOrder
	case d.place == placeWrite:
	case s.Tagged.STag != t.stag:
		rule = ruleResponseSTag
	default:
		rule = ruleResponseTO
	}
	return rule.broken(v, place(s.Tagged.STag, s.Tagged.TO), place(t.stag, t.to)+": the previous segment had no L")
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
