// Package proxy stands between the two ends of TCP connections and passes on what each of them sends: octets, urgent data, FINs and
// resets, in their order. It needs no driver and no privileges: an iWARP connection is a TCP connection to whoever accepts it.
//
//	p, err := proxy.Listen(ctx, []proxy.Route{{Listen: ":20049", To: "10.0.0.2:20049"}}, proxy.Config{})
//	p.Serve(ctx)
//
// Each direction holds one buffer, and only while there are octets: it reads no more until they are passed on, so that an end that
// takes nothing stops the other. With Rules, a direction also holds a message until its filters have seen all of it, see MaxMessage.
package proxy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/internal/crowd"
	"github.com/iwarpkit/iwarp/internal/link"
)

// A Route is the address that a Proxy listens on, and where it connects to for each connection. Both are HOST:PORT.
type Route struct{ Listen, To string }

// A Config limits a Proxy, and says who observes it. The functions are called by several goroutines, and what they do delays a
// connection.
type Config struct {
	MaxConns int           // connections of each activity, see limit.go; 0 for 64
	Dial     time.Duration // for Route.To to answer; 0 for 10 s
	Idle     time.Duration // a connection without octets for so long is reset; 0 for never

	Rules  []*Rule // what is altered; nil for nothing
	Memory int     // octets to know what Rules select, for all connections; 0 for dissect.DefaultMemory

	Tap     func(*Traffic)       // called with all that is about to be passed on, in the order of each connection; nil for nothing
	Acted   func(*Act)           // a Rule does something; nil for nothing
	Unruled func(*Conn)          // Rules select nothing any more, for lack of Memory; nil for nothing
	Opened  func(*Conn)          // a connection has both ends; nil for nothing
	Ended   func(*Conn, *Ending) // a connection is over, or could not be made; nil for nothing
}

// A Traffic is something that a side has sent and the other is about to get. It is valid until the Tap returns.
type Traffic struct {
	Conn       *Conn
	From       Side
	Time       time.Time
	Octets     []byte
	FIN, Reset bool
	Comment    string // what a Rule does: alone, before what it alters
	Err        error  // why the Proxy itself resets both sides, if it does; From means nothing then
}

// The errors of an Ending.
var (
	ErrCrowded = errors.New("proxy: too many connections, and this one is the least useful")
	ErrIdle    = errors.New("proxy: nothing has come for too long")
	ErrStopped = errors.New("proxy: the proxy has ended")
)

// ErrLoop says that a Route leads to an address that the Proxy itself listens on.
var ErrLoop = errors.New("proxy: a route leads back to the proxy")

// A Proxy listens for connections.
type Proxy struct {
	config    Config
	listeners []net.Listener
	routes    []Route
	start     time.Time
	dial      func(ctx context.Context, network, address string) (net.Conn, error)
	running   sync.WaitGroup // of connections
	followed  atomic.Int64   // octets that followers have
	followers atomic.Int64

	mu     sync.Mutex
	conns  map[*Conn]struct{}
	serial uint64
	over   bool
}

// Listen listens on the addresses of all Routes. It fails as net.Listen does, and with ErrLoop.
func Listen(ctx context.Context, routes []Route, c Config) (*Proxy, error) {
	if c.MaxConns <= 0 {
		c.MaxConns = 64
	}
	if c.Dial <= 0 {
		c.Dial = 10 * time.Second
	}
	if c.Memory <= 0 {
		c.Memory = dissect.DefaultMemory
	}
	p := &Proxy{config: c, routes: routes, start: time.Now(), conns: make(map[*Conn]struct{})}
	p.dial = (&net.Dialer{Control: func(network, address string, c syscall.RawConn) error {
		return errors.Join(p.checkLoop(address), link.Unpaced(network, address, c))
	}}).DialContext
	lc := net.ListenConfig{Control: link.Unpaced}
	for _, r := range routes {
		l, err := lc.Listen(ctx, "tcp", r.Listen)
		if err != nil {
			p.closeListeners()
			return nil, err
		}
		p.listeners = append(p.listeners, l)
	}
	for _, r := range routes {
		if err := p.checkLoop(r.To); err != nil {
			p.closeListeners()
			return nil, err
		}
	}
	return p, nil
}

