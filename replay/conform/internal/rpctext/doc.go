// Package rpctext writes RPC-over-RDMA messages as octets of a Scenario, right or wrong:
//
//	"> Send " + rpctext.Null(0x101, program, 1)
//	"< Send " + rpctext.NullReply(0x101, rpctext.Success)
//
// It does not use the codecs, because cases need messages that a codec would refuse. Tests compare the right ones with
// codec/rpcrdma and codec/oncrpc. Package rpctext2 has the messages of version 2.
package rpctext
