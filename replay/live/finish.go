package live

// The end of a connection.

import (
	"context"
	"fmt"
	"time"

	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
)

// What is passed over behind the last step, so that what was sent last is not lost by a reset: so many octets, for so
// long.
const (
	drainTime = time.Second
	maxDrain  = 1 << 20
)

// finish ends the connection as its last steps want it, and returns what became of it.
func (c *conn) finish(ctx context.Context) *outcome.Conn {
	sent := true
	if c.player.Ending() != player.EndsReset {
		sent = c.flush(ctx)
	}
	if ctx.Err() != nil || !sent || c.player.Ending() == player.EndsReset {
		c.reset()
	} else {
		c.close()
	}
	return c.outcome(ctx.Err() != nil, sent)
}

// flush waits until TCP has taken all that was sent, and tells whether it has.
func (c *conn) flush(ctx context.Context) bool {
	late := time.NewTimer(c.options.Player.StepTimeout)
	defer late.Stop()
	for c.writing {
		select {
		case in := <-c.input:
			c.pass(in)
		case err := <-c.written:
			c.wrote(err)
		case <-late.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// pass passes over what comes behind the last step, and returns how many octets that is.
func (c *conn) pass(in received) int {
	c.heardEnd = c.heardEnd || in.err != nil
	if in.n > 0 {
		c.tap(false, in.buffer[:in.n], player.GoesOn)
	}
	in.release()
	return in.n
}

// close closes the connection, and waits a little for the other side to do so too.
func (c *conn) close() {
	if !c.finished && !c.broken {
		c.sendFIN()
	}
	c.link.Until(time.Now().Add(drainTime))
	for drained := 0; !c.heardEnd && drained < maxDrain; {
		drained += c.pass(<-c.input)
	}
	c.link.Close()
}

// reset resets the connection.
func (c *conn) reset() {
	if !c.broken {
		c.tap(true, nil, player.EndsReset)
	}
	c.link.Reset()
}

// outcome is what the Player says, and what only this package knows.
func (c *conn) outcome(stopped, sent bool) *outcome.Conn {
	o := c.player.Outcome()
	switch {
	case stopped && !c.player.Done():
		return ended(o, interrupted)
	case !sent:
		o = ended(o, fmt.Sprintf("the other side did not take what was sent in %v", c.options.Player.StepTimeout.Round(time.Millisecond)))
		unsent(o)
	case c.lost != nil && o.End != "":
		return ended(o, cause(c.lost))
	}
	return o
}

// ended is an Outcome with an End.
func ended(o *outcome.Conn, why string) *outcome.Conn {
	e := *o
	e.End = why
	return &e
}

// unsent makes the last step of the own side one that was not sent.
func unsent(o *outcome.Conn) {
	o.Steps = append([]outcome.Step{}, o.Steps...)
	for i := len(o.Steps) - 1; i >= 0; i-- {
		if s := &o.Steps[i]; s.Verdict == outcome.Sent {
			s.Verdict, s.Reason, s.At = outcome.NotSent, "the other side did not take it", 0
			return
		}
	}
}