// checkLoop returns ErrLoop if the Proxy itself listens on an address. What a name stands for is checked when a connection looks it up.
func (p *Proxy) checkLoop(to string) error {
	a, err := netip.ParseAddrPort(to)
	if err != nil {
		return nil
	}
	ip := a.Addr().Unmap()
	for _, l := range p.listeners {
		at := l.Addr().(*net.TCPAddr).AddrPort()
		own := at.Addr().Unmap()
		all := own.IsUnspecified() && (own.Is6() || ip.Is4())
		if at.Port() == a.Port() && (ip == own || all && isLocal(ip) || ip.IsUnspecified() && own.IsLoopback()) {
			return fmt.Errorf("%w: %s", ErrLoop, to)
		}
	}
	return nil
}

// isLocal reports whether an address is one of this host.
func isLocal(ip netip.Addr) bool {
	if ip.IsLoopback() || ip.IsUnspecified() {
		return true
	}
	all, _ := net.InterfaceAddrs()
	return slices.ContainsFunc(all, func(a net.Addr) bool {
		own, err := netip.ParsePrefix(a.String())
		return err == nil && own.Addr().Unmap() == ip.WithZone("")
	})
}

// Addrs returns the addresses that the Proxy listens on, in the order of its Routes.
func (p *Proxy) Addrs() (all []net.Addr) {
	for _, l := range p.listeners {
		all = append(all, l.Addr())
	}
	return all
}

func (p *Proxy) closeListeners() {
	for _, l := range p.listeners {
		l.Close()
	}
}

// Serve passes on connections until ctx is done. Then it resets both ends of each, and returns when nothing of them is left.
func (p *Proxy) Serve(ctx context.Context) {
	var accepting sync.WaitGroup
	for i, l := range p.listeners {
		accepting.Go(func() { p.accept(ctx, l, p.routes[i].To) })
	}
	p.watch(ctx)
	p.closeListeners()
	accepting.Wait()
	p.mu.Lock()
	p.over = true
	for c := range p.conns {
		c.cut(ErrStopped)
	}
	p.mu.Unlock()
	p.running.Wait()
}

// retry is the time before the next attempt after the system had no room for a connection.
const retry = 5 * time.Millisecond

// accept accepts the connections of a Route. Newcomers wait in the system's queue while as many as there may be have just begun.
func (p *Proxy) accept(ctx context.Context, l net.Listener, to string) {
	for {
		for p.crowded() && ctx.Err() == nil {
			time.Sleep(retry)
		}
		nc, err := l.Accept()
		if err == nil {
			p.add(ctx, nc, to)
			continue
		}
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if crowd.Exhausted(err) {
			p.makeRoom()
		}
		time.Sleep(retry)
	}
}

// add begins a connection.
func (p *Proxy) add(ctx context.Context, nc net.Conn, to string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := newConn(p, p.serial, nc)
	p.serial++
	p.conns[c] = struct{}{}
	p.running.Go(func() {
		c.run(ctx, to)
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.conns, c)
	})
}

// now is the time since the Proxy has begun; never zero.
func (p *Proxy) now() time.Duration { return max(1, time.Since(p.start)) }

// watch waits until ctx is done, and resets connections that are idle for too long.
func (p *Proxy) watch(ctx context.Context) {
	if p.config.Idle <= 0 {
		<-ctx.Done()
		return
	}
	tick := time.NewTicker(max(p.config.Idle/8, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		p.mu.Lock()
		for c := range p.conns {
			if p.now()-c.active() > p.config.Idle {
				c.cut(ErrIdle)
			}
		}
		p.mu.Unlock()
	}
}
