package rpc

import (
	"bytes"
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// The Options that are used in place of those that are zero.
const (
	DefaultCredits     = 32
	DefaultSize        = 4096    // octets of the longest Send, and of a Receive
	DefaultSegmentSize = 1 << 20 // octets
	DefaultSegments    = 16
	DefaultChunks      = 16
)

// Options say what an Endpoint is like. What is zero has a default.
type Options struct {
	Credits      int      // granted, and Calls that may be open at once; at most MaxCredits
	SendSize     int      // octets of the longest message that is sent, if the peer takes it
	ReceiveSize  int      // octets of a Receive
	Versions     []uint32 // of RPC-over-RDMA, in ascending order; 1 and 2
	NoInvalidate bool     // Private Data say that remote invalidation is not supported, and version 1 does not use it

	SegmentSize int // octets of the longest segment of a Call of version 2
	Segments    int // in the header of a Call of version 2
	Chunks      int // in the Read list, and in the Write list, of a Call; at most MaxChunks

	Tamper   func(*Outgoing) // called with everything that is about to be sent; nil for nothing
	Careless []Fault         // what is at fault so is not refused, but taken as far as it goes

	// Mishear and MishearPrivate are called with each message that came, and with the Private Data of the peer. What they
	// return is taken in place of it. They may change what they are given; if Mishear returns nil there was no message,
	// and its Receive is not posted again. They are nil for nothing.
	Mishear, MishearPrivate func([]byte) []byte
}

// The limits of Options, and of what a peer may have under way.
const (
	MaxCredits = 256
	MaxChunks  = 64

	reverseCredits = 16       // asked for, and Calls that this end has open at most
	maxOctets      = 4 << 20  // of the arguments of a Call
	maxGathered    = 16 << 20 // octets in the Read chunks of the Calls that are not over; more Calls wait
	receiveReserve = 96       // Receives beyond those for Calls and Replies, for version 2 to grant
)

// settle puts in what is zero, and keeps the rest within the limits.
func (o *Options) settle() {
	for _, v := range []struct {
		value          *int
		usual, highest int
	}{
		{&o.Credits, DefaultCredits, MaxCredits},
		{&o.SendSize, DefaultSize, rpcrdma.MaxBufferSize},
		{&o.ReceiveSize, DefaultSize, rpcrdma.MaxBufferSize},
		{&o.SegmentSize, DefaultSegmentSize, maxOctets},
		{&o.Segments, DefaultSegments, MaxChunks * DefaultSegments},
		{&o.Chunks, DefaultChunks, MaxChunks},
	} {
		if *v.value <= 0 {
			*v.value = v.usual
		}
		*v.value = min(*v.value, v.highest)
	}
	o.SendSize, o.ReceiveSize = max(o.SendSize, rpcrdma.MinBufferSize), max(o.ReceiveSize, rpcrdma.MinBufferSize)
	if len(o.Versions) == 0 {
		o.Versions = []uint32{rpcrdma.Vers1, rpcrdma.Vers2}
	}
}

// An ActionType is what an Action is.
type ActionType uint8

// The ActionTypes.
const (
	Receive ActionType = iota // post Receives
	Read                      // an RDMA Read; Endpoint.Done is due when it is complete
	Write                     // an RDMA Write
	Send                      // a Send, with Invalidate if there is an STag; Endpoint.Done is due when it is complete
	Close                     // the connection
)

var actionTypeNames = [...]string{"Receive", "Read", "Write", "Send", "Close"}

// String is the name of the ActionType.
func (t ActionType) String() string { return actionTypeNames[t] }

// An Action is something to do on the connection. Actions are done in their order; an RDMA Read does not have to be
// complete before the next one begins.
type Action struct {
	Type   ActionType
	Count  int    // Receive: how many more, each of Options.ReceiveSize octets
	Octets []byte // Send, Write: what is sent; Read: where it goes, as long as the Read is not complete
	STag   uint32 // Read, Write: of the peer's region; Send: to invalidate, 0 for none
	TO     uint64 // Read, Write

	call *call // Read: that it is for; Send: that is over with it
}

// An Endpoint is the end of a connection that has accepted it. It is not safe for concurrent use.
type Endpoint struct {
	options  Options
	agreed   rpcrdma.Agreed // by the Private Data of both ends
	noReads  bool
	version  version // nil before the first message of a version that is supported
	actions  []Action
	gathered int     // octets of Read chunks of Calls whose answer was not sent
	waiting  []*call // for others to give way to their Read chunks
	executed uint32  // Calls
	reverse  reverse
}

// A version is what differs between the versions of RPC-over-RDMA.
type version interface {
	number() uint32 // rdma_vers

	// received takes in a message with at least the four words that all versions have, whose rdma_vers is that of this
	// version. Of a Call that is whole and whose header is good it calls Endpoint.called; it refuses, ignores or acts on
	// all else. message is valid until it returns.
	received(message []byte)

	// passed takes in a message that is too short in every version (RFC 8166, section 4.5).
	passed()

	// mismatched takes in a message of another version, on a connection that has this one.
	mismatched(message []byte)

	// check says what else is wrong with a good Call: the limits that the version has. It is nil for nothing.
	check(c *call) *Refusal

	// answer sends the Reply to a Call, in a form that it fits: a says what goes where. If there is none it returns why,
	// and has sent nothing. The last message goes by Endpoint.reply.
	answer(c *call, a *answer) *Refusal

	// refuse sends an error in place of the Reply to a Call, by Endpoint.reply.
	refuse(c *call, r *Refusal)

	// released takes in that the answer to a Call is sent.
	released(c *call)

	// reverseRoom is the number of octets that the RPC message of a Call in the reverse direction may have; 0 if the peer
	// takes none.
	reverseRoom() int

	// callback sends as many Calls of Endpoint.reverse as credits allow.
	callback()
}

// New makes an Endpoint for a connection. private are the Private Data of the peer; Endpoint.Private is what the peer
// has to be told.
func New(o Options, private []byte) *Endpoint {
	o.settle()
	e := &Endpoint{options: o}
	own := e.privateData()
	if e.options.MishearPrivate != nil {
		private = e.options.MishearPrivate(bytes.Clone(private))
	}
	var client *rpcrdma.PrivateData
	if off, ok := rpcrdma.FindPrivateData(private); ok {
		client = new(rpcrdma.PrivateData)
		client.Decode(private[off:])
	}
	e.agreed = rpcrdma.Agree(client, &own)
	e.postReceives(e.MaxReceives())
	return e
}

// Options are those that the Endpoint has, defaults put in.
func (e *Endpoint) Options() Options { return e.options }

func (e *Endpoint) privateData() rpcrdma.PrivateData {
	return rpcrdma.PrivateData{
		Version: rpcrdma.PrivateDataVersion, R: !e.options.NoInvalidate,
		SendSize:    rpcrdma.EncodeBufferSize(e.options.SendSize),
		ReceiveSize: rpcrdma.EncodeBufferSize(e.options.ReceiveSize),
	}
}

// Private is the Private Data of RFC 8797 that this end sends, 8 octets.
func (e *Endpoint) Private() []byte {
	p := e.privateData()
	b, _ := p.AppendBinary(nil)
	return b
}

// MaxReceives is the number of Receives that are posted at most.
func (e *Endpoint) MaxReceives() int { return e.options.Credits + reverseCredits + receiveReserve }

// NoReads says that no RDMA Read can be done: Calls with Read chunks are refused from now on.
func (e *Endpoint) NoReads() { e.noReads = true }

// Actions are what is to be done since the call before. They belong to the caller.
func (e *Endpoint) Actions() []Action {
	a := e.actions
	e.actions = nil
	return a
}

// postReceives has Receives posted. A version does this once for every message that it takes in, before it sends what
// tells the peer of credits for them.
func (e *Endpoint) postReceives(n int) {
	if n > 0 {
		e.actions = append(e.actions, Action{Type: Receive, Count: n})
	}
}

// commonWords are the words of a header that all versions have (RFC 8166, section 7).
const commonWords = 4

// word is the i-th word of a message.
func word(message []byte, i int) uint32 { return binary.BigEndian.Uint32(message[4*i:]) }

// Received takes in what came with a Receive. message is valid until it returns.
func (e *Endpoint) Received(message []byte) {
	if e.options.Mishear != nil {
		if message = e.options.Mishear(bytes.Clone(message)); message == nil {
			return
		}
	}
	switch {
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

// begin chooses the version of the connection by its first message. One that is of no version that is supported is
// refused, and the next one may choose; so may it behind one that is too short for its version.
func (e *Endpoint) begin(message []byte) {
	vers, shortest := word(message, 1), rpcrdma.MinVersion1
	low, high := e.options.Versions[0], e.options.Versions[len(e.options.Versions)-1]
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

// versionError answers a message of another version than those from low to high, in the form that all versions can read
// (RFC 8166, sections 4.5 and 7; D-13 of package rpcrdma). It is nil for an error, which nothing answers.
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

// Done takes in that an RDMA Read or a Send of an Action is complete.
func (e *Endpoint) Done(a Action) {
	switch {
	case a.call == nil:
	case a.Type == Send:
		e.release(a.call)
	default:
		if a.call.reading--; a.call.reading == 0 {
			e.execute(a.call)
		}
	}
}
