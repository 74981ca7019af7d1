// Package scenario describes what two peers send each other, as a text that can be read, edited and played.
//
//	s, err := scenario.Parse("example", `scenario "a Send is answered"
//	connection c0
//	  1 client Send "ping" 00*12
//	  2 server after 1 Send "pong" ?*
//	`)
//
// A [Scenario] holds connections, and these the steps of both sides. Whoever plays it takes one side. docs/scenario.md
// describes the text.
package scenario
