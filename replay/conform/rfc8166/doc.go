// Package rfc8166 asks a peer the only thing about RPC-over-RDMA that one without an RPC layer can be asked (RFC 8166, RFC
// 8797): that the Private Data of RPC does no harm. All else needs an RPC server or client.
package rfc8166
