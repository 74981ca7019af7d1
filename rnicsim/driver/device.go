package driver

// The Device: an RNIC with its lock, its clock and its connections.

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"maps"
	mathrand "math/rand/v2"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/fault"
)

// A Config says how to open a Device. Limits that are zero have the defaults below.
type Config struct {
	RNIC   rnicsim.Config      // a zero Seed is replaced by one of crypto/rand
	Logger *slog.Logger        // nil is silent
	Events func(rnicsim.Event) // called with asynchronous events, under the lock; nil for none
	Tap    func(Traffic)       // called with sent and received octets; nil for none
	Faults []fault.Fault       // injected into what each connection sends

	// MaxConns is how many connections there may be at a time. More that begin here are refused. Those that arrive have
	// budgets: four times MaxConns in start-up, and as many again whose octets are not read yet; MaxConns each that are silent,
	// slow, busy and closing. When a budget is full, the address with the most connections loses its least useful one by a
	// reset.
	MaxConns int

	MaxHeld   int           // octets buffered for slow peers; beyond it the connection that has stalled longest is reset
	Idle      time.Duration // a connection that carries nothing for this long, in either direction, is reset; 0 for never
	Stall     time.Duration // so is one whose peer takes this long to finish an FPDU, or to read up to 320 KiB; -1 for never
	MaxOctets uint64        // a connection that has carried more, in both directions, is reset; 0 for no limit
}

// The default limits of a Config.
const (
	DefaultMaxConns = 16384
	DefaultMaxHeld  = 256 << 20
	DefaultStall    = time.Minute
)

// defaults replaces zeros.
func (c *Config) defaults() {
	if c.RNIC.Seed == ([32]byte{}) {
		rand.Read(c.RNIC.Seed[:])
	}
	c.RNIC.Profile = cmp.Or(c.RNIC.Profile, &rules.RFC)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.MaxConns = cmp.Or(c.MaxConns, DefaultMaxConns)
	c.MaxHeld = cmp.Or(c.MaxHeld, DefaultMaxHeld)
	c.Stall = cmp.Or(c.Stall, DefaultStall)
}

// A Device is an RNIC on TCP. It is safe for concurrent use.
type Device struct {
	config Config
	begin  time.Time // zero of its clock

	mu        sync.Mutex // guards the RNIC, all that belongs to it, and what follows
	rnic      *rnicsim.RNIC
	pd        *rnicsim.PD
	handler   uint32 // of the CQs of connections
	byCQ      map[*rnicsim.CQ]*Conn
	conns     map[*Conn]struct{}
	listeners map[*Listener]struct{}
	held      heldOctets
	timer     timer
	random    *mathrand.Rand // for the places of regions
	nextTO    uint64         // of the next region; 0 before the first
	serial    uint64         // of the next connection
	closed    bool

	empty   []byte // a buffer for the next batch; nil for none
	buffers buffers
	running sync.WaitGroup // goroutines
}

// Open opens a Device. It fails like quirk.Quirk.Check, RNIC.AllocatePD and RNIC.AddCompletionEventHandler.
func Open(c Config) (*Device, error) {
	c.defaults()
	for i := range c.RNIC.Quirks {
		if err := c.RNIC.Quirks[i].Check(); err != nil {
			return nil, err
		}
	}
	d := &Device{
		config: c, begin: time.Now(), rnic: rnicsim.New(c.RNIC),
		byCQ: make(map[*rnicsim.CQ]*Conn), conns: make(map[*Conn]struct{}), listeners: make(map[*Listener]struct{}),
	}
	seed := c.RNIC.Seed
	seed[0] ^= 0xff // the RNIC draws STags from the Seed itself
	d.random = mathrand.New(mathrand.NewChaCha8(seed))
	d.buffers.init()
	d.held.most = c.MaxHeld
	var err, also error
	d.pd, err = d.rnic.AllocatePD()
	d.handler, also = d.rnic.AddCompletionEventHandler(d.completed)
	if err = errors.Join(err, also, d.rnic.SetAsyncEventHandler(d.event)); err != nil {
		return nil, err
	}
	return d, nil
}

// now returns the time on the clock of the Device.
func (d *Device) now() time.Duration { return time.Since(d.begin) }

// PD returns the Protection Domain of connections that name no other.
func (d *Device) PD() *rnicsim.PD { return d.pd }

