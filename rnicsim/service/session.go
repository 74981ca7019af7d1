package service

// One connection of a Server, from Serve or Initiate to its end.

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
)

// completion is the argument of handlers.
type completion = rnicsim.Completion

// An EventType is the kind of an Event.
type EventType uint8

// The EventTypes.
const (
	Opened  EventType = iota // a connection was accepted, or made
	Message                  // a message of the peer was received
	Ended                    // a connection is over
)

// An Event reports what happened on a connection. The events of one connection are sequential, in the order of their
// types.
type Event struct {
	Type EventType
	Conn *driver.Conn

	Completion rnicsim.Completion // of a Message: that of its Receive
	Messages   uint64             // received so far
	Octets     uint64             // of these messages
	Err        error              // of Ended: driver.Conn.Err, or why the Server has ended it; nil for a close
}

// A session is a connection that is served.
type session struct {
	ctx       context.Context // of Serve or Initiate
	server    *Server
	initiator bool // the connection was begun by the Server
	conn      *driver.Conn
	pd        *rnicsim.PD  // nil for that of the Device
	srq       *rnicsim.SRQ // nil if the QP has Receives of its own
	srqPD     *rnicsim.PD
	handler   handler
	messages  uint64
	octets    uint64
	opened    sync.Once
	objected  chan error // gets the reason why the Server ends the connection
	endings   []func()   // see atEnd
}

// newSession makes a session with a Protection Domain of its own, unless all share one.
func (s *Server) newSession(ctx context.Context, initiator bool) (*session, error) {
	c := &session{ctx: ctx, server: s, initiator: initiator, handler: s.handler(), objected: make(chan error, 1)}
	if s.shared {
		return c, nil
	}
	var err error
	if c.pd, err = c.newPD(s.device); err == nil && s.options.SRQ {
		err = c.shareReceives()
	}
	return c, err
}

// newPD returns a Protection Domain for as long as the connection lasts.
func (c *session) newPD(d *driver.Device) (pd *rnicsim.PD, err error) {
	err = d.Do(func(r *rnicsim.RNIC) (err error) {
		pd, err = r.AllocatePD()
		return err
	})
	if err == nil {
		c.atEnd(func() { d.Do(func(*rnicsim.RNIC) error { return pd.Deallocate() }) })
	}
	return pd, err
}

// atEnd calls f when the connection is over, the latest first.
func (c *session) atEnd(f func()) { c.endings = append(c.endings, f) }

// release returns the connection's resources of the Device.
func (c *session) release() {
	for _, f := range slices.Backward(c.endings) {
		f()
	}
}

// Serve accepts a connection and serves it until it is over. When ctx is done it closes the connection. It fails if
// the connection cannot be accepted, with ErrNoReads if it was rejected because the Service reads and the client has
// no IRD. An Event reports why an accepted connection ended.
func (s *Server) Serve(ctx context.Context, r *driver.Request) error {
	if request := r.Frame(); s.reads && takesNoReads(&request) {
		return errors.Join(ErrNoReads, r.Reject(nil))
	}
	c, err := s.newSession(ctx, false)
	if err != nil {
		return errors.Join(err, r.Reject(nil))
	}
	defer c.release()
	if _, err := r.Accept(ctx, driver.ConnConfig{QP: c.queues(), Prepare: c.prepare}); err != nil {
		return err
	}
	c.open()
	c.wait(ctx)
	return nil
}

// Initiate begins a connection as the Initiator on nc, if the Service can, and serves it like Serve. stream is as in
// driver.ConnConfig. It fails with ErrWaits, or like driver.Device.Initiate. It owns nc from then on, even if it fails.
func (s *Server) Initiate(ctx context.Context, nc net.Conn, stream rnicsim.StreamConfig) error {
	if !s.Initiates {
		return errors.Join(ErrWaits, nc.Close())
	}
	c, err := s.newSession(ctx, true)
	if err != nil {
		return errors.Join(err, nc.Close())
	}
	defer c.release()
	config := driver.ConnConfig{Stream: stream, QP: c.queues(), Prepare: c.prepare}
	if _, err := s.device.Initiate(ctx, nc, config); err != nil {
		return err
	}
	c.open()
	c.wait(ctx)
	return nil
}

// takesNoReads reports whether a client announces an IRD of 0.
func takesNoReads(request *mpa.Frame) bool {
	var asked mpa.Enhanced
	return request.Enhanced(&asked) && asked.IRD == 0
}

// canRead reports whether RDMA Reads and Atomics of this side may be outstanding.
func (c *session) canRead() bool {
	a := c.conn.Agreement()
	agreed := a.RespORD
	if c.initiator {
		agreed = a.InitORD
	}
	return agreed != 0 && c.server.options.ORD >= 0
}

func (c *session) queues() rnicsim.QPConfig {
	o := &c.server.options
	return rnicsim.QPConfig{
		PD: c.pd, SRQ: c.srq, BindWindows: true, SQ: max(c.server.sends, o.Receives+2), RQ: max(o.Receives, c.server.queue, 1), // rping has two Work Requests for one message
		RemoteRead: true, RemoteWrite: true, SendSGEs: 1, WriteSGEs: 1, RecvSGEs: 1, IRD: o.IRD, ORD: o.ORD,
	}
}

// prepare runs before the first FPDU may arrive.
func (c *session) prepare(conn *driver.Conn) error {
	c.conn = conn
	private, err := c.handler.prepare(c)
	if err != nil {
		return err
	}
	conn.SetPrivate(append(private, c.server.options.Private...))
	conn.OnCompletion(c.completed)
	return nil
}

// open reports the connection: once the negotiation is over, and before the first message.
func (c *session) open() { c.opened.Do(func() { c.report(Event{Type: Opened}) }) }

// completed counts messages and calls the handler. It skips Work Requests that failed, since the connection then ends.
func (c *session) completed(done []completion) {
	c.open()
	good := done[:0]
	for _, d := range done {
		if d.Status != rnicsim.Success {
			continue
		}
		good = append(good, d)
		if d.Op == rnicsim.OpReceive {
			c.messages++
			c.octets += uint64(d.Length)
			c.report(Event{Type: Message, Completion: d})
		}
	}
	if len(good) == 0 {
		return
	}
	if err := c.handler.completed(c, good); err != nil {
		c.object(err)
	}
}

// object ends the connection because of err, nil for a close, unless it has ended by itself.
func (c *session) object(err error) {
	if isEnd(err) {
		return
	}
	select {
	case c.objected <- err:
	default:
	}
}

// isEnd reports whether err is the consequence of the end of the connection, whose cause Conn.Err has.
func isEnd(err error) bool {
	return errors.Is(err, net.ErrClosed) || errors.Is(err, rnicsim.ErrInvalidState)
}

// report calls the observer.
func (c *session) report(e Event) {
	if observe := c.server.options.Observe; observe != nil {
		e.Conn, e.Messages, e.Octets = c.conn, c.messages, c.octets
		observe(e)
	}
}

// wait waits for the end of the connection.
func (c *session) wait(ctx context.Context) {
	var objection error
	select {
	case <-c.conn.Done():
	case <-ctx.Done():
		c.conn.Close()
	case objection = <-c.objected:
		c.conn.Close()
	}
	<-c.conn.Done()
	if objection == nil {
		select {
		case objection = <-c.objected:
		default:
		}
	}
	c.report(Event{Type: Ended, Err: errors.Join(objection, c.conn.Err())})
}
