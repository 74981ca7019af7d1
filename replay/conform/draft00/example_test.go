package draft00_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform/draft00"
)

// What is asked about, section by section.
func Example() {
	for _, s := range draft00.Sections {
		fmt.Println(s.Number, s.Title)
	}
	// Output:
	// 6.1 the RDMAP control octet
	// 6.8 the Terminate header
	// 7.3 Sends with Invalidate
	// 7.5 order
	// 10.1 validation before placement
	// 10.3 what STags are valid for
}
