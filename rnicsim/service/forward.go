package service

// Calls that another server executes, on a connection of its own for each client.

import (
	"cmp"
	"context"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/internal/crowd"
	"github.com/iwarpkit/iwarp/internal/link"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/internal/rpcwork"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A Forwarding has another server execute Calls. Both connections end together: after a reset of the client, that of the server is reset.
type Forwarding struct {
	Device  *driver.Device // connects to the server
	Address string
	Timeout time.Duration // to connect
	Options rpc.Options   // towards the server
	Closing int           // connections whose clients are gone, and that await the server's FIN; of more, the oldest is reset; 0 for any number

	// Dial connects to the server in place of a net.Dialer; nil for that. Where it finds no descriptor, some of the clients give way to the one
	// that waits, as where a Listener finds none.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	Opened func(client, server *driver.Conn) // both connections exist, though the client's was not accepted yet; nil for nothing

	mu      sync.Mutex
	closing []*driver.Conn // the oldest first
}

// Program connects to the server, for Options.Program. It fails like driver.Conn.Err if the client does not wait, and like driver.Device.Dial.
func (f *Forwarding) Program(client *Calls) (rpc.Program, error) {
	pd, err := client.session.newPD(f.Device)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(client.session.ctx, f.Timeout)
	defer cancel()
	go func() {
		select {
		case <-client.session.conn.Done():
			cancel()
		case <-ctx.Done():
		}
	}()
	p := &forwarded{Forward: rpc.NewForward(f.Options), client: client}
	nc, err := f.dial(ctx, client.session.server.device)
	if err == nil {
		p.caller, err = rpcwork.Initiate(ctx, f.Device, nc, p.Requester, driver.ConnConfig{QP: rnicsim.QPConfig{PD: pd}})
	}
	if err != nil {
		return nil, cmp.Or(client.session.conn.Err(), err)
	}
	server := p.caller.Conn
	client.session.atEnd(func() { f.end(client.session.conn, server) })
	if f.Opened != nil {
		f.Opened(client.session.conn, server)
	}
	server.OnCompletion(p.completed)
	go func() {
		<-server.Done()
		client.End(server.Err())
	}()
	p.perform()
	return p, nil
}

// retry is the time before the next attempt to connect to the server where there is no descriptor.
const retry = 5 * time.Millisecond

// dial connects to the server. Clients give way where there is no descriptor.
func (f *Forwarding) dial(ctx context.Context, clients *driver.Device) (net.Conn, error) {
	dial := f.Dial
	if dial == nil {
		dial = (&net.Dialer{Control: link.Unpaced}).DialContext
	}
	nc, err := dial(ctx, "tcp", f.Address)
	for crowd.Exhausted(err) && ctx.Err() == nil {
		clients.MakeRoom()
		time.Sleep(retry)
		nc, err = dial(ctx, "tcp", f.Address)
	}
	return nc, err
}

// end ends the connection to the server once that of the client is over.
func (f *Forwarding) end(client, server *driver.Conn) {
	if client.Err() != nil {
		server.Abort()
	}
	server.Close()
	f.mu.Lock()
	f.closing = append(f.closing, server)
	if f.Closing > 0 && len(f.closing) > f.Closing {
		f.closing[len(f.closing)-f.Closing-1].Abort() // those before it end already
	}
	f.mu.Unlock()
	<-server.Done()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closing = slices.DeleteFunc(f.closing, func(c *driver.Conn) bool { return c == server })
}

// A forwarded is the Program of a client.
type forwarded struct {
	*rpc.Forward
	client *Calls // its lock guards both connections
	caller *rpcwork.Caller
}

// Execute implements rpc.Program.
func (p *forwarded) Execute(r *rpc.Request) {
	p.Forward.Execute(r)
	p.perform()
}

// Replied implements rpc.Program.
func (p *forwarded) Replied(xid uint32, reply []byte) {
	p.Forward.Replied(xid, reply)
	p.perform()
}

// completed handles Work Requests on the server's connection.
func (p *forwarded) completed(done []completion) {
	good := done[:0]
	for _, d := range done {
		if d.Status == rnicsim.Success {
			good = append(good, d)
		}
	}
	p.client.Do(func() {
		if err := p.caller.Completed(good); err != nil {
			p.client.End(err)
		}
		p.Return()
		p.perform()
	})
}

// perform performs what the Requester wants.
func (p *forwarded) perform() {
	if err := p.caller.Perform(); err != nil {
		p.client.End(err)
	} else if p.caller.Queue.Closed {
		p.client.End(p.caller.Queue.Err)
	}
}
