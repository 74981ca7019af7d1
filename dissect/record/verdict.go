package record

// How connections went.

import (
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/transit"
)

// A Verdict says of a connection how it went.
type Verdict struct {
	Conn                    *flow.Conn      `json:"-"`
	By                      flow.Party      // who ended it
	At                      flow.Span       // where the end began: Terminate, rejection, reset or FIN
	Cause                   *Finding        // why the connection failed; nil if it did not fail
	Culprit                 flow.Party      // whose doing, or silence, that is; Nobody if it is neither's, or not known
	Confidence              Confidence      // in Cause
	Evidence                Evidence        // for Cause
	Advice                  string          // where to look next for what led to Cause, in sentences
	Explain                 string          // what to ask iwarp explain about Cause
	Consequences            []*Finding      // what followed from Cause
	Mends                   int64           // until when, in nanoseconds as Until is, its client may begin another connection that makes up for Cause, if that goes well; 0 if none can
	Excused                 []Excused       // breaches of rules that are known deviations of their senders
	Outstanding             [2]Outstanding  // by the direction of the request: what was not answered at the end
	Errors, Warnings, Notes uint64          // findings
	Withheld                uint64          // of these, those that were only counted: there were too many of their rule
	AtLeast                 bool            // there may be more findings than are counted: a Sink in between has picked some, and could not look at those withheld
	Until                   int64           // the latest time that the capture shows up to then, in nanoseconds since 1970-01-01 UTC: that of any connection
	MaxOutstanding          [2]int          // by the direction of the request: most outstanding at a time
	Limit                   [2]int          // how many may be, as negotiated; -1 if that is not known
	Peers                   [2]flow.Grounds // by direction: who its sender was recognised as
	Terminations            []*Termination  // of the Terminates, at most one of each side
	Ends                    *transit.Ends   // what two captures at either end show together; nil if there is one capture
	ULP                     string          // the upper layer that was recognised: "RPC-over-RDMA"; empty if none was
	Summary                 string          // the first sentence of Text: the cause alone, or if it did not fail, how it went
	Headline                string          // Summary for lines with little room: without a time, and of a Terminate the code first
	Text                    string          // how it went, the cause first, in a few sentences
}

// Evidence is the segment that a Cause is about. It is zero if that is none, or not known.
type Evidence struct {
	flow.Span
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

// Excused counts breaches by one deviation of one side.
type Excused struct {
	Dir       flow.Direction   // of the side
	Deviation *rules.Deviation `json:"-"`
	Count     uint64
}

// Outstanding counts requests without response.
type Outstanding struct {
	Reads, Atomics, Upper int
	AtLeast               bool // there may be more: of some requests it is not known whether they were answered
}
