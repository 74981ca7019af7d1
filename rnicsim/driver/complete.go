package driver

// Completions: for who waits for them, and for who is called.

import (
	"context"
	"io"

	"github.com/iwarpkit/iwarp/rnicsim"
)

// calledWith is how many completions a handler is called with at most.
const calledWith = 32

// completion is what a connection has for its completions.
type completion struct {
	wake       chan struct{}        // there may be completions, or the connection is over
	left       []rnicsim.Completion // of a connection that is over
	handler    func([]rnicsim.Completion)
	calls      []rnicsim.Completion // what the handler is called with
	due        bool                 // there may be some for the handler
	delivering bool                 // it is being called
	summoned   bool                 // a goroutine was started for that
	deliverer  func()
}

func (c *completion) init(of *Conn) {
	c.wake = make(chan struct{}, 1)
	c.deliverer = of.deliverAll
}

// notify is for a completion that was added, or the end. The lock is held.
func (c *completion) notify() {
	c.due = true
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// poll takes completions. If it takes all, notify is called with the next. The lock is held.
func (c *Conn) poll(dst []rnicsim.Completion) int {
	if c.over {
		n := copy(dst, c.left)
		c.left = c.left[n:]
		return n
	}
	if c.own == nil {
		return 0
	}
	n, _ := c.own.Poll(dst)
	if n < len(dst) {
		c.own.RequestNotification(rnicsim.NextCompletion)
	}
	return n
}

// Wait takes completions of the connection's own CQ, at least one, into dst, which must not be empty, and returns how
// many. When the connection is over and there are no more it returns Err, or io.EOF after a graceful close. It fails with
// the error of ctx when that is done.
func (c *Conn) Wait(ctx context.Context, dst []rnicsim.Completion) (int, error) {
	for {
		c.d.mu.Lock()
		n := c.poll(dst)
		over, err := c.over, c.err
		if n == len(dst) || over {
			c.notify() // others that wait may find more
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

// OnCompletion says who is called with the completions of the connection's own CQ, those that wait included, instead of
// Wait; nil for Wait again. Calls come one at a time, in a goroutine of the driver, mostly the one that reads the socket, and
// without the lock. They may use all functions of the Conn, and must not block: nothing is read meanwhile. What they are
// given is valid until they return. The last one comes before Done is closed.
func (c *Conn) OnCompletion(call func([]rnicsim.Completion)) {
	defer c.d.lock()()
	c.handler, c.due = call, true
	if call == nil {
		c.tell()
		return
	}
	if c.calls == nil {
		c.calls = make([]rnicsim.Completion, calledWith)
	}
}

// deliverable tells that the handler is to be called. The lock is held.
func (c *Conn) deliverable() bool { return c.due && c.handler != nil && !c.delivering && !c.summoned }

// deliver calls the handler, if there is something to call it with. The lock is held, but not during the call.
func (c *Conn) deliver() bool {
	if !c.deliverable() {
		return false
	}
	n := c.poll(c.calls)
	if n == 0 {
		c.due = false
		c.tell()
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

// deliverAll is a goroutine that calls the handler where no other can.
func (c *Conn) deliverAll() {
	c.d.mu.Lock()
	c.summoned = false
	c.leave()
}
