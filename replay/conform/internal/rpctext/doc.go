// Package rpctext writes RPC-over-RDMA messages as octets of a Scenario: words of hexadecimal digits, separated by
// blanks, and ?*4 for any word. Scripts of cases consist of them:
//
//	"> Send " + rpctext.Null(0x101, program, 1)
//	"< Send " + rpctext.NullReply(0x101, rpctext.Success)
//
// octets.go, rpc.go, program.go and chunks.go have what both versions share; version1.go has the transport headers of
// version 1, version2.go and version2_properties.go those of version 2. All fields are written as given, right or
// wrong, because cases need messages that a codec would refuse. Tests compare the right ones with codec/rpcrdma and
// codec/oncrpc.
package rpctext
