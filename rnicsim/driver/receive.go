package driver

// Receiving: from the socket into the Stream.

import "github.com/iwarpkit/iwarp/rnicsim"

// A receiver is the reading half of a connection. One goroutine owns it.
type receiver struct {
	in      inbox
	drained int // octets that came after the connection was over
}

// maxDrained limits the octets that are discarded after a connection is over. An earlier reset might destroy what was
// sent last.
const maxDrained = 1 << 20

// read is the goroutine that reads.
func (c *Conn) read() {
	for {
		n, err := c.link.Receive(&c.in)
		if n > 0 {
			c.in.end += n
			c.tap(false, c.in.b[c.in.end-n:c.in.end])
		}
		c.d.mu.Lock()
		if err != nil || c.drained > maxDrained {
			c.endOfInput(err)
			return
		}
		c.received = c.d.now()
		c.stream.Advance(c.received)
		c.input()
		c.pump(true)
	}
}

// input passes octets to the Stream. The lock is held.
func (c *Conn) input() {
	i, a := &c.in, c.stream.Agreement()
	i.framed = c.stream.Phase() == rnicsim.Established && !a.Framing(!c.initiator).Markers // the MPA frame is then behind us
	b := i.whole()
	before := c.stream.Framed()
	n := c.stream.Input(b)
	if c.over {
		c.drained += n
	}
	for n < len(b) && c.stream.Phase() == rnicsim.Streaming { // after a rejection: discard
		var scratch [512]byte
		c.stream.Read(scratch[:])
		n += c.stream.Input(b[n:])
	}
	i.start += len(b)
	progress := c.stream.Framed() != before
	if progress {
		c.active = c.received
	}
	c.hold(&c.unfinished, i.holds()+c.stream.Unfinished(), progress)
}
