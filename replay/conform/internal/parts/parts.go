// Package parts has parts of scripts that cases of several documents share.
package parts

import (
	"fmt"
	"strings"
)

// Greeting is a message and its answer, so that a following wrong segment is not the first one of the connection: some
// kernels crash at a wrong header in the first segment.
const Greeting = `
	> echoes "well met"
`

// Refused returns a script with a message that the peer refuses because of a Situation. The steps before it may be a
// Greeting, or none.
func Refused(before, situation, message string) string {
	return before + "\n> " + message + "\n< refuses " + situation
}

// Before returns a TO that is n octets before a region of the peer, as scripts write it.
func Before(region string, octets uint64) string { return fmt.Sprintf("$%s_to+%d", region, -octets) }

// Unplaced returns the expectation for a Read Request named bad that the peer cannot place where it says. The Response
// is unexpected, and for DDP it is as wrong as a Write there: one of some Situations of codec/rules.
func Unplaced(situations ...string) string {
	return "\n< OneOf\nor Refusal " + strings.Join(situations, " to [bad]\nor Refusal ") + " to [bad]\n< ends"
}

// Count returns a text for each number in a range, both ends included. The number replaces verbs such as %[1]d.
func Count(from, to int, text string) string {
	var b strings.Builder
	for n := from; n <= to; n++ {
		fmt.Fprintf(&b, text, n)
	}
	return b.String()
}
