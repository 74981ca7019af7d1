package scenario

import (
	"net/netip"
	"time"

	"github.com/iwarpkit/iwarp/codec/field"
)

// A Scenario is a set of related connections.
type Scenario struct {
	Title   string   // UTF-8
	Comment []string // lines, without #
	Conns   []*Conn
}

// A Conn is one TCP connection: the steps of both sides.
type Conn struct {
	Comment        []string
	Name           string         // unique in the Scenario: letters, digits, _ . and -; compiled ones have c0, c1 ...
	Client, Server netip.AddrPort // as recorded; zero if it was written by hand
	At             time.Duration  // when it begins, since the beginning of the Scenario
	Vars           []*Var         // each before the first step that has it
	Steps          []*Step        // those of one side in their order
}

// A Side is an end of a connection.
type Side uint8

// The sides. The client is the one that opens the connection and sends the MPA Request.
const (
	Client Side = iota
	Server
)

// String returns "client" or "server".
func (s Side) String() string {
	if s == Server {
		return "server"
	}
	return "client"
}

// Other returns the other side.
func (s Side) Other() Side { return s ^ 1 }

// A Step is one action of a side. The steps of one side are in the order of the connection. Between the sides only
// After matters; the order of their lines means nothing.
type Step struct {
	Comment []string
	Number  int // unique in the connection, from 1
	Side    Side
	At      time.Duration // since the beginning of the connection
	Frame   uint64        // the packet of the capture in which it begins; 0 if hand-written
	After   int           // the Number of a step of the other side that must be complete before this one begins; 0 for none
	Do      Action
}

// A Kind is the kind of a variable.
type Kind uint8

// The kinds of variables.
const (
	Number Kind = iota // 64 bits of an upper layer
	STag               // 32 bits
	TO                 // 64 bits: where a Tagged Buffer begins
	XID                // 32 bits: of an RPC
)

var kindNames = [...]string{"number", "stag", "to", "xid"}

// String returns the kind in the text form: "stag".
func (k Kind) String() string { return field.NameIn(kindNames[:], k, "kind") }

// Bits returns the length of a value in bits.
func (k Kind) Bits() int {
	if k == STag || k == XID {
		return 32
	}
	return 64
}

// A Var is an STag, a TO or another value that its owner, one of the sides, chooses anew in each run. A player of the
// owner keeps the recorded value. A player of the other side learns it from the first step of the owner that has it, in
// a header field or within a Payload, where it is not compared.
type Var struct {
	Comment []string
	Name    string // unique in the connection: a letter, then letters, digits and _
	Kind    Kind
	Owner   Side
	Value   uint64 // as recorded
	Length  uint64 // of a TO: length of the buffer in octets; 0 if it is not known
	STag    string // of a TO: the variable that is the STag of the buffer; empty if none is known
}

// Step returns the step with a Number, or nil.
func (c *Conn) Step(number int) *Step {
	if i := number - 1; i >= 0 && i < len(c.Steps) && c.Steps[i].Number == number {
		return c.Steps[i] // as in all that are compiled
	}
	for _, s := range c.Steps {
		if s.Number == number {
			return s
		}
	}
	return nil
}

// Recorded returns the recorded values of all variables.
func (c *Conn) Recorded() Values {
	values := make(Values, len(c.Vars))
	for _, v := range c.Vars {
		values[v.Name] = v.Value
	}
	return values
}
