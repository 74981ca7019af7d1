package ulp_test

import (
	"encoding/hex"
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// Recognise a Send without its connection: a Call of NFSv3 NULL.
func Example() {
	send, _ := hex.DecodeString("5a000001000000010000002000000000000000000000000000000000" +
		"5a0000010000000000000002000186a300000003000000000000000000000000" + "0000000000000000")
	var view record.View
	for _, l := range all.Layers() {
		if l.Read == nil {
			continue
		}
		message := l.Read(send, uint64(len(send)))
		if message == nil {
			continue
		}
		fmt.Println(l.Name)
		for _, layer := range view.Lay(message) {
			for _, p := range layer.Parts {
				fmt.Printf("  %d:%d %s\n", p.Off, len(p.Octets), p.Table.Name)
			}
		}
	}
	// Output:
	// RPC-over-RDMA
	//   0:16 RPC-over-RDMA version 1 header
	//   16:4 RPC-over-RDMA Read list
	//   20:4 RPC-over-RDMA Write list
	//   24:4 RPC-over-RDMA Reply chunk
	//   28:24 RPC Call header
	//   52:8 RPC credential
	//   60:8 RPC verifier
}
