package match

// Captures do not show both directions in the order in which they were sent: they lose packets, and write down late what
// came early. What a side acknowledges shows the order.

import (
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// An Arrival is how a segment comes in relation to those of the other side.
type Arrival uint8

// The ways to arrive.
const (
	InOrder        Arrival = iota
	Late                   // the other side has acknowledged it before: what answers it may have come already
	AnsweredBefore         // it is a late request, and a response that no known request had asked for has come
)

// An Order is what is known of the order of the two directions of a connection, and of what was missed in them.
type Order struct {
	Ahead    [2]bool   // by direction: its sender has acknowledged octets of the other side that have not come
	orphans  [2]int    // by direction: responses while ahead that answer no request which has come
	gaps     [2]uint32 // by direction: how often segments may have been missed
	MissedAt [2]uint64 // by direction: the latest frame when segments were missed last
}

// Arrival says how a segment comes.
func (o *Order) Arrival(s *record.Segment) Arrival {
	if !s.Late && !o.Ahead[1-s.Dir] {
		return InOrder
	}
	return o.arrival(s)
}

func (o *Order) arrival(s *record.Segment) Arrival {
	orphans := &o.orphans[1-s.Dir]
	switch {
	case !s.Late: // all that was acknowledged has come
		o.Ahead[1-s.Dir], *orphans = false, 0
		return InOrder
	case *orphans == 0 || !s.RDMAP.BeginsRequest():
		return Late
	}
	*orphans--
	return AnsweredBefore
}

// Outrun takes a segment and whether its sender has acknowledged octets of the other side that have not come: then it may
// answer what was not seen. begins says that this was not so before.
func (o *Order) Outrun(s *record.Segment) (begins bool) {
	before := o.Ahead[s.Dir]
	o.Ahead[s.Dir] = s.Ahead
	if before && !s.Ahead {
		o.orphans[s.Dir] = 0
	}
	return s.Ahead && !before
}

// Orphan takes a response that answers no request which has come.
func (o *Order) Orphan(s *record.Segment) {
	if o.Ahead[s.Dir] && s.RDMAP.L() {
		o.orphans[s.Dir]++
	}
}

// Missed says that segments of a direction may have been missed by the given frame.
func (o *Order) Missed(d flow.Direction, frame uint64) {
	o.gaps[d]++
	o.MissedAt[d] = frame
}

// MissedOf is how often segments of a direction may have been missed.
func (o *Order) MissedOf(d flow.Direction) uint32 { return o.gaps[d] }

// Gaps is how often segments may have been missed in either direction.
func (o *Order) Gaps() uint32 { return o.gaps[0] + o.gaps[1] }

// Before reports whether what has one span came before what has another: by the frames and, as far as the capture has
// times, by these too, since packets are not always in the order in which they were sent.
func Before(a, b *flow.Span) bool {
	timed := a.LastTime != 0 && b.LastTime != 0
	return a.LastFrame < b.LastFrame && (!timed || a.LastTime <= b.LastTime)
}
