package rpc

import "strconv"

// A Fault is why a Call is refused. Version 1 says ERR_VERS of BadVersion and ERR_CHUNK of all others (RFC 8166,
// section 4.5); version 2 has more codes (draft 01, section 7).
type Fault uint8

// The Faults.
const (
	BadVersion      Fault = iota // rdma_vers is not that of the connection, or not supported
	BadType                      // rdma_proc or rdma_htype is unknown, or not to be used
	BadXDR                       // the header cannot be decoded
	BadPosition                  // of a Read chunk: no multiple of four, or zero beside a payload
	BadSegment                   // a segment ends beyond the 64 bits of an offset
	BadBody                      // no chunk holds the RPC message, and no payload does
	BadTrailing                  // octets behind a header that nothing may follow
	BadXID                       // the RPC message is too short to have an XID, or has another one
	BadMsgType                   // it is no Call, though the header is that of one
	NotEligible                  // what is in a Read chunk may not be in one
	TooManyReads                 // Read chunks; Refusal.Max
	TooManyWrites                // Write chunks; Refusal.Max
	TooManySegments              // Refusal.Max; also of segments that are too long
	TooLong                      // arguments of more octets than are taken
	WriteTooSmall                // a Write chunk; Refusal.Index and Refusal.Needed
	ReplyTooSmall                // the Reply fits nowhere; Refusal.Needed
	BadContinuation              // version 2: a sequence of messages is broken
	BadProperty                  // version 2: a property has a value that it cannot have
	BadFlag                      // version 2: TPMORE where it may not be
	LateProperties               // version 2: properties after the last ones
	NumFaults                    // how many there are
)

var faultNames = [NumFaults]string{
	"BadVersion", "BadType", "BadXDR", "BadPosition", "BadSegment", "BadBody", "BadTrailing", "BadXID", "BadMsgType",
	"NotEligible", "TooManyReads", "TooManyWrites", "TooManySegments", "TooLong", "WriteTooSmall", "ReplyTooSmall",
	"BadContinuation", "BadProperty", "BadFlag", "LateProperties",
}

// String is the name of the Fault, or of others "Fault" and the number.
func (f Fault) String() string {
	if f < NumFaults {
		return faultNames[f]
	}
	return "Fault" + strconv.Itoa(int(f))
}

// A Refusal is a Fault with the numbers that version 2 tells of it.
type Refusal struct {
	Fault
	Max    uint32 // TooManyReads, TooManyWrites, TooManySegments: the most that are taken
	Index  uint32 // WriteTooSmall: the chunk, from 1
	Needed uint32 // WriteTooSmall, ReplyTooSmall: octets that the chunk needs; 0 if that is not known
}

// careless says that a Fault is not refused.
func (e *Endpoint) careless(f Fault) bool {
	for _, c := range e.options.Careless {
		if c == f {
			return true
		}
	}
	return false
}

// fault is a Refusal if a condition is met, unless the Endpoint is careless of that Fault.
func (e *Endpoint) fault(f Fault, met bool) *Refusal {
	if !met || e.careless(f) {
		return nil
	}
	return &Refusal{Fault: f}
}
