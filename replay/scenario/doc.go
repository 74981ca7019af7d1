// Package scenario is what two peers said to each other, as a text that can be read, edited and played.
//
// A [Scenario] holds connections, a connection holds steps: what the client does and what the server does, each an
// [Action] of one side. Whoever plays a connection takes one side, does its steps, and expects those of the other. A
// capture compiles to a Scenario (package compile); others are written by hand.
//
//	scenario "a Send is answered"
//	connection c0
//	  1 client MPARequest Rev=1 C
//	  2 server after 1 MPAReply Rev=1 C
//	  3 client after 2 Send "ping" 00*12
//	  4 server after 3 Send "pong" ?*
//
// [Parse] reads the text and [Print] writes it; docs/scenario.md describes it. [Check] tells what a Scenario
// contradicts itself in.
//
// # Order
//
// The steps of one side come in the order of the connection. Between the sides there is no order but After: a step waits
// until a step of the other side is complete. That a step stands before another one in the text says nothing.
//
// # Variables
//
// STags, TOs and XIDs change from run to run. A [Var] stands for one: it has an owner, the side that chooses it, and a
// recorded value. Nothing says where a variable is learned, for the steps show it: the first step of its owner that has
// it, in a header field or within a Payload, tells its value to the other side. So a text keeps right when octets are put
// in before it, and whoever expects that step compares what is there with nothing, and takes it.
//
// # Messages
//
// A [Message] has the fields that its sender chooses. QN, MSN, MO, L, the versions and the division into segments are
// those of the live connection, so they are not there. Nor are STag and TO of an RDMA Read Response that says which
// request it answers: they are what the request asks for. Of a request, SinkSTag, SinkTO and Request Identifier concern
// nobody but its sender, who gets them back: they are sent as they stand, and whoever expects the request does not compare
// them, unless they are variables: then a later step has them too.
//
// A [Segment] is one ULPDU with any header. What its Fields leave out is what a segment that breaks no rule would have
// at that place, so that a text names what is wrong and nothing else. An [FPDU] is one with wrong framing, [Octets] are
// octets of the TCP stream, in no FPDU.
//
// A [Sender] makes the octets of these.
//
// A [OneOf] and a [Refusal] can only be expected: they leave it to the other side, or to who judges it, what comes.
package scenario
