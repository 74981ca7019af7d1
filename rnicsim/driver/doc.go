// Package driver runs the RNIC of package rnicsim on TCP.
//
//	d, err := driver.Open(driver.Config{})
//	c, err := d.Dial(ctx, "tcp", "10.0.0.2:7174", driver.ConnConfig{})
//	stag, to, err := c.Register([]byte("hello"), rnicsim.LocalRead)
//	err = c.Post(rnicsim.WorkRequest{ID: 1, Op: rnicsim.OpSend, SGL: []rnicsim.SGE{{STag: stag, TO: to, Len: 5}}})
//	n, err := c.Wait(ctx, completions)
//
// [Open] a [Device]. [Device.Dial] connects as the Initiator of MPA; [Device.Listen] and [Listener.Accept] await a
// [Request], which [Request.Accept] answers. Both return a [Conn], a QP in RTS. [Conn.Register] registers memory,
// [Conn.Post] and [Conn.PostReceive] post Work Requests, and [Conn.Wait] or [Conn.OnCompletion] return completions. All
// other verbs are used inside [Device.Do] or [Conn.Do]. [Device.Initiate] and [Device.Respond] take any net.Conn.
//
// Neither posting nor reading waits for the peer. What the peer does not read stays in the Send Queue, and posting
// fails when that is full. Sends and Writes complete when TCP or a buffer of the driver has accepted them.
//
// A peer that is slow, silent, sends garbage or resets the connection ends only that connection: [Config] limits
// connections, buffered octets and time. All connections share one RNIC; give them their own Protection Domains to
// protect each other's memory. [Device.Close] returns when the last goroutine has ended.
package driver
