package rpc

// What executes the Calls that a Responder receives.

import (
	"errors"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
)

// A Program executes Calls. A Responder calls its methods, which must not wait; they may call those of Requests.
type Program interface {
	// Execute executes a Call of the peer, which has come whole. Its Reply may follow at any time, before or after those to other Calls;
	// perform Responder.Actions after it. Package service does so after the methods of a Program, and after Calls.Do.
	Execute(*Request)

	// Next returns the RPC message of the next Call to the peer, in the reverse direction (RFC 8167), with an XID that no open one has;
	// nil if none is due. It is asked as long as credits allow one more, after each message, Reply and Action that is done.
	Next() []byte

	// Replied takes the RPC Reply to a Call of Next, which is valid until it returns; nil if the peer has refused the Call, or if it was not
	// sent: its message is too short for a Call or exceeds Request.Room, or its XID is that of an open one. After several of these, Next is
	// asked again only later.
	Replied(xid uint32, reply []byte)
}

// A Request is a Call of the peer. It takes one answer: of Reply or Refuse. Message is valid until the answer is sent.
type Request struct {
	Message []byte // the RPC Call from its XID on; data items that came in Read chunks are in their places, with their roundup
	Reduced []Span // those items, in ascending order, as long as their chunks, which may have the roundup

	responder *Responder
	call      *call // nil after the answer
}

// A Span is the place of a data item in an RPC message, in octets: without the length before it and the roundup after it.
type Span struct{ At, Length int }

// roundup returns the number of octets after n octets of opaque data (RFC 4506, section 4.10).
func roundup(n int) int { return oncrpc.Fill(n) }

// end returns where what follows the data item begins.
func (s *Span) end() int { return s.At + s.Length + roundup(s.Length) }

// stands reports whether a message has the data item, at a multiple of four octets, and not before done.
func (s *Span) stands(message []byte, done int) bool {
	return s.Length >= 0 && s.At%4 == 0 && s.At >= done && s.At > 0 && s.Length <= len(message)-s.At-roundup(s.Length)
}

// ErrEligible is the error of a Reply that is not sent.
var ErrEligible = errors.New("rpc: the eligible data items are not in the Reply, or not in ascending order")

// Reply sends an RPC Reply, unless the Request has an answer. eligible are its DDP-eligible data items in ascending order, which begin at
// multiples of four octets; otherwise it fails with ErrEligible, and the Request has no answer yet. They go into the Write chunks of the Call
// in their order. If the Reply fits neither there, nor in messages, nor in the Reply chunk, an error of RPC-over-RDMA goes in its place.
// message must not be changed before it is sent.
func (r *Request) Reply(message []byte, eligible ...Span) error {
	done := 0
	for i := range eligible {
		if !eligible[i].stands(message, done) {
			return ErrEligible
		}
		done = eligible[i].end()
	}
	if c := r.take(); c != nil {
		r.responder.conclude(c, r.responder.reduce(c, message, eligible))
	}
	return nil
}

// Refuse sends an error of RPC-over-RDMA, unless Options.Careless has the Fault or the Request has an answer. It reports whether it does.
func (r *Request) Refuse(f Fault) bool {
	if r.responder.careless(f) {
		return false
	}
	c := r.take()
	if c != nil {
		r.responder.over(c, &refusal{Fault: f})
	}
	return c != nil
}

// take returns the Call if it has no answer yet.
func (r *Request) take() (c *call) {
	c, r.call = r.call, nil
	return c
}

// Room returns how many octets the RPC message of a Call in the reverse direction may have; 0 if the peer takes none.
func (r *Request) Room() int { return r.responder.version.reverseRoom() }
