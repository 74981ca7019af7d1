package rfc5041_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform/rfc5041"
)

// What is asked about, section by section.
func Example() {
	for _, s := range rfc5041.Sections {
		fmt.Println(s.Number, s.Title)
	}
	// Output:
	// 4.1 the DDP control octet
	// 4.2 the header of tagged segments
	// 4.3 the header of untagged segments
	// 4.4 segments with and without payload
	// 5.2 messages and their segments
	// 5.3 the order of messages
	// 5.4 delivery
	// 6.2.1 graceful teardown
	// 6.2.2 abortive teardown
	// 7.1 errors that the sink detects
	// 8.1 validation before placement
	// 8.2 association of STag and stream
	// 8.3 validity of STags
	// 8.3.1 guarantees of an RNIC
}
