// Package rpcclient tests clients of RPC-over-RDMA: the demands of RFC 8166, RFC 8167, RFC 8797 and draft 01 of version
// 2 on a Requester.
//
// Nothing can connect to a client. [Run] therefore stands between the client and a real server: it lets that server
// execute the client's Calls, and alters answers. Each [Case] waits for a Call whose answer it can alter, then looks at
// what the client does: it sends the Call again, goes on, answers with an error, or ends the connection. Something must
// use the client meanwhile, such as a script on a mounted file system.
//
// Between two cases the connection is closed, so that each begins on a new one.
package rpcclient
