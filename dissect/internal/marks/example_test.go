package marks_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/internal/marks"
	"github.com/iwarpkit/iwarp/dissect/record"
)

func Example() {
	var pending marks.Pending
	message := at(one, record.C2S, 12, 14)
	pending.Finding(&record.Finding{Origin: at(one, record.C2S, 13, 13), ID: "DDP-5.3-4"})
	pending.Upper(&record.Upper{Origin: message, ULP: "RPC-over-RDMA", Name: "RDMA_MSG Call NFSv3 READ"})

	taken := pending.Take(&message)
	fmt.Println(taken.Findings[0].ID, taken.Uppers[0].Name)
	// Output: DDP-5.3-4 RDMA_MSG Call NFSv3 READ
}
