package rpc

import (
	"bytes"
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
)

// The defaults of the Options.
const (
	DefaultCredits     = 32
	DefaultSize        = 4096    // octets of SendSize and ReceiveSize
	defaultSegmentSize = 1 << 20 // octets
	defaultSegments    = 16
	defaultChunks      = 16
)

// Options configure an Endpoint. Zero values have defaults.
type Options struct {
	Credits      int      // granted; the most Calls that may be open; at most 256; default 32
	SendSize     int      // longest message to send in octets, if the peer accepts it; default 4096
	ReceiveSize  int      // octets of each Receive; default 4096
	Versions     []uint32 // of RPC-over-RDMA, in ascending order; default 1 and 2
	NoInvalidate bool     // refuse remote invalidation in Private Data, and do not use it in version 1

	SegmentSize int // longest segment of a Call of version 2, in octets; default 1 MiB
	Segments    int // the most in the header of a Call of version 2; default 16
	Chunks      int // the most in the Read list, and in the Write list, of a Call; at most 64; default 16

	Tamper   func(*Outgoing) // changes messages before they are sent; nil for none
	Careless []Fault         // not refused, but processed as far as possible

	// Mishear and MishearPrivate replace each received message, and the Private Data of the peer. They may change their
	// argument. If Mishear returns nil, the message is ignored, and its Receive is not posted again. Nil functions
	// replace nothing.
	Mishear, MishearPrivate func([]byte) []byte
}

// The limits of Options, and of what a peer may have outstanding.
const (
	maxCredits = 256
	maxChunks  = 64

	reverseCredits = 16       // requested; the most Calls of this end that are open
	maxOctets      = 4 << 20  // in the arguments of a Call
	maxGathered    = 16 << 20 // octets in the Read chunks of open Calls; more Calls wait
	receiveReserve = 96       // Receives beyond those for Calls and Replies, for version 2 to grant
)

// settle sets the defaults, and limits the rest.
func (o *Options) settle() {
	for _, v := range []struct {
		value          *int
		usual, highest int
	}{
		{&o.Credits, DefaultCredits, maxCredits},
		{&o.SendSize, DefaultSize, rpcprivate.MaxSize},
		{&o.ReceiveSize, DefaultSize, rpcprivate.MaxSize},
		{&o.SegmentSize, defaultSegmentSize, maxOctets},
		{&o.Segments, defaultSegments, maxChunks * defaultSegments},
		{&o.Chunks, defaultChunks, maxChunks},
	} {
		if *v.value <= 0 {
			*v.value = v.usual
		}
		*v.value = min(*v.value, v.highest)
	}
	o.SendSize, o.ReceiveSize = max(o.SendSize, rpcprivate.MinSize), max(o.ReceiveSize, rpcprivate.MinSize)
	if len(o.Versions) == 0 {
		o.Versions = []uint32{rpcrdma.Vers1, rpcrdma.Vers2}
	}
}

// An ActionType is the kind of an Action.
type ActionType uint8

// The ActionTypes.
const (
	Receive ActionType = iota // Receives
	Read                      // an RDMA Read; call Endpoint.Done when it is complete
	Write                     // an RDMA Write
	Send                      // a Send, with Invalidate if there is an STag; call Endpoint.Done when it is complete
	Close                     // close the connection
)

var actionTypeNames = [...]string{"Receive", "Read", "Write", "Send", "Close"}

// String returns the name of the ActionType.
func (t ActionType) String() string { return actionTypeNames[t] }

// An Action is something to do on the connection. Perform Actions in order. Writes and Sends need not wait until an
// RDMA Read is complete.
type Action struct {
	Type   ActionType
	Count  int    // Receive: how many more to post, each of Options.ReceiveSize octets
	Octets []byte // Send, Write: the source; Read: the sink
	STag   uint32 // Read, Write: that of the peer's region; Send: the one to invalidate, 0 for none
	TO     uint64 // Read, Write

	call *call // Read: whose chunk it is; Send: that ends with it
}

// An Endpoint is the accepting end of a connection. It is not safe for concurrent use.
type Endpoint struct {
	options  Options
	agreed   rpcprivate.Agreed // in the Private Data of both ends
	noReads  bool
	version  version // nil before the first message of a version that is supported
	actions  []Action
	gathered int     // octets in the Read chunks of open Calls
	waiting  []*call // for memory for their Read chunks
	executed uint32  // number of Calls
	reverse  reverse
}

// A version holds the differences between the versions of RPC-over-RDMA.
type version interface {
	number() uint32 // rdma_vers

	// received handles a message with at least the four words that all versions have, whose rdma_vers is that of this
	// version. It calls Endpoint.called for a complete Call whose header is good; it refuses, ignores or acts on
	// everything else. message is valid until it returns.
	received(message []byte)

	// passed handles a message that is too short in every version (RFC 8166, section 4.5).
	passed()

	// mismatched handles a message of another version on a connection of this one.
	mismatched(message []byte)

	// check returns which limit of this version a Call exceeds; nil for none.
	check(c *call) *refusal

	// answer sends the Reply to a Call, in a form that fits; a says what goes where. If there is none it returns why,
	// and has sent nothing. The last message is sent by Endpoint.reply.
	answer(c *call, a *answer) *refusal

	// refuse sends an error instead of the Reply to a Call, by Endpoint.reply.
	refuse(c *call, r *refusal)

	// released is called when the answer to a Call is sent.
	released(c *call)

	// reverseRoom returns how many octets the RPC message of a Call in the reverse direction may have; 0 if the peer
	// accepts none.
	reverseRoom() int

	// callback sends as many Calls of Endpoint.reverse as credits allow.
	callback()
}

