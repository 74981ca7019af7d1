// Package service has servers that answer clients of an RNIC: something to write to, to read from, to send to and to
// ping, for those who test a peer.
//
//   - sink takes in messages and tells how many
//   - echo sends each message back
//   - memory has one region for all connections, to write, read and do atomics on
//   - rping is the server of the program rping, which comes with librdmacm
//   - conform does what the messages of a tester ask for; it can begin connections, too
//   - rpc answers Calls of RPC-over-RDMA
//
// The first three advertise a region in the Private Data of the Reply; an [Offer] is what stands there. What conform
// advertises is a [ConformOffer]; a [ConformCommand] is what it can be asked for, which it answers by a [ConformAnswer]
// or a [ConformReport]. What rpc does is for package rnicsim/rpc to say. A [Server] does one of them on a
// [driver.Device]. docs/services.md, docs/conform-service.md and docs/conform-rpc.md describe what they do octet by octet.
package service
