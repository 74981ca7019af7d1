// Package scenario describes what two peers send each other, as a text that can be read, edited and played.
//
//	s, err := scenario.Parse("example", `scenario "a Send is answered"
//	connection c0
//	  1 client Send "ping" 00*12
//	  2 server after 1 Send "pong" ?*
//	`)
//
// A [Scenario] holds connections, and a connection holds steps: what the client does and what the server does, each an
// [Action]. Whoever plays a connection takes one side, does its steps, and expects those of the other side.
// docs/scenario.md describes the text, and [Check] finds contradictions in it.
package scenario
