package driver

// Completions: waited for, or delivered to a handler.

import (
	"context"
	"io"

	"github.com/iwarpkit/iwarp/rnicsim"
)

// calledWith limits the completions of one call of a handler.
const calledWith = 32

// A completions holds the completions of a connection. The lock guards it.
type completions struct {
	own        *rnicsim.CQ          // nil if the user has configured both CQs
	wake       chan struct{}        // there may be completions, or the connection is over
	left       []rnicsim.Completion // of a connection that is over
	handler    func([]rnicsim.Completion)
	calls      []rnicsim.Completion // for the handler
	due        bool                 // the handler may have to be called
	delivering bool                 // it is being called
	started    bool                 // a goroutine was started to call it
	deliverer  func()
}

// notify is called when a completion was added, and at the end. The lock is held.
func (c *completions) notify() {
	c.due = true
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// poll polls completions. If it returns all, the next one calls notify. The lock is held.
func (c *completions) poll(dst []rnicsim.Completion) int {
	if c.own == nil {
		n := copy(dst, c.left)
		c.left = c.left[n:]
		return n
	}
	n, _ := c.own.Poll(dst)
	if n < len(dst) {
		c.own.RequestNotification(false)
	}
	return n
}

// detach detaches the CQ, and keeps the completions that were not polled.
func (c *completions) detach() (own *rnicsim.CQ) {
	if own = c.own; own == nil {
		return nil
	}
	var some [16]rnicsim.Completion
	for n := c.poll(some[:]); n > 0; n = c.poll(some[:]) {
		c.left = append(c.left, some[:n]...)
	}
	c.own = nil
	return own
}

// Wait moves completions of the connection's own CQ into dst, at least one, and returns how many. dst must not be
// empty. When the connection is over and all completions are taken, it returns Err, or io.EOF after a graceful close.
// It fails with the error of ctx when that is done.
func (c *Conn) Wait(ctx context.Context, dst []rnicsim.Completion) (int, error) {
	for {
		c.d.mu.Lock()
		n := c.poll(dst)
		over, err := c.over, c.err
		if n == len(dst) || over {
			c.notify() // other callers of Wait may find more
		}
		c.d.mu.Unlock()
		switch {
		case n > 0:
			return n, nil
		case over && err == nil:
			return 0, io.EOF
		case over:
			return 0, err
		}
		select {
		case <-c.wake:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

// OnCompletion sets a handler that is called with the completions of the connection's own CQ, with those not taken
// yet; nil for Wait. It is called by one goroutine of the driver at a time, mostly the one that reads the socket,
// without the lock. It may use all functions of the Conn, but must not block: nothing is read meanwhile. Its slice is
// valid until it returns. The last call comes before Done is closed.
func (c *Conn) OnCompletion(call func([]rnicsim.Completion)) {
	defer c.d.lock()()
	c.handler, c.due = call, true
	if call == nil {
		c.report()
		return
	}
	if c.calls == nil {
		c.calls = make([]rnicsim.Completion, calledWith)
	}
}

// deliverable reports whether the handler has to be called. The lock is held.
func (c *completions) deliverable() bool {
	return c.due && c.handler != nil && !c.delivering && !c.started
}

// deliver calls the handler, if there are completions for it, and reports whether it did. The lock is held, but not
// during the call.
func (c *Conn) deliver() bool {
	if !c.deliverable() {
		return false
	}
	n := c.poll(c.calls)
	if n == 0 {
		c.due = false
		c.report()
		return false
	}
	call := c.handler
	c.delivering = true
	c.d.mu.Unlock()
	call(c.calls[:n])
	c.d.mu.Lock()
	c.delivering = false
	return true
}

// deliverAll is a goroutine that calls the handler when no other can.
func (c *Conn) deliverAll() {
	c.d.mu.Lock()
	c.started = false
	c.leave()
}
