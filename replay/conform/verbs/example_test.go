package verbs_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform/verbs"
)

// What is asked about, section by section.
func Example() {
	for _, s := range verbs.Sections {
		fmt.Println(s.Number, s.Title)
	}
	// Output:
	// 6.2.1.2 from Idle to RTS
	// 6.2.2 out of RTS
	// 6.2.3 the state Terminate
	// 6.2.5 the state Closing
	// 6.3 Shared Receive Queues
	// 6.4 errors and the Terminate
	// 6.5 RDMA Reads in and out
	// 6.6.1 once iWARP has begun
	// 7.2 STags
	// 7.4 access rights
	// 7.6.3 access to a region
	// 7.8 invalidation
	// 7.9 deallocation
	// 7.10.2 binding Memory Windows
	// 7.10.4 invalidating Memory Windows
	// 7.10.6.2 access by Memory Windows
	// 8.1.2 Sends and Receives
	// 8.2.2 ordering
	// 8.2.2.2 fences
	// 8.2.5 Solicited Events
	// 8.3.2 errors and their Terminates
	// 9.3.2.1 contents of completions
	// 10.3 isolation
}
