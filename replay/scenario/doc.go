// Package scenario describes what two peers send each other, as a text that can be read, edited and played.
//
//	s, err := scenario.Parse("example", `scenario "a Send is answered"
//	connection c0
//	  1 client MPARequest Rev=1 C
//	  2 server after 1 MPAReply Rev=1 C
//	  3 client after 2 Send "ping" 00*12
//	  4 server after 3 Send "pong" ?*
//	`)
//
// A [Scenario] holds connections, and a connection holds steps: what the client does and what the server does, each an
// [Action] of one side. Whoever plays a connection takes one side, does its steps, and expects those of the other side.
// Package compile turns captures into Scenarios; others are written by hand.
//
// [Parse] reads the text and [Print] writes it; docs/scenario.md describes it. [Check] finds contradictions.
//
// # Order
//
// The steps of one side come in the order of the connection. Between the sides only After matters: a step waits until a
// step of the other side is complete. The order of their lines means nothing.
//
// # Variables
//
// STags, TOs and XIDs change from run to run. A [Var] stands for one: it has an owner, which is the side that chooses it,
// and a recorded value. The other side learns the value from the first step of the owner that has the variable, in a
// header field or within a Payload; whoever expects this step takes what is there without comparing it.
//
// # Messages
//
// A [Message] has the fields that its sender chooses. QN, MSN, MO, L, the versions and the division into segments are
// those of the live connection and left out. So are STag and TO of an RDMA Read Response that says which request it
// answers: the request has them. SinkSTag, SinkTO and Request Identifier of a request concern its sender alone: they are
// sent as they stand, and not compared unless they are variables, which later steps use.
//
// A [Segment] is one ULPDU with any header. Fields that are left out are those of a segment that breaks no rule at that
// place, so that the text names only what is wrong. An [FPDU] is a Segment with wrong framing. [Octets] are octets of the
// TCP stream that are no FPDU. A [Sender] makes the octets of these.
//
// A [OneOf] and a [Refusal] can only be expected: what comes is up to the other side, or to whoever judges it.
package scenario
