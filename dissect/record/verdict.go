package record

// How connections went.

import "github.com/iwarpkit/iwarp/codec/rules"

// A Verdict says of a connection how it went.
type Verdict struct {
	Conn                    *Conn          `json:"-"`
	By                      Party          // who ended it
	At                      Span           // where the end began: Terminate, rejection, reset or FIN
	Cause                   *Finding       // why the connection failed; nil if it did not fail
	Culprit                 Party          // whose doing, or silence, that is; Nobody if it is neither's, or not known
	Confidence              Confidence     // in Cause
	Evidence                Evidence       // for Cause
	Advice                  string         // where to look next for what led to Cause, in sentences
	Explain                 string         // what to ask iwarp explain about Cause
	Consequences            []*Finding     // what followed from Cause
	Excused                 []Excused      // breaches of rules that are known habits of their senders
	Outstanding             [2]Outstanding // by the direction of the request: what was not answered at the end
	Errors, Warnings, Notes uint64         // findings
	Withheld                uint64         // of these, those that were only counted: there were too many of their rule
	AtLeast                 bool           // there may be more findings than are counted: a Sink in between has picked some, and could not look at those withheld
	MaxOutstanding          [2]int         // by the direction of the request: most outstanding at a time
	Limit                   [2]int         // how many may be, as negotiated; -1 if that is not known
	Peers                   [2]Grounds     // by direction: who its sender was recognised as
	Terminations            []*Termination // of the Terminates, at most one of each side
	Ends                    *Ends          // what two captures at either end show together; nil if there is one capture
	ULP                     string         // the upper layer that was recognised: "RPC-over-RDMA"; empty if none was
	Summary                 string         // the first sentence of Text: the cause alone, or if it did not fail, how it went
	Text                    string         // how it went, the cause first, in a few sentences
}

// Evidence is the segment that a Cause is about. It is zero if that is none, or not known.
type Evidence struct {
	Span
	Octets []byte // its DDP header, and the RDMAP header of a request
}

// A Confidence is how well the capture shows the cause of a failure.
type Confidence uint8

// The degrees of confidence.
const (
	NoCause Confidence = iota // nothing failed
	Symptom                   // what failed is in the capture, and its reason is not
	Likely                    // the cause is in the capture, and it is the best explanation of what followed
	Shown                     // the cause is in the capture, and the peer names it or nothing else can have led to what followed
)

var confidenceNames = [...]string{"none", "symptom", "likely", "shown"}

// String is "none", "symptom", "likely" or "shown".
func (c Confidence) String() string { return confidenceNames[c] }

// Excused counts breaches by one habit of one side.
type Excused struct {
	Dir   Direction    // of the side
	Habit *rules.Habit `json:"-"`
	Count uint64
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

// Sender is who sends in a direction.
func Sender(d Direction) Party {
	if d == S2C {
		return Server
	}
	return Client
}

// A PeerKind is what a side has one of each.
type PeerKind uint8

// The kinds.
const (
	RNIC       PeerKind = iota
	UpperLayer          // an implementation of an upper layer
	NumPeerKinds
)

// Grounds are those on which a side was recognised, by PeerKind.
type Grounds [NumPeerKinds]Ground

// A Ground says why a side was recognised as a peer.
type Ground struct {
	Peer   string // its name: "siw"; empty if none was recognised
	Called string // in a sentence: "siw", "the Linux NFS client"
	Why    string // what it does, in words
	Frame  uint64 // where it does this first
}
