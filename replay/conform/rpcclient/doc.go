// Package rpcclient tests clients of RPC-over-RDMA version 1: the demands of RFC 8166, RFC 8167 and RFC 8797 on a Requester.
//
// A client cannot be asked directly. [Run] stands between it and a real server: it has that server execute the client's Calls, and alters
// answers. Each [Case] waits for a Call whose answer it can alter, then looks at what the client does: it sends the Call again, goes on,
// answers with an error, or ends the connection. So somebody has to use the client meanwhile, such as a script on a mounted file system.
//
// Between two cases the connection is closed, so that each begins on a new one.
package rpcclient
