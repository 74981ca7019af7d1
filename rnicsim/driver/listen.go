package driver

// Listening: the Requests of peers, and the answers to them.

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/internal/crowd"
	"github.com/iwarpkit/iwarp/internal/link"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// A ListenConfig says how a Listener handles connections until they are accepted.
type ListenConfig struct {
	Stream  rnicsim.StreamConfig // the zero value is that of ConnConfig, with the default IRD and ORD
	Backlog int                  // Requests that may wait for Accept, more are reset; 0 for as many as may be in start-up
	Failed  func(Failure)        // called with connections that fail before Accept; must not use the Device; nil for none
}

// A Failure is a connection whose MPA Request did not come, or could not wait for Accept.
type Failure struct {
	Serial        uint64 // as Conn.Serial
	Local, Remote net.Addr
	Err           error // as Conn.Err: a rnicsim.StreamError, or ErrCrowded or the like
}

// A Listener accepts TCP connections and awaits the MPA Request of each.
type Listener struct {
	d        *Device
	config   ListenConfig
	nl       net.Listener
	requests chan *Conn
	closed   chan struct{} // guarded by the lock of the Device
	release  func() bool   // of the context
}

// Listen listens on a TCP address until ctx is done or the Listener is closed. It fails as net.Listen does.
func (d *Device) Listen(ctx context.Context, network, address string, config ListenConfig) (*Listener, error) {
	lc := net.ListenConfig{Control: link.Unpaced}
	nl, err := lc.Listen(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return d.listen(ctx, nl, config)
}

// listen accepts the connections of a net.Listener.
func (d *Device) listen(ctx context.Context, nl net.Listener, config ListenConfig) (*Listener, error) {
	config.Backlog = cmp.Or(config.Backlog, crowd.Openings*max(1, d.config.MaxConns))
	l := &Listener{d: d, config: config, nl: nl, requests: make(chan *Conn, config.Backlog), closed: make(chan struct{})}
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		nl.Close()
		return nil, net.ErrClosed
	}
	d.listeners[l] = struct{}{}
	d.running.Add(1)
	l.release = context.AfterFunc(ctx, func() { l.Close() })
	d.mu.Unlock()
	go l.run()
	return l, nil
}

// Addr returns the address of the Listener.
func (l *Listener) Addr() net.Addr { return l.nl.Addr() }

// pause is the time before the next attempt while there is no room for a connection.
const pause = 5 * time.Millisecond

// run accepts TCP connections. Newcomers wait in the system's queue while as many as there may be have just begun.
func (l *Listener) run() {
	defer l.d.running.Done()
	for {
		for l.d.crowded() && l.wait() {
		}
		nc, err := l.nl.Accept()
		if err == nil {
			_, err = l.d.respond(nc, l.config.Stream, l)
		}
		if l.over() {
			return
		}
		if err == nil {
			continue
		}
		l.d.config.Logger.LogAttrs(context.Background(), slog.LevelWarn, "connection not taken in", slog.String("error", err.Error()))
		if crowd.Exhausted(err) {
			l.d.MakeRoom()
		}
		if nc == nil && !l.wait() {
			return
		}
	}
}

// wait pauses, and reports whether the Listener is still open.
func (l *Listener) wait() bool {
	select {
	case <-time.After(pause):
		return true
	case <-l.closed:
		return false
	}
}

// failed reports a connection that fails before Accept, unless the Listener is closed.
func (l *Listener) failed(c *Conn, err error) {
	if tell := l.config.Failed; tell != nil && !errors.Is(err, net.ErrClosed) {
		tell(Failure{Serial: c.serial, Local: c.local, Remote: c.remote, Err: err})
	}
}

func (l *Listener) over() bool {
	select {
	case <-l.closed:
		return true
	default:
		return false
	}
}

// offer passes a Request to Accept. The lock is held.
func (l *Listener) offer(c *Conn) {
	if l.over() {
		c.cut(net.ErrClosed)
		return
	}
	select {
	case l.requests <- c:
	default:
		c.cut(ErrCrowded)
	}
}

