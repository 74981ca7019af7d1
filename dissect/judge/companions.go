package judge

// Other connections between the same ends.

import (
	"slices"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// spoken is when a side spoke last before a packet, in nanoseconds, on whichever connection of a route that began before that: on one that is
// over by now if its upper layer limits silence.
func (a *Judge) spoken(way route, d flow.Direction, before *flow.Span) int64 {
	at := int64(0)
	if spoke := a.spoke[way]; spoke.begun < before.Frame {
		at = spoke.at[d]
	}
	for conn, c := range a.conns {
		if routeOf(conn) == way && c.waiting.begun.Frame < before.Frame {
			at = max(at, c.waiting.progress[d].until(before).LastTime)
		}
	}
	return at
}

// A spoke is when the sides spoke last, by direction, on the connections of a route that are over, and the first segment of the latest of these.
type spoke struct {
	begun uint64
	at    [2]int64
}

// keepSpoken remembers when both sides of a connection that is over spoke last.
func (a *Judge) keepSpoken(c *connection) {
	if _, ok := c.follower.Follower.(ulp.Limiting); !ok {
		return
	}
	way := routeOf(c.conn)
	s, ok := a.spoke[way]
	if !ok && len(a.spoke) == maxWell {
		return
	}
	s.begun = max(s.begun, c.waiting.begun.Frame)
	for d := range s.at {
		s.at[d] = max(s.at[d], c.waiting.progress[d].latest.LastTime)
	}
	a.spoke[way] = s
}

// leastControlSends is how many Sends two ends exchange at least that agree on something on a connection of its own.
const leastControlSends = 6

// controlConnection is an earlier connection of the same client and server, on which they took turns, also after the first segment of c and before its
// end. Programs that do so may agree to leave something undone: those of perftest measure for some seconds, agree that it was enough, and close.
// If there are several, it is the first; nil if there is none. last are the latest Sends on it.
func (c *connection) controlConnection() (first *flow.Conn, last [2]flow.Span) {
	if c.follower.Follower != nil || c.coverage.closing == (flow.Span{}) {
		return nil, last
	}
	for conn, other := range c.a.conns {
		if conn.ID >= c.conn.ID || first != nil && conn.ID > first.ID || routeOf(conn) != routeOf(c.conn) || other.follower.Follower != nil {
			continue
		}
		l := other.dialogue // a copy: that connection may go on
		l.waits = [2][]turn{slices.Clone(l.waits[0]), slices.Clone(l.waits[1])}
		l.settle()
		if !l.broken && l.turns >= leastControlSends && l.turns%2 == 0 && l.opener == flow.C2S &&
			l.latest[flow.C2S].Frame > c.waiting.begun.Frame && l.latest[flow.S2C].LastFrame < c.coverage.closing.Frame {
			first, last = conn, [...]flow.Span{l.latest[0].Span, l.latest[1].Span}
		}
	}
	return first, last
}

// observeControlled says that a connection ended with work under way, and both sides had agreed to end it.
func (c *connection) observeControlled(e *ending) {
	if !(e.leaves() || e.discarded() != nil) || len(c.verdict.Terminations) > 0 {
		return
	}
	other, last := c.controlConnection()
	if other == nil {
		return
	}
	e.observeAs(e.origin(direction(e.closer()), e.over()), ObsClosedEarly, bystander, e.closedEarlyStatement().and(
		sentence("on connection %d both sides had agreed to end the work, in frames %d and %d", other.ID, last[flow.C2S].Frame, last[flow.S2C].Frame)))
	c.waiting.agreed = true
}
