package rpc

// Calls that another server executes: from a Responder to a Requester, and their Replies back.

import (
	"errors"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// A Forward is a Program that has another server execute its Calls. Its Requester makes each Call again, with the same chunks in memory of
// its own, so that either end may use its own version. Calls of the server go to the client (RFC 8167), and errors of either end to the
// other. A Call that cannot be made again closes the Requester's connection, and so does a server that does not support the version.
type Forward struct {
	*Requester
	open    map[*Call]*Request
	due     [][]byte                      // Calls of the server
	answers map[uint32]func(reply []byte) // to those, by XID
}

// NewForward returns a Forward whose Requester has no connection.
func NewForward(o Options) *Forward {
	f := &Forward{open: make(map[*Call]*Request), answers: make(map[uint32]func([]byte))}
	f.Requester = NewRequester(o, f.called)
	return f
}

// Execute implements Program.
func (f *Forward) Execute(r *Request) {
	c := r.again()
	if err := f.Requester.Call(c); err != nil {
		f.close(err)
		return
	}
	f.open[c] = r
	f.Return()
}

// Return answers the Calls that are over. Call it after Requester.Received.
func (f *Forward) Return() {
	for _, reply := range f.Replies() {
		r := f.open[reply.Call]
		delete(f.open, reply.Call)
		if refused := new(RefusedError); errors.As(reply.Err, &refused) && refused.Report.Err == rpcrdma.ErrCode2Vers {
			f.close(reply.Err)
			return
		}
		r.conclude(&reply)
	}
}

// called takes a Call of the server, unless it has more of them open than it was granted.
func (f *Forward) called(call []byte, answer func(reply []byte)) {
	xid := word(call, 0)
	if f.answers[xid] != nil || len(f.answers) == reverseCredits {
		answer(nil)
		return
	}
	f.answers[xid] = answer
	f.due = append(f.due, call)
}

// Next implements Program.
func (f *Forward) Next() (call []byte) {
	if len(f.due) > 0 {
		call, f.due = f.due[0], f.due[1:]
	}
	return call
}

// Replied implements Program.
func (f *Forward) Replied(xid uint32, reply []byte) {
	answer := f.answers[xid]
	delete(f.answers, xid)
	answer(reply)
}

// again returns a Call with the message and the chunks of the Request, for at most MaxOctets of results.
func (r *Request) again() *Call {
	c, left := r.call, MaxOctets
	room := func(chunk rpcrdma.WriteChunk) int {
		n := int(min(chunk.Length(), uint64(left)))
		left -= n
		return n
	}
	again := &Call{Message: r.Message, LongCall: c.body, LongReply: c.reply.Present()}
	for _, s := range r.Reduced {
		again.Arguments = append(again.Arguments, Argument{s.At, s.Length, true})
	}
	for chunk := range c.writes.Chunks() {
		again.Results = append(again.Results, Result{Longest: room(chunk), Chunk: true})
	}
	again.Longest = max(1, room(c.reply), r.responder.version.longest(c))
	return again
}

// conclude answers a Request with the Reply to the Call that was made again.
func (r *Request) conclude(reply *Reply) {
	c, e := r.take(), r.responder
	refused := new(RefusedError)
	switch {
	case errors.As(reply.Err, &refused):
		e.over(c, &refusal{Report: refused.Report})
	case reply.Err != nil:
		e.over(c, &refusal{Fault: TooLong})
	default:
		e.conclude(c, e.distribute(c, reply.Message, reply.Results))
	}
}
