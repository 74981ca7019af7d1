package record

// Findings, and how a connection went.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A Finding is something that is wrong, or that explains what went wrong.
type Finding struct {
	Origin                  // who sent what is wrong, and in which frames
	Severity rules.Severity // in the Profile of the Judge
	ID       string         // the requirement that was broken, "DDP-5.2-5", or an observation, "OBS-NO-REPLY"
	Also     []string       // other requirements that were broken by the same
	Rule     *rules.Rule    `json:"-"` // that was broken; nil for an observation
	Name     string         // of the Rule, or of the observation: "send-msn"
	Seen     string         // what was there, briefly
	Expected string         // what should have been
	Text     string         // all of it in sentences: what happened, what is demanded, what follows from it
	Cause    *Cause         // of an OBS-TERMINATE and of findings about the same Terminate; else nil
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
	Terminate   Origin            // the Terminate
	Code        rdmap.Code        // as its sender means it
	Swapped     bool              // that is the reading of its octets in the swapped order of siw
	Blame       Blame             // how the culprit was found
	Culprit     Origin            // the segment that it is about; zero if none was found
	Opcode      rdmap.Opcode      // of the culprit
	Subject     string            // the culprit in words: "the Send in frame 10 (MSN 3)"; empty if none was found
	Rule        *rules.Rule       `json:"-"` // what the culprit broke, if the capture shows it; else nil
	Situations  []rules.Situation // what may have gone wrong, by the code; that of Rule if there is one
	Invalidated uint64            // the frame of a Send with Invalidate that took the culprit's STag back; else 0
	Grade       rules.Grade       // how well Code fits the Situations
}

// A Verdict says of a connection how it went.
type Verdict struct {
	Conn                    *Conn          `json:"-"`
	By                      Party          // who ended it
	At                      Span           // where the end began: Terminate, rejection, reset or FIN
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

// Sender is who sends in a direction.
func Sender(d Direction) Party {
	if d == S2C {
		return Server
	}
	return Client
}
