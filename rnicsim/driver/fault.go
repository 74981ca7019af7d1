package driver

// Faults: what can be done to what is sent, so that peers can be tested.

import (
	"time"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// An Action is what a Fault does.
type Action uint8

// The actions. What is done to an FPDU is done after it was made, so a CRC is right unless it is said to be wrong.
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

// An Occasion says of which FPDUs, of those that a Fault is about, it is about. The zero value is all.
type Occasion struct {
	N     int     // the N-th on the connection, from 1; 0 for all
	Later bool    // and all behind it
	Share float64 // a share of them by chance, 0 to 1; 0 for all
	Seed  uint64  // of that chance: the same one leads to the same FPDUs
}

// A Fault is something that is done to what is sent. Where several are about the same FPDU all are done, in their order.
// What else can be wrong is for [github.com/iwarpkit/iwarp/rnicsim.Quirk].
type Fault struct {
	Action  Action
	Message Message // of these messages
	Occasion

	Time   time.Duration // of Delay
	Octets int           // of Garbage, and the pieces of Split; of Slow, per second
	Field  string        // of Set, as the tables of codec/ddp and codec/rdmap name it: "iwarp_ddp.msn"
	Value  uint64        // of Set
}

// A Message is the kind of what is sent.
type Message uint8

// The messages that are no opcode. Those that are follow: OfOpcode makes one of them.
const (
	AnyFPDU Message = iota
	MPARequest
	MPAReply
	firstOpcode
)

// OfOpcode is the FPDUs of the messages with an opcode.
func OfOpcode(o rdmap.Opcode) Message { return firstOpcode + Message(o) }

// String is "any", "MPARequest", "MPAReply" or what the opcode is called: "ReadResponse".
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

// includes tells whether a Fault about m is about something of the kind of one message.
func (m Message) includes(one Message) bool {
	return m == one || m == AnyFPDU && one >= firstOpcode
}
