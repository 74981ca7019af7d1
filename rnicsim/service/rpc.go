package service

// The service rpc: a Responder of package rnicsim/rpc on each connection, whose Actions become Work Requests.

import (
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

const rpcSends = 128 // Work Requests that the SQ has room for

// A remoteCalls serves one peer.
type remoteCalls struct {
	options   rpc.Options
	responder *rpc.Responder
	begun     bool    // a message was received
	over      bool    // nothing more is done
	buffers   buffers // of Receives
	free      []int   // buffers without a Receive
	due       []rpc.Action
	flying    []rpcWork // in the SQ, in its order
}

// An rpcWork is a Work Request in the SQ, with the memory that is registered for it.
type rpcWork struct {
	rpc.Action
	stag rnicsim.STag
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
	model := rpc.NewResponder(options, nil)
	options = model.Options()
	o.RPC, o.Receives, o.ReceiveSize = options, options.Credits, options.ReceiveSize
	s.queue = model.MaxReceives()
	return func() handler { return &remoteCalls{options: options} }, nil
}

func (f *remoteCalls) prepare(c *session) (private []byte, err error) {
	request := c.conn.Request()
	f.responder = rpc.NewResponder(f.options, request.ULPPrivateData())
	n := f.responder.MaxReceives()
	if f.buffers, err = c.newBuffers(n, f.options.ReceiveSize, localRights); err != nil {
		return nil, err
	}
	for i := range n {
		f.free = append(f.free, i)
	}
	f.due = f.responder.Actions()
	return f.responder.Private(), f.proceed(c)
}

func (f *remoteCalls) completed(c *session, done []completion) error {
	if !f.begun && !c.canRead() {
		f.responder.NoReads()
	}
	f.begun = true
	for i := range done {
		if d := &done[i]; d.Op == rnicsim.OpReceive {
			f.receive(d)
		} else if err := f.finish(c); err != nil {
			return err
		}
		f.due = append(f.due, f.responder.Actions()...)
		if err := f.proceed(c); err != nil {
			return err
		}
	}
	return nil
}

// receive passes a message to the Responder. Immediate Data is an empty one.
func (f *remoteCalls) receive(d *completion) {
	octets := f.buffers.at(int(d.WRID))[:d.Length]
	if d.Immediate {
		octets = nil
	}
	f.free = append(f.free, int(d.WRID))
	f.responder.Received(octets)
}

// finish handles the first Work Request in the SQ, which is done.
func (f *remoteCalls) finish(c *session) error {
	w := f.flying[0]
	f.flying = append(f.flying[:0], f.flying[1:]...)
	if err := c.conn.Deregister(w.stag); err != nil {
		return err
	}
	f.responder.Done(w.Action)
	return nil
}

// proceed performs the Actions that are due, as far as the SQ has room.
func (f *remoteCalls) proceed(c *session) error {
	for len(f.due) > 0 && !f.over {
		a := f.due[0]
		switch {
		case a.Type == rpc.Receive:
			if err := f.postReceives(c, a.Count); err != nil {
				return err
			}
		case a.Type == rpc.Close:
			if len(f.flying) > 0 {
				return nil
			}
			f.over = true
			return c.conn.Close()
		case len(f.flying) == rpcSends:
			return nil
		default:
			if err := f.post(c, a); err != nil {
				return err
			}
		}
		f.due[0] = rpc.Action{}
		f.due = f.due[1:]
	}
	return nil
}

// postReceives posts Receives into free buffers.
func (f *remoteCalls) postReceives(c *session, n int) error {
	for ; n > 0 && len(f.free) > 0; n-- {
		i := f.free[0]
		f.free = f.free[1:]
		if err := c.conn.PostReceive(rnicsim.WorkRequest{ID: uint64(i), SGL: f.buffers.sgl(i, f.buffers.size)}); err != nil {
			return err
		}
	}
	return nil
}

// post posts a Work Request to the SQ, with memory that is registered until it is done.
func (f *remoteCalls) post(c *session, a rpc.Action) error {
	rights := rnicsim.Rights(localRights)
	if a.Type == rpc.Read {
		rights = sinkRights
	}
	stag, to, err := c.conn.Register(a.Octets, rights)
	if err != nil {
		return err
	}
	local := rnicsim.SGE{STag: stag, TO: to, Len: uint32(len(a.Octets))}
	f.flying = append(f.flying, rpcWork{a, stag})
	return c.conn.Post(rpcWorkRequest(&a, local))
}

func rpcWorkRequest(a *rpc.Action, local rnicsim.SGE) rnicsim.WorkRequest {
	remote := rnicsim.STag(a.STag)
	switch {
	case a.Type == rpc.Read:
		return rnicsim.WorkRequest{Op: rnicsim.OpRead, Local: local, Remote: remote, RemoteTO: a.TO}
	case a.Type == rpc.Write:
		return rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{local}, Remote: remote, RemoteTO: a.TO}
	case a.STag != 0:
		return rnicsim.WorkRequest{Op: rnicsim.OpSendInvalidate, SGL: []rnicsim.SGE{local}, STag: remote}
	}
	return rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: []rnicsim.SGE{local}}
}
