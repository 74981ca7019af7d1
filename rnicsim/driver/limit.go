package driver

// Limits that keep one peer from harming others.

import "time"

// A queue is a list of connections, the oldest first. The lock guards it.
type queue struct {
	which       membership
	first, last *Conn
	len         int
}

// A membership names one of the queues.
type membership uint8

const (
	inStarting membership = iota
	inStalled
)

// add moves a connection to the end.
func (q *queue) add(c *Conn) {
	w := q.which
	q.remove(c)
	c.previous[w], c.next[w], c.queued[w] = q.last, nil, true
	if q.last != nil {
		q.last.next[w] = c
	} else {
		q.first = c
	}
	q.last = c
	q.len++
}

// remove removes a connection, if it is there.
func (q *queue) remove(c *Conn) {
	w := q.which
	if !c.queued[w] {
		return
	}
	previous, next := c.previous[w], c.next[w]
	if previous != nil {
		previous.next[w] = next
	} else {
		q.first = next
	}
	if next != nil {
		next.previous[w] = previous
	} else {
		q.last = previous
	}
	c.previous[w], c.next[w], c.queued[w] = nil, nil, false
	q.len--
}

// A hoard counts the octets that all connections buffer, at most so many.
type hoard struct {
	held, most int
	stalled    queue // connections with buffered octets
}

// set sets how many octets a connection buffers in one direction, which counts as progress.
func (h *hoard) set(c *Conn, which *int, octets int, now time.Duration) {
	h.held += octets - *which
	*which = octets
	if c.holds.in+c.holds.out == 0 {
		h.drop(c)
		return
	}
	c.stuck = max(1, now)
	h.stalled.add(c)
}

// drop forgets the octets of a connection.
func (h *hoard) drop(c *Conn) {
	h.held -= c.holds.in + c.holds.out
	c.holds.in, c.holds.out, c.stuck = 0, 0, 0
	h.stalled.remove(c)
}

// victim returns the connection that has stalled longest if there are too many octets; nil otherwise.
func (h *hoard) victim() *Conn {
	if h.held <= h.most {
		return nil
	}
	return h.stalled.first
}

// hold sets how many octets a connection buffers in one direction. If all together exceed MaxHeld, the connection that
// has stalled longest is reset. The lock is held.
func (c *Conn) hold(which *int, octets int) {
	if c.over {
		octets = 0 // goroutines that end still call this
	}
	if octets == 0 && *which == 0 {
		return
	}
	h := &c.d.hoard
	h.set(c, which, octets, c.d.now())
	for victim := h.victim(); victim != nil; victim = h.victim() {
		victim.cut(ErrHeld)
		h.drop(victim)
	}
	if !c.over && c.stuck > 0 {
		c.d.wake(c)
	}
}
