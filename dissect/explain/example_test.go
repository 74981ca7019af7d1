package explain_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/explain"
)

func ExampleLookup() {
	for _, e := range explain.Lookup("0x2006") {
		fmt.Println(e.Name, e.Title)
	}
	// Output:
	// 2/0/06 Terminate, LLP MPA Error: Insufficient IRD resources
	// 0/2/06 Terminate, RDMAP Remote Operation Error: Unexpected OpCode (written as 2/0/06 by siw)
}

func ExampleNearest() {
	for _, s := range explain.Nearest("ulpud", 1) {
		fmt.Println(s.Query, "-", s.Title)
	}
	// Output: ULPDU - Upper Layer Protocol Data Unit
}

func ExampleComplete() {
	for _, s := range explain.Complete("term 0/2/0") {
		fmt.Println(s.Query)
	}
	// Output:
	// term 0/2/05
	// term 0/2/06
	// term 0/2/07
	// term 0/2/08
	// term 0/2/09
}
