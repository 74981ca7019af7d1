// Package reference provides the peer for tests of the cases of package conform: the reference RNIC with the service
// that they need, on loopback in the same process.
package reference

import (
	"context"
	"errors"
	"net"
	"sync"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/live"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// A Peer is the reference RNIC with a service.
type Peer struct {
	Config
	device *driver.Device
	server *service.Server
	ctx    context.Context
	stop   context.CancelFunc
	all    sync.WaitGroup
}

// Config configures a Peer. The zero value is an RNIC with the conform service that breaks no rule.
type Config struct {
	Device  driver.Config
	Stream  rnicsim.StreamConfig // the zero value is the driver's default
	Service conform.Service
	SRQ     bool        // of the ConformService: Receives come from a Shared Receive Queue
	RPC     rpc.Options // of the RPCService
}

// Sides returns the sides that can be played against the Peer: an RPC server does not connect.
func (c *Config) Sides() []scenario.Side {
	if c.Service == conform.RPCService {
		return []scenario.Side{scenario.Client}
	}
	return []scenario.Side{scenario.Client, scenario.Server}
}

// Questions returns the questions for its service.
func (c *Config) Questions(some []conform.Question) (of []conform.Question) {
	for _, q := range some {
		if q.Section.Service == c.Service {
			of = append(of, q)
		}
	}
	return of
}

// Open starts a Peer, which waits until Ask.
func Open(c Config) (*Peer, error) {
	d, err := driver.Open(c.Device)
	if err != nil {
		return nil, err
	}
	server, err := service.New(d, c.Service.String(), c.options())
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	p := &Peer{Config: c, device: d, server: server}
	p.ctx, p.stop = context.WithCancel(context.Background())
	return p, nil
}

// options returns the Options of the service: the RNIC has the IRD and ORD that the connection begins with.
func (c *Config) options() service.Options {
	o := service.Options{RPC: c.RPC, SRQ: c.SRQ}
	if e := c.Stream.Enhanced; e != nil {
		o.IRD, o.ORD = reads(e.IRD), reads(e.ORD)
	}
	return o
}

// reads converts an IRD or ORD of an Enhanced word to the value in Options.
func reads(n uint16) int {
	switch n {
	case 0:
		return -1
	case mpa.NotNegotiated:
		return 0 // the default
	}
	return int(n)
}

// Close ends the Peer and its connections.
func (p *Peer) Close() error {
	p.stop()
	err := p.device.Close()
	p.all.Wait()
	return err
}

// Ask runs cases against the Peer, in a role.
func (p *Peer) Ask(ctx context.Context, questions []conform.Question, side scenario.Side, o conform.Options) (*conform.Report, error) {
	o.Service = p.Service
	if side == scenario.Server {
		return p.askInitiator(ctx, questions, o)
	}
	listening, stop := context.WithCancel(p.ctx)
	defer stop()
	l, err := p.device.Listen(listening, "tcp", "127.0.0.1:0", driver.ListenConfig{Stream: p.Stream})
	if err != nil {
		return nil, err
	}
	p.all.Go(func() { p.accept(listening, l) })
	o.Address = l.Addr().String()
	return conform.Run(ctx, questions, o)
}

// accept serves all connections.
func (p *Peer) accept(ctx context.Context, l *driver.Listener) {
	for {
		r, err := l.Accept(ctx)
		if errors.Is(err, net.ErrClosed) || ctx.Err() != nil {
			return
		}
		if err == nil {
			p.all.Go(func() { p.server.Serve(p.ctx, r) })
		}
	}
}

func (p *Peer) askInitiator(ctx context.Context, questions []conform.Question, o conform.Options) (*conform.Report, error) {
	l, err := live.Listen(ctx, "127.0.0.1:0", live.ListenConfig{})
	if err != nil {
		return nil, err
	}
	defer l.Close()
	connecting, stop := context.WithCancel(p.ctx)
	defer stop()
	p.all.Go(func() { p.connect(connecting, l.Addr().String()) })
	o.Listener = l
	return conform.Run(ctx, questions, o)
}

// connect connects repeatedly.
func (p *Peer) connect(ctx context.Context, address string) {
	var d net.Dialer
	for {
		nc, err := d.DialContext(ctx, "tcp", address)
		if err != nil {
			return // the listener is closed
		}
		p.server.Initiate(ctx, nc, p.Stream)
	}
}
