package transcript

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/internal/conversation"
)

// A parser makes a Transcript from a file, line by line. Octets wait until it is known that no line joins them.
type parser struct {
	t      *Transcript
	line   int
	port   uint64                     // of the server
	client uint64                     // the port of the client
	talk   *conversation.Conversation // nil before the first event
	framer Framer
	sctp   *chunker // over SCTP; nil over TCP

	waiting packet
	split   int  // octets per packet, of the next line
	join    bool // the next line continues the waiting packet
	last    int  // packets of the latest event
	events  bool // the latest event can have expectations
}

// A packet has octets that one side will send.
type packet struct {
	from   conversation.Side
	octets []byte
	line   int
	split  int
}

const (
	defaultPort = 7174
	clientPort  = 40000
	mostOctets  = 65000 // of one packet: about what IP can carry
	mostInAll   = 16 << 20
)

// Parse reads a transcript from text. Errors begin with name, which is that of the file, and the line.
//
// Octets are hexadecimal digits, with any blanks between them, or text in quotation marks. *N after either repeats it:
// 00*1500.
//
// c2s and s2c are what the client and the server send, each in a packet of its own:
//
//	c2s OCTETS             a ULPDU, in an FPDU: PAD, the CRC, and Markers where the MPA frames ask for them
//	c2s badcrc OCTETS      the same with a CRC that is wrong in every bit
//	c2s pad PAD OCTETS     the same with these octets of PAD, whatever they are
//	c2s hex OCTETS         octets of the stream as they are, such as an MPA Request
//	c2s crc OCTETS         the same, followed by their CRC: an FPDU whose ULPDU_Length is wrong
//	c2s fin                a FIN
//	c2s rst                a reset
//	c2s disown             a reset without ACK, of a TCP that knows no such connection
//	c2s ack                an empty packet that acknowledges all that has come
//	c2s alive              a keep-alive of TCP
//	c2s anew               a SYN with another sequence number, of a host that was started anew; what follows is as if it had not come
//	c2s icmp CODE MTU      an ICMP error of type 3 about the packet before
//	c2s window N           the same, with the TCP window of this and all later packets, not scaled; 65535 before
//
// The CRC is there and right even where CRCs are off; nobody looks at it then.
//
// After a line "sctp" the two sides have an SCTP association instead, and DDP is carried as in RFC 5043:
//
//	c2s OCTETS             a DDP segment, in a DDP Segment Chunk with the next DDP-SSN
//	c2s control OCTETS     a session control message with the next DDP-SSN: function code and Private Data
//	c2s ppid N OCTETS      a DATA chunk with another Payload Protocol Identifier
//	c2s ordered ...        any of these with the U flag clear
//	c2s fin                a SHUTDOWN
//	c2s rst                an ABORT
//	c2s ack                a SACK for all that has come
//
// "split N" then sends the octets of the next line in fragments of N octets, and "ssn N" sets the DDP-SSN of the next
// chunk. INIT and INIT ACK state ten streams each way and an Adaptation Layer Indication of 1, unless "sctp" is followed by
// other numbers: "sctp client=10,5,1 server=10,10,-", outbound streams, inbound streams, and the indication, or a dash for
// none. Everything is on stream 0; "stream N" selects another one for the lines that follow.
//
// These lines say more about the capture:
//
//	profile NAME           of codec/rules, to judge by; "rfc" if there is no such line
//	port N                 the TCP port of the server; 7174 if there is no such line
//	client N               that of the client; 40000 if there is no such line
//	sctp                   the connection is one over SCTP; stands before the first event
//	midstream              the capture begins after the handshake of TCP or SCTP; stands before the first event
//	refused                the SYN is answered with a reset; there is no other event
//	syn                    the client's SYN, which nothing answers; stands before the first event
//	split N                the octets of the next line go into packets of N octets
//	join                   the octets of the next line go into the same packet as those of the line before
//	drop                   the packets of the line before are not in the capture
//	lost                   the packet of the line before, one of the server, is not in the capture, and never reaches the client
//	again                  the packets of the line before are sent once more
//	late                   the first packet of the line before comes behind the others of that line
//	wait 10s               time passes; without it packets are a millisecond apart
//	end                    the end of the connection, and of the capture
//
// A line that begins with ! names what a test expects in the packets of the event before it. If lines are joined, it follows
// the last of them. A name that is expected twice is written twice. After end it names what is found when the connection or
// the capture is over.
func Parse(name, text string) (*Transcript, error) {
	p := parser{t: &Transcript{Name: name, Profile: "rfc", lines: []int{0}}, port: defaultPort, client: clientPort}
	for line := range strings.Lines(text) {
		p.line++
		if err := p.read(line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, p.line, err)
		}
	}
	if err := p.finish(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, p.line, err)
	}
	return p.t, nil
}

func (p *parser) finish() error {
	if p.t.EndLine == 0 {
		return errors.New(`there is no "end"`)
	}
	p.t.Records = p.talk.Records
	return nil
}

func (p *parser) read(line string) error {
	line, comment, commented := cutComment(line)
	if commented && p.t.Title == "" {
		p.t.Title = strings.TrimSpace(comment)
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	switch {
	case word == "":
		return nil
	case word == "!":
		return p.expect(rest)
	case p.t.EndLine > 0:
		return errors.New(`an event behind the "end"`)
	case p.join && word != "c2s" && word != "s2c":
		return errors.New(`"join" wants octets in the next line`)
	}
	return p.event(word, rest)
}

func cutComment(line string) (before, comment string, found bool) {
	quoted := false
	for i, c := range line {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '#' && !quoted:
			return line[:i], line[i+1:], true
		}
	}
	return line, "", false
}

