package rpc

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// A Call is an RPC Call that a Requester makes.
type Call struct {
	Message   []byte     // the RPC message, from its XID on, a multiple of four octets; not to be changed before the Call is over
	Arguments []Argument // those that are DDP-eligible, in ascending order
	Results   []Result   // those that are DDP-eligible, in the order of the Reply
	Longest   int        // octets of the longest Reply, those of Results and their roundup aside
	LongCall  bool       // a Position Zero Read chunk has what is left of the message, even if that fits without
	LongReply bool       // there is a Reply chunk, even if the longest Reply fits without
}

// An Argument is the place of a DDP-eligible data item in the message of a Call.
type Argument struct {
	At, Length int  // octets, without the length before them and the roundup after; At is a multiple of four
	Chunk      bool // it goes in a Read chunk even if the Call fits without
}

// A Result is a DDP-eligible data item that a Reply may have.
type Result struct {
	Longest int    // octets, without the length before them and the roundup after
	Chunk   bool   // it has a Write chunk even if the longest Reply fits without
	Into    []byte // Longest octets of memory for its Write chunk, which the peer may write until the Call is over; nil for new ones
}

// A Reply is the end of a Call. The peer has no access to the memory of the Call any more.
type Reply struct {
	Call    *Call
	Message []byte   // the RPC message, which lacks what is in Results and its roundup; nil after an error
	Results [][]byte // for each of Call.Results: what came in its Write chunk; nil if it had none
	Err     error    // a *RefusedError, ErrChunks or an error of Memory.Register; nil if there is a Message
}

// A Memory registers memory for the peer of a connection.
type Memory interface {
	// Register lets the peer read octets, or write them, from TO to on.
	Register(octets []byte, write bool) (stag uint32, to uint64, err error)

	// Deregister takes that back. invalidated says that the peer has invalidated the STag.
	Deregister(stag uint32, invalidated bool) error
}

// The errors of Calls.
var (
	ErrCall   = errors.New("rpc: not an RPC Call, or its Arguments or Results are not as they must be")
	ErrXID    = errors.New("rpc: the XID is that of an open Call")
	ErrChunks = errors.New("rpc: the Call needs more chunks or segments than fit in a message")
)

// A RefusedError is an RDMA_ERROR that came instead of a Reply.
type RefusedError struct {
	Version uint32         // rdma_vers of the Call
	Report  rpcrdma.Error2 // the codes of version 1 are the same numbers
	Name    string         // of the code: "ERR_CHUNK", "RDMA2_ERR_BAD_XDR"
}

// Error returns the name of the error, and the versions that the peer supports.
func (e *RefusedError) Error() string {
	s := "rpc: refused with " + e.Name
	if e.Report.Err == rpcrdma.ErrCode2Vers {
		s += fmt.Sprintf(": version %d is none of %d to %d", e.Version, e.Report.VersLow, e.Report.VersHigh)
	}
	return s
}

// A Requester is the end of RPC-over-RDMA that makes Calls. It survives connections, and is not safe for concurrent use.
type Requester struct {
	end
	serve   func(call []byte, answer func(reply []byte))
	memory  Memory            // of the connection
	where   placement         // of the latest Call that was sent
	chunked []rpcrdma.Segment // of its latest chunk
	version requesterVersion  // nil without a connection
	only1   bool              // a server has said that it supports version 1 alone
	refused error             // the server of the connection does not support the version
	open    map[uint32]*pending
	waiting []*pending // open Calls that are not sent on this connection
	flying  int        // Calls that are sent on it, and not answered
	calls   int        // made so far
	lent    int        // octets of memory for the Replies to Calls that are sent
	replies []Reply

	invalidated uint32 // the STag that the message at hand has invalidated, until it is found among those of its Call
}

// A requesterVersion holds the differences between the versions of RPC-over-RDMA.
type requesterVersion interface {
	// received handles a message, which is valid until it returns.
	received(message []byte)

	limits() limits
	ready() bool                               // credits allow one more Call
	transmit(*pending)                         // sends a Call
	queues(*pending) bool                      // a part of a Call waits for credits
	respond(xid uint32, reply []byte) *refusal // sends the Reply to a Call of the peer
	refuse(xid uint32, r *refusal)             // sends an error in its place
}

