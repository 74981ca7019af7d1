package rfc5040_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform/rfc5040"
)

// What is asked about, section by section.
func Example() {
	for _, s := range rfc5040.Sections {
		fmt.Println(s.Number, s.Title)
	}
	// Output:
	// 1.2 STags that a Send has invalidated
	// 4.1 RDMAP control and Invalidate STag field
	// 4.2 RDMA Message definitions
	// 4.4 Read Request header
	// 4.8 Terminate header
	// 5.1 RDMA Write
	// 5.2.1 RDMA Read Request
	// 5.2.2 RDMA Read Response
	// 5.3 Send Message types
	// 5.4 Terminate Message
	// 5.5 Ordering and completions
	// 6.1 Stream initialization
	// 6.2.1 RDMAP Abortive Termination
	// 7 RDMAP error management
	// 7.1 RDMAP error surfacing
	// 7.2 Errors detected at the Remote Peer
	// 8.1.1 RDMAP RNIC security requirements
	// B Ordering and completion table
}
