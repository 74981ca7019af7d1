package proxy

// Faults of the system, and time limits, with a double of it: pipes take the place of sockets, in a bubble of testing/synctest.

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/iwarpkit/iwarp/internal/crowd"
)

// A system is a net.Listener that accepts pipes, and a server that sends back what it gets.
type system struct {
	calls  chan net.Conn
	over   chan struct{}
	once   sync.Once
	uses   atomic.Int64  // Accepts and dials
	fails  int64         // the one that gets no descriptor; 0 for none
	faults atomic.Int64  // how many more Accepts fail for another reason
	open   atomic.Int64  // descriptors
	most   int64         // of them; 0 for any number
	notice time.Duration // how long a Read takes to notice that its descriptor is closed
	silent bool          // the server does not answer
}

// A descriptor is a connection that takes one until it is closed, and a Read that waits for octets has noticed that.
type descriptor struct {
	net.Conn
	system  *system
	uses    atomic.Int64 // the connection that is open, and Reads
	closing sync.Once
}

func (d *descriptor) leave() {
	if d.uses.Add(-1) == 0 {
		d.system.open.Add(-1)
	}
}

// Read implements net.Conn.
func (d *descriptor) Read(b []byte) (int, error) {
	d.uses.Add(1)
	defer d.leave()
	n, err := d.Conn.Read(b)
	if err != nil {
		time.Sleep(d.system.notice)
	}
	return n, err
}

// Close implements net.Conn.
func (d *descriptor) Close() error {
	d.closing.Do(d.leave)
	return d.Conn.Close()
}

// none returns the error of a use that gets no descriptor.
func (s *system) none() error {
	if s.uses.Add(1) == s.fails || s.most > 0 && s.open.Load() >= s.most {
		return &net.OpError{Op: "socket", Err: syscall.EMFILE}
	}
	return nil
}

func (s *system) descriptor(nc net.Conn) net.Conn {
	s.open.Add(1)
	d := &descriptor{Conn: nc, system: s}
	d.uses.Store(1)
	return d
}

