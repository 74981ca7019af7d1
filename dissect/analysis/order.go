package analysis

// Captures do not show both directions in the order in which they were: they lose packets, and write down late what
// came early. What a side acknowledges tells.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// order is how a segment comes in relation to those of the other side.
type order uint8

const (
	inOrder        order = iota
	late                 // the other side has acknowledged it before: what answers it may have come already
	answeredBefore       // it is a late request, and a response that none of those known had asked for has come
)

// when tells in which order a segment comes.
func (c *connection) when(s *record.Segment) order {
	other := &c.sides[1-s.Dir]
	switch {
	case !s.Late:
		return inOrder
	case other.orphans == 0 || !isRequest(&s.RDMAP.Header):
		return late
	}
	other.orphans--
	return answeredBefore
}

// isRequest tells whether a Receiver counts a segment as a request.
func isRequest(h *rdmap.Header) bool {
	return h.Control.Opcode.IsRequest() && !h.T && h.Untagged.MO == 0
}

// outrun is for a segment whose sender has, or had until now, acknowledged octets of the other side that have not come:
// it may answer what was not seen.
func (c *connection) outrun(s *record.Segment) {
	side := &c.sides[s.Dir]
	begins := s.Ahead && !side.ahead
	side.ahead = s.Ahead
	if s.Ahead {
		side.receiver.SentGap()
	}
	if begins {
		c.missed(1 - s.Dir)
	} else if !s.Ahead {
		side.orphans = 0
	}
}

// missed says that segments of a direction may have been missed.
func (c *connection) missed(d record.Direction) {
	c.sides[d].gaps++
	c.sides[d].sends++
	c.sides[d].missedAt = c.latest.LastFrame
	c.startup.Gap(d == record.C2S)
	if c.follower != nil {
		c.follower.Gap(d)
	}
}

// before tells whether what has one span came before what has another: by the frames and, as far as the capture has
// times, by these too, for packets are not always in the order in which they were.
func before(a, b *record.Span) bool {
	timed := a.LastTime != 0 && b.LastTime != 0
	return a.LastFrame < b.LastFrame && (!timed || a.LastTime <= b.LastTime)
}
