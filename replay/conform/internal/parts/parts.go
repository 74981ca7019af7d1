// Package parts has parts of scripts that cases of several documents share.
package parts

import (
	"fmt"
	"strings"
)

// Greeting is a message and its answer. After it a wrong segment is not the first one of the connection: some kernels crash
// at a wrong header in the first segment.
const Greeting = `
	> Send {echo "well met"}
	< Send {echo "well met"}
`

// Before returns a TO that is so many octets before a region of the peer, as scripts write it.
func Before(region string, octets uint64) string { return fmt.Sprintf("$%s_to+%d", region, -octets) }

// Unplaced returns what comes for a Read Response named bad that the peer cannot place where it says. Nobody has requested
// that, and to DDP it is as wrong as a Write there, because of one of some Situations of codec/rules.
func Unplaced(situations ...string) string {
	return "\n< OneOf\nor Refusal response-mismatch to [bad]\nor Refusal " +
		strings.Join(situations, " to [bad]\nor Refusal ") + " to [bad]\n< ends"
}

// Count returns a text for each number from one to another, the last one included. The number stands for verbs such as %[1]d.
func Count(from, to int, text string) string {
	var b strings.Builder
	for n := from; n <= to; n++ {
		fmt.Fprintf(&b, text, n)
	}
	return b.String()
}
