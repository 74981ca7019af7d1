package driver

// A connection: its parts, and its use.
//
// One goroutine for each connection reads up to 320 KiB, takes the lock, gives all complete FPDUs to the Stream and
// calls the handler of completions. The goroutine that causes sending, by a verb or by handling a request of the peer,
// also sends: it pulls up to 320 KiB of FPDUs off the Stream under the lock, and gives them to TCP without the lock and
// without waiting. If TCP does not accept all, a temporary goroutine waits. So both ends may send at once. FPDUs fit
// the segments that the socket reports. One timer serves all deadlines.
//
// Payload is copied once between registered memory and a buffer. Where there are Markers, or an unfinished FPDU of less
// than 2 KiB or at the end of the buffer, it is copied twice. In the steady state neither a message nor an FPDU
// allocates. An idle connection takes about 14 KiB with its QP, and no buffer. On systems other than Linux a goroutine
// waits for each read and write, and each connection has a buffer.

import (
	"cmp"
	"net"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/internal/link"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// A ConnConfig says how one end sets up a connection.
type ConnConfig struct {
	// Stream configures MPA; the zero value is MPA revision 2 with CRCs, without Markers, that offers the IRD and ORD
	// of the QP. Request.Accept ignores it: there that of the Listener counts.
	Stream rnicsim.StreamConfig

	// QP configures the QP. Nil or zero values have defaults: PD that of the Device, the CQs one of the connection's
	// own, sizes 128 Work Requests and 4 SGEs, IRD and ORD 16; -1 stands for zero. If all but PD, CQs and SRQ is zero,
	// then RemoteRead and RemoteWrite are set too.
	QP rnicsim.QPConfig

	Private []byte // Private Data of the Request, or of the Reply

	// Prepare is called when the QP exists and nothing can come in yet, to post Receives and register
	// memory. An error refuses the connection. An Initiator calls it before it sends the Request.
	Prepare func(*Conn) error
}

// The default sizes of a QP.
const (
	defaultWRs   = 128
	defaultSGEs  = 4
	defaultReads = 16 // IRD and ORD
)

// size replaces zero by the default, and negative values by zero.
func size(v *int, value int) {
	*v = max(cmp.Or(*v, value), 0)
}

// sizes replaces zeros in a QPConfig, except for its CQs.
func sizes(q *rnicsim.QPConfig, ird, ord int) {
	if *q == (rnicsim.QPConfig{PD: q.PD, SendCQ: q.SendCQ, RecvCQ: q.RecvCQ, SRQ: q.SRQ}) {
		q.RemoteRead, q.RemoteWrite = true, true
	}
	size(&q.SQ, defaultWRs)
	size(&q.RQ, defaultWRs)
	size(&q.SendSGEs, defaultSGEs)
	size(&q.WriteSGEs, defaultSGEs)
	size(&q.RecvSGEs, defaultSGEs)
	size(&q.IRD, ird)
	size(&q.ORD, ord)
}

// streamDefaults returns the default configuration of a Stream.
func streamDefaults(ird, ord int) rnicsim.StreamConfig {
	offered := func(n int) uint16 { return uint16(min(n, mpa.NotNegotiated-1)) }
	return rnicsim.StreamConfig{Rev: mpa.Rev2, CRC: true, Enhanced: &mpa.Enhanced{IRD: offered(ird), ORD: offered(ord)}}
}

// A Conn is one end of an iWARP connection: a QP on a Stream on TCP. It is safe for concurrent use.
type Conn struct {
	d      *Device
	wire   wire // used without the lock
	serial uint64
	local  net.Addr
	remote net.Addr

	// The lock of the Device guards the rest, except what a flag assigns to one goroutine.
	stream  *rnicsim.Stream
	config  ConnConfig
	qp      *rnicsim.QP // nil until a Request is accepted
	windows []rnicsim.STag
	regions []rnicsim.STag

	registered int // total, in octets

	startup
	completions
	transmitter
	receiver
	ending
	waits
}

// newConn makes a connection of a net.Conn. The Device does not know it yet.
func newConn(d *Device, nc net.Conn, s rnicsim.StreamConfig) *Conn {
	c := &Conn{d: d, stream: d.rnic.NewStream(s), local: nc.LocalAddr(), remote: nc.RemoteAddr()}
	c.wire.link, c.wire.gone = link.New(nc), make(chan struct{})
	if tap := d.config.Tap; tap != nil {
		c.wire.show = func(t Traffic) {
			t.Conn = c
			tap(t)
		}
	}
	c.ready, c.wake, c.deliverer = make(chan struct{}), make(chan struct{}, 1), c.deliverAll
	c.transmitter = newTransmitter(&c.wire, &d.buffers, d.config.Faults)
	c.writer = c.writeAll
	c.in.spare = &d.buffers
	c.users, c.done = 1, make(chan struct{})
	c.timeout, c.idle, c.stall = patience(&s), d.config.Idle, d.config.Stall
	return c
}

// createQP creates the QP and calls Prepare. The lock is not held.
func (c *Conn) createQP() error {
	d := c.d
	d.mu.Lock()
	q := &c.config.QP
	q.PD = cmp.Or(q.PD, d.pd)
	var err error
	if c.over {
		err = c.failure()
	} else if err = d.createCQ(c); err == nil {
		c.qp, err = d.rnic.CreateQP(*q)
	}
	d.mu.Unlock()
	if err != nil || c.config.Prepare == nil {
		return err
	}
	return c.config.Prepare(c)
}

// QP returns the Queue Pair, for use in Device.Do. It is destroyed when the connection is over.
func (c *Conn) QP() *rnicsim.QP { return c.qp }

// Serial returns the number of the connection: from 0 for each Device, including refused connections.
func (c *Conn) Serial() uint64 { return c.serial }

// Octets returns the number of octets given to TCP and received from it, MPA frames included.
func (c *Conn) Octets() uint64 { return c.wire.octets.Load() }

// LocalAddr returns the address of this end.
func (c *Conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr returns the address of the peer.
func (c *Conn) RemoteAddr() net.Addr { return c.remote }

// Request returns the MPA Request.
func (c *Conn) Request() mpa.Frame {
	defer c.d.lock()()
	return c.stream.Request()
}

// Reply returns the MPA Reply.
func (c *Conn) Reply() mpa.Frame {
	defer c.d.lock()()
	return c.stream.Reply()
}

// Agreement returns the result of the negotiation.
func (c *Conn) Agreement() rules.Agreement {
	defer c.d.lock()()
	return c.stream.Agreement()
}

// Do calls f with the RNIC as Device.Do does, and then sends what f posted on this connection.
func (c *Conn) Do(f func(r *rnicsim.RNIC) error) error {
	c.d.mu.Lock()
	c.stream.Advance(c.d.now())
	err := f(c.d.rnic)
	c.pump(false)
	return err
}

// lock takes the lock and returns how to release it.
func (d *Device) lock() func() {
	d.mu.Lock()
	return d.mu.Unlock
}

// SetPrivate sets the Private Data of the Request or Reply. It is for use in Prepare.
func (c *Conn) SetPrivate(b []byte) {
	defer c.d.lock()()
	c.config.Private = b
}

// Post posts Work Requests to the Send Queue, and sends as much as TCP accepts at once. It fails like QP.PostSQ, or
// with net.ErrClosed when the connection is over. Work Requests before the refused one were posted.
func (c *Conn) Post(wrs ...rnicsim.WorkRequest) error {
	c.d.mu.Lock()
	if c.over {
		c.d.mu.Unlock()
		return net.ErrClosed
	}
	c.stream.Advance(c.d.now())
	_, err := c.qp.PostSQ(wrs...)
	c.pump(false)
	return err
}

// PostReceive posts Receives, to the S-RQ if the QP has one. It fails like QP.PostRQ or SRQ.PostRQ, or with net.ErrClosed when
// the connection is over. Those before the refused one were posted.
func (c *Conn) PostReceive(wrs ...rnicsim.WorkRequest) error {
	defer c.d.lock()()
	if c.over {
		return net.ErrClosed
	}
	var err error
	if q := c.config.QP.SRQ; q != nil {
		_, err = q.PostRQ(wrs...)
	} else {
		_, err = c.qp.PostRQ(wrs...)
	}
	return err
}
