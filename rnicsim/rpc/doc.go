// Package rpc is a peer that speaks RPC-over-RDMA: a server without a file system, for those who test how RPC travels.
//
// An [Endpoint] is one end of one connection, that which has accepted it. It does nothing by itself: it is given what
// came, by [Endpoint.Received] and [Endpoint.ReadDone], and [Endpoint.Actions] are what is to be done about it, in
// order: Receives, RDMA Reads, RDMA Writes and Sends to post. So it needs neither a network nor a clock.
//
// The first message decides whether the connection has version 1 (RFC 8166, RFC 8167, RFC 8797) or version 2 (draft
// 01 of RPC-over-RDMA version 2). What both share, a Call with its chunks, the program that executes it, and the Calls
// that this end makes itself, knows nothing of headers; a version reads and makes these. A [Fault] is why a Call is
// refused, which each version says in its own way.
//
// The program is that of docs/conform-rpc.md: it echoes, with and without data that may go in chunks, tells what it has
// executed, and calls back. All octets of transport headers and RPC headers are those of packages rpcrdma and oncrpc.
//
// For those who test tests, [Options] can make an Endpoint wrong: careless about a Fault, or with what it
// sends and takes in tampered with.
package rpc
