// Package parts has parts of scripts that cases of several documents are made of.
package parts

import (
	"fmt"
	"strings"
)

// Greeting is a message and its answer. Behind it a segment that is wrong is not the first of the connection: some
// kernels have crashed over the header of the first one.
const Greeting = `
	> Send {echo "well met"}
	< Send {echo "well met"}
`

// Before returns a TO so many octets before the begin of a region of the peer, as scripts have it.
func Before(region string, octets uint64) string { return fmt.Sprintf("$%s_to+%d", region, -octets) }

// Unplaced returns what comes for a Read Response named bad that the peer cannot place where it says: that is not what was asked
// for, and DDP finds it as wrong as a Write there, because of one of some Situations of codec/rules.
func Unplaced(situations ...string) string {
	return "\n< OneOf\nor Refusal response-mismatch to [bad]\nor Refusal " +
		strings.Join(situations, " to [bad]\nor Refusal ") + " to [bad]\n< ends"
}
