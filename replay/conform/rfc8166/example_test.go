package rfc8166_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform/rfc8166"
)

// What is asked about, section by section.
func Example() {
	for _, s := range rfc8166.Sections {
		fmt.Println(s.Document, s.Number, s.Title)
	}
	// Output:
	// RFC8166 3.3.1 credits
	// RFC8166 3.3.3 the start of a connection
	// RFC8166 3.4.5 Read chunks
	// RFC8166 3.4.6 Write chunks
	// RFC8166 3.5.3 Long Messages
	// RFC8166 4.2.1 rdma_xid
	// RFC8166 4.2.4 rdma_proc
	// RFC8166 4.3.2 the Write list
	// RFC8166 4.3.2.1 several Write chunks
	// RFC8166 4.3.2.2 unused Write chunks
	// RFC8166 4.3.2.3 empty Write chunks
	// RFC8166 4.3.3 the Reply chunk
	// RFC8166 4.5 short messages
	// RFC8166 4.5.1 unknown versions
	// RFC8166 4.5.2 headers that cannot be read
	// RFC8166 4.6.1 RDMA_MSGP
	// RFC8166 4.6.2 RDMA_DONE
	// RFC8166 6.1 DDP-eligibility
	// RFC8797 5.2 Private Data of other protocols
	// RFC8797 3.2 remote invalidation
	// RFC8797 4 Private Data
	// RFC8797 4.1 the R field
	// RFC8797 4.2 sizes
	// RFC8797 5.2 Private Data of other protocols
}