func (p *parser) expect(names string) error {
	if !p.events {
		return errors.New(`"!" wants an event before it`)
	}
	if names == "" {
		return errors.New(`"!" wants names`)
	}
	for _, name := range strings.Fields(names) {
		p.t.Expected = append(p.t.Expected, Expectation{p.expectedAt(), name})
	}
	return nil
}

// expectedAt returns the line of the latest event.
func (p *parser) expectedAt() int {
	switch {
	case p.t.EndLine > 0:
		return p.t.EndLine
	case p.waiting.line > 0:
		return p.waiting.line
	}
	return p.t.lines[len(p.t.lines)-1]
}

// event handles a line that is not an expectation.
func (p *parser) event(word, rest string) error {
	switch word {
	case "profile", "port", "client", "sctp", "midstream", "refused", "syn":
		if p.talk != nil {
			return fmt.Errorf("%q stands before the first event", word)
		}
		return p.header(word, rest)
	case "ssn", "stream":
		return p.sctp.set(word, rest)
	case "c2s":
		return p.send(conversation.Client, rest)
	case "s2c":
		return p.send(conversation.Server, rest)
	}
	p.begin()
	return p.capture(word, rest)
}

// header handles a line before all events.
func (p *parser) header(word, rest string) (err error) {
	switch word {
	case "profile":
		p.t.Profile = rest
	case "port":
		p.port, err = strconv.ParseUint(rest, 10, 16)
	case "client":
		p.client, err = strconv.ParseUint(rest, 10, 16)
	case "sctp":
		p.sctp, err = newChunker(rest)
	case "midstream":
		p.connect()
	case "refused":
		p.connect()
		p.talk.Refuse()
		p.attribute(p.line)
	case "syn":
		p.connect()
		p.talk.Call()
		p.attribute(p.line)
	}
	return err
}

// connect makes the connection, without any packets.
func (p *parser) connect() {
	p.talk = conversation.New(fmt.Sprintf("10.0.0.1:%d", p.client), fmt.Sprintf("10.0.0.2:%d", p.port))
	if p.sctp != nil {
		p.talk.Over(p.sctp.association)
	}
}

// begin records the TCP handshake, if this is the first event.
func (p *parser) begin() {
	if p.talk == nil {
		p.connect()
		p.talk.Connect()
		p.attribute(0)
	}
}

// attribute assigns all packets without a line to this one.
func (p *parser) attribute(line int) {
	p.last = len(p.talk.Records) + 1 - len(p.t.lines)
	for range p.last {
		p.t.lines = append(p.t.lines, line)
	}
	p.events = line > 0
}

// capture handles a line about the capture, not about octets.
func (p *parser) capture(word, rest string) error {
	switch word {
	case "split":
		n, err := strconv.Atoi(rest)
		if err != nil || n < 1 || n > mostOctets {
			return fmt.Errorf(`"split" wants a number of octets up to %d, not %q`, mostOctets, rest)
		}
		p.split = n
	case "join":
		if p.waiting.line == 0 {
			return errors.New(`"join" wants a line with octets before it`)
		}
		if n := len(p.t.Expected); n > 0 && p.t.Expected[n-1].Line == p.waiting.line {
			return errors.New(`"!" stands behind the last of lines that are joined`)
		}
		p.join = true
	case "drop":
		return p.drop()
	case "lost":
		p.flush()
		p.talk.Lose()
		p.t.lines, p.events = p.t.lines[:len(p.t.lines)-1], false
	case "again":
		return p.again()
	case "late":
		if p.flush(); p.last < 2 {
			return errors.New(`"late" wants an event of several packets before it`)
		}
		p.talk.Late(p.last)
	case "wait":
		d, err := time.ParseDuration(rest)
		if err != nil {
			return fmt.Errorf(`"wait" wants a time: %w`, err)
		}
		p.flush()
		p.talk.Wait(d)
		p.events = false
	case "end":
		p.flush()
		p.t.EndLine, p.events = p.line, true
	default:
		return fmt.Errorf("%q is not an event", word)
	}
	return nil
}

// drop removes the packets of the latest event from the capture.
func (p *parser) drop() error {
	p.flush()
	if !p.events {
		return errors.New(`"drop" wants an event before it`)
	}
	p.talk.Drop(p.last)
	p.t.lines = p.t.lines[:len(p.t.lines)-p.last]
	p.events = false
	return nil
}

// again records the packets of the latest event once more, for the same line.
func (p *parser) again() error {
	p.flush()
	if p.t.lines[len(p.t.lines)-1] == 0 {
		return errors.New(`"again" wants an event before it`)
	}
	p.talk.Repeat(p.last)
	p.attribute(p.t.lines[len(p.t.lines)-1])
	return nil
}

// flush records the packets that wait.
func (p *parser) flush() {
	if w := p.waiting; w.line > 0 {
		p.talk.MSS = w.split
		if p.sctp != nil && w.split < mostOctets {
			p.talk.MSS = 1 // every fragment goes into a packet of its own
		}
		p.talk.Send(w.from, w.octets)
		p.attribute(w.line)
	}
	p.waiting = packet{}
}
