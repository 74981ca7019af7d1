package service

// One connection of a Server: its memory, and what becomes of it.

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

// completion is what the handlers are given.
type completion = rnicsim.Completion

// An EventType is what an Event tells of.
type EventType uint8

// The EventTypes.
const (
	Opened  EventType = iota // a connection was accepted, or made
	Message                  // a message of the peer was taken in
	Ended                    // a connection is over
)

// An Event is something that happened on a connection. The types come in this order, those of one connection one after
// the other.
type Event struct {
	Type EventType
	Conn *driver.Conn

	Completion rnicsim.Completion // of a Message: of its Receive
	Messages   uint64             // that were taken in by now
	Octets     uint64             // of these messages
	Err        error              // of Ended: why, as driver.Conn.Err has it, or what the Server minded; nil for a close
}

// A session is a connection that is served.
type session struct {
	server    *Server
	initiator bool // the connection was begun by the Server
	conn      *driver.Conn
	pd        *rnicsim.PD // of the connection; nil for that of the Device
	handler   handler
	messages  uint64
	octets    uint64
	opened    sync.Once
	objected  chan error // has why the Server ends the connection
	endings   []func()   // see atEnd
}

// newSession makes a session, in a Protection Domain of its own unless all share one.
func (s *Server) newSession(initiator bool) (*session, error) {
	c := &session{server: s, initiator: initiator, handler: s.handler(), objected: make(chan error, 1)}
	if s.shared {
		return c, nil
	}
	err := s.device.Do(func(r *rnicsim.RNIC) (err error) {
		c.pd, err = r.AllocatePD()
		return err
	})
	if err != nil {
		return nil, err
	}
	c.atEnd(func() { s.device.Do(func(*rnicsim.RNIC) error { return c.pd.Deallocate() }) })
	return c, nil
}

// atEnd has something done when the connection is over: what came last is done first.
func (c *session) atEnd(f func()) { c.endings = append(c.endings, f) }

// release gives back what the connection had of the Device.
func (c *session) release() {
	for _, f := range slices.Backward(c.endings) {
		f()
	}
}

// Serve accepts a connection and serves it until it is over, or until ctx is done: then it is closed. The error is why
// it could not be accepted: ErrNoReads if it was rejected since the Service has to read and the client has no IRD. Why
// it ended later is told by an Event.
func (s *Server) Serve(ctx context.Context, r *driver.Request) error {
	if request := r.Frame(); s.reads && takesNoReads(&request) {
		return errors.Join(ErrNoReads, r.Reject(nil))
	}
	c, err := s.newSession(false)
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

// Initiate begins a connection as the Initiator, which not every Service does, on a net.Conn that nobody else uses; it
// serves it as Serve does. stream is as in driver.ConnConfig. It fails with ErrWaits, or as driver.Device.Initiate
// does. Whatever comes of it, nc is the Device's.
func (s *Server) Initiate(ctx context.Context, nc net.Conn, stream rnicsim.StreamConfig) error {
	if !s.Initiates {
		return errors.Join(ErrWaits, nc.Close())
	}
	c, err := s.newSession(true)
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

// takesNoReads tells that a client says so.
func takesNoReads(request *mpa.Frame) bool {
	var asked mpa.Enhanced
	return request.Enhanced(&asked) && asked.IRD == 0
}

// canRead tells whether RDMA Reads and Atomics of this side may be outstanding.
func (c *session) canRead() bool {
	a := c.conn.Agreement()
	agreed := a.RespORD
	if c.initiator {
		agreed = a.InitORD
	}
	return agreed != 0 && c.server.options.ORD >= 0
}

// queues is what the QP is created with.
func (c *session) queues() rnicsim.QPConfig {
	o := &c.server.options
	return rnicsim.QPConfig{
		PD: c.pd, SQ: max(c.server.sends, o.Receives+2), RQ: max(o.Receives, c.server.queue, 1), // rping has two Work Requests for one message
		RemoteRead: true, RemoteWrite: true, SendSGEs: 1, WriteSGEs: 1, RecvSGEs: 1, IRD: o.IRD, ORD: o.ORD,
	}
}

// prepare makes all ready before the first FPDU may come in.
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

// open tells that the connection was accepted, or made: once it is clear what was agreed on, and before its first
// message.
func (c *session) open() { c.opened.Do(func() { c.tell(Event{Type: Opened}) }) }

// completed counts messages, and leaves to the handler what was done. Work Requests that failed are not looked at: the
// connection ends then.
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
			c.tell(Event{Type: Message, Completion: d})
		}
	}
	if len(good) == 0 {
		return
	}
	if err := c.handler.completed(c, good); err != nil && !tellsOfEnd(err) {
		select {
		case c.objected <- err:
		default:
		}
	}
}

// tellsOfEnd tells that something could not be posted since the connection has ended, which says itself why.
func tellsOfEnd(err error) bool {
	return errors.Is(err, net.ErrClosed) || errors.Is(err, rnicsim.ErrInvalidState)
}

// tell tells the observer.
func (c *session) tell(e Event) {
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
	c.tell(Event{Type: Ended, Err: errors.Join(objection, c.conn.Err())})
}
