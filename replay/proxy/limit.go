package proxy

// Limits that keep one peer from harming others, as those of rnicsim/driver.

import (
	"cmp"
	"math"
	"net/netip"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/internal/crowd"
)

// An activity is what a connection does. Each activity has a budget of its own, MaxConns connections, so that silent peers do not take
// the place of busy ones. A newcomer always gets a place: in a full budget, the least useful connection gives way.
type activity uint8

const (
	opening   activity = iota // the server has not answered, or nothing has come from the client
	silent                    // nothing has come for longer than lull
	slow                      // an end has not taken octets for longer than lull
	busy                      // all others
	departing                 // a side has sent its FIN
	activities
)

// lull is the longest time without progress of a busy connection.
const lull = time.Second

// activity returns what the connection does now.
func (c *Conn) activity(now time.Duration) activity {
	since := c.stuck()
	switch {
	case !c.joined.Load(), c.ends[Client].relay.last.Load() == int64(c.began):
		return opening
	case c.ends[Client].relay.finished.Load(), c.ends[Server].relay.finished.Load():
		return departing
	case since > 0 && now-since > lull:
		return slow
	case now-c.active() > lull:
		return silent
	}
	return busy
}

// worth orders the connections of one activity. The least gives way first: of busy connections the one that has carried most, of
// others the one that has kept its activity for longest; of those that open, one whose client has octets for us goes last.
func (c *Conn) worth(s activity) int64 {
	//exhaustive:enforce
	switch s {
	case silent:
		return int64(c.active())
	case slow:
		return int64(c.stuck())
	case busy:
		return -int64(c.Octets(Client) + c.Octets(Server))
	case opening:
		if c.ends[Client].link.Unread() {
			return math.MaxInt64
		}
	case departing, activities:
	}
	return int64(c.Serial)
}

// host returns whoever has the address of the client.
func (c *Conn) host() netip.Prefix { return crowd.Host(c.ends[Client].nc.RemoteAddr()) }

// spared is how long a connection that opens is safe from newcomers: long enough for a client on a busy machine that sends at once, and
// short enough that those in the system's queue, 4,096 on Linux, are all accepted within a second where MaxConns is 64.
const spared = 50 * time.Millisecond

// Openings is how many times as many connections may open as there may be of another activity.
const Openings = 4

// crowded reports whether a newcomer has to wait.
func (p *Proxy) crowded() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.keepBudgets()
}

// keepBudgets resets connections beyond the budgets, and reports whether too many stay because they have just begun. mu is held.
func (p *Proxy) keepBudgets() (crowded bool) {
	most := p.config.MaxConns
	if len(p.conns) <= most {
		return false
	}
	var all [activities][]*Conn
	now := p.now()
	for c := range p.conns {
		if s := c.activity(now); !c.over.Load() {
			all[s] = append(all[s], c)
		}
	}
	for s, conns := range all {
		budget := most
		if activity(s) == opening { // they take little, and a flood of them must not outrun a handshake
			budget *= Openings
		}
		excess := len(conns) - budget
		if excess <= 0 {
			continue
		}
		if activity(s) == opening {
			conns = slices.DeleteFunc(conns, func(c *Conn) bool { return now-c.began < spared })
			crowded = len(conns) < excess
		}
		worth := make(map[*Conn]int64, len(conns))
		for _, c := range conns {
			worth[c] = c.worth(activity(s))
		}
		slices.SortFunc(conns, func(a, b *Conn) int {
			return cmp.Or(cmp.Compare(worth[a], worth[b]), cmp.Compare(a.Serial, b.Serial))
		})
		for _, victim := range crowd.GiveWay(conns, min(excess, len(conns)), (*Conn).host) {
			victim.cut(ErrCrowded)
		}
	}
	return crowded
}
