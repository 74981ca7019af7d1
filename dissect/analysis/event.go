package analysis

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
)

// A Sink takes the events of an Analyser. An event is valid until the method returns; a copy of the struct stays valid,
// but for its Conn and for what an upper layer has put into it.
type Sink interface {
	dissect.Sink
	Finding(*Finding)
	Transaction(*Transaction) // one that is over: answered, refused, or never to be answered
	Upper(*UpperMessage)
	Verdict(*Verdict)
}

// Discard is a Sink that does nothing. Embed it in a Sink that wants few kinds of events.
type Discard struct{ dissect.Discard }

// Finding implements Sink.
func (Discard) Finding(*Finding) {}

// Transaction implements Sink.
func (Discard) Transaction(*Transaction) {}

// Upper implements Sink.
func (Discard) Upper(*UpperMessage) {}

// Verdict implements Sink.
func (Discard) Verdict(*Verdict) {}

// A Finding is something that is wrong, or that explains what went wrong.
type Finding struct {
	dissect.Origin                // who sent what is wrong, and in which frames
	Severity       rules.Severity // in the Profile of the Analyser
	ID             string         // the requirement that was broken, "DDP-5.2-5", or an observation, "OBS-NO-REPLY"
	Also           []string       // other requirements that were broken by the same
	Name           string         // of the rules.Rule, or of the observation: "send-msn"
	Seen           string         // what was there, briefly
	Expected       string         // what should have been
	Text           string         // all of it in sentences: what happened, what is demanded, what follows from it
	Cause          *Cause         // of an OBS-TERMINATE and of findings about the same Terminate; else nil
}

// A Kind is what sort of Transaction one is.
type Kind uint8

// The kinds of transactions.
const (
	KindRead   Kind = iota // RDMA Read Request and Response
	KindAtomic             // Atomic Request and Response
	KindUpper              // of an upper layer: an RPC
	numKinds
)

var kindNames = [...]string{"read", "atomic", "upper"}

// String is "read", "atomic" or "upper".
func (k Kind) String() string { return kindNames[k] }

// An Outcome is what became of a Transaction.
type Outcome uint8

// The outcomes.
const (
	Answered   Outcome = iota // the response is whole
	Refused                   // a Terminate, or an error of the upper layer, answered it
	Unanswered                // the connection, or the capture, ended before the response did
	Unknown                   // octets are missing in the capture where the response may have been
)

var outcomeNames = [...]string{"answered", "refused", "unanswered", "unknown"}

// String is "answered", "refused", "unanswered" or "unknown".
func (o Outcome) String() string { return outcomeNames[o] }

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
	Status   string // of a KindUpper: the error that its response reports, "ERR_CHUNK"; empty if that is none

	Read     rdmap.ReadRequest   // of a KindRead
	Atomic   rdmap.AtomicRequest // of a KindAtomic
	Original uint64              // of a KindAtomic that was answered: the value before it
	Upper    any                 // of a KindUpper: what its ULP says of it
}

// An Answerer says what the response of an upper layer says of how a request went: "SUCCESS", "LBA Out of Range". What a
// Transaction has as Upper may be one. Without a response the words mean nothing.
type Answerer interface{ Answer() string }

// An Everyday tells whether the error that a response of an upper layer reports is one of everyday use, and nothing that
// explains a failure: a file that does not exist, the end of a list, a unit that was reset. What a Transaction has as
// Upper may be one. An error that is not, of a request that was answered or refused, is an ObsRefusedUpper.
type Everyday interface{ Everyday() bool }

// Result is how a transaction of an upper layer went, in the words of its response; empty if there is none, or it has no
// words for it.
func (t *Transaction) Result() string {
	if a, ok := t.Upper.(Answerer); ok && (t.Outcome == Answered || t.Outcome == Refused) {
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

// Timed tells whether Latency is known: there is a whole response, and the capture has the times of both ends of it, by
// a clock that did not go back between them.
func (t *Transaction) Timed() bool {
	return t.Outcome == Answered && t.Request.LastTime != 0 && t.Response.LastTime >= t.Request.LastTime
}

// An UpperMessage is a message of an upper layer, as its ULP reads it. It may have come in one RDMAP message or in
// many.
type UpperMessage struct {
	dissect.Origin
	ULP  string // "RPC-over-RDMA"
	Name string // "RDMA_MSG Call NFSv3 READ"
	ID   uint64 // that joins it with its answer: an XID
	Len  uint64 // octets
	Body any    // what the ULP says more

	Context any // what it takes to read Body beside the message itself, valid as long as that; nil if there is nothing
}

// A Blame is how it is known which segment a Terminate is about.
type Blame uint8

// The ways to know.
const (
	NoBlame         Blame = iota // it is about no segment, or about none that can be found
	BlameByHeader                // a segment has the DDP header that the Terminate encloses
	BlameByRequest               // a Read Request has the RDMAP header that the Terminate encloses
	BlameByPosition              // it is the first segment with an error, or the latest that can have the one reported
)

var blameNames = [...]string{"none", "header", "request", "position"}

// String is "none", "header", "request" or "position".
func (b Blame) String() string { return blameNames[b] }

// A Cause is what a Terminate is about, as far as the capture shows it. It stays valid.
type Cause struct {
	Terminate   dissect.Origin     // the Terminate
	Code        rdmap.Code         // as its sender means it
	Swapped     bool               // that is the reading of its octets in the swapped order of siw
	Blame       Blame              // how the culprit was found
	Culprit     dissect.Origin     // the segment that it is about; zero if none was found
	Opcode      rdmap.Opcode       // of the culprit
	Subject     string             // the culprit in words: "the Send in frame 10 (MSN 3)"; empty if none was found
	Rule        *rules.Rule        // what the culprit broke, if the capture shows it; else nil
	Situations  []*rules.Situation // what may have gone wrong, by the code; that of Rule if there is one
	Invalidated uint64             // the frame of a Send with Invalidate that took the culprit's STag back; else 0
	Grade       rules.Grade        // how well Code fits the Situations
}

// A Verdict says of a connection how it went.
type Verdict struct {
	Conn                    *dissect.Conn
	By                      Party          // who ended it
	At                      dissect.Span   // where the end began: Terminate, rejection, reset or FIN
	Outstanding             [2]Outstanding // by the direction of the request: what was not answered at the end
	Errors, Warnings, Notes uint64         // findings
	Withheld                uint64         // of these, those that were only counted: there were too many of their rule
	AtLeast                 bool           // there may be more findings than are counted: a Sink in between has picked some, and could not look at those withheld
	MaxOutstanding          [2]int         // by the direction of the request: most outstanding at a time
	Limit                   [2]int         // how many may be, as negotiated; -1 if that is not known
	Causes                  []*Cause       // of the Terminates, at most one of each side
	FirstError              *Finding       // nil if there was none
	ULP                     string         // the upper layer that was recognised: "RPC-over-RDMA"; empty if none was
	Text                    string         // how it went, in a sentence or two
}

// Outstanding counts requests without response.
type Outstanding struct {
	Reads, Atomics, Upper int
	AtLeast               bool // there may be more: of some requests it is not known whether they were answered
}

// A Party is an end of a connection, or nobody.
type Party uint8

// The parties.
const (
	Nobody Party = iota
	Client
	Server
)

var partyNames = [...]string{"nobody", "client", "server"}

// String is "nobody", "client" or "server".
func (p Party) String() string { return partyNames[p] }

// sender is who sends in a direction.
func sender(d dissect.Direction) Party {
	if d == dissect.S2C {
		return Server
	}
	return Client
}
