// Package rpc is the server side of RPC-over-RDMA with a small program, for tests.
//
// [NewResponder] returns an [Responder] for a connection that this side has accepted. Give it each message by
// [Responder.Received], and each Read and Send that is complete by [Responder.Done]; then perform [Responder.Actions] in
// their order: Receives, RDMA Reads, RDMA Writes and Sends to post. It needs neither a network nor a clock.
//
// The first message chooses version 1 (RFC 8166, RFC 8167, RFC 8797) or version 2 (draft 01 of RPC-over-RDMA version
// 2). A [Fault] is the reason why a Call is refused. docs/conform-rpc.md describes the program: it echoes, with data in
// chunks or without, reports what it has executed, and calls back.
//
// To test tests, [Options] can make a Responder careless about a Fault, or tamper with what it sends and receives.
package rpc
