package rfc8166

// RFC 8166, section 3.3.3: messages of the size that every receiver takes.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
)

// callHeader begins a message of RPC-over-RDMA, the Call of a NULL procedure of NFS with arguments, and callHeaderLen is
// its length in octets. Its XID is the command echo, so that the whole message comes back.
const (
	callHeader = "01000000 00000001 00000001 00000000 00000000*3 " + // XID, version, credits, RDMA_MSG, no chunks
		"01000000 00000000 00000002 000186a3 00000003 00000000 00000000*4" // the Call
	callHeaderLen = 28 + 40
)

var section333 = conform.Section{Document: "RFC8166", Number: "3.3.3", Title: "the inline threshold", Cases: []conform.Case{
	{Name: "call-of-1024-octets", Requirements: []string{"RPCRDMA1-3.3.3-3", "RPCRDMA1-3.3.3-4"},
		Says: "A message of 1024 octets, which every receiver takes, gets there and back as it is.",
		Ask:  calls(callHeaderLen, 1000, 1023, 1024)},
	{Name: "segmented", Requirements: []string{"RPCRDMA1-3.3.3-3"},
		Says: "A message of 1024 octets may come in segments of any length.",
		Ask: conform.Text(fmt.Sprintf(`
			> Segment Send L=0 %s
			> Segment Send L=0 5a*1
			> Segment Send 5a*%d
			< Send %s 5a*%d`, callHeader, 1024-callHeaderLen-1, callHeader, 1024-callHeaderLen))},
}}

// calls is the Ask of a case with messages of so many octets.
func calls(lengths ...int) func(*conform.Setup) []string {
	script := ""
	for _, n := range lengths {
		octets := callHeader
		if n > callHeaderLen {
			octets += fmt.Sprintf(" 5a*%d", n-callHeaderLen)
		}
		script += fmt.Sprintf("> Send %s\n< Send %s\n", octets, octets)
	}
	return conform.Text(script)
}
