package ladder

// The list of connections.

import (
	"cmp"
	"net/netip"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Connection is one that a capture holds.
type Connection struct {
	Conn           int // its number
	Client, Server netip.AddrPort
	record.Span           // all of its packets
	Messages       uint64 // RDMAP messages of both directions, the incomplete ones included
	End            record.End
}

// maxListed is how many connections are listed.
const maxListed = 10_000

// A list holds the connections that have ended, in the order of their numbers.
type list struct {
	all []Connection
	n   int
}

func (l *list) add(c *record.Conn) {
	if l.n++; len(l.all) == maxListed {
		return
	}
	added := Connection{Conn: c.ID, Client: c.Client, Server: c.Server, Span: c.Span, End: c.End}
	for d := range c.Traffic {
		t := &c.Traffic[d]
		for o := range t.Messages {
			added.Messages += t.Messages[o] + t.Incomplete[o]
		}
	}
	at, _ := slices.BinarySearchFunc(l.all, c.ID, func(o Connection, id int) int { return cmp.Compare(o.Conn, id) })
	l.all = slices.Insert(l.all, at, added)
}
