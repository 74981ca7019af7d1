// Package parts has parts of scripts that cases of several documents are made of.
package parts

import "fmt"

// Greeting is a message and its answer. Behind it a segment that is wrong is not the first of the connection: some
// kernels have crashed over the header of the first one.
const Greeting = `
	> Send {echo "well met"}
	< Send {echo "well met"}
`

// Before is a TO so many octets before the begin of a region of the peer, as scripts have it.
func Before(region string, octets uint64) string { return fmt.Sprintf("$%s_to+%d", region, -octets) }
