package proxy

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/iwarpkit/iwarp/internal/crowd"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve runs a Proxy to an address until the end of the test.
func serve(t testing.TB, listen, to string, c Config) (address string) {
	t.Helper()
	p, err := Listen(t.Context(), []Route{{listen, to}}, c)
	if err != nil {
		t.Fatal(err)
	}
	run(t, p)
	return p.Addrs()[0].String()
}

// run serves a Proxy until the end of the test.
func run(t testing.TB, p *Proxy) {
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.Serve(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
}

// through returns both ends of a connection through a Proxy.
func through(t testing.TB, listen, target string, c Config) (client, server *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp", target)
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	return joined(t, l, serve(t, listen, l.Addr().String(), c))
}

// joined connects to an address that leads to a listener.
func joined(t testing.TB, l net.Listener, address string) (client, server *net.TCPConn) {
	t.Helper()
	a, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	b, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close(); b.Close() })
	client, server = a.(*net.TCPConn), b.(*net.TCPConn)
	for _, nc := range []net.Conn{a, b} {
		nc.SetDeadline(time.Now().Add(patience))
	}
	return client, server
}

// patience is how long anything may take, on any machine.
const patience = 5 * time.Minute

const loopback, loopback6 = "127.0.0.1:0", "[::1]:0"

// Octets pass unchanged in both directions at once, between any address families, and each FIN passes by itself.
func TestOctets(t *testing.T) {
	for _, families := range [][2]string{{loopback, loopback}, {loopback6, loopback}, {loopback, loopback6}} {
		var endings []Ending
		done := make(chan struct{})
		client, server := through(t, families[0], families[1], Config{Ended: func(_ *Conn, e *Ending) {
			endings = append(endings, *e)
			close(done)
		}})
		sent := make([]byte, 4<<20)
		rand.NewChaCha8([32]byte{}).Read(sent)
		var all sync.WaitGroup
		for _, pair := range [][2]*net.TCPConn{{client, server}, {server, client}} {
			all.Go(func() {
				pair[0].Write(sent)
				pair[0].CloseWrite()
			})
			all.Go(func() {
				if got, err := io.ReadAll(pair[1]); err != nil || !bytes.Equal(got, sent) {
					t.Errorf("%v: %d octets, %v", families, len(got), err)
				}
			})
		}
		all.Wait()
		<-done
		if len(endings) != 1 || endings[0] != (Ending{}) {
			t.Errorf("%+v", endings)
		}
	}
}

// After the FIN of one side, the other continues.
func TestHalfClose(t *testing.T) {
	client, server := through(t, loopback, loopback, Config{})
	client.CloseWrite()
	if b, err := io.ReadAll(server); len(b) != 0 || err != nil {
		t.Fatal(b, err)
	}
	server.Write([]byte("still here"))
	server.CloseWrite()
	if b, err := io.ReadAll(client); string(b) != "still here" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}

func reset(nc *net.TCPConn) {
	nc.SetLinger(0)
	nc.Close()
}

// A reset arrives as a reset: at once, after a FIN, and while the other side does not read.
func TestReset(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("internal/link notices resets on Linux")
	}
	for name, before := range map[string]func(by, other *net.TCPConn){
		"at once": func(_, _ *net.TCPConn) {},
		"after a FIN": func(by, other *net.TCPConn) {
			by.CloseWrite()
			io.ReadAll(other)
		},
		"after a FIN of the other side": func(by, other *net.TCPConn) {
			other.CloseWrite()
			io.ReadAll(by)
		},
		"while nothing is read": func(by, _ *net.TCPConn) { fill(by) },
	} {
		for side := range 2 {
			client, server := through(t, loopback, loopback, Config{})
			by, other := client, server
			if side == 1 {
				by, other = server, client
			}
			before(by, other)
			reset(by)
			time.Sleep(3 * blocked)
			_, err := io.Copy(io.Discard, other)
			if name == "after a FIN" { // its reader has come to the end, and only writing shows the reset
				for err == nil {
					_, err = other.Write([]byte("x"))
				}
			}
			if !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, syscall.EPIPE) {
				t.Errorf("%s, by side %d: %v", name, side, err)
			}
		}
	}
}

// fill writes until no more goes, and returns how many octets went.
func fill(nc *net.TCPConn) (n int) {
	b := make([]byte, 1<<20)
	for {
		nc.SetWriteDeadline(time.Now().Add(200 * time.Millisecond))
		m, err := nc.Write(b)
		if n += m; err != nil {
			nc.SetWriteDeadline(time.Time{})
			return n
		}
	}
}

// A side that does not read stops the other. When it reads again, it gets everything.
func TestBackPressure(t *testing.T) {
	client, server := through(t, loopback, loopback, Config{})
	n := fill(client)
	go client.CloseWrite()
	if got, err := io.Copy(io.Discard, server); int(got) != n || err != nil {
		t.Errorf("%d of %d octets, %v", got, n, err)
	}
}

