// Package client pings, measures and calls peers of an RNIC.
//
//	d, err := driver.Open(driver.Config{})
//	m, err := client.DialMeter(ctx, d, "tcp", "10.0.0.2:7174", client.MeterConfig{Size: 4096, Depth: 16})
//	times, err := m.Latency(ctx, client.Read, 64, 100)
//	fmt.Println(times.Median, times.P99)
//
// [DialPinger] connects to any server of the program rping, which comes with librdmacm, and [Pinger.Ping] pings it.
// [DialRPC] connects to a server of RPC-over-RDMA, such as one of NFS, and [RPC.Call] calls any procedure; [RPCPinger.Ping]
// calls NULL of a program.
// [DialMeter] connects to a peer that advertises a region, as the servers sink, echo and memory of package service do;
// [Meter.Bandwidth] and [Meter.Latency] then measure RDMA Writes, RDMA Reads, Sends, Immediate Data and Atomics.
package client
