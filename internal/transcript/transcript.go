// Package transcript reads connections written by hand, and makes their packets, for tests that need traffic that breaks a
// rule. [ReadFile] returns a [Transcript]: its Records are what a capture would have, its Expected what a test must find.
//
// A transcript is a text file. Each line is an event. Text after a # is a comment; the first comment is the title. [Parse]
// lists the events:
//
//	# The MSN of a Send skips one.
//	profile rfc
//	c2s hex "MPA ID Req Frame" 40 01 0000
//	s2c hex "MPA ID Rep Frame" 40 01 0000
//	c2s 4143 00000000 00000000 00000001 00000000 "abcd"
//	c2s 4143 00000000 00000000 00000003 00000000 "efgh"
//	  ! send-msn
//	end
//	  ! OBS-NAME
package transcript

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/iwarpkit/iwarp/pcaps"
)

// A Transcript has the packets of a connection, and what a test must find in them.
type Transcript struct {
	Name     string // of the file
	Title    string // its first comment
	Profile  string // "rfc"
	Records  []pcaps.Record
	Expected []Expectation // in the order of the file
	EndLine  int           // line of the end, where its findings are expected

	lines []int // by frame number: the line of the file
}

// An Expectation is that something is found in the packets of a line.
type Expectation struct {
	Line int
	Name string
}

// String is "line 7: send-msn".
func (e Expectation) String() string { return fmt.Sprintf("line %d: %s", e.Line, e.Name) }

// Line returns the line whose octets are in the packet with the given frame number; 0 if that is a packet of the TCP
// handshake, or none.
func (t *Transcript) Line(frame uint64) int {
	if frame < uint64(len(t.lines)) {
		return t.lines[frame]
	}
	return 0
}

// ReadFile reads a transcript from a file.
func ReadFile(name string) (*Transcript, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Parse(filepath.Base(name), string(text))
}
