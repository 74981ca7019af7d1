package rpcwork

import (
	"context"
	"net"

	"github.com/iwarpkit/iwarp/internal/link"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A Caller is a Requester with a connection to a server. It is not safe for concurrent use.
type Caller struct {
	*rpc.Requester
	Conn  *driver.Conn
	Queue *Queue
}

// Dial connects a Requester to a server, like Initiate. It fails like Device.Dial.
func Dial(ctx context.Context, d *driver.Device, network, address string, r *rpc.Requester, config driver.ConnConfig) (*Caller, error) {
	nc, err := (&net.Dialer{Control: link.Unpaced}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return Initiate(ctx, d, nc, r, config)
}

// Initiate joins a Requester to the server on nc. The IRD, ORD and PD of config.QP apply; its Private Data follows that of RFC 8797. It fails like
// Device.Initiate, and owns nc from then on, even if it fails.
func Initiate(ctx context.Context, d *driver.Device, nc net.Conn, r *rpc.Requester, config driver.ConnConfig) (*Caller, error) {
	c, q, receives := &Caller{Requester: r}, config.QP, r.MaxReceives()
	config.QP = rnicsim.QPConfig{
		RemoteRead: true, RemoteWrite: true, SQ: Sends, RQ: receives, RecvSGEs: 1, SendSGEs: 1, IRD: q.IRD, ORD: q.ORD, PD: q.PD,
	}
	config.Private = append(r.Private(), config.Private...)
	config.Prepare = func(conn *driver.Conn) (err error) {
		if c.Queue, err = Open(conn, receives, r.Options().ReceiveSize); err != nil {
			return err
		}
		return c.Queue.Perform(rpc.Action{Type: rpc.Receive, Count: receives})
	}
	var err error
	if c.Conn, err = d.Initiate(ctx, nc, config); err != nil {
		return nil, err
	}
	reply := c.Conn.Reply()
	r.Connected(reply.ULPPrivateData(), c.Queue)
	return c, nil
}

// Perform performs what the Requester wants.
func (c *Caller) Perform() error { return c.Queue.Perform(c.Actions()...) }

// Completed handles Work Requests that have succeeded.
func (c *Caller) Completed(done []rnicsim.Completion) (err error) {
	for i := range done {
		d := &done[i]
		if d.Op != rnicsim.OpReceive {
			_, err = c.Queue.Done(d)
		} else {
			invalidated := uint32(0)
			if d.Invalidated {
				invalidated = uint32(d.STag)
			}
			c.Received(c.Queue.Received(d), invalidated)
		}
		if err != nil {
			return err
		}
	}
	return c.Perform()
}
