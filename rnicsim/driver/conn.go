package driver

// A connection: what it is made of, and what its user does with it.

import (
	"net"
	"sync/atomic"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/internal/link"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// ConnConfig is what one end wants of a connection.
type ConnConfig struct {
	// Stream is how MPA begins; the zero value is MPA revision 2 with CRCs, without Markers, that offers the IRD and ORD
	// of the QP. It is not looked at where a Request is accepted: there the Listener's counts.
	Stream rnicsim.StreamConfig

	// QP is what the QP is created with. What is nil or zero has a default: PD that of the Device, the CQs one of the
	// connection's own, sizes 128 Work Requests and 4 SGEs, IRD and ORD 16; -1 stands for zero. If all but PD, CQs and
	// SRQ is zero, then RemoteRead and RemoteWrite are set too.
	QP rnicsim.QPConfig

	Private []byte // Private Data of the Request, or of the Reply

	// Prepare is called when the QP is there and nothing can come in yet, for Receives to be posted and memory to be
	// registered; an error refuses the connection. Of an Initiator it comes before the Request is sent.
	Prepare func(*Conn) error
}

// The sizes of a QP that says nothing.
const (
	defaultWRs   = 128
	defaultSGEs  = 4
	defaultReads = 16 // IRD and ORD
)

// size puts in the default for zero, and zero for what is negative.
func size(v *int, value int) {
	orDefault(v, value)
	*v = max(*v, 0)
}

// sizes puts in what is zero in a QPConfig, but for its CQs.
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

// streamDefaults is a Stream that says nothing.
func streamDefaults(ird, ord int) rnicsim.StreamConfig {
	offered := func(n int) uint16 { return uint16(min(n, mpa.NotNegotiated-1)) }
	return rnicsim.StreamConfig{Rev: mpa.Rev2, CRC: true, Enhanced: &mpa.Enhanced{IRD: offered(ird), ORD: offered(ord)}}
}

// A Conn is an end of an iWARP connection: a QP on a Stream on TCP. It is safe for concurrent use.
type Conn struct {
	d      *Device
	link   link.Link
	serial uint64
	octets atomic.Uint64 // that were sent and received
	local  net.Addr
	remote net.Addr

	// The rest is guarded by the lock of the Device, but for what one goroutine has while a flag says so.
	stream  *rnicsim.Stream
	config  ConnConfig
	qp      *rnicsim.QP // nil for a Request that has not been accepted
	own     *rnicsim.CQ // nil if there is none
	regions []rnicsim.STag

	startup
	completion
	transmitter
	receiver
	ending
	waits
}

// newConn makes a connection of a net.Conn. It is not known to the Device yet.
func newConn(d *Device, nc net.Conn, s rnicsim.StreamConfig) *Conn {
	c := &Conn{d: d, stream: d.rnic.NewStream(s), local: nc.LocalAddr(), remote: nc.RemoteAddr()}
	c.link, c.timeout = link.New(nc), patience(&s)
	c.completion.init(c)
	c.transmitter.init(c)
	c.receiver.init(c)
	c.ending.init()
	c.startup.init()
	return c
}

// createQP makes the QP, and calls Prepare. The lock is not held.
func (c *Conn) createQP() error {
	d := c.d
	d.mu.Lock()
	q := &c.config.QP
	orDefault(&q.PD, d.pd)
	var err error
	if c.over {
		err = c.failure()
	} else if err = c.createCQ(); err == nil {
		c.qp, err = d.rnic.CreateQP(*q)
	}
	d.mu.Unlock()
	if err != nil || c.config.Prepare == nil {
		return err
	}
	return c.config.Prepare(c)
}

// createCQ makes a CQ if one is missing. It has room for all that can be completed.
func (c *Conn) createCQ() (err error) {
	d, q := c.d, &c.config.QP
	if q.SendCQ != nil && q.RecvCQ != nil {
		return nil
	}
	c.own, err = d.rnic.CreateCQ(max(1, q.SQ+q.RQ), d.handler)
	if err != nil {
		return err
	}
	d.byCQ[c.own] = c
	orDefault(&q.SendCQ, c.own)
	orDefault(&q.RecvCQ, c.own)
	return c.own.RequestNotification(rnicsim.NextCompletion)
}

// QP is the Queue Pair, for use in Device.Do. It is destroyed when the connection has ended.
func (c *Conn) QP() *rnicsim.QP { return c.qp }

// Serial tells connections of a Device apart: 0 for the first, and so on, those that were refused included.
func (c *Conn) Serial() uint64 { return c.serial }

// Octets is how many TCP was given and has delivered, MPA frames included.
func (c *Conn) Octets() uint64 { return c.octets.Load() }

// LocalAddr is the address of this end.
func (c *Conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr is the address of the peer.
func (c *Conn) RemoteAddr() net.Addr { return c.remote }

// Request is the MPA Request.
func (c *Conn) Request() mpa.Frame {
	defer c.d.lock()()
	return c.stream.Request()
}

// Reply is the MPA Reply.
func (c *Conn) Reply() mpa.Frame {
	defer c.d.lock()()
	return c.stream.Reply()
}

// Agreement is what both frames fix.
func (c *Conn) Agreement() rules.Agreement {
	defer c.d.lock()()
	return c.stream.Agreement()
}

// Do calls f with the RNIC as Device.Do does, and then looks at this connection only.
func (c *Conn) Do(f func(r *rnicsim.RNIC) error) error {
	c.d.mu.Lock()
	c.stream.Advance(c.d.now())
	err := f(c.d.rnic)
	c.pump(false)
	return err
}

// lock takes the lock, and returns how to give it back.
func (d *Device) lock() func() {
	d.mu.Lock()
	return d.mu.Unlock
}

// SetPrivate sets the Private Data of the Request or Reply, for use in Prepare.
func (c *Conn) SetPrivate(b []byte) {
	defer c.d.lock()()
	c.config.Private = b
}

// Post posts Work Requests to the Send Queue, and sends them as far as TCP takes them at once. It fails as QP.PostSQ
// does, or with net.ErrClosed when the connection is over; those before the one that is refused were posted.
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

// PostReceive posts Receives. It fails as QP.PostRQ does, or with net.ErrClosed when the connection is over; those before
// the one that is refused were posted.
func (c *Conn) PostReceive(wrs ...rnicsim.WorkRequest) error {
	defer c.d.lock()()
	if c.over {
		return net.ErrClosed
	}
	_, err := c.qp.PostRQ(wrs...)
	return err
}