// Accept returns the next connection whose MPA Request has arrived. It fails with net.ErrClosed, or with the error of
// ctx when that is done.
func (l *Listener) Accept(ctx context.Context) (*Request, error) {
	for {
		select {
		case c := <-l.requests:
			if r := l.request(c); r != nil {
				return r, nil
			}
		case <-l.closed:
			return nil, net.ErrClosed
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// request returns the Request of a connection; nil if the peer has not waited.
func (l *Listener) request(c *Conn) *Request {
	defer l.d.lock()()
	if c.stream.Phase() != rnicsim.Deciding {
		return nil
	}
	c.taken = true
	return &Request{c: c, frame: c.stream.Request()}
}

// Close closes the Listener, and resets the connections that were not accepted. The others continue.
func (l *Listener) Close() error {
	d := l.d
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, open := d.listeners[l]; !open {
		return net.ErrClosed
	}
	delete(d.listeners, l)
	close(l.closed)
	l.release()
	for c := range d.conns {
		if c.listener == l && !c.answered {
			c.cut(net.ErrClosed)
		}
	}
	return l.nl.Close()
}

// A Request is a connection whose MPA Request has arrived. It must be accepted or rejected within the Timeout of the
// Stream.
type Request struct {
	c     *Conn
	frame mpa.Frame
}

// Frame returns the MPA Request, with its Private Data.
func (r *Request) Frame() mpa.Frame { return r.frame }

// Serial returns the number of the connection, as Conn.Serial does.
func (r *Request) Serial() uint64 { return r.c.serial }

// RemoteAddr returns the address of the peer.
func (r *Request) RemoteAddr() net.Addr { return r.c.remote }

// LocalAddr returns the address of this end.
func (r *Request) LocalAddr() net.Addr { return r.c.local }

// Accept creates the QP, brings it to RTS and sends the Reply. It fails as RNIC.CreateQP and Prepare do, or as
// Conn.Err does if the peer has not waited; the connection is then reset. It fails with rnicsim.ErrIRD if the ORD of
// the Request exceeds the IRD that the Stream offers: the Request was then rejected, and the connection is closed.
func (r *Request) Accept(ctx context.Context, config ConnConfig) (*Conn, error) {
	c := r.c
	if err := ctx.Err(); err != nil {
		return nil, c.abandon(err)
	}
	ird, ord := defaultReads, defaultReads
	if e := c.config.Stream.Enhanced; e != nil {
		ird, ord = negotiated(e.IRD), negotiated(e.ORD)
	}
	sizes(&config.QP, ird, ord)
	config.Stream = c.config.Stream
	if err := r.begin(); err != nil {
		return nil, err
	}
	c.config = config
	if err := c.createQP(); err != nil {
		return nil, c.abandon(err)
	}
	d := c.d
	d.mu.Lock()
	if c.stream.Phase() != rnicsim.Deciding {
		defer d.mu.Unlock()
		return nil, c.failure()
	}
	c.stream.Advance(d.now())
	err := c.qp.Modify(rnicsim.Modification{State: rnicsim.RTS, Stream: c.stream, Message: c.config.Private})
	switch {
	case errors.Is(err, rnicsim.ErrIRD):
		r.rejected()
		return nil, err
	case err != nil:
		d.mu.Unlock()
		return nil, c.abandon(err)
	}
	c.attached, c.answerBy = true, 0
	c.active = d.now()
	d.keepBudgets()
	c.pump(false)
	return c, nil
}

// negotiated returns an IRD or ORD of an Enhanced word as a QP has it.
func negotiated(n uint16) int {
	if n == mpa.NotNegotiated {
		return defaultReads
	}
	return int(n)
}

// begin begins to answer. It fails if there was an answer before, or the peer has not waited.
func (r *Request) begin() error {
	c := r.c
	defer c.d.lock()()
	if c.answered || c.stream.Phase() != rnicsim.Deciding {
		return c.failure()
	}
	c.answered = true
	return nil
}

// Reject sends a Reply that rejects, with Private Data, and closes the connection. It fails as Stream.Reject does.
func (r *Request) Reject(private []byte) error {
	c := r.c
	if err := r.begin(); err != nil {
		return err
	}
	c.d.mu.Lock()
	c.stream.Advance(c.d.now())
	err := c.stream.Reject(private)
	if err != nil {
		c.d.mu.Unlock()
		return c.abandon(err)
	}
	r.rejected()
	return nil
}

// rejected closes the connection. The lock is held, and is released.
func (r *Request) rejected() {
	r.c.answerBy = 0
	r.c.stream.Close()
	r.c.pump(false)
}
