package compile

import (
	"net/netip"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A Report says what was made of a capture.
type Report struct{ Conns []*ConnReport }

// A ConnReport says what was made of a connection.
type ConnReport struct {
	Name           string // in the Scenario: "c0"
	Client, Server netip.AddrPort
	NotApplicable  string        // why it is not in the Scenario; empty if it is there
	Gaps           []Gap         // what the capture does not have
	Padded         int           // FPDUs whose PAD is not zero, which nobody checks: it is not kept
	Vars           []Learned     // in the order of Conn.Vars
	Unexplained    []Unexplained // uses of memory that nobody told of

	gaps []gap
}

// A Gap is something that is missing in the capture. From that step on the connection cannot be played as it was.
type Gap struct {
	Step int // in which it is missing, or behind which; 0 if before the first
	Side scenario.Side
	Text string
}

// gap is a Gap before steps have numbers.
type gap struct {
	draft *draft
	side  scenario.Side
	text  string
}

// Learned is a variable that was found.
type Learned struct {
	Var   *scenario.Var
	Told  int    // the first step of its owner that has it
	Where string // where it stands there: "payload 8 be32", or the field of a header: "SinkSTag"
	Uses  int    // by the other side
}

// An Unexplained is a use of an STag, or of a TO, that stays a number.
type Unexplained struct {
	Step  int    // the first
	Field string // "SrcSTag", "TO"
	Value uint64
	Owner scenario.Side // whose memory it would be
	Uses  int
	Why   string
}

// Complete tells whether the capture has all of the connection.
func (r *ConnReport) Complete() bool { return r.NotApplicable == "" && len(r.Gaps) == 0 }
