package driver

// The start-up of a connection, at both ends.

import (
	"context"
	"net"
	"time"

	"github.com/iwarpkit/iwarp/internal/link"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// A startup holds the state of a connection's start-up. The lock guards it.
type startup struct {
	initiator bool
	listener  *Listener     // inbound: the one that gets the Request; nil for none
	taken     bool          // inbound: the Listener's Accept has returned the Request
	answered  bool          // inbound: Accept or Reject was called
	attached  bool          // the QP was brought to RTS
	refused   *Rejected     // the peer rejected
	ready     chan struct{} // closed when start-up has succeeded or failed
	clear     bool          // ready is closed
}

// begin follows the start-up of the Stream. The lock is held.
func (c *Conn) begin() {
	if c.clear {
		return
	}
	switch c.stream.Phase() {
	case rnicsim.Established:
		c.attach()
	case rnicsim.Streaming:
		if f := c.stream.Reply(); c.initiator && f.R {
			c.refused = &Rejected{Request: c.stream.Request(), Reply: f}
			c.stream.Close()
			c.clears()
		}
	case rnicsim.Deciding:
		c.clears()
		c.answerBy = c.d.now() + c.timeout
		if c.listener != nil {
			c.listener.offer(c)
		}
	case rnicsim.Closed:
		c.clears()
	}
}

// clears wakes the waiters for the start-up.
func (s *startup) clears() {
	if !s.clear {
		s.clear = true
		close(s.ready)
	}
}

// attach brings the QP of an Initiator to RTS. The lock is held.
func (c *Conn) attach() {
	if err := c.qp.Modify(rnicsim.Modification{State: rnicsim.RTS, Stream: c.stream}); err != nil {
		c.cut(err)
	}
	c.attached = true
	c.clears()
}

// Dial connects to a peer and starts MPA as the Initiator. It returns when the QP is in RTS. It fails like net.Dialer,
// with *Rejected if the peer rejects the Request, or like Conn.Err.
func (d *Device) Dial(ctx context.Context, network, address string, c ConnConfig) (*Conn, error) {
	dialer := net.Dialer{Control: link.Unpaced}
	nc, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return d.Initiate(ctx, nc, c)
}

// Initiate starts MPA as the Initiator on nc, like Dial. It owns nc from then on, even if it fails.
func (d *Device) Initiate(ctx context.Context, nc net.Conn, config ConnConfig) (*Conn, error) {
	sizes(&config.QP, defaultReads, defaultReads)
	if config.Stream == (rnicsim.StreamConfig{}) {
		config.Stream = streamDefaults(config.QP.IRD, config.QP.ORD)
	}
	c := newConn(d, nc, config.Stream)
	c.config, c.initiator = config, true
	if err := c.enter(); err != nil {
		return nil, err
	}
	if err := c.createQP(); err != nil {
		return nil, c.abandon(err)
	}
	d.mu.Lock()
	c.stream.Advance(d.now())
	if err := c.stream.Connect(c.config.Private); err != nil {
		d.mu.Unlock()
		return nil, c.abandon(err) // which keeps an earlier cause if the Device was closed meanwhile
	}
	c.start(c.read)
	c.pump(false)
	if err := c.await(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// enter adds the connection to the Device, or resets the link. The lock is not held.
func (c *Conn) enter() error {
	defer c.d.lock()()
	c.moved = c.d.now()
	c.active = c.moved
	err := c.d.enter(c)
	if err != nil {
		c.wire.link.Reset()
	}
	return err
}

// abandon resets a connection and returns err.
func (c *Conn) abandon(err error) error {
	c.d.mu.Lock()
	c.cut(err)
	c.pump(false)
	return err
}

// await waits for the end of the start-up and returns its error.
func (c *Conn) await(ctx context.Context) error {
	select {
	case <-c.ready:
	case <-ctx.Done():
		return c.abandon(ctx.Err())
	}
	defer c.d.lock()()
	switch {
	case c.refused != nil:
		return c.refused
	case c.attached:
		return nil
	}
	return c.failure()
}

// Respond awaits an MPA Request on nc and returns it. It fails like Conn.Err. It owns nc from then on, even if it
// fails.
func (d *Device) Respond(ctx context.Context, nc net.Conn, s rnicsim.StreamConfig) (*Request, error) {
	c, err := d.respond(nc, s, nil)
	if err != nil {
		return nil, err
	}
	select {
	case <-c.ready:
	case <-ctx.Done():
		return nil, c.abandon(ctx.Err())
	}
	defer d.lock()()
	if c.stream.Phase() != rnicsim.Deciding {
		return nil, c.stream.Err()
	}
	return &Request{c: c, frame: c.stream.Request()}, nil
}

// respond starts MPA as the Responder.
func (d *Device) respond(nc net.Conn, s rnicsim.StreamConfig, l *Listener) (*Conn, error) {
	if s == (rnicsim.StreamConfig{}) {
		s = streamDefaults(defaultReads, defaultReads)
	}
	c := newConn(d, nc, s)
	c.config.Stream, c.listener = s, l
	if err := c.enter(); err != nil {
		if l != nil {
			l.failed(c, err)
		}
		return nil, err
	}
	d.mu.Lock()
	if c.over {
		defer d.mu.Unlock()
		return nil, c.failure()
	}
	c.stream.Advance(d.now())
	c.stream.Listen()
	c.start(c.read)
	c.pump(false)
	return c, nil
}

// patience returns the Timeout of a StreamConfig.
func patience(s *rnicsim.StreamConfig) time.Duration {
	if s.Timeout > 0 {
		return s.Timeout
	}
	return defaultTimeout
}

// defaultTimeout is the default Timeout of a StreamConfig.
const defaultTimeout = 10 * time.Second
