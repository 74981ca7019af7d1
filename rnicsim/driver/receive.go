package driver

// Receiving: from the socket into the Stream.

import "github.com/iwarpkit/iwarp/rnicsim"

// A receiver is the half of a connection that reads. One goroutine has it.
type receiver struct {
	in      inbox
	drained int // octets that came when the connection was over
}

func (r *receiver) init(c *Conn) { r.in.spare = &c.d.buffers }

// maxDrained is how many octets are passed over when a connection is over, so that what was sent last is not lost by a
// reset.
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
		c.heard = c.d.now()
		c.stream.Advance(c.heard)
		c.input()
		c.pump(true)
	}
}

// input takes in what was read. The lock is held.
func (c *Conn) input() {
	i := &c.in
	i.framed = c.stream.Phase() == rnicsim.Established && !c.marked() // then this is behind the MPA frame
	b := i.whole()
	n := c.stream.Input(b)
	if c.over {
		c.drained += n
	}
	for n < len(b) && c.stream.Phase() == rnicsim.Streaming { // after a rejection, nobody reads
		var scratch [512]byte
		c.stream.Read(scratch[:])
		n += c.stream.Input(b[n:])
	}
	i.start += len(b)
	c.hold(&c.holds.in, i.holds())
}

// marked tells that there are Markers in what comes in.
func (c *Conn) marked() bool {
	a := c.stream.Agreement()
	if c.initiator {
		return a.MarkersFromResp
	}
	return a.MarkersFromInit
}
