package outcome

import (
	"net/netip"
	"time"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A Verdict is the result of a step.
type Verdict uint8

// The verdicts. Sent and NotSent are those of steps of the own side.
const (
	NotReached    Verdict = iota // the connection was over before, or the step did not arrive in time
	Exact                        // as in the Scenario
	Accepted                     // not as in the Scenario, but permitted; Reason says why
	Mismatched                   // not as in the Scenario
	NotApplicable                // the live connection cannot show it
	Sent                         // by the own side
	NotSent                      // by the own side: the connection was over before
)

var verdictNames = [...]string{"not_reached", "exact", "accepted", "mismatched", "not_applicable", "sent", "not_sent"}

// String returns the verdict as documents spell it: "not_reached".
func (v Verdict) String() string { return field.NameIn(verdictNames[:], v, "verdict") }

// A Report is the result of a Scenario.
type Report struct {
	Title  string
	Conns  []*Conn
	Rounds Rounds // zero if they are not counted
}

// A Conn is the result of a connection.
type Conn struct {
	Name           string
	Role           scenario.Side  // the side that was played
	Client, Server netip.AddrPort // of the live connection; zero if there is none
	NotApplicable  string         // why it could not be played; empty if it was
	Negotiated     *Negotiated    // by the MPA frames of the live connection; nil if there was no Reply
	Steps          []Step         // those of the Scenario in order, then unexpected messages
	End            string         // why the connection ended before all steps; empty if it did not
}

// Negotiated is what the MPA frames of the live connection agreed on.
type Negotiated struct {
	Rev                          uint8 // revision of MPA: that of the Reply
	CRC                          bool
	MarkersReceived, MarkersSent bool // in the FPDUs that the own side receives and sends
	Rejected                     bool // the Reply has the R bit
}

// A Step is the result of a step.
type Step struct {
	Expected *scenario.Step // nil for something unexpected
	Verdict  Verdict
	Reason   string        // of each verdict but Exact and Sent: a clause without a full stop
	At       time.Duration // when it was complete, since the connection began; 0 if never
	Diff     *Diff         // if octets are the reason for Mismatched or Accepted; else nil
	Framing  string        // the field of an FPDU that is the reason for Mismatched, as display filters name it; else empty
}

// Side returns the side that takes the step, if role was played.
func (s *Step) Side(role scenario.Side) scenario.Side {
	if s.Expected == nil {
		return role.Other()
	}
	return s.Expected.Side
}

// A Summary counts verdicts. Steps is the sum of Exact, Accepted, Mismatched, NotReached and NotApplicable.
type Summary struct {
	Connections   int `json:"connections"`
	Steps         int `json:"steps"` // of the other side, and unexpected messages
	Exact         int `json:"exact"`
	Accepted      int `json:"accepted"`
	Mismatched    int `json:"mismatched"`
	NotReached    int `json:"not_reached"`
	NotApplicable int `json:"not_applicable"`
	Sent          int `json:"sent"`     // steps of the own side
	NotSent       int `json:"not_sent"` // steps of the own side
}

// Passed reports whether something was played, and nothing was mismatched or not reached.
func (s *Summary) Passed() bool {
	return s.Exact+s.Accepted+s.Sent > 0 && s.Mismatched+s.NotReached+s.NotSent == 0
}

func (s *Summary) add(v Verdict) {
	counter := [...]*int{
		NotReached: &s.NotReached, Exact: &s.Exact, Accepted: &s.Accepted, Mismatched: &s.Mismatched,
		NotApplicable: &s.NotApplicable, Sent: &s.Sent, NotSent: &s.NotSent,
	}
	*counter[v]++
	if v < Sent {
		s.Steps++
	}
}

func (s *Summary) count(c *Conn) {
	s.Connections++
	if c.NotApplicable != "" {
		s.add(NotApplicable)
	}
	for i := range c.Steps {
		s.add(c.Steps[i].Verdict)
	}
}

// Summary counts the verdicts of a connection.
func (c *Conn) Summary() (s Summary) {
	s.count(c)
	return s
}

// Summary counts the verdicts of all connections.
func (r *Report) Summary() (s Summary) {
	for _, c := range r.Conns {
		s.count(c)
	}
	return s
}

// First returns the first mismatched step or, if there is none, the first one not reached. It is nil if there is
// neither.
func (c *Conn) First() *Step {
	for _, v := range [...]Verdict{Mismatched, NotReached} {
		var first *Step
		for i := range c.Steps {
			if s := &c.Steps[i]; s.Verdict == v && (first == nil || v == Mismatched && s.At < first.At) {
				first = s
			}
		}
		if first != nil {
			return first
		}
	}
	return nil
}
