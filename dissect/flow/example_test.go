package flow_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/flow"
)

// Widen a Span by the packet that carried the rest of an FPDU.
func Example() {
	var s flow.Span
	s.Include(flow.At(7, 1_000))
	s.Include(flow.At(9, 5_000))
	fmt.Println(flow.Frames(nil).Text(s), flow.C2S, s.LastTime-s.Time)
	// Output: frames 7-9 c2s 4000
}
