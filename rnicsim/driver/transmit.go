package driver

// Transmitting: from the Stream to the socket, by the goroutine that has caused it.

import (
	"github.com/iwarpkit/iwarp/internal/link"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// A transmitter is the sending half of a connection. While sending is set, the goroutine that set it owns it.
type transmitter struct {
	sending bool
	out     []byte // pulled off the Stream; nil for nothing
	sent    int    // octets of out
	fin     bool   // a FIN follows
	emss    int
	batches int // sent
	faults  *injector
	writer  func()

	finished bool // a FIN was sent; guarded by the lock
}

// FPDUs are pulled in batches of so many octets. After so many batches the size of segments is measured again.
const (
	batch      = 256 << 10
	remeasured = 64
)

func (t *transmitter) init(c *Conn) {
	t.remeasure(c.link)
	t.writer = c.writeAll
	if len(c.d.config.Faults) > 0 {
		t.faults = newInjector(c.d.config.Faults)
	}
}

// pump does all that can be done without waiting: it settles, delivers completions and sends. The lock is held, and is
// released. own is set if the goroutine is the driver's, and so may call the user.
func (c *Conn) pump(own bool) {
	for {
		c.settle()
		switch {
		case own && c.deliver():
		case c.pull():
			c.write()
		default:
			if c.deliverable() {
				c.started = c.start(c.deliverer)
			}
			c.d.mu.Unlock()
			return
		}
	}
}

// pull takes the next octets off the Stream, and reports whether there are any. The lock is held.
func (c *Conn) pull() bool {
	if c.sending || c.broken {
		return false
	}
	c.stream.SetEMSS(c.emss)
	limit := batch
	if c.faults != nil && c.faults.begun {
		limit = c.emss // one FPDU
	}
	d := c.d
	if d.empty == nil {
		d.empty = d.buffers.take()
	}
	c.sent = 0
	out := c.stream.AppendTransmit(d.empty[:0], limit)
	c.fin = len(out) == 0 && c.stream.Ending() == rnicsim.EndsFIN && !c.finished
	c.sending = len(out) > 0 || c.fin
	if len(out) > 0 {
		c.out, d.empty = out, nil
	}
	return c.sending
}

// defaultEMSS is the size of segments if it is unknown. leastEMSS is the smallest that is used: the longest ULPDU that
// is never cut fits.
const (
	defaultEMSS = 1460
	leastEMSS   = 160
)

// remeasure measures the size of segments.
func (t *transmitter) remeasure(l link.Link) {
	t.emss = defaultEMSS
	if n := l.Segment(); n > 0 {
		t.emss = max(n, leastEMSS)
	}
}

// release gives the buffer back.
func (c *Conn) release() {
	if c.out != nil {
		c.d.buffers.giveBack(c.out)
	}
	c.out, c.sent = nil, 0
}

// write sends what was pulled. If the socket does not take it at once, another goroutine does the rest. The lock is
// held, but not during system calls.
func (c *Conn) write() {
	if c.faults != nil {
		c.startWriter()
		return
	}
	c.d.mu.Unlock()
	c.tap(true, c.out)
	n, err := c.link.Send(c.out)
	rest := len(c.out) - n
	if err == nil && rest == 0 {
		c.wrote()
		c.release() // before it waits for the lock
	}
	c.d.mu.Lock()
	c.sent = n
	switch {
	case err != nil:
		c.depart(err)
		c.written()
	case rest > 0:
		c.startWriter()
	default:
		c.written()
	}
}

// wrote is called when all octets are sent. The lock is not held.
func (c *Conn) wrote() {
	if c.fin && (c.faults == nil || !c.faults.silent) {
		c.link.Finish()
		c.tapEnd(true, rnicsim.EndsFIN)
	}
	if c.batches++; c.batches%remeasured == 0 {
		c.remeasure(c.link)
	}
}

// written ends what pull began. The lock is held.
func (c *Conn) written() {
	c.finished = c.finished || c.fin
	c.sending = false
	c.hold(&c.holds.out, 0)
	c.release()
}

// startWriter starts the goroutine that waits until all is sent. The lock is held.
func (c *Conn) startWriter() {
	c.waitsToSend()
	if !c.start(c.writer) {
		c.broken = true
		c.written()
	}
}

// writeAll is that goroutine: it goes on until there is nothing to send.
func (c *Conn) writeAll() {
	for mine := true; mine; {
		n, err := c.writeRest()
		c.d.mu.Lock()
		c.sent += n
		if err != nil {
			c.depart(err)
		}
		if mine = err == nil && c.sent < len(c.out); !mine {
			c.written()
		}
		c.attend()
		if mine = mine || c.pull(); mine {
			c.waitsToSend()
			c.attend()
			c.d.mu.Unlock()
		}
	}
	c.leave()
}

// attend settles and delivers completions. The lock is held.
func (c *Conn) attend() {
	for c.settle(); c.deliver(); c.settle() {
	}
}

// waitsToSend counts what is buffered until the peer takes it, unless a Fault holds it back. The lock is held.
func (c *Conn) waitsToSend() {
	if c.faults == nil {
		c.hold(&c.holds.out, bufferLen)
	}
}

// writeRest sends some of what was pulled. The lock is not held.
func (c *Conn) writeRest() (n int, err error) {
	switch rest := c.out[c.sent:]; {
	case c.faults != nil:
		n, err = c.faults.write(c, rest)
	case len(rest) > 0:
		n, err = c.link.SendSome(rest)
	}
	if err == nil && c.sent+n == len(c.out) {
		c.wrote()
	}
	return n, err
}
