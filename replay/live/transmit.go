package live

// Sending: what TCP takes at once, and what it does not.

import "github.com/iwarpkit/iwarp/replay/player"

// batch is how many octets are given to TCP at a time.
const batch = bufferLen

// transmit sends what is to be sent next, and tells whether there may be more at once.
func (c *conn) transmit() (more bool) {
	if c.writing || c.broken {
		return false
	}
	out := buffers.Get().(*[bufferLen]byte)
	b := c.player.AppendTransmit(out[:0], batch)
	if len(b) == 0 {
		buffers.Put(out)
		if c.player.Ending() == player.EndsFIN && !c.finished {
			c.sendFIN()
			return true
		}
		return false
	}
	c.tap(true, b, player.GoesOn)
	n, err := c.link.Send(b)
	if err == nil && n < len(b) {
		c.writing = true
		c.helpers.Go(func() { c.write(out, b[n:]) })
		return false
	}
	buffers.Put(out)
	if err != nil {
		c.breaks()
	}
	return err == nil
}

// breaks is for when nothing can be sent any more. What has come before is read first, and then why that is.
func (c *conn) breaks() {
	c.broken = true
	if c.heardEnd {
		c.wasReset()
	}
}

// write waits until all octets are sent, which are in a buffer.
func (c *conn) write(out *[bufferLen]byte, b []byte) {
	defer buffers.Put(out)
	for len(b) > 0 {
		n, err := c.link.SendSome(b)
		if err != nil {
			c.written <- err
			return
		}
		b = b[n:]
	}
	c.written <- nil
}

// wrote ends what write was begun for.
func (c *conn) wrote(err error) {
	c.writing = false
	if err != nil {
		c.breaks()
	}
}

// sendFIN closes the own direction.
func (c *conn) sendFIN() {
	c.finished = true
	c.link.Finish()
	c.tap(true, nil, player.EndsFIN)
}