// New returns an Endpoint for a connection. private is the Private Data of the peer; send Endpoint.Private to it.
func New(o Options, private []byte) *Endpoint {
	o.settle()
	e := &Endpoint{options: o}
	own := e.privateData()
	if e.options.MishearPrivate != nil {
		private = e.options.MishearPrivate(bytes.Clone(private))
	}
	var client *rpcprivate.Data
	if off, ok := rpcprivate.Find(private); ok {
		client = new(rpcprivate.Data)
		client.Decode(private[off:])
	}
	e.agreed = rpcprivate.Agree(client, &own)
	e.postReceives(e.MaxReceives())
	return e
}

// Options returns the options of the Endpoint, with defaults.
func (e *Endpoint) Options() Options { return e.options }

func (e *Endpoint) privateData() rpcprivate.Data {
	return rpcprivate.Data{
		Version: rpcprivate.Version, R: !e.options.NoInvalidate,
		SendSize:    rpcprivate.EncodeSize(e.options.SendSize),
		ReceiveSize: rpcprivate.EncodeSize(e.options.ReceiveSize),
	}
}

// Private returns the Private Data of RFC 8797 that this end sends, 8 octets.
func (e *Endpoint) Private() []byte {
	p := e.privateData()
	b, _ := p.AppendBinary(nil)
	return b
}

// MaxReceives returns the most Receives that are posted at a time.
func (e *Endpoint) MaxReceives() int { return e.options.Credits + reverseCredits + receiveReserve }

// NoReads declares that RDMA Reads are impossible: Calls with Read chunks are refused from now on.
func (e *Endpoint) NoReads() { e.noReads = true }

// Actions returns what to do since the last call. The slice belongs to the caller.
func (e *Endpoint) Actions() []Action {
	a := e.actions
	e.actions = nil
	return a
}

// postReceives queues the posting of Receives. A version calls it once for every message, before it sends the credits
// for them.
func (e *Endpoint) postReceives(n int) {
	if n > 0 {
		e.actions = append(e.actions, Action{Type: Receive, Count: n})
	}
}

// commonWords is the number of words that the headers of all versions have (RFC 8166, section 7).
const commonWords = 4

// word returns the i-th word of a message.
func word(message []byte, i int) uint32 { return binary.BigEndian.Uint32(message[4*i:]) }

// Received handles a message that came with a Receive. message is valid until it returns.
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

// begin chooses the version of the connection by its first message. A message of an unsupported version is refused,
// and one that is too short for its version is handled; then the next may choose.
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

// Done handles the completion of an Action, which is an RDMA Read or a Send.
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

// An Outgoing is a message to be sent, with what goes before and after it.
type Outgoing struct {
	Request    []byte // the message that it answers; nil for none
	Writes     []Push // RDMA Writes before it
	Message    []byte
	Invalidate uint32 // STag that the Send invalidates; 0 for none
	Drop       bool   // send neither it nor the Writes; for Options.Tamper to set
	Twice      bool   // send it twice; for Options.Tamper to set
	Close      bool   // then close the connection

	call *call // that ends with it; nil for none
}

// A Push is an RDMA Write.
type Push struct {
	STag   uint32
	TO     uint64
	Octets []byte
}

// reply sends the last message about a Call: its answer, or an error.
func (e *Endpoint) reply(c *call, o *Outgoing) {
	o.Request, o.call = c.request, c
	e.send(o)
}

// send sends a message.
func (e *Endpoint) send(o *Outgoing) {
	if e.options.Tamper != nil {
		e.options.Tamper(o)
	}
	if !o.Drop {
		for _, w := range o.Writes {
			e.actions = append(e.actions, Action{Type: Write, Octets: w.Octets, STag: w.STag, TO: w.TO})
		}
		if o.Twice {
			e.actions = append(e.actions, Action{Type: Send, Octets: o.Message})
		}
		e.actions = append(e.actions, Action{Type: Send, Octets: o.Message, STag: o.Invalidate, call: o.call})
	} else if o.call != nil {
		e.release(o.call)
	}
	if o.Close {
		e.actions = append(e.actions, Action{Type: Close})
	}
}

// A joining is the payload of a sequence in progress.
type joining struct{ octets []byte }

// add appends the payload of a message that is all or part of an RPC message.
func (j *joining) add(m *rpcrdma.Message, fate rpcrules.Fate) *refusal {
	if fate.First {
		j.octets = nil
	}
	switch {
	case m.Form == rpcrdma.FormInline && len(m.Payload) == 0:
		// It begins with rdma_rpc_first_word (D-33 of package rpcrdma).
		return &refusal{Fault: BadXDR}
	case len(j.octets)+len(m.Payload) > maxOctets:
		return &refusal{Fault: TooLong}
	}
	if j.octets == nil {
		j.octets = bytes.Clone(m.Payload)
	} else {
		j.octets = append(j.octets, m.Payload...)
	}
	return nil
}

// take returns what was joined, and starts anew.
func (j *joining) take() []byte {
	octets := j.octets
	j.octets = nil
	return octets
}

// cut cuts a payload into the parts of a sequence. All but the last have a multiple of four octets, at most middle;
// the last has at most last. It returns nil if there would be more than most parts.
func cut(payload []byte, middle, last, most int) (parts [][]byte) {
	middle &^= 3
	for len(payload) > last {
		// The last part must not be empty, even if the previous one could hold all.
		n := min(middle, (len(payload)-1)&^3)
		if n <= 0 || last <= 0 || len(parts)+1 >= most {
			return nil
		}
		parts = append(parts, payload[:n:n])
		payload = payload[n:]
	}
	return append(parts, payload)
}
