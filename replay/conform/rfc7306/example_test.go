package rfc7306_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform/rfc7306"
)

// What is asked about, section by section.
func Example() {
	for _, s := range rfc7306.Sections {
		fmt.Println(s.Number, s.Title)
	}
	// Output:
	// 1.1 finding out what the peer supports
	// 4.1 control fields
	// 5 Atomic Operations
	// 5.1.1 FetchAdd
	// 5.1.2 CmpSwap
	// 5.2 one queue with Read Requests
	// 5.2.1 the Atomic Request
	// 5.2.2 the Atomic Response
	// 5.4 the order of Atomics
	// 6.1 delivery
	// 6.3 the Immediate Data message
	// 6.4 ordering of Immediate Data
	// 7 ordering and completions
	// 8.1 the Terminate for an error
	// 8.2 validation
	// 10.2 queue numbers
}
