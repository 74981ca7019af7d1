// Package service has servers for clients of an RNIC. [New] returns a [Server] of one of the [Services] on a
// [driver.Device], and [Server.Serve] serves a connection:
//
//   - sink counts messages
//   - echo sends each message back
//   - memory has one region for all connections, for Writes, Reads and Atomics
//   - rping is the server of the program rping, which comes with librdmacm
//   - conform executes the commands in the messages of a tester, a [ConformCommand] each, and answers with a
//     [ConformAnswer] or a [ConformReport]; it can also connect, by [Server.Initiate]
//   - rpc answers Calls of RPC-over-RDMA, as package rnicsim/rpc does
//
// The first three advertise a region in the Private Data of the Reply, as an [Offer]; conform does so with a
// [ConformOffer]. docs/services.md, docs/conform-service.md and docs/conform-rpc.md describe the services octet by
// octet.
package service
