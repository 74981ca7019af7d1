package rules

// Untagged messages whose segments come in another order than that of their MOs, which a sender should not choose, and a
// receiver may place (RFC 5041, section 5.3).

import (
	"fmt"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

var (
	ruleMOOrder = newRule("mo-order", Warning,
		"The segments of an untagged message come in the order of their MOs.", "DDP-5.3-2", "DDP-5.2-6").successive()
	ruleMOOverlap = newRule("mo-overlap", Error,
		"The MO of a segment counts all octets of its message before it: segments do not overlap.",
		"DDP-5.2-6", "DDP-5.2-4").successive()
)

// scattered holds which octets of a Send came.
type scattered struct {
	spans []span // ascending, with holes between them
	last  bool   // L came, not necessarily with the highest MO
	doubt bool   // a segment was refused, or others were missed: which octets came is not known
}

// A span is the octets from one MO to before another.
type span struct{ from, to uint32 }

// maxSpans is how many spans a receiver keeps of a message. It refuses a segment that would be one more.
const maxSpans = 32

// scatter checks a segment that belongs to the message in progress, or begins it, but not where the queue stands.
func (r *Receiver) scatter(q *queue, s *rdmap.Segment, d *demand, payload int, v []Violation) []Violation {
	u := &s.Untagged
	fresh, found := !r.scattered, len(v)
	if fresh {
		r.scattered = true
		if r.sends == nil {
			r.sends = &scattered{spans: make([]span, 0, maxSpans+1)}
		}
		r.sends.begin(q.mo, r.ours.missed)
	}
	end := uint64(u.MO) + uint64(payload)
	if end > maxMessage {
		r.sends.doubt = true
		return ruleMessageLength.broken(v, fmt.Sprintf("%d octets", end), "less than 2^32 octets")
	}
	if payload == 0 && !u.L {
		v = emptySegment(false, v)
	}
	v = r.sends.add(span{u.MO, uint32(end)}, u.L, v)
	if fresh && len(v) == found {
		v = ruleMOOrder.broken(v, mo(u.MO), mo(q.mo))
	}
	q.mo, q.opcode, q.stag = uint32(end), s.Control.Opcode, s.InvalidateSTag
	r.open |= d.place
	if r.sends.whole() {
		q.msn, q.mo, q.last, q.empty = q.msn+1, 0, r.sends.hole(), false
		r.open &^= d.place
		r.cut &^= d.place
		r.scattered, r.whole = false, true
	}
	return v
}

// begin begins a message of which some octets came in order.
func (m *scattered) begin(octets uint32, doubt bool) {
	m.spans, m.last, m.doubt = m.spans[:0], false, doubt
	if octets > 0 {
		m.spans = append(m.spans, span{0, octets})
	}
}

// add adds the octets of a segment.
func (m *scattered) add(n span, last bool, v []Violation) []Violation {
	m.last = m.last || last
	if n.from == n.to {
		return v
	}
	i := 0
	for i < len(m.spans) && m.spans[i].to < n.from {
		i++
	}
	j, whole := i, n
	for ; j < len(m.spans) && m.spans[j].from <= n.to; j++ {
		if o := m.spans[j]; !m.doubt && o.from < n.to && n.from < o.to {
			v = ruleMOOverlap.broken(v, mo(n.from), fmt.Sprintf("an MO outside the octets %d to %d, which came", o.from, o.to-1))
		}
		whole = span{min(whole.from, m.spans[j].from), max(whole.to, m.spans[j].to)}
	}
	if i == j && len(m.spans) == maxSpans {
		m.doubt = true
		return ruleMO.broken(v, mo(n.from), fmt.Sprintf("an MO next to one of %d parts of the message", maxSpans))
	}
	m.spans = slices.Replace(m.spans, i, j, whole)
	return v
}

// hole returns the first MO that is missing, which is the length of the message if it is whole.
func (m *scattered) hole() uint32 {
	if len(m.spans) == 0 || m.spans[0].from > 0 {
		return 0
	}
	return m.spans[0].to
}

// whole reports whether L came, and all octets before those that came.
func (m *scattered) whole() bool {
	return m.last && len(m.spans) == 1 && m.spans[0].from == 0
}

// Scattered reports whether the segments of the Send in progress come out of order.
func (r *Receiver) Scattered() bool { return r.scattered }

// Whole returns the length in octets of the Send or Immediate Data that is complete with s, the latest segment given to
// Segment. ok is false if octets are still to come. The last to come need not have L.
func (r *Receiver) Whole(s *rdmap.Segment) (length uint32, ok bool) {
	if r.whole {
		return r.sends.hole(), true
	}
	return s.Untagged.MO + uint32(len(s.Body)), s.Untagged.L && !r.scattered
}