// A pending is an open Call.
type pending struct {
	*Call
	number int // in the order of Calls
	xid    uint32
	sent   bool // on this connection
	given  bool // given up
	parts  parts
	held   *Reply // its memory could not be deregistered
}

// NewRequester returns a Requester without a connection. The highest of Options.Versions is tried first; after a server
// that supports version 1 alone, later connections use version 1. serve executes the RPC Calls of the peer (RFC 8167); nil if they call no
// program. answer sends the RPC Reply to a Call, at once or later, or an error if that is nil; perform Actions after it.
func NewRequester(o Options, serve func(call []byte, answer func(reply []byte))) *Requester {
	o.settle()
	return &Requester{end: end{options: o}, serve: serve, open: make(map[uint32]*pending)}
}

// Connected begins a connection, on which the caller has posted MaxReceives Receives. private is the Private Data of the peer, which
// was sent that of Requester.Private. Open Calls are sent again.
func (r *Requester) Connected(private []byte, m Memory) {
	r.Disconnected()
	r.agreed = rpcprivate.Agree(r.own(), r.theirs(private))
	r.memory = m
	if r.options.highest() == rpcrdma.Vers2 && !r.only1 {
		r.version = newRequester2(r)
	} else {
		r.version = newRequester1(r)
	}
	r.proceed()
}

// Disconnected says that the connection is over: the peer has no access to memory any more. Open Calls wait for the
// next connection.
func (r *Requester) Disconnected() {
	r.version, r.refused, r.memory, r.actions, r.flying, r.lent = nil, nil, nil, nil, 0, 0
	r.waiting = r.waiting[:0]
	for _, p := range slices.SortedFunc(maps.Values(r.open), func(a, b *pending) int { return a.number - b.number }) {
		p.sent, p.parts = false, parts{}
		switch {
		case p.given:
			delete(r.open, p.xid)
		case p.held != nil:
			r.over(p, *p.held)
		default:
			r.waiting = append(r.waiting, p)
		}
	}
}

// Call makes a Call, as soon as there is a connection and credits allow it. It fails with ErrCall or ErrXID.
func (r *Requester) Call(c *Call) error {
	if err := c.check(); err != nil {
		return err
	}
	xid := word(c.Message, 0)
	if r.open[xid] != nil {
		return ErrXID
	}
	p := &pending{Call: c, number: r.calls, xid: xid}
	r.calls++
	r.open[xid] = p
	r.waiting = append(r.waiting, p)
	r.proceed()
	return nil
}

// Cancel gives a Call up: no Reply comes. The XID may be used again when its Reply has come, or on another connection. If a part of the
// Call that offers memory is not sent yet, the connection is closed.
func (r *Requester) Cancel(xid uint32) {
	p := r.open[xid]
	switch {
	case p == nil:
	case p.sent:
		p.given = true
		if len(p.parts.stags) > 0 && r.version.queues(p) {
			r.close(ErrCancelled)
		}
		if err := r.reclaim(p); err != nil {
			r.close(err)
		}
	default:
		r.waiting = slices.DeleteFunc(r.waiting, func(w *pending) bool { return w == p })
		delete(r.open, xid)
	}
}

// Received handles a message that came with a Receive, which is valid until it returns. invalidated is the STag that a
// Send with Invalidate named, or 0. If that is not one of the Call that is answered, the connection is closed (RFC 8797,
// section 4.1).
func (r *Requester) Received(message []byte, invalidated uint32) {
	if r.version == nil {
		return
	}
	message, ok := r.asReceived(message)
	if !ok {
		return
	}
	r.invalidated = invalidated
	r.version.received(message)
	if r.invalidated != 0 {
		r.invalidated = 0
		r.close(ErrInvalidated)
	}
	r.proceed()
}

// proceed sends Calls, as many as credits allow.
func (r *Requester) proceed() {
	if r.refused != nil {
		for _, p := range r.waiting {
			r.over(p, Reply{Err: r.refused})
		}
		r.waiting = nil
	}
	for len(r.waiting) > 0 && r.version != nil && r.version.ready() {
		p := r.waiting[0]
		if r.lent > 0 && r.lent+p.longest() > MaxGathered {
			return
		}
		r.waiting = append(r.waiting[:0], r.waiting[1:]...)
		if err := r.arrange(p, r.version.limits()); err != nil {
			r.over(p, Reply{Err: err})
			continue
		}
		p.sent = true
		r.flying++
		r.lent += p.longest()
		r.version.transmit(p)
	}
}

