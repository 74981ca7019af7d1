package driver

// Transmitting: from the Stream to the socket, by the goroutine that caused it.

import (
	"cmp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim/fault"
)

// A transmitter is the sending half of a connection. While sending is set, the goroutine that set it owns it.
type transmitter struct {
	wire    *wire
	buffers *buffers
	sending bool
	out     []byte // pulled off the Stream; nil for nothing
	sent    int    // octets of out
	fresh   bool   // the Tap has not been shown out
	fin     bool   // a FIN follows
	emss    int
	batches int // sent
	faults  *injector
	writer  func()

	finished bool // a FIN was sent; guarded by the lock
}

// remeasured is the number of buffers after which the size of segments is measured again.
const remeasured = 64

func newTransmitter(w *wire, b *buffers, faults []fault.Fault) transmitter {
	t := transmitter{wire: w, buffers: b}
	t.remeasure()
	if len(faults) > 0 {
		t.faults = newInjector(faults)
	}
	return t
}

// pump does everything possible without waiting: it settles, delivers completions and sends. The lock is held, and is
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
	limit := bufferLen
	if f := c.faults; f != nil {
		a := c.stream.Agreement()
		f.initiator, f.framing = c.initiator, a.Framing(c.initiator)
		if f.begun {
			limit = c.emss // one FPDU
		}
	}
	d := c.d
	if d.empty == nil {
		d.empty = d.buffers.take()
	}
	c.sent, c.fresh = 0, true
	out := c.stream.AppendTransmit(d.empty[:0], limit)
	c.fin = len(out) == 0 && c.stream.Ending() == mpa.EndsFIN && !c.finished
	c.sending = len(out) > 0 || c.fin
	if len(out) > 0 {
		c.out, d.empty = out, nil
	}
	return c.sending
}

// defaultEMSS is the size of segments if it is unknown. leastEMSS is the smallest that is used: the longest ULPDU that
// is never split fits.
const (
	defaultEMSS = 1460
	leastEMSS   = 160
)

// remeasure measures the size of segments.
func (t *transmitter) remeasure() {
	t.emss = defaultEMSS
	if n := t.wire.link.Segment(); n > 0 {
		t.emss = max(n, leastEMSS)
	}
}

func (t *transmitter) release() {
	if t.out != nil {
		t.buffers.giveBack(t.out)
	}
	t.out, t.sent = nil, 0
}

// write sends what was pulled. If the socket does not take it at once, another goroutine does the rest. The lock is
// held, but not during system calls.
func (c *Conn) write() {
	if c.faults != nil {
		c.startWriter()
		return
	}
	c.d.mu.Unlock()
	c.present()
	n, err := c.wire.link.Send(c.out)
	rest := len(c.out) - n
	if err == nil && rest == 0 {
		c.wrote()
		c.release() // before it waits for the lock
	}
	c.d.mu.Lock()
	c.took(n)
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

// present shows the Tap what was pulled, before any of it is sent. Faults do so themselves. The lock is not held.
func (t *transmitter) present() {
	if t.fresh {
		t.fresh = false
		t.wire.tap(true, t.out)
	}
}

// wrote is called when all octets are sent. The lock is not held.
func (t *transmitter) wrote() {
	if t.fin && (t.faults == nil || !t.faults.silent) {
		t.wire.Finish()
	}
	if t.batches++; t.batches%remeasured == 0 {
		t.remeasure()
	}
}

// took counts octets that TCP has taken. The lock is held.
func (c *Conn) took(n int) {
	c.sent += n
	if n > 0 {
		c.moved = c.d.now()
	}
}

// written ends what pull began. The lock is held.
func (c *Conn) written() {
	c.finished = c.finished || c.fin
	c.sending = false
	if !c.broken {
		c.active = c.d.now()
	}
	c.hold(&c.untaken, 0, false)
	c.release()
}

// startWriter starts the goroutine that waits until all is sent. The lock is held.
func (c *Conn) startWriter() {
	c.hold(&c.untaken, c.buffered(), false)
	if !c.start(c.writer) {
		c.broken = true
		c.written()
	}
}

// writeAll is that goroutine: it continues until there is nothing to send.
func (c *Conn) writeAll() {
	for mine := true; mine; {
		n, err := c.rest()
		c.d.mu.Lock()
		c.took(n)
		if err != nil {
			c.depart(err)
		} else if c.faults != nil && c.faults.fin {
			c.cause = cmp.Or(c.cause, ErrInjected)
		}
		if mine = err == nil && c.sent < len(c.out); !mine {
			c.written()
		}
		c.attend()
		if mine = mine || c.pull(); mine {
			c.hold(&c.untaken, c.buffered(), true)
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

// buffered returns how many octets of memory wait for the peer to read them; 0 if Faults hold them back.
func (t *transmitter) buffered() int {
	if t.faults != nil {
		return 0
	}
	return bufferLen
}

// rest sends some of the pulled octets. The lock is not held.
func (t *transmitter) rest() (n int, err error) {
	switch rest := t.out[t.sent:]; {
	case t.faults != nil:
		n, err = t.faults.write(t.wire, rest)
	case len(rest) > 0:
		t.present()
		n, err = t.wire.link.SendSome(rest)
	}
	if err == nil && t.sent+n == len(t.out) {
		t.wrote()
	}
	return n, err
}
