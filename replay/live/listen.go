package live

// A listener for one peer, which refuses unexpected connections.

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/internal/link"
)

// A ListenConfig says which connections are the peer's.
type ListenConfig struct {
	From     netip.Addr    // the address of the peer; the zero Addr for any
	Any      bool          // they need not begin with an MPA Request
	Patience time.Duration // for the first 20 octets of the Request; 0 for 10 s
}

// Unexpected counts connections that were not the peer's.
type Unexpected struct {
	Count int
	First net.Addr // of the first of them; nil for none
}

// maxWaiting limits the connections that wait for their MPA Request, or for Accept. Beyond it the oldest is closed.
const maxWaiting = 64

// A Listener accepts the connections of a peer. It closes others: those from another address and, where the system can
// peek at octets, those that do not begin with an MPA Request.
type Listener struct {
	nl      net.Listener
	config  ListenConfig
	changed chan struct{} // a connection may be ready for Accept
	closed  chan struct{}
	all     sync.WaitGroup

	mu         sync.Mutex
	callers    []*caller // in the order of arrival
	unexpected Unexpected
}

// A caller is a connection that is not accepted yet.
type caller struct {
	net.Conn
	since time.Time
	known bool // known to be the peer
}

// settling is how long a new connection keeps its place before a later one whose Request is seen first.
const settling = 20 * time.Millisecond

// Listen listens on a TCP address. It fails like net.Listen.
func Listen(ctx context.Context, address string, c ListenConfig) (*Listener, error) {
	lc := net.ListenConfig{Control: link.Unpaced}
	nl, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return newListener(nl, c), nil
}

func newListener(nl net.Listener, c ListenConfig) *Listener {
	if c.Patience <= 0 {
		c.Patience = defaultStepTimeout
	}
	l := &Listener{nl: nl, config: c, changed: make(chan struct{}, 1), closed: make(chan struct{})}
	l.all.Go(l.run)
	return l
}

// Addr returns the address of the Listener.
func (l *Listener) Addr() net.Addr { return l.nl.Addr() }

// Unexpected returns the connections that were not the peer's, so far.
func (l *Listener) Unexpected() Unexpected {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.unexpected
}

// Close closes the Listener, and the connections that were not accepted.
func (l *Listener) Close() error {
	err := l.nl.Close()
	l.mu.Lock()
	for _, c := range l.callers {
		c.Close()
	}
	l.mu.Unlock()
	l.all.Wait()
	return err
}

// retry is the delay after the system had no resources for a connection.
const retry = 10 * time.Millisecond

// run accepts TCP connections.
func (l *Listener) run() {
	defer close(l.closed)
	for {
		nc, err := l.nl.Accept()
		if ne, ok := err.(net.Error); ok && ne.Temporary() { //nolint:staticcheck // too many open files
			time.Sleep(retry)
			continue
		}
		if err != nil {
			return
		}
		l.await(nc)
	}
}

// await adds a connection to those that wait for their Request.
func (l *Listener) await(nc net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := &caller{nc, time.Now(), l.config.Any}
	if !l.isFrom(nc.RemoteAddr()) {
		l.refuse(c)
		return
	}
	if l.callers = append(l.callers, c); len(l.callers) > maxWaiting {
		l.refuse(l.callers[0]) // which ends its look
	}
	if c.known {
		l.notify()
		return
	}
	l.all.Go(func() { l.look(c) })
}

// notify wakes Accept.
func (l *Listener) notify() {
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

// isFrom reports whether an address may be the peer's.
func (l *Listener) isFrom(a net.Addr) bool {
	return !l.config.From.IsValid() || address(a).Addr() == l.config.From.Unmap()
}

// look waits for the Request of a connection.
func (l *Listener) look(c *caller) {
	known := l.requests(c.Conn) && c.SetReadDeadline(time.Time{}) == nil
	l.mu.Lock()
	defer l.mu.Unlock()
	switch c.known = known; {
	case !slices.Contains(l.callers, c):
		return // it was refused meanwhile
	case !known:
		l.refuse(c)
	}
	l.notify()
}

// requests reports whether a connection begins with an MPA Request.
func (l *Listener) requests(nc net.Conn) bool {
	tcp, ok := nc.(*net.TCPConn)
	if !ok {
		return true
	}
	nc.SetReadDeadline(time.Now().Add(l.config.Patience))
	b := make([]byte, mpa.FrameLen)
	key := func(b []byte) string { return string(b[:min(len(b), len(mpa.RequestKey))]) }
	n, can := link.Peek(tcp, b, func(b []byte) bool { return len(b) == mpa.FrameLen || !strings.HasPrefix(mpa.RequestKey, key(b)) })
	return !can || n == mpa.FrameLen && key(b) == mpa.RequestKey
}

// refuse closes an unexpected connection. mu is held.
func (l *Listener) refuse(c *caller) {
	l.callers = slices.DeleteFunc(l.callers, func(other *caller) bool { return other == c })
	if l.unexpected.Count++; l.unexpected.First == nil {
		l.unexpected.First = c.RemoteAddr()
	}
	c.Close()
}

// Accept returns the next connection of the peer. It fails with the error of ctx when that is done, with ErrNobody if
// none has arrived by a deadline, and with net.ErrClosed. The zero time means no limit.
func (l *Listener) Accept(ctx context.Context, by time.Time) (net.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var late <-chan time.Time
	if !by.IsZero() {
		t := time.NewTimer(time.Until(by))
		defer t.Stop()
		late = t.C
	}
	for {
		nc, settled := l.next()
		if nc != nil {
			return nc, nil
		}
		select {
		case <-l.changed:
		case <-settled:
		case <-late:
			return nil, ErrNobody
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.closed:
			return nil, net.ErrClosed
		}
	}
}

// next returns the first connection that is known to be the peer's; nil if there is none, or if an earlier one may
// still turn out to be.
func (l *Listener) next() (nc net.Conn, settled <-chan time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, c := range l.callers {
		if c.known {
			l.callers = slices.Delete(l.callers, i, i+1)
			return c.Conn, nil
		}
		if left := settling - time.Since(c.since); left > 0 {
			return nil, time.After(left)
		}
	}
	return nil, nil
}
