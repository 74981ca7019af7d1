package service

// The service rpc: a Responder of package rnicsim/rpc on each connection, whose Actions become Work Requests.

import (
	"cmp"
	"sync"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/internal/rpcwork"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A Calls is a connection of the service rpc, for the Program that executes its Calls.
type Calls struct {
	options rpc.Options
	open    func(*Calls) (rpc.Program, error)
	session *session

	mu        sync.Mutex // guards the rest, and the methods of the Program
	responder *rpc.Responder
	queue     *rpcwork.Queue // nil until there is a Program
	begun     bool           // a message was received
}

// Do calls f while no method of the Program runs, unless the connection is over. f may answer Requests, which are sent then, and have
// Program.Next asked for Calls.
func (f *Calls) Do(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.queue == nil {
		return
	}
	do()
	f.responder.Proceed()
	if err := f.queue.Perform(f.responder.Actions()...); err != nil {
		f.session.object(err)
	}
}

// End closes the connection, and lets its Event say why; nil for no reason.
func (f *Calls) End(why error) { f.session.object(why) }

func openRPC(s *Server) (newHandler, error) {
	o := &s.options
	options := o.RPC
	options.Credits = cmp.Or(options.Credits, o.Receives)
	for _, size := range []*int{&options.SendSize, &options.ReceiveSize} {
		if *size == 0 {
			*size = o.ReceiveSize
		}
	}
	model := rpc.NewResponder(options, nil, nil)
	options = model.Options()
	o.RPC, o.Receives, o.ReceiveSize = options, options.Credits, options.ReceiveSize
	s.queue = model.MaxReceives()
	open := o.Program
	if open == nil {
		open = func(*Calls) (rpc.Program, error) { return new(rpc.Echo), nil }
	}
	return func() handler { return &Calls{options: options, open: open} }, nil
}

func (f *Calls) prepare(c *session) (private []byte, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.session = c
	program, err := f.open(f)
	if err != nil {
		return nil, err
	}
	request := c.conn.Request()
	f.responder = rpc.NewResponder(f.options, request.ULPPrivateData(), program)
	if f.queue, err = rpcwork.Open(c.conn, f.responder.MaxReceives(), f.options.ReceiveSize); err != nil {
		return nil, err
	}
	return f.responder.Private(), f.queue.Perform(f.responder.Actions()...)
}

func (f *Calls) completed(c *session, done []completion) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.begun && !c.canRead() {
		f.responder.NoReads()
	}
	f.begun = true
	for i := range done {
		if d := &done[i]; d.Op == rnicsim.OpReceive {
			f.responder.Received(f.queue.Received(d))
		} else {
			a, err := f.queue.Done(d)
			if err != nil {
				return err
			}
			f.responder.Done(a)
		}
	}
	return f.queue.Perform(f.responder.Actions()...)
}
