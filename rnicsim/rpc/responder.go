package rpc

import (
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// A Responder is the accepting end of a connection. It is not safe for concurrent use.
type Responder struct {
	end
	noReads  bool
	version  version  // nil before the first message of a version that is supported
	gathered int      // octets in the chunks of open Calls
	waiting  []*call  // for memory for their chunks
	results  [][]byte // of the latest Reply, for each Write chunk
	program  Program
	calls    map[uint32]bool // of the Program that are open, by XID
	calling  bool            // it is being asked for more
}

// A version holds the differences between the versions of RPC-over-RDMA.
type version interface {
	number() uint32 // rdma_vers

	// received handles a message with at least the four words that all versions have, whose rdma_vers is that of this
	// version. It calls Responder.called for a complete Call whose header is good; it refuses, ignores or acts on
	// everything else. message is valid until it returns.
	received(message []byte)

	// passed handles a message that is too short in every version (RFC 8166, section 4.5).
	passed()

	// mismatched handles a message of another version on a connection of this one.
	mismatched(message []byte)

	// check returns which limit of this version a Call exceeds; nil for none.
	check(c *call) *refusal

	// answer sends the Reply to a Call, in a form that fits; call.answer says what goes where. If there is none it returns
	// why, and has sent nothing. The last message is sent by Responder.reply.
	answer(c *call) *refusal

	// refuse sends an error instead of the Reply to a Call, by Responder.reply.
	refuse(c *call, r *refusal)

	// longest returns how many octets a Reply to a Call may have in the messages that the Requester is ready for, besides what goes into the
	// Write chunks.
	longest(c *call) int

	// released is called when the answer to a Call is sent.
	released(c *call)

	// reverseRoom returns how many octets the RPC message of a Call in the reverse direction may have; 0 if the peer
	// accepts none.
	reverseRoom() int

	// mayCall reports whether credits allow one more Call of the Program.
	mayCall() bool

	// transmit sends a Call of the Program, which has room.
	transmit(xid uint32, message []byte)
}

// NewResponder returns a Responder for a connection, and what executes its Calls. private is the Private Data of the peer; send
// Responder.Private to it.
func NewResponder(o Options, private []byte, p Program) *Responder {
	o.settle()
	e := &Responder{end: end{options: o}, program: p, calls: make(map[uint32]bool)}
	e.dropped = e.release
	e.agreed = rpcprivate.Agree(e.theirs(private), e.own())
	e.postReceives(e.MaxReceives())
	return e
}

// NoReads declares that RDMA Reads are impossible: Calls with Read chunks are refused from now on.
func (e *Responder) NoReads() { e.noReads = true }

// Received handles a message that came with a Receive. message is valid until it returns.
func (e *Responder) Received(message []byte) {
	message, ok := e.asReceived(message)
	switch {
	case !ok:
		return
	case len(message) < 4*commonWords && e.version == nil:
		e.postReceives(1)
		return
	case len(message) < 4*commonWords:
		e.version.passed()
		return
	case e.version == nil:
		e.begin(message)
	}
	switch {
	case e.version == nil:
	case word(message, 1) == e.version.number():
		e.version.received(message)
	default:
		e.version.mismatched(message)
	}
}

// begin chooses the version of the connection by its first message. A message of an unsupported version is refused,
// and one that is too short for its version is handled; then the next may choose.
func (e *Responder) begin(message []byte) {
	vers, shortest := word(message, 1), rpcrdma.MinVersion1
	low, high := e.options.Versions[0], e.options.highest()
	if high >= rpcrdma.Vers2 && vers != rpcrdma.Vers1 {
		shortest = rpcrdma.Version2Len
	}
	supported := vers >= low && vers <= high
	switch {
	case len(message) < shortest:
		e.postReceives(1)
	case supported && vers == rpcrdma.Vers2:
		e.version = newVersion2(e)
	case supported, e.careless(BadVersion):
		e.version = newVersion1(e)
	default:
		e.postReceives(1)
		if b := versionError(message, uint32(e.options.Credits), low, high); b != nil {
			e.send(&Outgoing{Request: message, Message: b})
		}
	}
}

// versionError returns the answer to a message of a version outside of low to high, in the form that all versions can
// read (RFC 8166, sections 4.5 and 7; D-13 of package rpcrdma). It returns nil for an error, which nothing answers.
func versionError(message []byte, credit, low, high uint32) []byte {
	if rpcrdma.Proc(word(message, 3)) == rpcrdma.ProcError {
		return nil
	}
	h := rpcrdma.Version1{
		XID: word(message, 0), Vers: word(message, 1), Credit: credit, Proc: rpcrdma.ProcError,
		Err: rpcrdma.ErrCodeVers, VersLow: low, VersHigh: high,
	}
	b, _ := h.AppendBinary(nil)
	return b
}

// Proceed asks the Program for Calls that have become due outside of its methods.
func (e *Responder) Proceed() { e.callback() }

// Done handles the completion of an Action, which is an RDMA Read or a Send.
func (e *Responder) Done(a Action) {
	switch {
	case a.call == nil:
	case a.Type == Send:
		e.release(a.call)
	default:
		if a.call.reading--; a.call.reading == 0 {
			e.execute(a.call)
		}
	}
	e.callback()
}

// reply sends the last message about a Call: its answer, or an error.
func (e *Responder) reply(c *call, o *Outgoing) {
	o.Request, o.call = c.request, c
	e.send(o)
}