// A client is reset if the server does not answer in time.
func TestServerThatDoesNotAnswer(t *testing.T) {
	endings := make(chan Ending, 1)
	p, err := Listen(t.Context(), []Route{{loopback, "127.0.0.1:1"}}, Config{Dial: 50 * time.Millisecond, Ended: func(_ *Conn, e *Ending) { endings <- *e }})
	if err != nil {
		t.Fatal(err)
	}
	p.dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	run(t, p)
	client, err := net.Dial("tcp", p.Addrs()[0].String())
	if err == nil { // the reset was not faster
		defer client.Close()
		_, err = client.Read(make([]byte, 1))
	}
	if e := <-endings; !errors.Is(err, syscall.ECONNRESET) || !errors.Is(e.Err, context.DeadlineExceeded) {
		t.Error(err, e.Err)
	}
}

// Nobody listens where a Route leads.
func TestRefused(t *testing.T) {
	endings := make(chan Ending, 1)
	client, err := net.Dial("tcp", serve(t, loopback, "127.0.0.1:1", Config{Ended: func(_ *Conn, e *Ending) { endings <- *e }}))
	if err == nil { // the reset was not faster
		defer client.Close()
		_, err = client.Read(make([]byte, 1))
	}
	if !errors.Is(err, syscall.ECONNRESET) {
		t.Error(err)
	}
	if e := <-endings; !errors.Is(e.Err, syscall.ECONNREFUSED) {
		t.Error(e.Err)
	}
}

// Silent connections of one host give way to newcomers, and idle ones are reset.
func TestLimits(t *testing.T) {
	l, err := net.Listen("tcp", loopback)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	endings := make(chan Ending, 100)
	ended := func(_ *Conn, e *Ending) { endings <- *e }
	crowded := serve(t, loopback, l.Addr().String(), Config{MaxConns: 2, Ended: ended})
	for range 2*crowd.Openings + 4 {
		joined(t, l, crowded)
	}
	if e := <-endings; e.Err != ErrCrowded {
		t.Error(e.Err)
	}
	client, err := net.Dial("tcp", serve(t, loopback, l.Addr().String(), Config{Idle: 50 * time.Millisecond, Ended: ended}))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for e := range endings {
		if e.Err == ErrIdle {
			break
		}
	}
}

// freePort returns a port that nobody uses, below those that Linux gives to whoever asks for none.
func freePort(t *testing.T) string {
	t.Helper()
	for range 100 {
		port := strconv.Itoa(20000 + rand.IntN(12000))
		if l, err := net.Listen("tcp", ":"+port); err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return ""
}

// A Route must not lead back to the proxy, by any address or name.
func TestLoop(t *testing.T) {
	port := freePort(t)
	own := "127.0.0.1:" + port
	for _, r := range []Route{{own, own}, {"0.0.0.0:" + port, own}, {own, "0.0.0.0:" + port}, {":" + port, "[::1]:" + port}} {
		if _, err := Listen(t.Context(), []Route{r}, Config{}); !errors.Is(err, ErrLoop) {
			t.Error(r, err)
		}
	}
	endings := make(chan Ending, 2)
	client, err := net.Dial("tcp", serve(t, own, "localhost:"+port, Config{Ended: func(_ *Conn, e *Ending) { endings <- *e }}))
	if err == nil {
		defer client.Close()
	}
	if e := <-endings; !errors.Is(e.Err, ErrLoop) && !errors.Is(e.Err, syscall.ECONNREFUSED) { // [::1] may come first or last
		t.Error(e.Err)
	}
	select {
	case e := <-endings:
		t.Errorf("a second connection: %v", e.Err)
	case <-time.After(blocked):
	}
}

// A chain of connections that leads back through another Proxy ends when there are too many.
func TestLoopOfTwo(t *testing.T) {
	var begun, over atomic.Int64
	c := Config{MaxConns: 8, Opened: func(*Conn) { begun.Add(1) }, Ended: func(*Conn, *Ending) { over.Add(1) }}
	first, err := Listen(t.Context(), []Route{{loopback, "127.0.0.1:1"}}, c)
	if err != nil {
		t.Fatal(err)
	}
	address := first.Addrs()[0].String()
	first.routes[0].To = serve(t, loopback, address, c)
	run(t, first)
	client, err := net.Dial("tcp", address)
	if err == nil { // the reset was not faster
		defer client.Close()
		_, err = client.Read(make([]byte, 1))
	}
	if !errors.Is(err, syscall.ECONNRESET) {
		t.Error(err)
	}
	for begun.Load() > over.Load() { // the last of them
		time.Sleep(time.Millisecond)
	}
	if n := begun.Load(); n < 8 {
		t.Errorf("%d connections", n)
	}
}
