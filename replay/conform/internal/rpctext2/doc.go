// Package rpctext2 writes messages of RPC-over-RDMA version 2 as package rpctext writes those of version 1:
//
//	"> Send " + rpctext2.Null(0x101, program, 1)
//	"< Send " + rpctext2.NullReply(0x101, rpctext.Success)
//
// The version is that of draft-ietf-nfsv4-rpcrdma-version-two-01.
package rpctext2
