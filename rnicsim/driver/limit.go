package driver

// Limits that keep one peer from harming others.

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

// hold sets how many octets a connection buffers in one direction, which counts as progress. If all together exceed
// MaxHeld, the connection that has stalled longest is reset. The lock is held.
func (c *Conn) hold(which *int, octets int) {
	d := c.d
	if c.over {
		octets = 0 // goroutines that end still call this
	}
	if octets == 0 && *which == 0 {
		return
	}
	d.held += octets - *which
	*which = octets
	if c.holds.in+c.holds.out == 0 {
		c.stuck = 0
		d.stalled.remove(c)
		return
	}
	c.stuck = max(1, d.now())
	d.stalled.add(c)
	for d.held > d.config.MaxHeld && d.stalled.first != nil {
		victim := d.stalled.first
		victim.cut(ErrHeld)
		victim.holdNothing()
	}
	if !c.over {
		d.wake(c)
	}
}

// holdNothing is called when a connection is over, or is about to be. The lock is held.
func (c *Conn) holdNothing() {
	c.d.held -= c.holds.in + c.holds.out
	c.holds.in, c.holds.out, c.stuck = 0, 0, 0
	c.d.stalled.remove(c)
}
