package proxy

// Limits that keep one peer from harming others, as those of rnicsim/driver.

import (
	"net/netip"
	"time"

	"github.com/iwarpkit/iwarp/internal/crowd"
)

// activity returns what the connection does now.
func (c *Conn) activity(now time.Duration) crowd.Activity {
	since := c.stuck()
	switch {
	case !c.joined.Load(), c.ends[Client].relay.last.Load() == int64(c.began):
		return crowd.Opening // the server has not answered, or nothing has come from the client
	case c.ends[Client].relay.finished.Load(), c.ends[Server].relay.finished.Load():
		return crowd.Departing // a side has sent its FIN
	case since > 0 && now-since > crowd.Lull:
		return crowd.Slow
	case now-c.active() > crowd.Lull:
		return crowd.Silent
	}
	return crowd.Busy
}

// crowded reports whether a newcomer has to wait.
func (p *Proxy) crowded() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.keepBudgets()
}

// policy says which connections give way. mu is held.
func (p *Proxy) policy() *crowd.Policy[*Conn] {
	now := p.now()
	return &crowd.Policy[*Conn]{
		Most:     p.config.MaxConns,
		Reset:    func(c *Conn) { c.cut(ErrCrowded) },
		Activity: func(c *Conn) crowd.Activity { return c.activity(now) },
		Waits:    func(c *Conn) bool { return c.joined.Load() && c.ends[Client].link.Unread() },
		Age:      func(c *Conn) time.Duration { return now - c.began },
		Last:     func(c *Conn) bool { return c.ends[Client].link.Unread() },
		Active:   (*Conn).active,
		Stuck:    (*Conn).stuck,
		Carried:  func(c *Conn) uint64 { return c.Octets(Client) + c.Octets(Server) },
		Serial:   func(c *Conn) uint64 { return c.Serial },
		Host:     func(c *Conn) netip.Prefix { return crowd.Host(c.ends[Client].nc.RemoteAddr()) },
	}
}

// current are the connections that may give way.
func (p *Proxy) current(yield func(*Conn) bool) {
	for c := range p.conns {
		if !c.over.Load() && !yield(c) {
			return
		}
	}
}

// keepBudgets resets connections beyond the budgets, and reports whether too many stay because they have just begun. mu is held.
func (p *Proxy) keepBudgets() (crowded bool) {
	return len(p.conns) > p.config.MaxConns && p.policy().Keep(p.current)
}

// makeRoom resets some connections because the system has no descriptor for another.
func (p *Proxy) makeRoom() {
	p.mu.Lock()
	defer p.mu.Unlock()
	over := 0
	for c := range p.conns {
		if c.over.Load() {
			over++
		}
	}
	p.policy().Relieve(p.current, len(p.conns), over)
}
