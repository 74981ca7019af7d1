package marks_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/internal/marks"
)

func Example() {
	var pending marks.Pending
	message := at(one, dissect.C2S, 12, 14)
	pending.Finding(&analysis.Finding{Origin: at(one, dissect.C2S, 13, 13), ID: "DDP-5.3-4"})
	pending.Upper(&analysis.UpperMessage{Origin: message, ULP: "RPC-over-RDMA", Name: "RDMA_MSG Call NFSv3 READ"})

	taken := pending.Take(&message)
	fmt.Println(taken.Findings[0].ID, taken.Uppers[0].Name)
	// Output: DDP-5.3-4 RDMA_MSG Call NFSv3 READ
}
