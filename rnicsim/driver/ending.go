package driver

// How a connection ends, and what it releases then.

import (
	"errors"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/internal/link"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// An ending holds what a connection needs for its end. The lock guards it.
type ending struct {
	users      int  // its goroutines, and one until it is over
	closed     bool // Close was called
	closing    bool // and the QP is not in Closing yet, because of outstanding work
	broken     bool // nothing more can be sent
	wasCut     bool // the link was reset
	inputEnded bool // by a FIN or otherwise
	over       bool
	reported   bool // done is closed
	done       chan struct{}
	cause      error // why the driver ended it, if it did
	err        error
}

// drainTime limits the wait for the peer's FIN when a connection is over. An earlier reset might destroy the last sent
// octets.
const drainTime = time.Second

// start starts a goroutine of the connection, unless the Device is closed. The lock is held.
func (c *Conn) start(f func()) bool {
	if c.d.closed {
		return false
	}
	c.d.running.Add(1)
	c.users++
	go f()
	return true
}

// leave ends a goroutine of the connection. The lock is held, and is released.
func (c *Conn) leave() {
	c.pump(true)
	c.d.mu.Lock()
	c.unuse()
	c.d.mu.Unlock()
	c.d.running.Done()
}

// unuse removes a user; with the last one the connection is gone. The lock is held.
func (c *Conn) unuse() {
	if c.users--; c.users == 0 {
		c.wire.link.Close()
		delete(c.d.conns, c)
	}
}

// endOfInput ends the goroutine that reads. The lock is held, and is released.
func (c *Conn) endOfInput(err error) {
	c.wire.departed(err)
	if link.DepartureBy(err) == link.ByFIN && c.in.end > c.in.start && !c.over {
		c.stream.Input(c.in.b[c.in.start:c.in.end])
	}
	c.hold(&c.unfinished, 0, false)
	c.inputEnded = true
	c.depart(err)
	c.in.drop()
	c.in.small = nil
	c.leave()
}

// depart handles an error of the link, or of a Fault. The lock is held.
func (c *Conn) depart(err error) {
	if errors.Is(err, ErrInjected) {
		c.cut(err)
		return
	}
	switch link.DepartureBy(err) {
	case link.ByFIN:
		c.stream.InputFIN()
	case link.ByReset:
		c.broken = true
		c.stream.InputReset()
	default:
		c.broken = true
		c.stream.Lost()
	}
}

// settle follows the state of the Stream. The lock is held.
func (c *Conn) settle() {
	if c.over {
		return
	}
	if c.begin(); c.over { // the Listener has reset it
		return
	}
	if most := c.d.config.MaxOctets; most > 0 && c.Octets() > most && !c.wasCut {
		c.cut(ErrTooManyOctets)
		return
	}
	if c.closing && c.qp != nil && !c.qp.Busy() {
		c.closing, c.closeBy = false, 0
		c.qp.Modify(rnicsim.Modification{State: rnicsim.Closing}) // fails unless it is in RTS: it closes by itself then
	}
	if c.stream.Ending() == mpa.EndsReset {
		c.disconnect()
	}
	if c.stream.Phase() == rnicsim.Closed && (c.broken || c.finished) {
		c.conclude()
		return
	}
	c.d.wake(c)
}

// conclude ends the connection and releases its resources of the RNIC, but keeps completions that were not polled. The
// lock is held.
func (c *Conn) conclude() {
	c.err = c.reason()
	c.over = true
	close(c.wire.gone)
	c.d.held.drop(&c.waits)
	c.d.timer.remove(c)
	c.d.retire(c)
	if !c.inputEnded {
		c.wire.link.Until(time.Now().Add(drainTime))
	}
	if c.handler == nil {
		c.report()
	}
	c.begin()
	c.notify()
	c.unuse()
	c.d.logEnd(c)
	if c.listener != nil && !c.taken {
		c.listener.failed(c, c.err)
	}
}

// report closes done, once no completion is left for the handler.
func (e *ending) report() {
	if e.over && !e.reported {
		e.reported = true
		close(e.done)
	}
}

// Done returns a channel that is closed when the connection is over: both sides have sent a FIN, or it was reset.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns why the connection is over: *Terminated if either side has sent a Terminate, a rnicsim.StreamError, or an
// error of this package. It is nil until then, and after a graceful close.
func (c *Conn) Err() error {
	defer c.d.lock()()
	return c.err
}

// Cause returns why the connection ends: Err when it is over, and what Err will be while the peer's FIN is awaited
// after a Terminate or an error. It is nil while the connection continues.
func (c *Conn) Cause() error {
	defer c.d.lock()()
	if c.over {
		return c.err
	}
	return c.reason()
}

// Close closes the connection gracefully: it sends a FIN once all posted work is complete. Completions may arrive until
// the peer sends its own FIN. If that does not come within the Timeout of the Stream, the connection is reset. Close
// does not wait; Done reports the end.
func (c *Conn) Close() error {
	c.d.mu.Lock()
	if !c.over && !c.closed {
		c.closing, c.closed = true, true
		c.stream.Advance(c.d.now())
		c.closeBy = c.d.now() + c.timeout
		if c.qp == nil || c.stream.Phase() != rnicsim.Established {
			c.stream.Close()
		}
	}
	c.pump(false)
	return nil
}

// Abort resets the connection.
func (c *Conn) Abort() error {
	c.d.mu.Lock()
	c.cut(rnicsim.ErrAborted)
	c.pump(false)
	return nil
}

// cut resets the connection; cause is the driver's reason. The lock is held.
func (c *Conn) cut(cause error) {
	if c.over {
		return
	}
	if c.cause == nil && c.stream.Phase() != rnicsim.Closed {
		c.cause = cause
	}
	c.stream.Abort()
	c.disconnect() // even if only its FIN is still to be sent
	c.settle()
}

// disconnect resets the link. The lock is held.
func (c *Conn) disconnect() {
	if !c.wasCut {
		c.wasCut, c.broken = true, true
		c.wire.reset()
	}
}
