package driver

// Faults injected into sent octets, to test peers.

import (
	"time"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// An Action is what a Fault does.
type Action uint8

// The actions. They change an FPDU after it was made, so its CRC is right unless the action says otherwise.
const (
	Drop Action = iota
	WrongCRC
	Set
	FlipHeader
	FlipPayload
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
	Share float64 // a random share, 0 to 1; 0 for all
	Seed  uint64  // of the random choice: the same seed selects the same FPDUs
}

// A Fault is an error in what is sent. If several apply to one FPDU, all are applied in order.
// [github.com/iwarpkit/iwarp/rnicsim/quirk.Quirk] makes other errors.
type Fault struct {
	Action  Action
	Message Message // that it applies to
	Occasion

	Time   time.Duration // of Delay
	Octets int           // of Garbage, of each piece of Split, or per second of Slow
	Field  string        // of Set: its name in the tables of codec/ddp and codec/rdmap, such as "iwarp_ddp.msn"
	Value  uint64        // of Set
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