// Accept implements net.Listener.
func (s *system) Accept() (net.Conn, error) {
	if err := s.none(); err != nil {
		return nil, err
	}
	if s.faults.Add(-1) >= 0 {
		return nil, &net.OpError{Op: "accept", Err: syscall.EPERM}
	}
	select {
	case nc := <-s.calls:
		return s.descriptor(nc), nil
	case <-s.over:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (s *system) Close() error {
	s.once.Do(func() { close(s.over) })
	return nil
}

// Addr implements net.Listener.
func (*system) Addr() net.Addr { return &net.TCPAddr{} }

func (s *system) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	if err := s.none(); err != nil {
		return nil, err
	}
	if s.silent {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	here, there := net.Pipe()
	go func() {
		io.Copy(there, there)
		there.Close()
	}()
	return s.descriptor(here), nil
}

// call connects to the Proxy.
func (s *system) call() net.Conn {
	here, there := net.Pipe()
	s.calls <- there
	return here
}

// visit is a client that is served.
func (s *system) visit(t *testing.T) {
	t.Helper()
	nc := s.call()
	defer nc.Close()
	go nc.Write(make([]byte, 1000))
	if _, err := io.ReadFull(nc, make([]byte, 1000)); err != nil {
		t.Errorf("a client is not served, use %d fails: %v", s.fails, err)
	}
}

// within runs a Proxy on a system, until what is tested ends.
func within(t *testing.T, s *system, c Config, test func(t *testing.T, p *Proxy)) {
	synctest.Test(t, func(t *testing.T) {
		s.calls, s.over = make(chan net.Conn), make(chan struct{})
		p, err := Listen(t.Context(), []Route{{loopback, "server"}}, c)
		if err != nil {
			t.Fatal(err)
		}
		p.closeListeners()
		p.listeners, p.dial = []net.Listener{s}, s.dial
		ctx, stop := context.WithCancel(t.Context())
		var serving sync.WaitGroup
		serving.Go(func() { p.Serve(ctx) })
		test(t, p)
		stop()
		serving.Wait()
	})
}

// TestNoDescriptor lets each Accept and each dial find no descriptor, one after the other: every client is still served.
func TestNoDescriptor(t *testing.T) {
	for n := range int64(7) {
		s := &system{fails: n}
		within(t, s, Config{}, func(t *testing.T, _ *Proxy) {
			for range 3 {
				s.visit(t)
			}
		})
	}
}

// TestNoDescriptorLeft lets silent clients have all descriptors, fewer than the limit of connections needs: newcomers are served within a second.
func TestNoDescriptorLeft(t *testing.T) {
	s := &system{most: 21}
	within(t, s, Config{}, func(t *testing.T, p *Proxy) {
		var silent []net.Conn
		for range 40 {
			silent = append(silent, s.call())
			time.Sleep(crowd.Spared)
		}
		for range 10 {
			begin := time.Now()
			if s.visit(t); time.Since(begin) > time.Second {
				t.Errorf("a client was served after %v", time.Since(begin))
			}
		}
		for _, nc := range silent {
			nc.Close()
		}
	})
}

// TestOtherFault lets Accepts fail for another reason: nobody gives way because of that.
func TestOtherFault(t *testing.T) {
	s := new(system)
	within(t, s, Config{}, func(t *testing.T, _ *Proxy) {
		nc := s.call()
		defer nc.Close()
		time.Sleep(2 * crowd.Spared)
		s.faults.Store(3)
		s.visit(t)
		s.visit(t)
		go nc.Write([]byte{1})
		if _, err := nc.Read(make([]byte, 1)); err != nil {
			t.Error(err)
		}
	})
}

// TestBurstWithoutDescriptors: where many come at once, and descriptors of those that are reset come back late, no more are reset than
// the newcomers need.
func TestBurstWithoutDescriptors(t *testing.T) {
	const old, burst = 64, 16
	var resets atomic.Int64
	s := &system{most: 2*old + burst, notice: 100 * time.Millisecond}
	within(t, s, Config{MaxConns: 2 * old, Ended: func(_ *Conn, e *Ending) {
		if errors.Is(e.Err, ErrCrowded) {
			resets.Add(1)
		}
	}}, func(t *testing.T, _ *Proxy) {
		var all []net.Conn
		for range old {
			nc := s.call()
			go nc.Write([]byte{1})
			nc.Read(make([]byte, 1))
			all = append(all, nc)
		}
		time.Sleep(2 * crowd.Lull)
		for range burst {
			all = append(all, s.call())
		}
		time.Sleep(time.Second)
		if n := resets.Load(); n < burst/2 || n > burst {
			t.Errorf("%d are reset, of %d", n, len(all))
		}
		for _, nc := range all {
			nc.Close()
		}
	})
}

// TestTimeOfServer: a server that does not answer has the time that it is given, and no more.
func TestTimeOfServer(t *testing.T) {
	s := &system{silent: true}
	ended := make(chan error, 1)
	within(t, s, Config{Dial: 7 * time.Second, Ended: func(_ *Conn, e *Ending) { ended <- e.Err }}, func(t *testing.T, _ *Proxy) {
		begin := time.Now()
		nc := s.call()
		defer nc.Close()
		if _, err := nc.Read(make([]byte, 1)); err == nil || time.Since(begin) != 7*time.Second {
			t.Errorf("%v, after %v", err, time.Since(begin))
		}
		if err := <-ended; !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

// TestIdle: a connection is reset when nothing has come for the time given, not earlier.
func TestIdle(t *testing.T) {
	const idle = 8 * time.Minute
	s := &system{}
	within(t, s, Config{Idle: idle}, func(t *testing.T, _ *Proxy) {
		nc := s.call()
		defer nc.Close()
		for range 3 {
			time.Sleep(idle - time.Minute)
			nc.Write([]byte{1})
			if _, err := nc.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
		}
		begin := time.Now()
		_, err := nc.Read(make([]byte, 1))
		if took := time.Since(begin); err == nil || took < idle || took > idle+idle/4 {
			t.Errorf("%v, after %v", err, took)
		}
		s.visit(t)
	})
}

// TestSlots: clients that open and are silent, and those that fall silent, fill their own budgets only, and newcomers are served.
func TestSlots(t *testing.T) {
	const most = 4
	s := &system{}
	within(t, s, Config{MaxConns: most}, func(t *testing.T, p *Proxy) {
		var all []net.Conn
		for i := range 12 * most {
			nc := s.call()
			if i%2 == 0 {
				go nc.Write([]byte{1})
			}
			all = append(all, nc)
			s.visit(t)
			time.Sleep(crowd.Lull / 4)
		}
		time.Sleep(2 * crowd.Lull)
		s.visit(t)
		p.mu.Lock()
		var now [crowd.Activities]int
		for c := range p.conns {
			now[c.activity(p.now())]++
		}
		p.mu.Unlock()
		if now[crowd.Opening] > crowd.Openings*most || now[crowd.Silent]+now[crowd.Slow]+now[crowd.Busy] > 2*most {
			t.Error(now)
		}
		for _, nc := range all {
			nc.Close()
		}
	})
}