// replied handles an RPC message of the peer: its Reply to a Call, or its own Call. m is the header of its last part,
// payload the octets in all of them. A Reply that is faulty or unknown is discarded (RFC 8166, section 4.5). It returns
// why a Call is refused.
func (r *Requester) replied(m *rpcrdma.Message, payload []byte) (known bool, _ *refusal) {
	if m.Role == rpcrdma.Requester {
		return false, r.called(m, payload)
	}
	p := r.open[m.XID]
	if p == nil || !p.sent || p.held != nil {
		return false, nil
	}
	reply, ok := p.parts.reply(m, payload)
	if ok {
		r.finish(p, reply)
	}
	return ok, nil
}

// refusedBy handles an RDMA_ERROR, unless it cannot be decoded (RFC 8166, section 4.5).
func (r *Requester) refusedBy(m *rpcrdma.Message) (known bool) {
	p := r.open[m.XID]
	known = m.Err == nil && m.Error.Err.Known() && m.Error.Err != rpcrdma.ErrCode2VersMismatch
	if m.Dialect == rpcrdma.DialectVersion1 {
		known = m.Err == nil && rpcrdma.ErrCode(m.Error.Err).Known()
	}
	if p == nil || !p.sent || p.held != nil || !known {
		return false
	}
	r.finish(p, Reply{Err: refusedError(m)})
	return true
}

func refusedError(m *rpcrdma.Message) error {
	return &RefusedError{Version: m.Vers, Report: m.Error, Name: m.ErrorName()}
}

// finish ends a Call that was answered. If its memory cannot be deregistered, the connection is closed, and the Call is
// over with it (RFC 8166, section 4.5.4).
func (r *Requester) finish(p *pending, reply Reply) {
	r.flying--
	r.lent -= p.longest()
	if p.given {
		delete(r.open, p.xid)
		r.invalidated = 0
		return
	}
	if err := r.reclaim(p); err != nil {
		p.held = new(reply)
		r.close(err)
		return
	}
	r.over(p, reply)
}

// over gives the end of a Call to the caller.
func (r *Requester) over(p *pending, reply Reply) {
	delete(r.open, p.xid)
	reply.Call = p.Call
	r.replies = append(r.replies, reply)
}

// called answers a Call of the peer, which has no chunks (RFC 8167, section 5.3).
func (r *Requester) called(m *rpcrdma.Message, payload []byte) *refusal {
	switch {
	case len(m.Reads) > 0:
		return &refusal{Fault: TooManyReads}
	case m.HasChunks():
		return &refusal{Fault: TooManyWrites}
	case rpcrdma.CheckRPC(payload, m.XID, false) != nil:
		return &refusal{Fault: BadXID}
	case r.serve == nil:
		return r.version.respond(m.XID, accepted(m.XID, oncrpc.ProgUnavail))
	}
	v, xid := r.version, m.XID
	r.serve(payload, func(reply []byte) {
		refused := &refusal{Fault: TooLong}
		switch {
		case r.version != v, r.refused != nil: // the connection is over, or of another version
			return
		case reply != nil:
			refused = v.respond(xid, reply)
		}
		if refused != nil {
			v.refuse(xid, refused)
		}
	})
	return nil
}

// check checks that a Call can be made.
func (c *Call) check() error {
	if !oncrpc.IsCall(c.Message) || len(c.Message)%4 != 0 || len(c.Message) > math.MaxInt32 || c.Longest <= 0 {
		return ErrCall
	}
	done := 0
	for _, a := range c.Arguments {
		item := Span{a.At, a.Length}
		if !item.stands(c.Message, done) {
			return ErrCall
		}
		done = item.end()
	}
	for _, s := range c.Results {
		if s.Longest < 0 || s.Longest > math.MaxInt32 || s.Into != nil && len(s.Into) != s.Longest {
			return ErrCall
		}
	}
	return nil
}

// longest returns how many octets the Reply to a Call may have.
func (c *Call) longest() int {
	n := c.Longest
	for _, s := range c.Results {
		n += s.Longest
	}
	return n
}

// Replies returns the Calls that are over since the last call. The slice belongs to the caller.
func (r *Requester) Replies() []Reply {
	all := r.replies
	r.replies = nil
	return all
}
