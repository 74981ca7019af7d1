package conform_test

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A case of one's own, and the Scenario that a peer is asked with. conform.Run does that for all cases of a suite.
func Example() {
	sections := []conform.Section{{Document: "RFC5041", Number: "7.1", Title: "validation", Cases: func() []conform.Case {
		return []conform.Case{{
			Name: "msn", Requirements: []string{"DDP-7.1-5"}, Says: "An MSN is that of the next message.",
			Ask: conform.Text(`
				> [bad] Segment Send MSN=2 "abc"
				< refuses send-msn to [bad]`),
		}}
	}}}
	for _, q := range conform.Questions(sections) {
		s, err := conform.Build(q, conform.Assume(scenario.Client))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(q.ID())
		for _, step := range s.Conns[0].Steps[:4] {
			fmt.Println(strings.TrimSpace(step.String()))
		}
	}
	// Output:
	// RFC5041/7.1/msn
	// 1 client MPARequest C S Rev=2 enhanced IRD=16 ORD=16
	// 2 server after 1 MPAReply M=? C=? S Rev=2 enhanced A=? B=? IRD=? C=? D=? ORD=? "iwcf" 01 ?*
	// 3 client after 2 Segment Send MSN=2 "abc"
	// 4 server after 3 Refusal send-msn to 3
}
