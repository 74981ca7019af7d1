// Package transit holds what two captures of a connection, one taken at either end, show together: which packets were lost or
// changed on the path, how long they took, and by how much the clocks differ.
//
// Package ends computes them. The record.Verdict of a connection has its [Ends].
package transit

import (
	"strconv"

	"github.com/iwarpkit/iwarp/dissect/flow"
)

// Ends is what two captures of a connection, one at either end, show together. Times are in nanoseconds.
type Ends struct {
	Ahead  int64       // by which the clock of the server's capture was ahead of that of the client's
	Within int64       // by which Ahead may be wrong: half of the shortest round trip
	Drift  float64     // nanoseconds that the server's clock gains in one of the client's; 0 if too little to be told
	Ways   [2]Way      // by Direction
	Shares [2][3]Share // where the time of transactions went, by the direction of their requests and their record.TransactionKind
}

// A Sighting is a packet in the capture of one end. It is zero if there is none.
type Sighting struct {
	At        flow.Party
	Own       uint64 // its number in that capture, from 1
	Clock     int64  // when it was captured, by the clock of that capture
	flow.Span        // the same packet where both captures are read as one; zero if it was not needed there
}

// String is "client:118".
func (s Sighting) String() string { return s.At.String() + ":" + strconv.FormatUint(s.Own, 10) }

// A Way is what became of the octets of one direction on their way from one capture to the other.
type Way struct {
	Delay   Delay
	Lost    []Loss    // the first of what left and, in that packet, did not arrive
	Losses  uint64    // how many there are
	Octets  uint64    // of all Losses, each copy counted
	Never   uint64    // octets of which no copy arrived
	Missing [2]uint64 // octets that a capture lacks although they were sent and arrived: the client's, the server's
	Changes []Change  // the first runs of octets that the path has altered
	Changed uint64    // how many there are
	Forged  Sighting  // a reset that arrived and never left
	Unheard Sighting  // a reset that left and did not arrive
}

// A Delay is the time that octets took one way, in nanoseconds, from when they were first sent to when they first arrived. It
// rests on Ends.Ahead.
type Delay struct {
	Least, Median, Most int64
	Samples             int // packets; 0 if nothing is known
}

// A Loss is octets that left one end and, in that packet, never reached the other.
type Loss struct {
	Sent  Sighting
	Pos   int64 // place of the first octet, from 0 after the SYN; the SYN itself has -1
	Len   int64 // octets; SYN and FIN count as one
	Again bool  // another copy of them arrived
}

// A Change is a run of octets that the path has altered.
type Change struct {
	Pos        int64  // place of the first of them, from 0 after the SYN
	Len        int    // octets from the first to the last that differ
	Differ     int    // how many of these differ
	Left, Came []byte // the first of these
	Sent       Sighting
	Arrived    Sighting
	Again      bool // another copy of them arrived as it had left: TCP has probably discarded this one for its checksum

	Message string // what has them: "Send"; empty if no FPDU is known there
	Offset  int    // in its FPDU
	Field   string // "STag", or "ULP payload"
	IsCRC   bool   // that is the CRC of the FPDU
	CRC     Witness
}

// A Witness is what the CRCs of an FPDU say about who altered it.
type Witness uint8

// What the CRCs say.
const (
	NoWitness Witness = iota // there is no CRC, or it is not known
	Exposed                  // the CRC was right when the FPDU left, and wrong when it arrived
	Covered                  // the CRC is right at both ends: who changed the octets has computed it again
	Unhealed                 // the CRC was wrong when the FPDU left
)

var witnessNames = [...]string{"none", "exposed", "covered", "unhealed"}

// String is "none", "exposed", "covered" or "unhealed".
func (w Witness) String() string { return witnessNames[w] }

// A Share says where the time of answered transactions of one kind went, in nanoseconds, all together.
type Share struct {
	Count   uint64
	Total   int64 // from the last octet of the request to the last octet of the response, at the requester
	Network int64 // of these, between the two captures, there and back
	Slowest Slow
}

// A Slow transaction is the one that took longest of its kind.
type Slow struct {
	Name           string
	Request        flow.Span
	Total, Network int64
}
