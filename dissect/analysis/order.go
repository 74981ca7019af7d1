package analysis

// Captures do not show both directions in the order in which they were sent: they lose packets, and write down late what
// came early. What a side acknowledges shows the order.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// An arrival is how a segment comes in relation to those of the other side.
type arrival uint8

const (
	inOrder        arrival = iota
	late                   // the other side has acknowledged it before: what answers it may have come already
	answeredBefore         // it is a late request, and a response that no known request had asked for has come
)

// order is what is known of the order of the two directions of a connection, and of what was missed in them.
type order struct {
	ahead    [2]bool   // by direction: its sender has acknowledged octets of the other side that have not come
	orphans  [2]int    // by direction: responses while ahead that answer no request which has come
	gaps     [2]uint32 // by direction: how often segments may have been missed
	missedAt [2]uint64 // by direction: the latest frame when segments were missed last
}

// arrival says how a segment comes.
func (o *order) arrival(s *record.Segment) arrival {
	orphans := &o.orphans[1-s.Dir]
	switch {
	case !s.Late:
		return inOrder
	case *orphans == 0 || !isRequest(&s.RDMAP.Header):
		return late
	}
	*orphans--
	return answeredBefore
}

// isRequest reports whether a Receiver counts a segment as a request.
func isRequest(h *rdmap.Header) bool {
	return h.Control.Opcode.IsRequest() && !h.T && h.Untagged.MO == 0
}

// outrun takes a segment and whether its sender has acknowledged octets of the other side that have not come: then it may
// answer what was not seen. begins says that this was not so before.
func (o *order) outrun(s *record.Segment) (begins bool) {
	before := o.ahead[s.Dir]
	o.ahead[s.Dir] = s.Ahead
	if before && !s.Ahead {
		o.orphans[s.Dir] = 0
	}
	return s.Ahead && !before
}

// orphan takes a response that answers no request which has come.
func (o *order) orphan(s *record.Segment) {
	if o.ahead[s.Dir] && s.RDMAP.L() {
		o.orphans[s.Dir]++
	}
}

// missed says that segments of a direction may have been missed by the given frame.
func (o *order) missed(d record.Direction, frame uint64) {
	o.gaps[d]++
	o.missedAt[d] = frame
}

// allGaps is how often segments may have been missed in either direction.
func (o *order) allGaps() uint32 { return o.gaps[0] + o.gaps[1] }

// before reports whether what has one span came before what has another: by the frames and, as far as the capture has
// times, by these too, since packets are not always in the order in which they were sent.
func before(a, b *record.Span) bool {
	timed := a.LastTime != 0 && b.LastTime != 0
	return a.LastFrame < b.LastFrame && (!timed || a.LastTime <= b.LastTime)
}
