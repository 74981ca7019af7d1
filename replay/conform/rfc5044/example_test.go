package rfc5044_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform/rfc5044"
)

// What is asked about, section by section.
func Example() {
	for _, s := range rfc5044.Sections {
		fmt.Println(s.Number, s.Title)
	}
	// Output:
	// 3 ULPDUs and their lengths
	// 4.1 FPDU format
	// 4.2 Marker format
	// 4.3 MPA Markers
	// 4.4 CRC calculation
	// 5.1 FPDUs and TCP segments
	// 5.2 MPA receiver segmentation
	// 6 The MPA receiver
	// 7.1.1 MPA Request and Reply frame format
	// 7.1.2 Connection start-up rules
	// 8 Error semantics
	// C.2 RDMAC RNICs
}
