package rpc

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// A Fault is the reason why a Call is refused. Version 1 sends ERR_VERS for BadVersion and ERR_CHUNK for all others
// (RFC 8166, section 4.5); version 2 has more codes (draft 01, section 7).
type Fault uint8

// The Faults.
const (
	BadVersion      Fault = iota // rdma_vers is not that of the connection, or not supported
	BadType                      // rdma_proc or rdma_htype is unknown or obsolete
	BadXDR                       // the header cannot be decoded
	BadPosition                  // a Position that is not a multiple of four, or zero with a payload
	BadSegment                   // a segment ends beyond the 64 bits of an offset
	BadBody                      // neither a chunk nor the payload holds the RPC message
	BadTrailing                  // octets after a complete header
	BadXID                       // the RPC message is too short for an XID, or has another one
	BadMsgType                   // not a Call, although the header says so
	NotEligible                  // octets in a Read chunk that are not DDP-eligible
	TooManyReads                 // Read chunks; see refusal.Max
	TooManyWrites                // Write chunks; see refusal.Max
	TooManySegments              // or segments that are too long; see refusal.Max
	TooLong                      // arguments of too many octets
	WriteTooSmall                // a Write chunk; see refusal.Index and refusal.Needed
	ReplyTooSmall                // the Reply fits nowhere; see refusal.Needed
	BadContinuation              // version 2: a sequence of messages is broken
	BadProperty                  // version 2: a property has an illegal value
	BadFlag                      // version 2: TPMORE where it must not be
	LateProperties               // version 2: properties after the last
	NumFaults                    // number of Faults
)

var faultNames = [NumFaults]string{
	"BadVersion", "BadType", "BadXDR", "BadPosition", "BadSegment", "BadBody", "BadTrailing", "BadXID", "BadMsgType",
	"NotEligible", "TooManyReads", "TooManyWrites", "TooManySegments", "TooLong", "WriteTooSmall", "ReplyTooSmall",
	"BadContinuation", "BadProperty", "BadFlag", "LateProperties",
}

// String returns the name of the Fault, and "Fault" with a number for others.
func (f Fault) String() string { return field.NameIn(faultNames[:], f, "Fault") }

// A refusal is a Fault with the numbers that version 2 reports.
type refusal struct {
	Fault
	Max    uint32         // TooManyReads, TooManyWrites, TooManySegments: the most that are accepted
	Index  uint32         // WriteTooSmall: the chunk, from 1
	Needed uint32         // WriteTooSmall, ReplyTooSmall: octets that the chunk needs; 0 if unknown
	Report rpcrdma.Error2 // what another server has refused the Call for; zero for none
}

// careless reports whether a Fault is not refused.
func (e *end) careless(f Fault) bool {
	return slices.Contains(e.options.Careless, f)
}

// fault returns a refusal if a condition is met, unless this end is careless of that Fault.
func (e *end) fault(f Fault, met bool) *refusal {
	if !met || e.careless(f) {
		return nil
	}
	return &refusal{Fault: f}
}
