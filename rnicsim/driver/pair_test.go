package driver

// Two ends of a connection over loopback.

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/iwarpkit/iwarp/rnicsim"
)

// No goroutine may be left.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patient is long enough for anything that ends at all, on any machine.
const patient = 5 * time.Minute

// testContext returns a context that ends with the test, or when that takes too long.
func testContext(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patient)
	t.Cleanup(cancel)
	return ctx
}

// open opens a Device that is closed with the test.
func open(t testing.TB, c Config) *Device {
	t.Helper()
	d, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// listen listens on loopback.
func listen(t testing.TB, d *Device, c ListenConfig) *Listener {
	t.Helper()
	l, err := d.Listen(context.Background(), "tcp", "127.0.0.1:0", c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A setup configures two ends: 0 is the Initiator, 1 the Responder.
type setup struct {
	device [2]Config
	conn   [2]ConnConfig
	listen ListenConfig
}

// connect returns two ends of a connection.
func (s setup) connect(t testing.TB) (a, b *Conn) {
	t.Helper()
	da, db := open(t, s.device[0]), open(t, s.device[1])
	l := listen(t, db, s.listen)
	return s.join(t, da, l)
}

// join connects to a Listener.
func (s setup) join(t testing.TB, d *Device, l *Listener) (a, b *Conn) {
	t.Helper()
	type outcome struct {
		c   *Conn
		err error
	}
	ctx := testContext(t)
	accepted := make(chan outcome, 1)
	go func() {
		r, err := l.Accept(ctx)
		if err != nil {
			accepted <- outcome{nil, err}
			return
		}
		c, err := r.Accept(ctx, s.conn[1])
		accepted <- outcome{c, err}
	}()
	a, err := call(ctx, d, l, s.conn[0])
	if err != nil {
		t.Fatal(err)
	}
	o := <-accepted
	if o.err != nil {
		t.Fatal(o.err)
	}
	return a, o.c
}

// A switchboard is a net.Listener of pipes. Tests in a bubble of testing/synctest need it, where time passes only while everything waits.
type switchboard struct {
	calls chan net.Conn
	over  chan struct{}
	once  sync.Once
}

// Accept implements net.Listener.
func (s *switchboard) Accept() (net.Conn, error) {
	select {
	case nc := <-s.calls:
		return nc, nil
	case <-s.over:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (s *switchboard) Close() error {
	s.once.Do(func() { close(s.over) })
	return nil
}

// Addr implements net.Listener.
func (s *switchboard) Addr() net.Addr { return &net.TCPAddr{} }

// dial connects to a Listener, over loopback or by a pipe.
func dial(l *Listener) (net.Conn, error) {
	s, ok := l.nl.(*switchboard)
	if !ok {
		return net.Dial("tcp", l.Addr().String())
	}
	here, there := net.Pipe()
	s.calls <- there
	return here, nil
}

// call connects a Device to a Listener.
func call(ctx context.Context, d *Device, l *Listener, c ConnConfig) (*Conn, error) {
	if _, ok := l.nl.(*switchboard); !ok {
		return d.Dial(ctx, "tcp", l.Addr().String(), c)
	}
	nc, err := dial(l)
	if err != nil {
		return nil, err
	}
	return d.Initiate(ctx, nc, c)
}

// all is every right that a region can have, except to bind windows.
const all = rnicsim.LocalRead | rnicsim.LocalWrite | rnicsim.RemoteRead | rnicsim.RemoteWrite

// region registers octets for one end.
func region(t testing.TB, c *Conn, octets []byte) rnicsim.SGE {
	t.Helper()
	s, to, err := c.Register(octets, all)
	if err != nil {
		t.Fatal(err)
	}
	return rnicsim.SGE{STag: s, TO: to, Len: uint32(len(octets))}
}

// wait polls completions until there are n.
func wait(t testing.TB, c *Conn, n int) (done []rnicsim.Completion) {
	t.Helper()
	ctx := testContext(t)
	var some [8]rnicsim.Completion
	for len(done) < n {
		m, err := c.Wait(ctx, some[:min(len(some), n-len(done))])
		if err != nil {
			t.Fatalf("%v after %d completions of %d", err, len(done), n)
		}
		done = append(done, some[:m]...)
	}
	return done
}
