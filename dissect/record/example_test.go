package record_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

func Example() {
	t := record.Transaction{
		Name:     "RDMA Read",
		Request:  flow.At(7, 1_000),
		Response: flow.At(9, 5_000),
	}
	all := t.Request
	all.Include(t.Response)
	fmt.Println(t.Name, "in frames", all.Frame, "to", all.LastFrame, t.Outcome, "after", t.Latency(), "ns")
	// Output: RDMA Read in frames 7 to 9 answered after 4000 ns
}
