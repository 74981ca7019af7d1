package proxy

// Limits that keep one peer from harming others, as those of rnicsim/driver.

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/internal/crowd"
)

// A standing is what a connection does. Each standing has a budget of its own, MaxConns connections, so that silent peers do not take
// the place of busy ones. A newcomer always gets a place: in a full budget, the least useful connection gives way.
type standing uint8

const (
	connecting standing = iota // the other end has not answered
	silent                     // nothing has come for longer than lull
	slow                       // an end has not taken octets for longer than lull
	busy                       // all others
	standings
)

// lull is the longest time without progress of a busy connection.
const lull = time.Second

// standing returns what the connection does now.
func (c *Conn) standing(now time.Duration) standing {
	since := c.stuck()
	switch {
	case !c.joined.Load():
		return connecting
	case since > 0 && now-since > lull:
		return slow
	case now-c.active() > lull:
		return silent
	}
	return busy
}

// worth orders the connections of one standing. The least gives way first: of busy connections the one that has carried most, of
// others the one that has kept its standing for longest.
func (c *Conn) worth(s standing) int64 {
	//exhaustive:enforce
	switch s {
	case silent:
		return int64(c.active())
	case slow:
		return int64(c.stuck())
	case busy:
		return -int64(c.Octets(Client) + c.Octets(Server))
	case connecting, standings:
	}
	return int64(c.Serial)
}

// holder returns whoever has the address of the client.
func (c *Conn) holder() netip.Prefix { return crowd.Host(c.ends[Client].nc.RemoteAddr()) }

// keepBudgets resets connections beyond the budgets. mu is held.
func (p *Proxy) keepBudgets() {
	most := p.config.MaxConns
	if len(p.conns) <= most {
		return
	}
	var all [standings][]*Conn
	now := p.now()
	for c := range p.conns {
		if s := c.standing(now); !c.over.Load() {
			all[s] = append(all[s], c)
		}
	}
	for s, conns := range all {
		excess := len(conns) - most
		if excess <= 0 {
			continue
		}
		slices.SortFunc(conns, func(a, b *Conn) int {
			return cmp.Or(cmp.Compare(a.worth(standing(s)), b.worth(standing(s))), cmp.Compare(a.Serial, b.Serial))
		})
		for _, victim := range crowd.GiveWay(conns, excess, (*Conn).holder) {
			victim.cut(ErrCrowded)
		}
	}
}
