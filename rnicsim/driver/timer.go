package driver

// Time: one timer for all connections, set to the earliest deadline.

import (
	"container/heap"
	"time"
)

// A timer holds the connections with a deadline, sorted by it. The lock guards it.
type timer struct {
	waiting deadlines
	clock   *time.Timer
	armed   bool // for at
	at      time.Duration
}

// A waits holds the deadlines of a connection, on the clock of the Device; zero for none. The lock guards it.
type waits struct {
	timeout  time.Duration // for the peer's MPA frame, for an answer to its Request, or for the end of a close
	idle     time.Duration // as in Config
	stall    time.Duration
	answerBy time.Duration
	closeBy  time.Duration
	moved    time.Duration // when octets were last received, or taken by TCP
	active   time.Duration // when the peer last finished an FPDU, or read all octets that waited for it
	wakeAt   time.Duration // not after the earliest deadline
	place    int           // in the heap, from 1; 0 for none

	unfinished backlog // the FPDU that the peer has begun
	untaken    backlog // octets that TCP does not accept, because the peer does not read
}

// stuck returns since when octets have waited for the peer; zero if none do.
func (w *waits) stuck() time.Duration { return sooner(w.unfinished.since, w.untaken.since) }

// idleAt returns when the idle limit is exceeded; zero for never.
func (w *waits) idleAt() time.Duration {
	if w.idle <= 0 {
		return 0
	}
	return w.moved + w.idle
}

// stalledAt returns when the stall limit is exceeded; zero for never.
func (w *waits) stalledAt() time.Duration {
	if w.stuck() == 0 || w.stall <= 0 {
		return 0
	}
	return w.stuck() + w.stall
}

func (w *waits) deadline() time.Duration {
	return sooner(sooner(w.answerBy, w.closeBy), sooner(w.idleAt(), w.stalledAt()))
}

// sooner returns the earlier of two times; zero is none.
func sooner(a, b time.Duration) time.Duration {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// expired returns why a connection must end now; nil if it need not.
func (w *waits) expired(now time.Duration) error {
	due := func(at time.Duration) bool { return at > 0 && at <= now }
	switch {
	case due(w.answerBy):
		return ErrNotAccepted
	case due(w.closeBy):
		return ErrUnfinished
	case due(w.idleAt()):
		return ErrIdle
	case due(w.stalledAt()):
		return ErrStalled
	}
	return nil
}

// wake makes sure that the connection is checked when its next deadline passes. An earlier time stays. The lock is
// held.
func (d *Device) wake(c *Conn) {
	at, _ := c.stream.NextDeadline()
	at = sooner(at, c.deadline())
	t := &d.timer
	switch {
	case at == 0, c.place > 0 && c.wakeAt <= at:
		return
	case c.place > 0:
		c.wakeAt = at
		heap.Fix(&t.waiting, c.place-1)
	default:
		c.wakeAt = at
		heap.Push(&t.waiting, c)
	}
	t.arm(d)
}

// remove removes a connection. The lock is held.
func (t *timer) remove(c *Conn) {
	if c.place > 0 {
		heap.Remove(&t.waiting, c.place-1)
	}
}

// arm sets the timer to the first deadline. The lock is held.
func (t *timer) arm(d *Device) {
	if len(t.waiting) == 0 || d.closed {
		return
	}
	at := t.waiting[0].wakeAt
	switch {
	case !t.armed:
		d.running.Add(1)
	case t.at <= at || !t.clock.Stop(): // tick runs now, and arms it again
		return
	}
	t.armed, t.at = true, at
	after := max(0, at-d.now())
	if t.clock == nil {
		t.clock = time.AfterFunc(after, d.tick)
		return
	}
	t.clock.Reset(after)
}

// stop stops the timer. The lock is held.
func (t *timer) stop(d *Device) {
	if t.armed && t.clock.Stop() {
		t.armed = false
		d.running.Done()
	}
}

// tick handles all deadlines that have passed.
func (d *Device) tick() {
	defer d.running.Done()
	d.mu.Lock()
	t := &d.timer
	t.armed = false
	for len(t.waiting) > 0 && t.waiting[0].wakeAt <= d.now() {
		c := t.waiting[0]
		heap.Pop(&t.waiting)
		c.users++
		now := d.now()
		c.stream.Advance(now)
		if err := c.expired(now); err != nil {
			c.cut(err)
		}
		c.pump(true)
		d.mu.Lock()
		c.unuse()
	}
	t.arm(d)
	d.mu.Unlock()
}

// A deadlines is a heap.
type deadlines []*Conn

func (h deadlines) Len() int           { return len(h) }
func (h deadlines) Less(i, j int) bool { return h[i].wakeAt < h[j].wakeAt }
func (h deadlines) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i+1, j+1
}

// Push implements heap.Interface.
func (h *deadlines) Push(x any) {
	c := x.(*Conn)
	*h = append(*h, c)
	c.place = len(*h)
}

// Pop implements heap.Interface.
func (h *deadlines) Pop() any {
	last := len(*h) - 1
	c := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	c.place = 0
	return c
}
