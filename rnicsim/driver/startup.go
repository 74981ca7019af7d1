package driver

// How a connection begins, at either end.

import (
	"context"
	"log/slog"
	"net"
	"time"

	"github.com/iwarpkit/iwarp/rnicsim"
)

// startup is what a connection has for its begin. The lock guards it.
type startup struct {
	initiator bool
	listener  *Listener     // inbound: who is to be told of the Request; nil for none
	taken     bool          // inbound: the Listener's Accept has returned the Request
	answered  bool          // inbound: Accept or Reject was called
	attached  bool          // the QP was brought to RTS
	refused   *Rejected     // the peer has rejected
	ready     chan struct{} // closed when it is clear what becomes of the begin
	clear     bool          // ready is closed
}

func (s *startup) init() { s.ready = make(chan struct{}) }

// begin goes on with the begin, as far as the Stream has come. The lock is held.
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
		c.d.starting.remove(c)
		c.answerBy = c.d.now() + c.timeout
		if c.listener != nil {
			c.listener.offer(c)
		}
	case rnicsim.Closed:
		c.clears()
	}
}

// clears tells who waits for the begin. The lock is held.
func (c *Conn) clears() {
	c.clear = true
	close(c.ready)
}

// attach brings the QP of an Initiator to RTS. The lock is held.
func (c *Conn) attach() {
	if err := c.qp.Modify(rnicsim.Modification{State: rnicsim.RTS, Stream: c.stream}); err != nil {
		c.cut(err)
	}
	c.attached = true
	if !c.clear {
		c.clears()
	}
}

// Dial connects to a peer and begins MPA as the Initiator. It returns when the QP is in RTS. It fails as net.Dialer does,
// with *Rejected if the peer rejects, or with what Conn.Err says of a begin that fails.
func (d *Device) Dial(ctx context.Context, network, address string, c ConnConfig) (*Conn, error) {
	var dialer net.Dialer
	nc, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return d.Initiate(ctx, nc, c)
}

// Initiate begins MPA as the Initiator on a net.Conn that nobody else uses. It is as Dial otherwise. Whatever comes of it,
// nc is the Device's.
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
		return nil, c.abandon(err) // to which the error is nothing new if the Device was closed meanwhile
	}
	c.start(c.read)
	c.pump(false)
	if err := c.await(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// enter makes the connection known to the Device, or resets the link. The lock is not held.
func (c *Conn) enter() error {
	defer c.d.lock()()
	c.heard = c.d.now()
	err := c.d.enter(c)
	if err != nil {
		c.link.Reset()
	}
	return err
}

// abandon gives up a connection that nobody reads yet, and returns why.
func (c *Conn) abandon(err error) error {
	c.d.mu.Lock()
	c.cut(err)
	c.pump(false)
	return err
}

// await waits for the begin to come to its end, and returns how.
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

// Respond awaits an MPA Request on a net.Conn that nobody else uses, and returns it. It fails with what Conn.Err says of a
// begin that fails. Whatever comes of it, nc is the Device's.
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

// respond begins MPA as the Responder.
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
	if d.starting.len >= d.config.MaxStarting {
		victim := d.starting.first
		d.starting.remove(victim)
		victim.cut(ErrCrowded)
	}
	d.starting.add(c)
	c.stream.Advance(d.now())
	c.stream.Listen()
	c.start(c.read)
	c.pump(false)
	return c, nil
}

// log tells of a connection that is over.
func (c *Conn) log() {
	attrs := []slog.Attr{slog.Uint64("conn", c.serial), slog.String("peer", c.remote.String())}
	if c.err != nil {
		attrs = append(attrs, slog.String("error", c.err.Error()))
	}
	c.d.config.Logger.LogAttrs(context.Background(), slog.LevelInfo, "connection is over", attrs...)
}

// patience is the time that a StreamConfig gives.
func patience(s *rnicsim.StreamConfig) time.Duration {
	if s.Timeout > 0 {
		return s.Timeout
	}
	return defaultTimeout
}

// defaultTimeout is that of a StreamConfig.
const defaultTimeout = 10 * time.Second
