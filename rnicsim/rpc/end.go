package rpc

// What both ends of a connection have: their Options, Actions, and the cutting and joining of messages.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

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

// Options configure a Responder or a Requester. Zero values have defaults.
type Options struct {
	Credits      int      // granted; the most Calls that may be open; at most 256; default 32
	SendSize     int      // longest message to send in octets, if the peer accepts it; default 4096
	ReceiveSize  int      // octets of each Receive; default 4096
	Versions     []uint32 // of RPC-over-RDMA, in ascending order; default 1 and 2
	NoInvalidate bool     // refuse remote invalidation in Private Data, and do not use it in version 1

	SegmentSize int // longest segment of a Call of version 2, in octets; default 1 MiB
	Segments    int // the most in the header of a Call of version 2; default 16
	Chunks      int // the most in the Read list, and in the Write list, of a Call; at most 64; default 16

	Tamper        func(*Outgoing)     // changes messages before they are sent; nil for none
	TamperPrivate func([]byte) []byte // replaces the Private Data of this end, likewise
	Careless      []Fault             // not refused, but processed as far as possible

	// TamperReceived and TamperReceivedPrivate replace each received message, and the Private Data of the peer. They may change their
	// argument. If TamperReceived returns nil, the message is ignored, and its Receive is not posted again. Nil functions
	// replace nothing.
	TamperReceived, TamperReceivedPrivate func([]byte) []byte
}

// The limits of Options, and of what a peer may have outstanding.
const (
	maxCredits = 256
	maxChunks  = 64

	reverseCredits = 16 // requested; the most Calls of this end that are open
	receiveReserve = 96 // Receives beyond those for Calls and Replies, for version 2 to grant
)

// The limits of what an end holds, in octets.
const (
	// MaxOctets limits a Call in Read chunks, an RPC message that either end joins, and Options.SegmentSize. An end grants no more credits, or
	// answers nothing more, while messages of more octets wait for credits.
	MaxOctets = 4 << 20

	MaxGathered = 16 << 20 // of the arguments in chunks of open Calls, and of their results, until the answers are sent
	MaxKept     = 16 << 20 // of messages of version 2 until they are answered; more Calls are refused
	MaxSet      = 1 << 16  // of a set of properties in several messages
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
		{&o.SegmentSize, defaultSegmentSize, MaxOctets},
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

func (o *Options) highest() uint32 { return o.Versions[len(o.Versions)-1] }

// An ActionType is the kind of an Action.
type ActionType uint8

// The ActionTypes.
const (
	Receive ActionType = iota // Receives
	Read                      // an RDMA Read; call Responder.Done when it is complete
	Write                     // an RDMA Write
	Send                      // a Send, with Invalidate if there is an STag; call Responder.Done when it is complete
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
	Err    error  // Close: why; nil if Options.Tamper wants it

	call *call // Read: whose chunk it is; Send: that ends with it
}

// An end is what a Responder and a Requester have in common.
type end struct {
	options Options
	agreed  rpcprivate.Agreed // in the Private Data of both ends
	actions []Action
	given   []Action    // by Actions
	dropped func(*call) // is called for a Call whose last message Tamper has dropped
}

// Options returns the options of this end, with defaults.
func (e *end) Options() Options { return e.options }

// own returns the Private Data of this end.
func (e *end) own() *rpcprivate.Data {
	return &rpcprivate.Data{
		Version: rpcprivate.Version, R: !e.options.NoInvalidate,
		SendSize:    rpcprivate.EncodeSize(e.options.SendSize),
		ReceiveSize: rpcprivate.EncodeSize(e.options.ReceiveSize),
	}
}

// Private returns the Private Data of RFC 8797 that this end sends: 8 octets, unless Options.TamperPrivate replaces them.
func (e *end) Private() []byte {
	b, _ := e.own().AppendBinary(nil)
	if e.options.TamperPrivate != nil {
		b = e.options.TamperPrivate(b)
	}
	return b
}

// theirs returns the Private Data of the peer; nil if there is none.
func (e *end) theirs(private []byte) *rpcprivate.Data {
	if e.options.TamperReceivedPrivate != nil {
		private = e.options.TamperReceivedPrivate(bytes.Clone(private))
	}
	return rpcprivate.Read(private)
}

// asReceived returns a message as Options.TamperReceived replaces it. ok is false if it is to be ignored.
func (e *end) asReceived(message []byte) (received []byte, ok bool) {
	if e.options.TamperReceived == nil {
		return message, true
	}
	received = e.options.TamperReceived(bytes.Clone(message))
	return received, received != nil
}

// MaxReceives returns the most Receives that are posted at a time.
func (e *end) MaxReceives() int { return e.options.Credits + reverseCredits + receiveReserve }

// Actions returns what to do since the last call. The slice is valid until the next call.
func (e *end) Actions() []Action {
	clear(e.given)
	e.given, e.actions = e.actions, e.given[:0]
	return e.given
}

// postReceives queues the posting of Receives. A version calls it once for every message, before it sends the credits
// for them.
func (e *end) postReceives(n int) {
	if n > 0 {
		e.actions = append(e.actions, Action{Type: Receive, Count: n})
	}
}

// commonWords is the number of words that the headers of all versions have (RFC 8166, section 7).
const commonWords = 4

// word returns the i-th word of a message.
func word(message []byte, i int) uint32 { return binary.BigEndian.Uint32(message[4*i:]) }

// An Outgoing is a message to be sent, with what goes before and after it.
type Outgoing struct {
	Request    []byte // the message that it answers; nil for none
	Writes     []Push // RDMA Writes before it
	Message    []byte
	Invalidate uint32   // STag that the Send invalidates; 0 for none
	Drop       bool     // send neither it nor the Writes; for Options.Tamper to set
	Before     [][]byte // messages to send before it; for Options.Tamper to set
	Close      bool     // then close the connection

	call *call    // that ends with it; nil for none
	of   *pending // whose Call it is a part of; nil for none
	why  error    // of Close
}

// A Push is an RDMA Write.
type Push struct {
	STag   uint32
	TO     uint64
	Octets []byte
}

func (e *end) send(o *Outgoing) {
	if e.options.Tamper != nil {
		tampered := *o // so that o need not be on the heap
		e.options.Tamper(&tampered)
		*o = tampered
	}
	if !o.Drop {
		for _, w := range o.Writes {
			e.actions = append(e.actions, Action{Type: Write, Octets: w.Octets, STag: w.STag, TO: w.TO})
		}
		for _, message := range o.Before {
			e.actions = append(e.actions, Action{Type: Send, Octets: message})
		}
		e.actions = append(e.actions, Action{Type: Send, Octets: o.Message, STag: o.Invalidate, call: o.call})
	} else if o.call != nil {
		e.dropped(o.call)
	}
	if o.Close {
		e.close(o.why)
	}
}

func (e *end) close(why error) { e.actions = append(e.actions, Action{Type: Close, Err: why}) }

// The reasons to close a connection.
var (
	ErrInvalidated = errors.New("rpc: the peer has invalidated an STag that is none of the Call that it answers")
	ErrCancelled   = errors.New("rpc: a Call that was sent only in part was given up")
	ErrNoRoom      = errors.New("rpc: the peer has no Receive that is long enough")
)

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
	case len(j.octets)+len(m.Payload) > MaxOctets:
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

// joined appends to a, which is nil at first, and leaves b as it is. It copies octets only when there are more.
func joined(a, b []byte) []byte {
	if len(a) == 0 {
		return slices.Clip(b)
	}
	return append(a, b...)
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
