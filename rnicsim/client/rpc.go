package client

import (
	"context"
	"encoding/binary"
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

// An RPC calls procedures of a server over RPC-over-RDMA, one after the other.
type RPC struct {
	worker
	caller  *rpcwork.Caller
	reply   *rpc.Reply // to the latest Call; nil as long as it has not come
	arrived time.Time
}

// DialRPC connects to a server that speaks the given version of RPC-over-RDMA, 1 or 2. Private Data of c follows that of RFC 8797; IRD, ORD
// and PD of its QP apply. It fails like Device.Dial, or with a *ServiceError.
func DialRPC(ctx context.Context, d *driver.Device, network, address string, version uint32, c driver.ConnConfig) (*RPC, error) {
	caller, err := rpcwork.Dial(ctx, d, network, address, rpc.NewRequester(rpc.Options{Versions: []uint32{version}}, nil), c)
	if err != nil {
		return nil, err
	}
	r := &RPC{worker: worker{conn: caller.Conn}, caller: caller}
	return r, r.wants("rpc")
}

// Conn returns the connection.
func (r *RPC) Conn() *driver.Conn { return r.conn }

// Call makes a Call and waits for its end. The Reply has an RPC message of any outcome. Call fails like [rpc.Requester.Call], with the error
// of the Reply, such as a *rpc.RefusedError, why the Requester has closed the connection, such as rpc.ErrInvalidated, or if the connection is
// over with its error. A Reply that comes after ctx is done is ignored.
func (r *RPC) Call(ctx context.Context, c *rpc.Call) (*rpc.Reply, error) {
	open := false
	err := r.run(ctx, func() error {
		r.reply = nil
		if err := r.caller.Call(c); err != nil {
			return err
		}
		open = true
		if r.receive(c) { // the server is known to refuse: nothing is sent
			return r.reply.Err
		}
		return r.caller.Perform()
	}, func(done []rnicsim.Completion) (bool, error) { return r.handle(c, done) })
	if open && r.reply == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.caller.Cancel(binary.BigEndian.Uint32(c.Message))
	}
	if err != nil {
		return nil, err
	}
	return r.reply, nil
}

// handle handles completions, and reports whether a Call is over.
func (r *RPC) handle(c *rpc.Call, done []rnicsim.Completion) (over bool, err error) {
	if err := r.caller.Completed(done); err != nil {
		return false, err
	}
	if r.caller.Queue.Closed {
		return false, r.caller.Queue.Err
	}
	if !r.receive(c) {
		return false, nil
	}
	return true, r.reply.Err
}

// receive reports whether the Reply to a Call has come. Those to others were given up.
func (r *RPC) receive(c *rpc.Call) bool {
	for _, reply := range r.caller.Replies() {
		if reply.Call == c {
			r.reply, r.arrived = &reply, time.Now()
		}
	}
	return r.reply != nil
}

// Close closes the connection and waits until the server has closed it too, or until ctx is done.
func (r *RPC) Close(ctx context.Context) error { return closeConn(ctx, r.conn) }

// A Procedure is what an RPCPinger calls: the procedure NULL, which every program has.
type Procedure struct {
	RDMA    uint32 // version of RPC-over-RDMA
	Program oncrpc.Program
	Version uint32 // of the program
}

// An RPCPinger calls a procedure of an RPC program without arguments and results, over RPC-over-RDMA.
type RPCPinger struct {
	*RPC
	called Procedure
	xid    uint32
}

// nullReply is the longest Reply to NULL: with the longest verifier (RFC 5531, section 8.2).
const nullReply = 24 + 400

// DialRPCPinger connects to a server of RPC-over-RDMA, like [DialRPC].
func DialRPCPinger(ctx context.Context, d *driver.Device, network, address string, called Procedure, c driver.ConnConfig) (*RPCPinger, error) {
	r, err := DialRPC(ctx, d, network, address, called.RDMA, c)
	if err != nil {
		return nil, err
	}
	return &RPCPinger{RPC: r, called: called}, nil
}

// Ping calls NULL once and returns the time from posting the Call until its Reply has arrived: one round trip, and in
// version 2 one more at first, for the properties. It fails like Call, or with an *RPCError.
func (p *RPCPinger) Ping(ctx context.Context) (time.Duration, error) {
	p.xid++
	h := oncrpc.Call{XID: p.xid, RPCVers: oncrpc.Version, Prog: p.called.Program, Vers: p.called.Version}
	message, _ := h.AppendBinary(nil)
	begin := time.Now()
	reply, err := p.Call(ctx, &rpc.Call{Message: message, Longest: nullReply})
	if err != nil {
		return time.Since(begin), err
	}
	return p.arrived.Sub(begin), outcome(reply)
}

// outcome returns why a Reply is not success.
func outcome(r *rpc.Reply) error {
	e := new(RPCError)
	if _, err := e.Decode(r.Message); err != nil {
		return err
	}
	if e.ReplyStat == oncrpc.Accepted && e.AcceptStat == oncrpc.Success {
		return nil
	}
	return e
}
