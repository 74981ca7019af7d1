// Package driver puts the RNIC of package rnicsim on TCP: it has the sockets, the clock, the goroutines and the lock that
// the core does without.
//
// # What it is
//
// A [Device] is an RNIC with its connections. [Device.Dial] begins one as the Initiator of MPA, and a [Listener] takes in
// [Request]s, each to be accepted or rejected. What comes of both is a [Conn]: a QP in RTS on a Stream on TCP.
// [Conn.Post] and [Conn.PostReceive] post Work Requests; [Conn.Wait] takes completions, or [Conn.OnCompletion] has them
// delivered. Everything else of the Verbs is reached through [Device.Do] and [Conn.Do], under the lock.
//
// Any net.Conn can be used, by [Device.Initiate] and [Device.Respond]. A [Fault] spoils what is sent, and a Tap, in
// [Config], sees what went over the wire after that.
//
// # How it runs
//
// Each connection has one goroutine, which reads: it takes what TCP has delivered, up to 256 KiB, takes the lock, gives
// all FPDUs that are whole to the Stream, and calls the handler of completions. Whoever makes something to be sent, by a
// verb or because a request of the peer came in, sends it: under the lock as many FPDUs as fit 256 KiB are pulled off the
// Stream into a buffer, and behind it a write that does not wait gives them to TCP. What TCP does not take waits in a
// goroutine that is there only so long. So neither a poster nor a reader ever waits for a peer, and both ends may send at
// once. FPDUs fit the segments of the path, as the socket says what these are. One timer has the deadlines of all.
//
// Back-pressure is TCP's: what a peer does not take stays in the Send Queue, and who posts more than that holds is told
// by an error; completions of Sends and Writes come when TCP has taken them, or a buffer of the driver.
//
// # What it costs
//
// Payload is copied once between registered memory and a buffer, and by the system between that and the socket. The
// exceptions are Markers, and less than 2 KiB of an FPDU of which TCP has delivered no more yet. Neither a message nor an
// FPDU allocates in the steady state. An idle connection takes about 14 KiB with its QP, and no buffer: those are for
// connections with octets under way.
//
// BenchmarkThroughput has plain TCP beside it. Over loopback, with CRCs, messages of 64 KiB reach 0.7 to 0.85 of the
// throughput of TCP alone on two cores; 64 octets to and fro take 1.3 to 1.5 times as long as with TCP, if completions
// are delivered to a handler. Wait adds a switch of goroutines, which can be as much again.
//
// # What it withstands
//
// Peers are not trusted. Connections, those that have not begun, octets held and time have limits, see [Config]; a peer
// that is slow, silent, sends garbage or resets the connection at any point ends its own connection only. What belongs
// to one, registered memory too, is given back when it ends; [Device.Close] returns when the last goroutine has ended.
// Those who may connect at all share one RNIC: give them Protection Domains of their own to keep them from each other's
// memory.
//
// Reading and writing without waiting needs Linux. On other systems all goes through a goroutine that waits, and each
// connection has a buffer.
package driver
