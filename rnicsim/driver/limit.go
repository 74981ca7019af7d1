package driver

// Limits that keep one peer from harming others.

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/internal/crowd"
)

// An activity is what an inbound connection does. Each activity has a budget of its own, MaxConns connections, so that silent peers do not
// take the place of busy ones. A newcomer always gets a place: in a full budget, the least useful connection gives way.
type activity uint8

const (
	opening  activity = iota // its MPA Request has not come, or the Reply has not been sent
	silent                   // its peer has sent no FPDU yet, or has neither sent nor taken in one for longer than lull
	slow                     // its peer has left octets unfinished or unread for longer than lull
	busy                     // all other established ones
	departed                 // it is over, apart from the peer's FIN
	activities
)

// lull is the longest time without progress of a busy connection.
const lull = time.Second

// spared is how long a connection that opens is safe from newcomers: long enough for a peer on a busy machine that sends at once, and
// short enough that those in the system's queue, 4,096 on Linux, are all accepted within a second where MaxConns is 64.
const spared = 50 * time.Millisecond

// answerable reports whether a connection in start-up must not give way: it has just begun, or its octets wait for us.
func (c *Conn) answerable(now time.Duration) bool { return now-c.active < spared || c.link.Unread() }

// activity returns what the connection does now.
func (c *Conn) activity(now time.Duration) activity {
	switch {
	case c.over:
		return departed
	case !c.attached, c.stream.Framed() == 0 && c.sending:
		return opening
	case c.stuck() > 0 && now-c.stuck() > lull:
		return slow
	case c.stream.Framed() == 0, now-c.active > lull:
		return silent
	}
	return busy
}

// worth orders the connections of one activity. The least gives way first: of busy connections the one that has carried most, of
// others the one that has kept its activity for longest.
func (c *Conn) worth(s activity) int64 {
	//exhaustive:enforce
	switch s {
	case silent:
		return int64(c.active)
	case slow:
		return int64(c.stuck())
	case busy:
		return -int64(c.Octets())
	case opening, departed, activities:
	}
	return int64(c.serial)
}

func (c *Conn) host() netip.Prefix { return crowd.Host(c.remote) }

// keepBudgets resets connections beyond the budgets, and reports whether too many stay because they cannot give way yet. The lock is held.
func (d *Device) keepBudgets() (crowded bool) {
	most := d.config.MaxConns
	if len(d.conns) <= most {
		return false
	}
	var all [activities][]*Conn
	now := d.now()
	for c := range d.conns {
		if !c.initiator {
			s := c.activity(now)
			all[s] = append(all[s], c)
		}
	}
	for s, conns := range all {
		budget := most
		if activity(s) == opening { // they take little, and a flood of them must not outrun a handshake
			budget *= openings
		}
		excess := len(conns) - budget
		if excess <= 0 {
			continue
		}
		if activity(s) == opening && most > 0 {
			conns = slices.DeleteFunc(conns, func(c *Conn) bool { return c.answerable(now) })
			crowded = len(conns) < excess
		}
		giveWay(activity(s), conns, min(excess+most/256, len(conns))) // some more, so that large budgets are seldom searched
	}
	return crowded
}

// crowded reports whether a newcomer has to wait.
func (d *Device) crowded() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.keepBudgets()
}

// openings is how many times MaxConns connections may be in start-up.
const openings = 4

// giveWay resets n connections of an activity, each time the least useful one of the host that has most.
func giveWay(s activity, conns []*Conn, n int) {
	slices.SortFunc(conns, func(a, b *Conn) int {
		return cmp.Or(cmp.Compare(a.worth(s), b.worth(s)), cmp.Compare(a.serial, b.serial))
	})
	for _, victim := range crowd.GiveWay(conns, n, (*Conn).host) {
		victim.cut(ErrCrowded)
		victim.link.Reset() // it may be over, and wait for the peer's FIN
	}
}

// A backlog is the octets that wait for the peer in one direction.
type backlog struct {
	octets int           // of memory
	since  time.Duration // when the first of them was due; not zero while there are some
}

// set sets how many octets wait. progress says that those that were due before do not wait any more.
func (b *backlog) set(octets int, progress bool, now time.Duration) {
	if octets == 0 {
		*b = backlog{}
		return
	}
	if b.octets = octets; b.since == 0 || progress {
		b.since = max(1, now)
	}
}

// A heldOctets counts the octets that all connections buffer, at most so many.
type heldOctets struct{ octets, most int }

// set sets how many octets wait for a peer.
func (h *heldOctets) set(b *backlog, octets int, progress bool, now time.Duration) {
	h.octets += octets - b.octets
	b.set(octets, progress, now)
}

// drop forgets the octets of a connection.
func (h *heldOctets) drop(w *waits) {
	h.set(&w.unfinished, 0, false, 0)
	h.set(&w.untaken, 0, false, 0)
}

// longestStuck returns the connection that has made no progress for longest; nil if nothing is buffered.
func (d *Device) longestStuck() (longest *Conn) {
	for c := range d.conns {
		if since := c.stuck(); since > 0 && (longest == nil || since < longest.stuck() || since == longest.stuck() && c.serial < longest.serial) {
			longest = c
		}
	}
	return longest
}

// hold sets how many octets wait for the peer; progress is as in backlog.set. If all connections together exceed MaxHeld, the one that
// has made no progress for longest is reset. The lock is held.
func (c *Conn) hold(b *backlog, octets int, progress bool) {
	if c.over {
		octets = 0 // goroutines that end still call this
	}
	if octets == 0 && b.octets == 0 {
		return
	}
	h := &c.d.held
	h.set(b, octets, progress, c.d.now())
	for h.octets > h.most {
		victim := c.d.longestStuck()
		victim.cut(ErrHeld)
		h.drop(&victim.waits)
	}
	if !c.over && c.stuck() > 0 {
		c.d.wake(c)
	}
}
