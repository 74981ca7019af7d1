package analysis

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
)

// A Sink takes the events of an Analyser. An event is valid until the method returns.
type Sink interface {
	dissect.Sink
	Finding(*Finding)
	Transaction(*Transaction) // one that is over: answered, refused, or never to be answered
	Upper(*UpperMessage)
	Verdict(*Verdict)
}

// Discard is a Sink that does nothing. Embed it in a Sink that wants few kinds of events.
type Discard struct{ dissect.Discard }

func (Discard) Finding(*Finding)         {}
func (Discard) Transaction(*Transaction) {}
func (Discard) Upper(*UpperMessage)      {}
func (Discard) Verdict(*Verdict)         {}

// A Finding is something that is wrong, or that explains what went wrong.
type Finding struct {
	dissect.Origin                // who sent what is wrong, and in which frames
	Severity       rules.Severity // in the Profile of the Analyser
	ID             string         // the requirement that was broken, "DDP-5.2-5", or an observation, "OBS-NO-REPLY"
	Also           []string       // other requirements that were broken by the same
	Name           string         // of the rules.Rule, or of the observation: "send-msn"
	Seen           string         // what was there, briefly
	Expected       string         // what should have been
	Text           string         // all of it in a sentence or two: what happened, what is demanded, what follows from it
}

// A Kind is what sort of Transaction one is.
type Kind uint8

// The kinds of transactions.
const (
	KindRead   Kind = iota // RDMA Read Request and Response
	KindAtomic             // Atomic Request and Response
	KindUpper              // of an upper layer: an RPC
)

// An Outcome is what became of a Transaction.
type Outcome uint8

// The outcomes.
const (
	Answered   Outcome = iota // the response is whole
	Refused                   // a Terminate, or an error of the upper layer, answered it
	Unanswered                // the connection, or the capture, ended before the response did
	Unknown                   // octets are missing in the capture where the response may have been
)

// A Transaction is a request and its response.
type Transaction struct {
	Conn     *dissect.Conn
	Kind     Kind
	Dir      dissect.Direction // of the request
	Request  dissect.Span
	Response dissect.Span // zero if none was seen
	Outcome  Outcome
	Name     string // "RDMA Read", "FetchAdd", "NFSv3 READ"
	ID       uint64 // MSN of a Read Request, Request Identifier of an Atomic, XID of an RPC
	Octets   uint64 // of data moved: by the Read Response; in an RPC both ways, headers of RPC included

	Read     rdmap.ReadRequest   // of a KindRead
	Atomic   rdmap.AtomicRequest // of a KindAtomic
	Original uint64              // of a KindAtomic that was answered: the value before it
	Upper    any                 // of a KindUpper: what its ULP says of it
}

// Latency is the time from the last octet of the request to the last octet of the response, in nanoseconds; 0 if there
// is no whole response or the capture has no times.
func (t *Transaction) Latency() int64 {
	if t.Outcome != Answered || t.Request.LastTime == 0 || t.Response.LastTime == 0 {
		return 0
	}
	return max(0, t.Response.LastTime-t.Request.LastTime)
}

// An UpperMessage is a message of an upper layer, as its ULP reads it. It may have come in one RDMAP message or in many.
type UpperMessage struct {
	dissect.Origin
	ULP  string // "RPC-over-RDMA"
	Name string // "RDMA_MSG Call NFSv3 READ"
	ID   uint64 // that joins it with its answer: an XID
	Len  uint64 // octets
	Body any    // what the ULP says more
}

// A Verdict says of a connection how it went.
type Verdict struct {
	Conn                    *dissect.Conn
	By                      Party          // who ended it
	At                      dissect.Span   // where the end began: Terminate, rejection, reset or FIN
	Outstanding             [2]Outstanding // by the direction of the request: what was not answered at the end
	Errors, Warnings, Notes uint64         // findings
	Text                    string         // how it went, in a sentence or two
}

// Outstanding counts requests without response.
type Outstanding struct{ Reads, Atomics, Upper int }

// A Party is an end of a connection, or nobody.
type Party uint8

// The parties.
const (
	Nobody Party = iota
	Client
	Server
)
