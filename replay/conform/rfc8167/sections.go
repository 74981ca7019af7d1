// Package rfc8167 tests Calls in the reverse direction on RPC-over-RDMA version 1 (RFC 8167), which the procedure
// CALLBACK of docs/conform-rpc.md makes an RPC server send. In these it is the Requester, so this package also tests
// what RFC 8166 demands of one.
package rfc8167

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are the cases by sections of RFC 8167.
var Sections = []conform.Section{
	section24, section241, section41, section42, section432, section51, section52, section6,
}
