package rfc5042_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform/rfc5042"
)

// What is asked about, section by section.
func Example() {
	for _, s := range rfc5042.Sections {
		fmt.Println(s.Number, s.Title)
	}
	// Output:
	// 5.1.1 guessed STags
	// 6.1.1 STags of other Protection Domains
	// 6.2.1 buffer overrun by Writes and Read Responses
	// 6.2.2 changes after the revocation
	// 6.3.1 over-read by Read Requests
	// 6.3.5 write-only buffers
	// 6.4.3.3 the queue of Read Requests
}
