package live

// Sending: what TCP accepts at once, and what has to wait.

import "github.com/iwarpkit/iwarp/codec/mpa"

// batch limits the octets given to TCP at a time.
const batch = bufferLen

// transmit sends what is due; more reports whether more may follow at once.
func (c *conn) transmit() (more bool) {
	if c.writing || c.broken {
		return false
	}
	out := buffers.Get().(*[bufferLen]byte)
	b := c.player.AppendTransmit(out[:0], batch)
	if len(b) == 0 {
		buffers.Put(out)
		if c.player.Ending() == mpa.EndsFIN && !c.finished {
			c.sendFIN()
			return true
		}
		return false
	}
	c.tap(true, b, mpa.GoesOn)
	n, err := c.link.Send(b)
	if err == nil && n < len(b) {
		c.writing = true
		c.helpers.Go(func() { c.write(out, b[n:]) })
		return false
	}
	buffers.Put(out)
	if err != nil {
		c.sendFailed()
	}
	return err == nil
}

// sendFailed handles a failed write. It first reads what has arrived, then the reason.
func (c *conn) sendFailed() {
	c.broken = true
	if c.receivedEnd {
		c.wasReset()
	}
}

// write waits until all octets of buffer out are sent.
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

func (c *conn) writeDone(err error) {
	c.writing = false
	if err != nil {
		c.sendFailed()
	}
}

func (c *conn) sendFIN() {
	c.finished = true
	c.link.Finish()
	c.tap(true, nil, mpa.EndsFIN)
}
