package driver

// Limits that keep one peer from harming others.

import (
	"net/netip"
	"time"

	"github.com/iwarpkit/iwarp/internal/crowd"
)

// activity returns what an inbound connection does now.
func (c *Conn) activity(now time.Duration) crowd.Activity {
	switch {
	case c.over:
		return crowd.Departing // it is over, apart from the peer's FIN
	case !c.attached, c.stream.Framed() == 0 && c.sending:
		return crowd.Opening // its MPA Request has not come, or the Reply has not been sent
	case c.stuck() > 0 && now-c.stuck() > crowd.Lull:
		return crowd.Slow
	case c.stream.Framed() == 0, now-c.active > crowd.Lull:
		return crowd.Silent
	}
	return crowd.Busy
}

// policy says which connections give way. The lock is held.
func (d *Device) policy() *crowd.Policy[*Conn] {
	now := d.now()
	return &crowd.Policy[*Conn]{
		Most: d.config.MaxConns,
		Reset: func(c *Conn) {
			c.cut(ErrCrowded)
			c.wire.link.Reset() // it may be over, and wait for the peer's FIN
		},
		Activity: func(c *Conn) crowd.Activity { return c.activity(now) },
		Waits:    func(c *Conn) bool { return c.wire.link.Unread() },
		Age:      func(c *Conn) time.Duration { return now - c.active },
		Active:   func(c *Conn) time.Duration { return c.active },
		Stuck:    (*Conn).stuck,
		Carried:  (*Conn).Octets,
		Serial:   (*Conn).Serial,
		Host:     func(c *Conn) netip.Prefix { return crowd.Host(c.remote) },
	}
}

// inbound are the connections that may give way.
func (d *Device) inbound(yield func(*Conn) bool) {
	for c := range d.conns {
		if !c.initiator && !yield(c) {
			return
		}
	}
}

// keepBudgets resets connections beyond the budgets, and reports whether too many stay because they cannot give way yet. The lock is held.
func (d *Device) keepBudgets() (crowded bool) {
	return len(d.conns) > d.config.MaxConns && d.policy().Keep(d.inbound)
}

// MakeRoom resets some inbound connections because the system has no descriptor for another.
func (d *Device) MakeRoom() {
	d.mu.Lock()
	defer d.mu.Unlock()
	cut := 0
	for c := range d.conns {
		if c.wasCut {
			cut++
		}
	}
	d.policy().Relieve(d.inbound, len(d.conns), cut)
}

// crowded reports whether a newcomer has to wait.
func (d *Device) crowded() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.keepBudgets()
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
