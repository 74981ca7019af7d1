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
// The steps of one side come in the order of the connection. Between the sides only After matters: a step waits until a
// step of the other side is complete. The order of their lines means nothing.
//
// A [Message] is a right one, of which the text has what its sender chooses. A [Segment] is one ULPDU with any header, an
// [FPDU] a Segment with wrong framing, and [Octets] are octets of the TCP stream that are no FPDU. A [Sender] makes the
// octets of these. A [OneOf] and a [Refusal] can only be expected: what comes is up to the other side, or to whoever judges
// it.
package scenario
