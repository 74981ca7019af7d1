// Package client pings and measures peers of an RNIC.
//
// [DialPinger] connects to any server of the program rping, which comes with librdmacm, and [Pinger.Ping] pings it.
// [DialRPCPinger] connects to a server of RPC-over-RDMA, and [RPCPinger.Ping] calls the procedure NULL of a program.
// [DialMeter] connects to a peer that advertises a region, as the servers sink, echo and memory of package service do;
// [Meter.Bandwidth] and [Meter.Latency] then measure RDMA Writes, RDMA Reads, Sends, Immediate Data and Atomics.
package client
