// Package service has servers that answer clients of an RNIC: something to write to, to read from, to send to and to
// ping, for those who test a peer.
//
//   - sink takes in messages and tells how many
//   - echo sends each message back
//   - memory has one region for all connections, to write, read and do atomics on
//   - rping is the server of the program rping, which comes with librdmacm
//
// All but rping advertise a region in the Private Data of the Reply; an [Offer] is what stands there. A [Server] does
// one of them on a [driver.Device]. docs/services.md describes what they do octet by octet.
package service
