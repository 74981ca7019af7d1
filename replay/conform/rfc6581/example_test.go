package rfc6581_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform/rfc6581"
)

// What is asked about, section by section.
func Example() {
	for _, s := range rfc6581.Sections {
		fmt.Println(s.Number, s.Title)
	}
	// Output:
	// 5 Enhanced MPA connection establishment
	// 6 Enhanced MPA Request and Reply frames
	// 9.1 IRD and ORD negotiation
	// 9.2 Peer-to-peer connection negotiation
	// 9.3 Enhanced connection negotiation flow
	// 10 Interoperability
	// 12 Security considerations
}
