// Package transcript reads connections written by hand, and makes the packets of them, for tests that need traffic
// which breaks a rule.
//
// A transcript is a text file. Each line is an event; what stands behind a # is a comment, and the first comment is the
// title:
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
//
// Octets are hexadecimal digits, with blanks between them as one likes, or text in quotation marks; *N behind either
// repeats it: 00*1500.
//
// c2s and s2c are what the client and the server send, in packets of their own:
//
//	c2s OCTETS             a ULPDU, in an FPDU: PAD, the CRC, and Markers where the MPA frames ask for them
//	c2s badcrc OCTETS      the same with a CRC that is wrong in every bit
//	c2s pad PAD OCTETS     the same with these octets of PAD, whatever they are
//	c2s hex OCTETS         octets of the stream as they are, such as an MPA Request
//	c2s crc OCTETS         the same, and their CRC behind them: an FPDU whose ULPDU_Length is wrong
//	c2s fin                a FIN
//	c2s rst                a reset
//	c2s ack                an empty packet that acknowledges all that came
//	c2s window N           the same, and the TCP window that it and all later packets have, not scaled; it is 65535 before
//
// The CRC is there, and right, even where CRCs are off: nobody looks at it then.
//
// Behind a line "sctp" the two sides have an SCTP association instead, and DDP is carried as in RFC 5043:
//
//	c2s OCTETS             a DDP segment, in a DDP Segment Chunk with the next DDP-SSN
//	c2s control OCTETS     a session control message with the next DDP-SSN: function code and Private Data
//	c2s ppid N OCTETS      a DATA chunk with another Payload Protocol Identifier
//	c2s ordered ...        what stands behind it, with the U flag clear
//	c2s fin                a SHUTDOWN
//	c2s rst                an ABORT
//	c2s ack                a SACK for all that came
//
// "split N" then sends the octets of the next line in fragments of N octets, and "ssn N" says which DDP-SSN the next
// chunk has. Behind "sctp" may stand what INIT and INIT ACK say otherwise than that there are ten streams each way and an
// Adaptation Layer Indication of 1: "sctp client=10,5,1 server=10,10,-", outbound streams, inbound streams, and the
// indication, a dash for none. All is on stream 0; "stream N" chooses another one for the lines behind it.
//
// These lines say more about the capture:
//
//	profile NAME           of codec/rules, to judge by; "rfc" if there is no such line
//	port N                 the TCP port of the server; 7174 if there is no such line
//	sctp                   the connection is one over SCTP; stands before the first event
//	midstream              the capture begins behind the handshake of TCP or SCTP; stands before the first event
//	refused                the SYN is answered with a reset; there is no other event
//	split N                the octets of the next line go into packets of N octets
//	join                   the octets of the next line go into the same packet as those of the line before
//	drop                   the packets of the line before are not in the capture
//	again                  the packets of the line before are sent once more
//	wait 10s               time passes; else it is a millisecond from packet to packet
//	end                    the end of the connection, and of the capture
//
// A line that begins with ! names what a test expects to be found in the packets of the event before; of lines that are
// joined it stands behind the last. A name that is expected twice stands there twice. Behind end it names what is found
// when the connection, or the capture, is over.
package transcript

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/iwarpkit/iwarp/pcaps"
)

// A Transcript is the packets of a connection, and what a test expects to be found in them.
type Transcript struct {
	Name     string // of the file
	Title    string // its first comment
	Profile  string // "rfc"
	Records  []pcaps.Record
	Expected []Expectation // in the order of the file
	EndLine  int           // of the end: where what is found there is expected

	lines []int // by frame number: the line of the file
}

// An Expectation is that something is found in the packets of a line.
type Expectation struct {
	Line int
	Name string
}

// String is "line 7: send-msn".
func (e Expectation) String() string { return fmt.Sprintf("line %d: %s", e.Line, e.Name) }

// Line is the line whose octets are in the packet with the given frame number; 0 if it is a packet of the TCP handshake,
// or none.
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
