package proxy

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/iwarpkit/iwarp/internal/crowd"
	"github.com/iwarpkit/iwarp/internal/link"
)

// A Side is an end of a connection.
type Side uint8

// The sides.
const (
	Client Side = iota // has connected to the Proxy
	Server             // the Proxy has connected to it
)

// String returns "client" or "server".
func (s Side) String() string { return [...]string{"client", "server"}[s] }

// A Conn is a connection: two of TCP, and what passes between them.
type Conn struct {
	Serial uint64 // from 0, in the order in which clients have connected
	proxy  *Proxy
	began  time.Duration // since the Proxy has
	ends   [2]end
	joined atomic.Bool // it has both ends
	over   atomic.Bool // set while mu is held

	mu     sync.Mutex
	dial   context.CancelFunc // ends the attempt to connect
	ending Ending
	ended  chan struct{} // closed when it is over
}

// An end is the TCP connection of one side.
type end struct {
	nc    net.Conn
	link  link.Link
	relay *relay      // of what this side sends
	shut  atomic.Bool // a FIN for what this side sends was passed on
}

// An Ending is how a connection has ended. The zero value says that both sides have sent a FIN.
type Ending struct {
	Reset bool  // by a side, or its network
	By    Side  // the side, if Reset
	Err   error // why the Proxy has reset both sides, or could not connect; nil otherwise
}

func newConn(p *Proxy, serial uint64, nc net.Conn) *Conn {
	c := &Conn{Serial: serial, proxy: p, began: p.now(), ended: make(chan struct{})}
	c.ends[Client] = end{nc: nc, link: link.New(nc), relay: &relay{conn: c, side: Client}}
	c.ends[Server].relay = &relay{conn: c, side: Server}
	c.ends[Client].relay.last.Store(int64(c.began))
	return c
}

// RemoteAddr returns the address of a side; nil for a server that was not reached.
func (c *Conn) RemoteAddr(s Side) net.Addr {
	if nc := c.ends[s].nc; nc != nil {
		return nc.RemoteAddr()
	}
	return nil
}

// LocalAddr returns the address of the Proxy that a side sees; nil for a server that was not reached.
func (c *Conn) LocalAddr(s Side) net.Addr {
	if nc := c.ends[s].nc; nc != nil {
		return nc.LocalAddr()
	}
	return nil
}

// Octets returns how many octets of a side were passed on.
func (c *Conn) Octets(from Side) uint64 { return c.ends[from].relay.octets.Load() }

// active returns when octets came last.
func (c *Conn) active() time.Duration {
	return time.Duration(max(c.ends[Client].relay.last.Load(), c.ends[Server].relay.last.Load()))
}

// stuck returns since when octets wait for an end; 0 if none do.
func (c *Conn) stuck() time.Duration {
	a, b := c.ends[Client].relay.since.Load(), c.ends[Server].relay.since.Load()
	if a == 0 || b != 0 && b < a {
		a = b
	}
	return time.Duration(a)
}

// run connects to the server, and passes on what both sides send until the connection is over.
func (c *Conn) run(ctx context.Context, to string) {
	if err := c.connect(ctx, to); err != nil {
		c.cut(err)
	} else {
		if tell := c.proxy.config.Opened; tell != nil {
			tell(c)
		}
		if len(c.proxy.config.Rules) > 0 {
			defer newAlteration(c).follower.close()
		}
		var relays sync.WaitGroup
		for s := range c.ends {
			relays.Go(c.ends[s].relay.run)
		}
		relays.Wait()
	}
	<-c.ended
	if tell := c.proxy.config.Ended; tell != nil {
		tell(c, &c.ending)
	}
}

// connect connects to the server.
func (c *Conn) connect(ctx context.Context, to string) error {
	ctx, cancel := context.WithTimeout(ctx, c.proxy.config.Dial)
	defer cancel()
	c.mu.Lock()
	c.dial = cancel
	c.mu.Unlock()
	nc, err := c.proxy.dial(ctx, "tcp", to)
	for crowd.Exhausted(err) && ctx.Err() == nil {
		c.proxy.makeRoom()
		time.Sleep(retry)
		nc, err = c.proxy.dial(ctx, "tcp", to)
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ends[Server].nc, c.ends[Server].link = nc, link.New(nc)
	c.joined.Store(true)
	if c.over.Load() {
		c.ends[Server].link.Reset()
	}
	for s := range c.ends {
		c.ends[s].relay.from, c.ends[s].relay.to = c.ends[s].link, c.ends[1-s].link
	}
	return nil
}

// taken gives octets of a side to the Tap, unless the connection is over.
func (c *Conn) taken(from Side, octets []byte) {
	if c.proxy.config.Tap == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.over.Load() {
		c.tap(&Traffic{From: from, Octets: octets})
	}
}

// tap gives traffic to the Tap. mu is held.
func (c *Conn) tap(t *Traffic) {
	if tap := c.proxy.config.Tap; tap != nil {
		t.Conn, t.Time = c, time.Now()
		tap(t)
	}
}

// finish passes on the FIN of a side. It reports whether the other side goes on.
func (c *Conn) finish(from Side) bool {
	c.shut(from)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over.Load() {
		return false
	}
	c.ends[from].relay.finished.Store(true)
	if !c.ends[1-from].relay.finished.Load() {
		return true
	}
	c.end(Ending{}, link.Link.Close)
	return false
}

// shut sends a FIN for a side, once.
func (c *Conn) shut(from Side) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if direction := c.ends[from].relay.direction; c.over.Load() || direction != nil && direction.silent.Load() || c.ends[from].shut.Swap(true) {
		return
	}
	c.tap(&Traffic{From: from, FIN: true})
	c.ends[1-from].link.Finish()
}

// hangUp sends a FIN to both sides.
func (c *Conn) hangUp() {
	c.shut(Client)
	c.shut(Server)
}

// acted tells of what a Rule does.
func (c *Conn) acted(a *Act) {
	if tell := c.proxy.config.Acted; tell != nil {
		tell(a)
	}
	c.comment(a.From, "The proxy applies "+a.String()+".")
}

// unruled tells that Rules select nothing any more.
func (c *Conn) unruled() {
	if tell := c.proxy.config.Unruled; tell != nil {
		tell(c)
	}
	c.comment(Client, "The proxy applies no more rules: it has no memory to follow the connection.")
}

// comment gives a comment to the Tap, unless the connection is over.
func (c *Conn) comment(from Side, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.over.Load() {
		c.tap(&Traffic{From: from, Comment: text})
	}
}

// reset passes on that a side has reset its connection.
func (c *Conn) reset(by Side) { c.stop(Ending{Reset: true, By: by}) }

// cut resets both sides.
func (c *Conn) cut(why error) { c.stop(Ending{Err: why}) }

func (c *Conn) stop(how Ending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.over.Load() {
		c.end(how, link.Link.Reset)
	}
}

// end ends the connection. mu is held.
func (c *Conn) end(how Ending, each func(link.Link)) {
	if how != (Ending{}) {
		c.tap(&Traffic{From: how.By, Reset: true, Err: how.Err})
	}
	c.over.Store(true)
	c.ending = how
	if c.dial != nil {
		c.dial()
	}
	for s := range c.ends {
		if l := c.ends[s].link; l != nil {
			each(l)
		}
	}
	close(c.ended)
}
