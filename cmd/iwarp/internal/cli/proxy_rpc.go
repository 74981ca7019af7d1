package cli

// iwarp proxy --rpc: not a proxy of octets, but a server of RPC-over-RDMA for the clients, and a client of the server.

import (
	"context"
	"errors"
	"math"
	"net"
	"sync"
	"sync/atomic"

	"github.com/iwarpkit/iwarp/replay/proxy"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// A forwarding is iwarp proxy --rpc. It has an RNIC for each side.
type forwarding struct {
	*proxying
	tell        *proxyTeller
	watch       *proxyWatch
	stop        context.CancelFunc
	front, back *driver.Device

	mu     sync.Mutex
	served map[uint64]*servedConn // by their serials on the front Device
}

// A servedConn is the connection of a client, and that to the server.
type servedConn struct {
	remote, local [2]net.Addr // by side; nil for a server that was not reached
	conns         [2]*driver.Conn
	octets        [2]atomic.Uint64
}

func (c *servedConn) RemoteAddr(s proxy.Side) net.Addr { return c.remote[s] }
func (c *servedConn) LocalAddr(s proxy.Side) net.Addr  { return c.local[s] }
func (c *servedConn) Octets(from proxy.Side) uint64    { return c.octets[from].Load() }
func (c *servedConn) set(s proxy.Side, conn *driver.Conn) {
	c.remote[s], c.local[s], c.conns[s] = conn.RemoteAddr(), conn.LocalAddr(), conn
}

// ending says how a connection that had both ends is over. After a reset of the server the client may have sent another one.
func (c *servedConn) ending(why error) *proxy.Ending {
	for _, side := range []proxy.Side{proxy.Server, proxy.Client} {
		if errors.Is(c.conns[side].Err(), rnicsim.ErrReset) {
			return &proxy.Ending{Reset: true, By: side}
		}
	}
	return &proxy.Ending{Err: why}
}

// forward serves clients until ctx is done.
func (p *proxying) forward(ctx context.Context, stop context.CancelFunc, tell *proxyTeller, watch *proxyWatch) (err error) {
	f := &forwarding{proxying: p, tell: tell, watch: watch, stop: stop, served: make(map[uint64]*servedConn)}
	f.front, err = driver.Open(driver.Config{MaxConns: int(p.maxConns.value), Idle: p.idle.value, Tap: bothTaps(f.count, watch.deviceTap(true))})
	if err != nil {
		return err
	}
	defer f.front.Close()
	if f.back, err = driver.Open(driver.Config{MaxConns: math.MaxInt, Tap: watch.deviceTap(false)}); err != nil { // the clients limit them
		return err
	}
	defer f.back.Close()
	var listeners []*driver.Listener
	var addrs []net.Addr
	for _, r := range p.routes {
		l, err := f.front.Listen(ctx, "tcp", r.Listen, driver.ListenConfig{Failed: f.failed})
		if err != nil {
			return unreachable(r.Listen, err)
		}
		listeners, addrs = append(listeners, l), append(addrs, l.Addr())
	}
	tell.listening(addrs, p.routes)
	var running sync.WaitGroup
	for i, l := range listeners {
		running.Go(func() { f.serve(ctx, l, p.routes[i].To) })
	}
	relieve := func() bool { return f.front.Relieve() || f.back.Relieve() }
	keepMemory(ctx, relieve, mostResident+p.memory.octets()+int(p.maxConns.value)*mostForwarded, tell.traffic)
	linger(ctx, &running)
	f.front.Close()
	f.back.Close()
	running.Wait() // all have reported their ends
	return nil
}

// mostForwarded is how many octets a connection may hold: arguments and results, and what is sent of them.
const mostForwarded = 4 * rpc.MaxGathered

// serve serves the clients of a route until ctx is done.
func (f *forwarding) serve(ctx context.Context, l *driver.Listener, to string) {
	versions := func(side int) rpc.Options {
		return rpc.Options{Versions: []uint32{uint32(f.rpc.Value[side] - '0')}, Segments: mostSegments}
	}
	calls := &service.Forwarding{
		Device: f.back, Address: to, Timeout: f.timeout.value, Options: versions(2), Closing: int(f.maxConns.value), Opened: f.reached,
	}
	server, err := service.New(f.front, "rpc", service.Options{RPC: versions(0), Program: calls.Program, Observe: f.observe})
	if err != nil {
		return // none of its errors can be
	}
	var running sync.WaitGroup
	for {
		r, err := l.Accept(ctx)
		if err != nil {
			break
		}
		running.Go(func() {
			if err := server.Serve(ctx, r); err != nil {
				f.unmade(r.Serial(), r.RemoteAddr(), r.LocalAddr(), err)
			}
		})
	}
	running.Wait()
}

// mostSegments is how many segments a Call of version 2 may have: more than version 1 has room for with the usual sizes.
const mostSegments = 256

// count is the tap that counts what clients send and get.
func (f *forwarding) count(t driver.Traffic) {
	from := proxy.Client
	if t.Sent {
		from = proxy.Server
	}
	f.conn(t.Conn.Serial()).octets[from].Add(uint64(len(t.Octets)))
}

// conn returns a connection by its serial.
func (f *forwarding) conn(serial uint64) *servedConn {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.served[serial]
	if c == nil {
		c = new(servedConn)
		f.served[serial] = c
	}
	return c
}

// reached notes the addresses of both connections, and puts them into the capture of each.
func (f *forwarding) reached(client, server *driver.Conn) {
	c := f.conn(client.Serial())
	c.set(proxy.Client, client)
	c.set(proxy.Server, server)
	for _, conn := range c.conns {
		f.watch.comment(conn, aboutProxied(client.Serial(), c))
	}
}

// observe reports connections that begin and end.
func (f *forwarding) observe(e service.Event) {
	serial := e.Conn.Serial()
	switch c := f.conn(serial); e.Type {
	case service.Opened:
		f.tell.opened(serial, c)
	case service.Ended:
		f.over(serial, c.ending(e.Err))
	case service.Message:
	}
}

// over reports the end of a connection, or that it was not made.
func (f *forwarding) over(serial uint64, e *proxy.Ending) {
	if f.tell.ended(serial, f.conn(serial), e) == f.proxying.count.value { // 0 comes never
		f.stop()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.served, serial)
}

// unmade reports a client that was not accepted.
func (f *forwarding) unmade(serial uint64, remote, local net.Addr, err error) {
	c := f.conn(serial)
	c.remote[proxy.Client], c.local[proxy.Client] = remote, local
	f.over(serial, &proxy.Ending{Err: err})
}

// failed reports a client that has sent no MPA Request.
func (f *forwarding) failed(e driver.Failure) { f.unmade(e.Serial, e.Remote, e.Local, e.Err) }
