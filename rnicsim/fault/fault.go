// Package fault describes errors in what a side sends, and makes them: lost, repeated, damaged, late and altered messages.
//
//	f, err := fault.Parse("drop:Write:3")
//
// rnicsim/driver injects Faults into the output of an RNIC, and replay/proxy into what passes between two ends.
package fault

import (
	"math/rand/v2"
	"time"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// An Action is what a Fault does.
type Action uint8

// The actions. The CRC is right unless the action says otherwise.
const (
	Drop Action = iota
	WrongCRC
	Set
	FlipHeader
	FlipPayload
	Corrupt
	Shorten
	Duplicate
	Delay
	Truncate
	Reset
	FIN
	Garbage
	Silence
	Slow
	Split
	actions
)

// An Occasion selects some of the FPDUs that a Fault applies to. The zero value selects all.
type Occasion struct {
	N     int     // the N-th on the connection, from 1; 0 for all
	Later bool    // and all after it
	Every bool    // and each N-th after it
	Share float64 // a random share, 0 to 1; 0 for all
	Seed  uint64  // of the random choice: the same seed selects the same FPDUs
}

// A Fault is an error in what is sent. If several apply to one FPDU, all are applied in order.
// [quirk.Quirk] makes other errors.
type Fault struct {
	Action  Action
	Message Message // that it applies to
	Occasion

	Time   time.Duration // of Delay
	Octets int           // of Garbage, of each piece of Split, that Shorten leaves, or per second of Slow
	Change quirk.Rewrite // of Set
}

// A Message is a kind of message or MPA frame.
type Message uint8

// The messages without an opcode. OfOpcode returns the others.
const (
	AnyFPDU Message = iota
	MPARequest
	MPAReply
	firstOpcode
)

// OfOpcode returns the message with an opcode.
func OfOpcode(o rdmap.Opcode) Message { return firstOpcode + Message(o) }

// Opcode returns the opcode of a message; ok is false for others.
func (m Message) Opcode() (o rdmap.Opcode, ok bool) {
	return rdmap.Opcode(m - firstOpcode), m >= firstOpcode
}

// String returns "any", "MPARequest", "MPAReply" or the name of the opcode: "ReadResponse".
func (m Message) String() string {
	switch m {
	case AnyFPDU:
		return "any"
	case MPARequest:
		return "MPARequest"
	case MPAReply:
		return "MPAReply"
	}
	return rdmap.Opcode(m - firstOpcode).String()
}

// includes reports whether a Fault for m applies to one message.
func (m Message) includes(one Message) bool {
	return m == one || m == AnyFPDU && one >= firstOpcode
}

// A Hazard is the state of a Fault on one connection.
type Hazard struct {
	Fault
	seen   int // messages that it may apply to
	random *rand.Rand
}

// NewHazard returns the Hazard of a Fault on a new connection.
func NewHazard(f Fault) Hazard {
	return Hazard{Fault: f, random: rand.New(rand.NewPCG(f.Seed, 0))}
}

// Strikes reports whether the Fault applies to the next message, and counts it.
func (h *Hazard) Strikes(m Message) bool {
	if !h.Message.includes(m) {
		return false
	}
	h.seen++
	switch {
	case h.Share > 0:
		return h.random.Float64() < h.Share
	case h.N == 0:
		return true
	case h.Every:
		return h.seen%h.N == 0
	}
	return h.seen == h.N || h.Later && h.seen > h.N
}
