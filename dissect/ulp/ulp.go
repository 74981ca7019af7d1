// Package ulp says what an upper layer over RDMAP is: a [Layer], which package judge uses to recognise and to follow
// connections, and whose fields the views and the filter show. docs/upper-layer.md adds one.
package ulp

import (
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Layer is an upper layer. Its value in package all is all that the rest of the toolkit knows of it.
type Layer struct {
	Name   string         // "RPC-over-RDMA"
	Ports  []uint16       // well-known ports of its servers, which tell a server where a capture lacks the start-up
	Tables []*field.Table // of its messages
	Shared []string       // the fields that name an exchange, which the filter asks of all that belongs to it; "x.y." is all that begin so

	// Recognise looks at a connection: at its MPA frames when both were seen (send is nil), then at each of the first
	// Sends of either side, with its payload. It returns what will follow the connection, or nil if it is not this
	// upper layer's as far as can be seen.
	Recognise func(c *record.Conn, send *record.Message, payload []byte) Follower

	// Private recognises Private Data of the upper layer in an MPA frame of a connection; nil if the upper layer has
	// none. PrivateTables describe it.
	Private       func(c *record.Conn, f *mpa.Frame) (p record.Private, ok bool)
	PrivateTables []*field.Table

	// Read reads a Send of the given length in octets, of which b is what was captured, on a connection of which
	// nothing is known; nil, or if it is nil itself, tells that the Send is not recognisable.
	Read func(b []byte, length uint64) record.Body
}

// A Follower follows one connection for a Layer. What it is given is valid until the method returns. A Follower that does
// not need all methods embeds Idle, or a pending.Table if it joins requests with responses.
type Follower interface {
	// Begin is called once, before all else.
	Begin(Reporter)
	// Send is a message of a Send type or Immediate Data; payload is its ULP payload, as far as it was captured and
	// fits judge.Options.MaxPayload.
	Send(m *record.Message, payload []byte)
	// Request is a Read or Atomic Request.
	Request(t *record.Transaction)
	// Tagged is a segment of an RDMA Write, for which t is nil, or of a Read Response to t, which is nil too if the
	// request was not seen. Its payload is s.RDMAP.Body.
	Tagged(s *record.Segment, t *record.Transaction)
	// Done is a Read or Atomic that is over. t is the pointer that Request was given.
	Done(t *record.Transaction)
	// Terminate is a Terminate of the direction m.Dir.
	Terminate(m *record.Message)
	// Gap says that octets of a direction are missing in the capture, messages perhaps too; or that messages which the
	// latest one of the other direction had called for came before it.
	Gap(d record.Direction)
	// End is the end of the connection, or of the capture. It returns how many transactions of each direction have no
	// response.
	End() (outstanding [2]int)

	// Oldest is the oldest transaction of a direction that has no response, and how many there are; nil if there is
	// none.
	Oldest(d record.Direction) (t *record.Transaction, count int)
	// Identify is the ID of a transaction with the term that the upper layer has for it: "XID 0x5a000003". It is empty
	// if there is no such term. The Upper of the transaction may be missing.
	Identify(*record.Transaction) string
	// Subject is what a finding that is being reported is about, "RDMA_MSG Call 0x5a000003 NFSv3 READ"; empty if it has
	// no name. It is asked only when the text of the finding is wanted.
	Subject(*record.Finding) string
}

// A Reporter takes what a Follower finds. What it is given it may use until the Follower is given the next segment or
// message.
type Reporter interface {
	// Finding reports what is wrong. ID, Also, Severity, and Text if empty, are filled in by the Profile and the rule
	// of its Name, or the observation. One without frames is about the MPA frame of its direction.
	Finding(*record.Finding)
	Transaction(*record.Transaction)
	Upper(*record.Upper)
	// Advertise says that a message of direction 1-d told of an STag of its sender, which messages of direction d may
	// use from now on. A Follower that never tells is taken not to understand advertisements.
	Advertise(d record.Direction, stag uint32)
	// Join says that the Send, the Read Request or the tagged segment that the Follower is looking at belongs to t: it
	// carries its request or its response, or moves its data. Of several transactions the first one counts. body is the
	// request or the response, if that did not come in Sends but was read or written, and is whole now; else nil.
	Join(t *record.Transaction, body []byte)
}

// Idle is a Follower that does nothing.
type Idle struct{}

// Begin implements Follower.
func (Idle) Begin(Reporter) {}

// Send implements Follower.
func (Idle) Send(*record.Message, []byte) {}

// Request implements Follower.
func (Idle) Request(*record.Transaction) {}

// Tagged implements Follower.
func (Idle) Tagged(*record.Segment, *record.Transaction) {}

// Done implements Follower.
func (Idle) Done(*record.Transaction) {}

// Terminate implements Follower.
func (Idle) Terminate(*record.Message) {}

// Gap implements Follower.
func (Idle) Gap(record.Direction) {}

// End implements Follower: nothing is outstanding.
func (Idle) End() (outstanding [2]int) { return outstanding }

// Oldest implements Follower: nothing waits.
func (Idle) Oldest(record.Direction) (*record.Transaction, int) { return nil, 0 }

// Identify implements Follower.
func (Idle) Identify(*record.Transaction) string { return "" }

// Subject implements Follower.
func (Idle) Subject(*record.Finding) string { return "" }

// Discard is a Reporter that does nothing.
type Discard struct{}

// Finding implements Reporter.
func (Discard) Finding(*record.Finding) {}

// Transaction implements Reporter.
func (Discard) Transaction(*record.Transaction) {}

// Upper implements Reporter.
func (Discard) Upper(*record.Upper) {}

// Advertise implements Reporter.
func (Discard) Advertise(record.Direction, uint32) {}

// Join implements Reporter.
func (Discard) Join(*record.Transaction, []byte) {}
