package service

// One connection of a Server: its memory, and what becomes of it.

import (
	"context"
	"errors"
	"net"
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
	Opened  EventType = iota // a connection was accepted
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
	server   *Server
	conn     *driver.Conn
	handler  handler
	messages uint64
	octets   uint64
	opened   sync.Once
	objected chan error // has why the Server ends the connection
}

// Serve accepts a connection and serves it until it is over, or until ctx is done: then it is closed. The error is why
// it could not be accepted: ErrNoReads if it was rejected since the Service has to read and the client has no IRD. Why it
// ended later is told by an Event.
func (s *Server) Serve(ctx context.Context, r *driver.Request) error {
	if request := r.Frame(); s.reads && takesNoReads(&request) {
		return errors.Join(ErrNoReads, r.Reject(nil))
	}
	c := &session{server: s, handler: s.handler(), objected: make(chan error, 1)}
	config := driver.ConnConfig{QP: s.queues(), Prepare: c.prepare}
	if !s.shared {
		err := s.device.Do(func(r *rnicsim.RNIC) (err error) {
			config.QP.PD, err = r.AllocatePD()
			return err
		})
		if err != nil {
			return errors.Join(err, r.Reject(nil))
		}
		defer s.device.Do(func(*rnicsim.RNIC) error { return config.QP.PD.Deallocate() })
	}
	if _, err := r.Accept(ctx, config); err != nil {
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

// queues is what the QPs of all connections are created with.
func (s *Server) queues() rnicsim.QPConfig {
	o := &s.options
	return rnicsim.QPConfig{
		SQ: o.Receives + 2, RQ: max(o.Receives, 1), // rping has two Work Requests for one message
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

// open tells that the connection was accepted: once it is clear what was agreed on, and before its first message.
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
	if err := c.handler.completed(c, good); err != nil && !errors.Is(err, net.ErrClosed) {
		select {
		case c.objected <- err:
		default:
		}
	}
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
