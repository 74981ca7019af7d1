// Package rpcrdma2 asks an RPC server about RPC-over-RDMA version 2 (draft-ietf-nfsv4-rpcrdma-version-two-01).
//
// Most of it is asked with the procedure NULL, which each server has. What chunks, long Replies and Calls of the server
// itself are asked for needs the program of docs/conform-rpc.md. Where the draft contradicts itself, or says too
// little, all that it can mean is right.
package rpcrdma2
