// Package rfc8166 asks a peer the few things about RPC-over-RDMA that one without an RPC layer can be asked (RFC 8166, RFC
// 8797): that messages as long as RPC needs them get through, and that the Private Data of RPC does no harm. All else needs
// an RPC server or client.
package rfc8166
