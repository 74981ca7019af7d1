package record

// Requests with their responses, and messages of upper layers.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
)

// A TransactionKind is what sort of Transaction one is.
type TransactionKind uint8

// The kinds of transactions.
const (
	ReadTransaction   TransactionKind = iota // RDMA Read Request and Response
	AtomicTransaction                        // Atomic Request and Response
	UpperTransaction                         // of an upper layer: an RPC
	NumTransactionKinds
)

var transactionNames = [...]string{"read", "atomic", "upper"}

// String is "read", "atomic" or "upper".
func (k TransactionKind) String() string { return transactionNames[k] }

// An Outcome is what became of a Transaction.
type Outcome uint8

// The outcomes.
const (
	Answered       Outcome = iota // the response is whole
	Refused                       // a Terminate, or an error of the upper layer, answered it
	Unanswered                    // the connection, or the capture, ended before the response did
	OutcomeUnknown                // octets are missing in the capture where the response may have been
)

var outcomeNames = [...]string{"answered", "refused", "unanswered", "unknown"}

// String is "answered", "refused", "unanswered" or "unknown".
func (o Outcome) String() string { return outcomeNames[o] }

// A Transaction is a request and its response.
type Transaction struct {
	Conn     *flow.Conn `json:"-"`
	Kind     TransactionKind
	Dir      flow.Direction // of the request
	Request  flow.Span
	Response flow.Span // zero if none was seen
	Outcome  Outcome
	Name     string // "RDMA Read", "FetchAdd", "NFSv3 READ"
	Task     uint64 // of an UpperTransaction: a number for what is asked, equal for requests of the same kind, and 0 if the capture does not show that; made of the Name unless its layer sets it
	ID       uint64 // MSN of a Read Request, Request Identifier of an Atomic, XID of an RPC
	Octets   uint64 // of data moved: by the Read Response; in an RPC both ways, headers of RPC included
	Status   string // of an UpperTransaction: the error that its response reports, "ERR_CHUNK"; empty if that is none

	Read     rdmap.ReadRequest   // of a ReadTransaction
	Atomic   rdmap.AtomicRequest // of an AtomicTransaction
	Cut      bool                `json:"-"` // Read or Atomic was not captured whole
	Doubt    rules.Doubt         `json:"-"` // whether Response is that of a ReadTransaction or AtomicTransaction, and of no other
	Ahead    bool                `json:"-"` // as Segment.Ahead, of a ReadTransaction or AtomicTransaction
	Original uint64              // of an AtomicTransaction that was answered: the value before it
	Upper    any                 `json:"-"` // of an UpperTransaction: what its ULP says of it
	Standing bool                `json:"-"` // an UpperTransaction that may wait as long as the connection lasts, and is not outstanding at the end
}

// An Exchange is what an upper layer says of a request and its response: what a Transaction has as Upper.
type Exchange interface {
	// Answer is what the response says of how the request went: "SUCCESS", "LBA Out of Range". Without a response the
	// words mean nothing.
	Answer() string
	// Everyday reports whether the error that the response tells of is one of everyday use, and nothing that explains a
	// failure: a file that does not exist, the end of a list, a unit that was reset. An error that is not, of a request
	// that was answered or refused, is an ObsRefusedUpper.
	Everyday() bool
	// Copy returns a copy that stays valid.
	Copy() any
}

// Result is how a transaction of an upper layer went, in the words of its response; empty if there is none, or it has no
// words for it.
func (t *Transaction) Result() string {
	if a, ok := t.Upper.(Exchange); ok && (t.Outcome == Answered || t.Outcome == Refused) {
		return a.Answer()
	}
	return ""
}

// Latency is the time from the last octet of the request to the last octet of the response, in nanoseconds; 0 if it is
// not known, see Timed.
func (t *Transaction) Latency() int64 {
	if !t.Timed() {
		return 0
	}
	return t.Response.LastTime - t.Request.LastTime
}

// Timed reports whether Latency is known: there is a whole response, and the capture has the times of both ends of it, by
// a clock that did not go back between them.
func (t *Transaction) Timed() bool {
	return t.Outcome == Answered && t.Request.LastTime != 0 && t.Response.LastTime >= t.Request.LastTime
}

// An Upper is a message of an upper layer, as its ULP reads it. It may have come in one RDMAP message or in
// many.
type Upper struct {
	Origin
	ULP    string // "RPC-over-RDMA"
	Name   string // "RDMA_MSG Call NFSv3 READ"
	ID     uint64 // that joins it with its answer: an XID
	IDName string // what ID is called, if Name does not tell it: "xid"; else empty
	Len    uint64 // octets
	Body   Body   `json:"-"` // what the ULP says more; nil if there is nothing
}
