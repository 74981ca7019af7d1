// Package client has clients of an RNIC: what pings a peer, and what measures one.
//
// A [Pinger] is the client of the program rping, which comes with librdmacm: any server of that works, ours in
// [service] and those on the RNICs of others. A [Meter] measures bandwidth and latency of RDMA Writes, RDMA Reads, Sends
// and Atomics with a peer that advertises a region, as the servers sink, echo and memory do.
package client
