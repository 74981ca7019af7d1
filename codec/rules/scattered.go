package rules

// Untagged messages whose segments arrive out of order. A sender should not send them so; a receiver may place them
// (RFC 5041, section 5.3).

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

var (
	ruleMOOrder = newRule("mo-order", Warning,
		"The segments of an untagged message should be sent in the order of their MOs.", "DDP-5.3-2", "DDP-5.2-6").
		in("iwarp_ddp.mo").successive()
	ruleMOOverlap = newRule("mo-overlap", Error,
		"The MO of a segment must count all octets of its message before it: segments must not overlap.",
		"DDP-5.2-6", "DDP-5.2-4").in("iwarp_ddp.mo").successive().grave()
)

// scattered holds which octets of a Send were received.
type scattered struct {
	ddp.Octets
	from  uint32 // the MO of the first segment, if that is the tail of a message
	doubt bool   // a segment was refused, or others were missed: the received octets are not known
}

// scatter checks a segment of the message in progress, or of a new one, whose MO is not the next of the queue.
func (r *Receiver) scatter(q *queue, s *rdmap.Segment, d *demand, payload int, v []Violation) []Violation {
	u := &s.Untagged
	fresh, found := !r.scattered, len(v)
	if fresh {
		r.beginScattered(q, q.mo)
		r.sends.doubt = r.ours.missed
	}
	end := uint64(u.MO) + uint64(payload)
	if end > maxMessage {
		r.sends.doubt = true
		return ruleMessageLength.broken(v, fmt.Sprintf("%d octets", end), "less than 2^32 octets")
	}
	if payload == 0 && !u.L {
		v = emptySegment(false, v)
	}
	switch over, ok := r.sends.Add(ddp.Span{From: uint64(u.MO), To: end}, u.L); {
	case !ok: // it is refused
		r.sends.doubt = true
		v = ruleMO.broken(v, mo(u.MO), fmt.Sprintf("an MO next to one of %d parts of the message", ddp.MaxSpans))
	case over != ddp.Span{} && !r.sends.doubt:
		v = ruleMOOverlap.broken(v, mo(u.MO), fmt.Sprintf("an MO outside octets %d to %d, already received", over.From, over.To-1))
	}
	if fresh && len(v) == found {
		v = ruleMOOrder.broken(v, mo(u.MO), mo(q.mo))
	}
	q.mo, q.opcode, q.stag = uint32(end), s.Control.Opcode, s.InvalidateSTag
	r.open |= d.place
	if r.sends.Whole() {
		q.msn, q.mo, q.last, q.empty, q.tail = q.msn+1, 0, r.sends.Hole(), false, false
		r.open &^= d.place
		r.cut &^= d.place
		r.scattered, r.whole = false, true
	}
	return v
}

// scatteredSends makes room for what a Receiver seldom needs.
func (r *Receiver) scatteredSends() *scattered {
	if r.sends == nil {
		r.sends = new(scattered)
	}
	return r.sends
}

// beginScattered begins with the octets of a message that came in order, up to an MO.
func (r *Receiver) beginScattered(q *queue, to uint32) {
	r.scattered = true
	n := ddp.Span{To: uint64(to)}
	if q.tail && to > 0 { // of this message, not of the one before
		n.From = uint64(r.sends.from)
	}
	r.scatteredSends().Begin(n)
}

// reopen continues the previous message with a segment, for its first ones were not received before that with L: a gap holds them, or they
// come late.
func (r *Receiver) reopen(q *queue, s *rdmap.Segment, d *demand, payload int, v []Violation) []Violation {
	v = ruleMOOrder.broken(v, mo(s.Untagged.MO)+" after the segment with L", "increasing MOs")
	r.beginScattered(q, q.last)
	r.sends.Add(ddp.Span{}, true)
	r.sends.doubt, r.missed = true, r.missed|d.place
	q.msn--
	return r.scatter(q, s, d, payload, v)
}

// Scattered reports whether the segments of the Send in progress arrive out of order.
func (r *Receiver) Scattered() bool { return r.scattered }

// Whole returns the length in octets of the Send or Immediate Data that s, the latest segment given to Segment,
// completes. ok is false if octets are still missing. The segment that arrives last need not have L.
func (r *Receiver) Whole(s *rdmap.Segment) (length uint32, ok bool) {
	if r.whole {
		return r.sends.Hole(), true
	}
	return s.Untagged.MO + uint32(len(s.Body)), s.Untagged.L && !r.scattered
}
