// Package rpc implements both ends of RPC-over-RDMA, without a network or a clock.
//
// [NewRequester] returns a [Requester], which makes Calls: it puts them into messages and chunks, with room for their
// results, registers and deregisters memory, follows credits, and sends open Calls again on a new connection. The
// Replies come from [Requester.Replies].
//
// [NewResponder] returns a [Responder] for a connection that this side has accepted. It gives each Call to a [Program] as a
// [Request], with all octets in their places, and takes the Reply, at once or later. [Echo] is a program for tests, which
// docs/conform-rpc.md describes. A [Fault] is the reason why a Call is refused. Package service serves a Program to clients on TCP
// (Options.Program).
//
// Give either end each message that was received, and the Responder each Read and Send that is complete; then perform
// its Actions in their order: Receives, RDMA Reads, RDMA Writes and Sends to post. Version 1 is that of RFC 8166, RFC 8167
// and RFC 8797; version 2 is draft 01 of RPC-over-RDMA version 2.
//
// To test tests, [Options] can make a Responder careless about a Fault, or tamper with what an end sends and receives.
package rpc
