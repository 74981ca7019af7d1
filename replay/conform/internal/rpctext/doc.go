// Package rpctext writes RPC-over-RDMA messages as octets of a Scenario: words of hexadecimal digits with blanks
// between them, and ?*4 where anything may stand. Scripts of cases are made of them:
//
//	"> Send " + rpctext.Null(0x101, program, 1)
//	"< Send " + rpctext.NullReply(0x101, rpctext.Success)
//
// What both versions share is in octets.go, rpc.go, program.go and chunks.go; the transport headers of version 1 are in
// version1.go, those of version 2 in version2.go and version2_properties.go. All fields are as they are told, right or
// wrong: this is for questions to a peer, and a codec would refuse what is asked. codec/rpcrdma and codec/oncrpc agree
// with what is right, as the tests show.
package rpctext
