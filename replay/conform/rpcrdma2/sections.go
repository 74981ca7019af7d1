// Package rpcrdma2 tests RPC-over-RDMA version 2 of an RPC server (draft-ietf-nfsv4-rpcrdma-version-two-01).
//
// Most cases use the procedure NULL, which every server has. Those with chunks, long Replies and Calls of the server
// need the program of docs/conform-rpc.md. Where the draft is contradictory or unclear, every possible reading is
// accepted.
package rpcrdma2

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are all cases, in the order of the draft.
var Sections = []conform.Section{
	section3134, section4211, section4212, section4231, section4232, section4233, section435, section436, section443,
	section453, section454, section51, section522, section61, section622, section6222, section6223, section624, section64,
	section7, section711, section72, section721, section722, section731, section732, section733, section734, section735,
	sectionA1,
}
