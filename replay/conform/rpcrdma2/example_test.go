package rpcrdma2_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform/rpcrdma2"
)

// What is asked about, section by section.
func Example() {
	for _, s := range rpcrdma2.Sections {
		fmt.Println(s.Number, s.Title)
	}
	// Output:
	// 3.1.3.4 transaction identifiers
	// 4.2.1.1 granting credits
	// 4.2.1.2 credits alone
	// 4.2.3.1 a server that knows version 2
	// 4.2.3.2 a server that does not know version 2
	// 4.2.3.3 the version of a connection
	// 4.3.5 Read chunks
	// 4.3.6 Write chunks
	// 4.4.3 Special Format
	// 4.5.3 support for the reverse direction
	// 4.5.4 chunks in the reverse direction
	// 5.1 transport properties
	// 5.2.2 Receive Buffer Size
	// 6.1 header types
	// 6.2.2 reserved flags
	// 6.2.2.2 RDMA2_F_MORE
	// 6.2.2.3 RDMA2_F_TPMORE
	// 6.2.4 remote invalidation
	// 6.4 choosing a reply mechanism
	// 7 error handling
	// 7.1.1 RDMA2_ERR_VERS
	// 7.2 XDR errors
	// 7.2.1 RDMA2_ERR_BAD_XDR
	// 7.2.2 RDMA2_ERR_BAD_PROPVAL
	// 7.3.1 RDMA2_ERR_READ_CHUNKS
	// 7.3.2 RDMA2_ERR_WRITE_CHUNKS
	// 7.3.3 RDMA2_ERR_SEGMENTS
	// 7.3.4 RDMA2_ERR_WRITE_RESOURCE
	// 7.3.5 RDMA2_ERR_REPLY_RESOURCE
	// A.1 DDP-eligibility
}
