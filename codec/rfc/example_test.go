package rfc_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rfc"
)

func ExampleLookup() {
	r := rfc.Lookup("mpa-3-1")
	fmt.Println(r)
	fmt.Println(r.Document().Title)
	fmt.Println(r.Who+":", r.Text)
	// Output:
	// MPA-3-1 (RFC 5044, section 3, MUST)
	// Marker PDU Aligned Framing for TCP Specification
	// sender: Put exactly one ULPDU (one DDP Segment) into one FPDU.
}

func ExampleComplete() {
	fmt.Println(rfc.Complete("rdmap-5.5-20"))
	// Output: [RDMAP-5.5-20 RDMAP-5.5-20b]
}

func ExampleNearest() {
	for _, r := range rfc.Nearest("MPA_3-1", 2) {
		fmt.Println(r.ID)
	}
	// Output:
	// MPA-3-1
	// MPA-3-2
}

func ExampleAll() {
	n := 0
	for r := range rfc.All() {
		if r.Doc == "RFC6580" {
			n++
		}
	}
	fmt.Println(n, "from RFC 6580")
	// Output: 5 from RFC 6580
}
