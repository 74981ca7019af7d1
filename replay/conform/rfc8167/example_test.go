package rfc8167_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform/rfc8167"
)

// What is asked about, section by section.
func Example() {
	for _, s := range rfc8167.Sections {
		fmt.Println(s.Document, s.Number, s.Title)
	}
	// Output:
	// RFC8167 2.4 XIDs
	// RFC8167 2.4.1 the same XID in both directions
	// RFC8167 4.1 credits
	// RFC8167 4.2 inline thresholds
	// RFC8167 4.3.2 the Receives of a server
	// RFC8167 5.1 reverse Calls
	// RFC8167 5.2 Replies to reverse Calls
	// RFC8167 6 no unwanted reverse Calls
}
