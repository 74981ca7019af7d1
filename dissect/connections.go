package dissect

// Which connections are followed, and which of them are given up when there are too many.

import (
	"cmp"

	"github.com/iwarpkit/iwarp/dissect/session"
	"github.com/iwarpkit/iwarp/internal/recency"
)

// A connection is a TCP connection, iWARP or not, or a DDP stream over SCTP.
type connection struct {
	*session.Stream
	carrier
	place   recency.Place[connection] // in one of the lists of connections, by its latest packet
	over    uint64                    // frame with which it was over; 0 if it is not
	isIWARP bool                      // as connections.sort has seen
}

// A carrier is the transport of a connection.
type carrier interface {
	address() address
	finish() // decodes what waits, reports the end, and forgets the addresses
}

// connections are all that are followed.
type connections struct {
	unknown   recency.List[connection] // not known to be iWARP
	iwarp     recency.List[connection]
	over      recency.List[connection] // have ended, except for stragglers; at most MaxOver
	latest    *connection              // of all lists, if it is known
	ended     int                      // in over
	n, max    int
	unknowns  int // in unknown
	forgotten forgotten
	givenUp   uint64 // iWARP connections that were given up
	shared    *session.Shared
	ending    func(Life, func())
}

// MaxOver is how many connections that have ended are kept for stragglers.
const MaxOver = 256

// add follows a new connection. If there are too many, another one is given up.
func (l *connections) add(c *connection) {
	if l.n >= l.max || l.ended > MaxOver {
		l.giveUp()
	}
	l.n++
	l.move(c, &l.unknown)
}

// giveUp ends the least useful connection: the idlest of those that are over, else one that goes on. One that is not known to be iWARP at its
// end may still become it.
func (l *connections) giveUp() {
	c := l.over.Idlest()
	goesOn := c == nil
	if goesOn {
		c = l.dispensable()
		c.GiveUp()
	}
	l.finish(c)
	if goesOn && c.Conn == nil {
		return
	}
	l.forgotten.add(c.address())
	if goesOn {
		l.givenUp++
	}
}

// dispensable is the idlest of the connections that go on; if many are not known to be iWARP, the idlest of those.
func (l *connections) dispensable() *connection {
	unknown, iwarp := l.unknown.Idlest(), l.iwarp.Idlest()
	if iwarp == nil || unknown != nil && (l.unknowns > l.max/newcomers || unknown.Packets().LastFrame < iwarp.Packets().LastFrame) {
		return unknown
	}
	return iwarp
}

// newcomers is which part of all places is for connections that are not known to be iWARP: if they gave way to one another while others are
// idle, none would last long enough to be known.
const newcomers = 16

// finish ends a connection and forgets it.
func (l *connections) finish(c *connection) {
	if l.ending == nil {
		c.finish()
	} else {
		packets := c.Packets()
		l.ending(Life{packets.Frame, packets.LastFrame, c.over}, c.finish)
	}
	l.leave(c)
	l.n--
}

// leave takes c out of its list.
func (l *connections) leave(c *connection) {
	switch c.place.List() {
	case &l.over:
		l.ended--
	case &l.unknown:
		l.unknowns--
	}
	c.place.Leave()
	l.latest = nil
}

// use makes c the latest of its list.
func (l *connections) use(c *connection) {
	if l.latest != c {
		l.move(c, c.place.List())
	}
}

// sort moves c to the list that it belongs in by now.
func (l *connections) sort(c *connection) {
	if c.Over || c.Conn != nil && !c.isIWARP {
		l.resort(c)
	}
}

func (l *connections) resort(c *connection) {
	switch {
	case c.Over && c.place.List() != &l.over:
		l.move(c, &l.over)
	case c.Conn != nil && !c.isIWARP:
		if c.isIWARP = true; c.place.List() == &l.unknown {
			l.move(c, &l.iwarp)
		}
	}
}

// move makes c the latest of a list.
func (l *connections) move(c *connection, list *recency.List[connection]) {
	l.leave(c)
	switch list {
	case &l.over:
		l.ended++
		c.over = cmp.Or(c.over, l.shared.Packet)
	case &l.unknown:
		l.unknowns++
	}
	list.Use(c, &c.place)
	l.latest = c
}

// close ends all connections.
func (l *connections) close() {
	for _, list := range []*recency.List[connection]{&l.over, &l.unknown, &l.iwarp} {
		l.closeList(list)
	}
}

// closeList ends all connections of a list.
func (l *connections) closeList(list *recency.List[connection]) {
	for list.Idlest() != nil {
		l.finish(list.Idlest())
	}
}
