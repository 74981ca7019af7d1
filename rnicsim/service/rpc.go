package service

// The service rpc: a Responder of package rnicsim/rpc on each connection, whose Actions become Work Requests.

import (
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/internal/rpcwork"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A remoteCalls serves one peer.
type remoteCalls struct {
	options   rpc.Options
	program   rpc.Program
	responder *rpc.Responder
	queue     *rpcwork.Queue
	begun     bool // a message was received
}

func openRPC(s *Server) (newHandler, error) {
	o := &s.options
	options := o.RPC
	if options.Credits == 0 {
		options.Credits = o.Receives
	}
	for _, size := range []*int{&options.SendSize, &options.ReceiveSize} {
		if *size == 0 {
			*size = o.ReceiveSize
		}
	}
	model := rpc.NewResponder(options, nil, nil)
	options = model.Options()
	o.RPC, o.Receives, o.ReceiveSize = options, options.Credits, options.ReceiveSize
	s.queue = model.MaxReceives()
	program := o.Program
	if program == nil {
		program = func() rpc.Program { return new(rpc.Echo) }
	}
	return func() handler { return &remoteCalls{options: options, program: program()} }, nil
}

func (f *remoteCalls) prepare(c *session) (private []byte, err error) {
	request := c.conn.Request()
	f.responder = rpc.NewResponder(f.options, request.ULPPrivateData(), f.program)
	if f.queue, err = rpcwork.Open(c.conn, f.responder.MaxReceives(), f.options.ReceiveSize); err != nil {
		return nil, err
	}
	return f.responder.Private(), f.queue.Perform(f.responder.Actions()...)
}

func (f *remoteCalls) completed(c *session, done []completion) error {
	if !f.begun && !c.canRead() {
		f.responder.NoReads()
	}
	f.begun = true
	for i := range done {
		if d := &done[i]; d.Op == rnicsim.OpReceive {
			f.responder.Received(f.queue.Received(d))
		} else {
			a, err := f.queue.Done()
			if err != nil {
				return err
			}
			f.responder.Done(a)
		}
		if err := f.queue.Perform(f.responder.Actions()...); err != nil {
			return err
		}
	}
	return nil
}
