package live

// How a connection ends.

import (
	"context"
	"fmt"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/outcome"
)

// Limits for the octets that are read and discarded after the last step, so that no reset destroys the last sent
// octets.
const (
	drainTime = time.Second
	maxDrain  = 1 << 20
)

// finish ends the connection as its last steps demand, and returns the ending.
func (c *conn) finish(ctx context.Context) *outcome.Conn {
	sent := true
	if c.player.Ending() != mpa.EndsReset {
		sent = c.flush(ctx)
	}
	if ctx.Err() != nil || !sent || c.player.Ending() == mpa.EndsReset {
		c.reset()
	} else {
		c.close()
	}
	return c.outcome(ctx.Err() != nil, sent)
}

// flush waits until TCP has accepted all that was sent; it fails if that takes too long.
func (c *conn) flush(ctx context.Context) bool {
	late := time.NewTimer(c.options.Player.StepTimeout)
	defer late.Stop()
	for c.writing {
		select {
		case in := <-c.input:
			c.discard(in)
		case err := <-c.written:
			c.writeDone(err)
		case <-late.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// discard drops what arrives after the last step, and returns the number of octets.
func (c *conn) discard(in received) int {
	c.receivedEnd = c.receivedEnd || in.err != nil
	if in.n > 0 {
		c.tap(false, in.buffer[:in.n], mpa.GoesOn)
	}
	in.release()
	return in.n
}

// close closes the connection, and waits a little for the other side to close it, too.
func (c *conn) close() {
	if !c.finished && !c.broken {
		c.sendFIN()
	}
	c.link.Until(time.Now().Add(drainTime))
	for drained := 0; !c.receivedEnd && drained < maxDrain; {
		drained += c.discard(<-c.input)
	}
	c.link.Close()
}

func (c *conn) reset() {
	if !c.broken {
		c.tap(true, nil, mpa.EndsReset)
	}
	c.link.Reset()
}

// outcome returns the Player's Outcome, completed by what only this package knows.
func (c *conn) outcome(stopped, sent bool) *outcome.Conn {
	o := c.player.Outcome()
	switch {
	case stopped && !c.player.Done():
		return ended(o, interrupted)
	case !sent:
		o = ended(o, fmt.Sprintf("the other side did not read what was sent in %v", c.options.Player.StepTimeout.Round(time.Millisecond)))
		unsent(o)
	case c.lost != nil && o.End != "":
		return ended(o, cause(c.lost))
	}
	return o
}

func ended(o *outcome.Conn, why string) *outcome.Conn {
	e := *o
	e.End = why
	return &e
}

// unsent changes the last step of the own side to one that was not sent.
func unsent(o *outcome.Conn) {
	o.Steps = append([]outcome.Step{}, o.Steps...)
	for i := len(o.Steps) - 1; i >= 0; i-- {
		if s := &o.Steps[i]; s.Verdict == outcome.Sent {
			s.Verdict, s.Reason, s.At = outcome.NotSent, "the other side did not read it", 0
			return
		}
	}
}
