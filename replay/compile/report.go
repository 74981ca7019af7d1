package compile

import (
	"net/netip"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A Report describes the compilation of a capture.
type Report struct {
	Conns []*ConnReport
	Left  int // further connections, for which there was no room

	Totals dissect.Totals // of the capture; only those of Capture
}

// A ConnReport describes the compilation of a connection.
type ConnReport struct {
	Name           string // in the Scenario: "c0"
	Client, Server netip.AddrPort
	NotApplicable  string        // why it is not in the Scenario; empty if it is there
	Gaps           []Gap         // what the capture lacks
	Padded         int           // FPDUs whose PAD is not zero; it is not kept, because it is not checked
	Vars           []Learned     // in the order of Conn.Vars
	Unexplained    []Unexplained // uses of memory without an advertisement

	gaps []gap
}

// A Gap is something missing in the capture. From that step on the connection cannot be played as it was.
type Gap struct {
	Step int // in or after which it is missing; 0 if before the first
	Side scenario.Side
	Text string
}

// gap is a Gap before steps are numbered.
type gap struct {
	draft *draft
	side  scenario.Side
	text  string
}

// Learned is a variable that was found.
type Learned struct {
	Var   *scenario.Var
	Step  int    // the first step of its owner that has it
	Where string // its place there: "payload 8 be32", or the field of a header: "SinkSTag"
	Uses  int    // uses by the other side
}

// An Unexplained is a use of an STag or TO that stays a number.
type Unexplained struct {
	Step  int    // the first
	Field string // "SrcSTag", "TO"
	Value uint64
	Owner scenario.Side // whose memory it would be
	Uses  int
	Why   string
}

// Complete reports whether the capture has the whole connection.
func (r *ConnReport) Complete() bool { return r.NotApplicable == "" && len(r.Gaps) == 0 }
