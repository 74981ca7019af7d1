package client

import (
	"context"
	"fmt"
	"time"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/internal/rpcwork"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// An RPCError is a Reply that is not success.
type RPCError struct{ oncrpc.Reply }

// Error returns the outcome of the Call, as RFC 5531 names it.
func (e *RPCError) Error() string {
	switch {
	case e.ReplyStat == oncrpc.Denied && e.RejectStat == oncrpc.RPCMismatch:
		return fmt.Sprintf("client: the Reply is %v: versions %d to %d of RPC", e.RejectStat, e.Low, e.High)
	case e.ReplyStat == oncrpc.Denied:
		return fmt.Sprintf("client: the Reply is %v: %v", e.RejectStat, e.AuthStat)
	case e.AcceptStat == oncrpc.ProgMismatch:
		return fmt.Sprintf("client: the Reply is %v: versions %d to %d", e.AcceptStat, e.Low, e.High)
	}
	return fmt.Sprintf("client: the Reply is %v", e.AcceptStat)
}

// A Procedure is what an RPCPinger calls: the procedure NULL, which every program has.
type Procedure struct {
	RDMA    uint32 // version of RPC-over-RDMA
	Program oncrpc.Program
	Version uint32 // of the program
}

// An RPCPinger calls a procedure of an RPC program without arguments and results, over RPC-over-RDMA.
type RPCPinger struct {
	worker
	called Procedure
	caller *rpcwork.Caller
	call   *rpc.Call // the latest
	xid    uint32
}

// nullReply is the longest Reply to NULL: with the longest verifier (RFC 5531, section 8.2).
const nullReply = 24 + 400

// DialRPCPinger connects to a server of RPC-over-RDMA. Private Data of c follows that of RFC 8797; IRD, ORD and PD of its
// QP apply. It fails like Device.Dial, or with a *ServiceError.
func DialRPCPinger(ctx context.Context, d *driver.Device, network, address string, called Procedure, c driver.ConnConfig) (*RPCPinger, error) {
	caller, err := rpcwork.Dial(ctx, d, network, address, rpc.NewRequester(rpc.Options{Versions: []uint32{called.RDMA}}, nil), c)
	if err != nil {
		return nil, err
	}
	p := &RPCPinger{worker: worker{conn: caller.Conn}, called: called, caller: caller}
	return p, p.wants("rpc")
}

// Conn returns the connection.
func (p *RPCPinger) Conn() *driver.Conn { return p.conn }

// Ping calls NULL once and returns the time from posting the Call until its Reply has arrived: one round trip, and in
// version 2 one more at first, for the properties. It fails with a *rpc.RefusedError, an *RPCError, why the
// Requester has closed the connection, such as rpc.ErrInvalidated, or if the connection is over with its error.
func (p *RPCPinger) Ping(ctx context.Context) (time.Duration, error) {
	p.xid++
	h := oncrpc.Call{XID: p.xid, RPCVers: oncrpc.Version, Prog: p.called.Program, Vers: p.called.Version}
	message, _ := h.AppendBinary(nil)
	var took time.Duration
	begin := time.Now()
	err := p.run(ctx, func() error {
		p.call = &rpc.Call{Message: message, Longest: nullReply}
		if err := p.caller.Call(p.call); err != nil {
			return err
		}
		for _, r := range p.caller.Replies() { // the server is known to refuse: nothing is sent
			took = time.Since(begin)
			return outcome(&r)
		}
		return p.caller.Perform()
	}, func(done []rnicsim.Completion) (bool, error) {
		over, err := p.handle(done)
		took = time.Since(begin)
		return over, err
	})
	if ctx.Err() != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.caller.Cancel(p.xid)
	}
	return took, err
}

// handle handles completions, and reports whether the Call is over.
func (p *RPCPinger) handle(done []rnicsim.Completion) (over bool, err error) {
	if err := p.caller.Completed(done); err != nil {
		return false, err
	}
	if p.caller.Queue.Closed {
		return false, p.caller.Queue.Err
	}
	for _, r := range p.caller.Replies() {
		if r.Call == p.call {
			return true, outcome(&r)
		}
	}
	return false, nil
}

// outcome returns why a Reply is not success.
func outcome(r *rpc.Reply) error {
	if r.Err != nil {
		return r.Err
	}
	e := new(RPCError)
	if _, err := e.Decode(r.Message); err != nil {
		return err
	}
	if e.ReplyStat == oncrpc.Accepted && e.AcceptStat == oncrpc.Success {
		return nil
	}
	return e
}

// Close closes the connection and waits until the server has closed it too, or until ctx is done.
func (p *RPCPinger) Close(ctx context.Context) error { return closeConn(ctx, p.conn) }