// Do calls f with the RNIC, under the lock. f may use all verbs, on all that belongs to the RNIC, but must neither
// block nor call functions of the driver. What f posted is then sent, on any connection; Conn.Do checks only one.
func (d *Device) Do(f func(r *rnicsim.RNIC) error) error {
	d.mu.Lock()
	conns := slices.Collect(maps.Keys(d.conns))
	now := d.now()
	for _, c := range conns {
		c.stream.Advance(now)
	}
	err := f(d.rnic)
	d.mu.Unlock()
	for _, c := range conns {
		d.mu.Lock()
		c.pump(false)
	}
	return err
}

// event passes on an asynchronous event.
func (d *Device) event(e rnicsim.Event) {
	d.logEvent(&e)
	if d.config.Events != nil {
		d.config.Events(e)
	}
}

// logEvent logs an asynchronous event, with the connection whose QP it is about.
func (d *Device) logEvent(e *rnicsim.Event) {
	ctx := context.Background()
	if !d.config.Logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	attrs := []slog.Attr{slog.String("event", e.Type.String())}
	for c := range d.conns {
		if e.QP != nil && c.qp == e.QP {
			attrs = append(attrs, slog.Uint64("conn", c.serial))
		}
	}
	d.config.Logger.LogAttrs(ctx, slog.LevelDebug, "asynchronous event", attrs...)
}

// logEnd logs a connection that is over.
func (d *Device) logEnd(c *Conn) {
	attrs := []slog.Attr{slog.Uint64("conn", c.serial), slog.String("peer", c.remote.String())}
	if c.err != nil {
		attrs = append(attrs, slog.String("error", c.err.Error()))
	}
	d.config.Logger.LogAttrs(context.Background(), slog.LevelInfo, "connection is over", attrs...)
}

// completed is the Completion Event Handler of the CQs of connections.
func (d *Device) completed(q *rnicsim.CQ) {
	if c := d.byCQ[q]; c != nil {
		c.notify()
	}
}

// Close closes the listeners, resets all connections and closes the RNIC. It returns when all goroutines of the Device
// have ended, so none of them may call it.
func (d *Device) Close() error {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return net.ErrClosed
	}
	d.closed = true
	listeners, conns := slices.Collect(maps.Keys(d.listeners)), slices.Collect(maps.Keys(d.conns))
	d.mu.Unlock()
	for _, l := range listeners {
		l.Close()
	}
	for _, c := range conns {
		d.mu.Lock()
		c.cut(net.ErrClosed)
		c.wire.link.Reset() // the connection may be over, and wait for the peer's FIN
		c.pump(false)
	}
	d.mu.Lock()
	d.timer.stop(d)
	d.mu.Unlock()
	d.running.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range conns {
		c.report()
	}
	d.empty, d.conns, d.byCQ, d.timer.waiting = nil, nil, nil, nil
	d.buffers.drop()
	return d.rnic.Close()
}

// createCQ creates a CQ if one is missing. It has room for all Work Requests.
func (d *Device) createCQ(c *Conn) (err error) {
	q := &c.config.QP
	if q.SendCQ != nil && q.RecvCQ != nil {
		return nil
	}
	c.own, err = d.rnic.CreateCQ(max(1, q.SQ+q.RQ), d.handler)
	if err != nil {
		return err
	}
	d.byCQ[c.own] = c
	q.SendCQ = cmp.Or(q.SendCQ, c.own)
	q.RecvCQ = cmp.Or(q.RecvCQ, c.own)
	return c.own.RequestNotification(false)
}

// retire releases a connection's resources of the RNIC. Memory Windows go first: neither their regions nor their QP can go
// while they are bound.
func (d *Device) retire(c *Conn) {
	own := c.completions.detach()
	for _, s := range slices.Concat(c.windows, c.regions) {
		d.rnic.Deallocate(s)
	}
	c.windows, c.regions = nil, nil
	if c.qp != nil {
		c.qp.Destroy()
	}
	if own != nil {
		delete(d.byCQ, own)
		own.Destroy()
	}
}

// enter adds a connection. An inbound one is never refused: others give way.
func (d *Device) enter(c *Conn) error {
	c.serial = d.serial
	d.serial++
	switch {
	case d.closed, c.listener != nil && c.listener.over():
		return net.ErrClosed
	case c.initiator && len(d.conns) >= d.config.MaxConns:
		return ErrTooManyConns
	}
	d.conns[c] = struct{}{}
	if c.listener == nil { // which keeps them before it takes the next one in
		d.keepBudgets()
	}
	return nil
}
