package live

// A connection that is being played: its input, output and timers.

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/internal/link"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A conn is a Player on TCP. The goroutine of play owns it; those of read and write report to it by channels.
type conn struct {
	*round
	name           string
	serial         int
	client, server netip.AddrPort // of TCP
	link           link.Link
	player         *player.Player
	timer          *time.Timer
	armed          time.Duration // when the timer expires, on the clock of the round; 0 if it is not set

	input   chan received
	written chan error    // the result of write
	gone    chan struct{} // closed when reading stops
	helpers sync.WaitGroup

	writing     bool  // write is running
	broken      bool  // nothing more can be sent
	finished    bool  // a FIN was sent
	receivedEnd bool  // nothing more can be received
	lost        error // the reason, if that is neither a FIN nor a reset
	counted     int   // completed steps in Progress
	answered    bool  // octets have arrived
}

func (r *round) newConn(c *scenario.Conn, nc net.Conn) *conn {
	n := &conn{
		round: r, name: c.Name, serial: r.serial, link: link.New(nc), timer: time.NewTimer(time.Hour),
		input: make(chan received), written: make(chan error, 1), gone: make(chan struct{}),
	}
	n.timer.Stop()
	local, remote := address(nc.LocalAddr()), address(nc.RemoteAddr())
	n.client, n.server = local, remote
	if !r.dials {
		n.client, n.server = remote, local
	}
	o := r.options.Player
	o.Begin, o.EMSS = n.now(), n.link.Segment()
	o.Client, o.Server = local, remote
	if r.options.Role == scenario.Server {
		o.Client, o.Server = remote, local
	}
	n.player = player.New(c, r.options.Role, o)
	return n
}

func address(a net.Addr) netip.AddrPort {
	t, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	p := t.AddrPort()
	return netip.AddrPortFrom(p.Addr().Unmap(), p.Port())
}

func (r *round) now() time.Duration { return time.Since(r.begin) }

func (c *conn) play(ctx context.Context) *outcome.Conn {
	c.helpers.Go(c.read)
	for ctx.Err() == nil {
		c.player.Advance(c.now())
		more := c.transmit()
		c.count()
		if c.player.Done() {
			break
		}
		c.arm()
		c.await(ctx, more)
	}
	o := c.finish(ctx)
	c.timer.Stop()
	close(c.gone)
	c.helpers.Wait()
	return o
}

// await waits until something happens. If there is more to be sent it only polls the input.
func (c *conn) await(ctx context.Context, more bool) {
	if more {
		select {
		case in := <-c.input:
			c.receive(in)
		default:
		}
		return
	}
	select {
	case in := <-c.input:
		c.receive(in)
	case err := <-c.written:
		c.writeDone(err)
	case <-c.timer.C:
		c.armed = 0
	case <-ctx.Done():
	}
}

// arm sets the timer to the next deadline, unless it expires earlier anyway.
func (c *conn) arm() {
	at, ok := c.player.NextDeadline()
	if !ok || c.armed > 0 && c.armed <= at {
		return
	}
	c.armed = max(at, 1)
	c.timer.Reset(at - c.now())
}

func (c *conn) receive(in received) {
	c.player.Advance(c.now())
	if in.n > 0 {
		c.answered = true
		c.tap(false, in.buffer[:in.n], mpa.GoesOn)
		c.player.Input(in.buffer[:in.n])
	}
	in.release()
	if in.err == nil {
		return
	}
	c.receivedEnd = true
	switch by := link.DepartureBy(in.err); {
	case by == link.ByFIN && !c.broken:
		c.tap(false, nil, mpa.EndsFIN)
		c.player.InputFIN()
		return
	case by == link.ByLoss:
		c.lost = in.err
	}
	c.wasReset()
}

// wasReset handles a connection that no longer exists.
func (c *conn) wasReset() {
	c.broken = true
	if c.lost == nil {
		c.tap(false, nil, mpa.EndsReset)
	}
	c.player.InputReset()
}

func (c *conn) count() {
	if done := c.player.Progress(); done > c.counted && c.options.Progress != nil {
		c.update(func(p *Progress) { p.Done += done - c.counted })
		c.counted = done
	}
}

// tap reports octets, or the end of a direction.
func (c *conn) tap(sent bool, octets []byte, e mpa.Ending) {
	if c.options.Tap != nil {
		c.options.Tap(Traffic{
			Conn: c.serial, Client: c.client, Server: c.server, FromClient: sent == c.dials, Time: time.Now(), Octets: octets, End: e,
		})
	}
}

func (c *conn) log(ctx context.Context, what string, more ...slog.Attr) {
	attrs := []slog.Attr{
		slog.String("conn", c.name), slog.Int("round", c.number), slog.String("client", c.client.String()), slog.String("server", c.server.String()),
	}
	c.options.Logger.LogAttrs(ctx, slog.LevelInfo, what, append(attrs, more...)...)
}
