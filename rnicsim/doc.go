// Package rnicsim is a reference RNIC in software: the objects, verbs and state machines of the RDMA Protocol Verbs
// Specification 1.0 over RDMAP, DDP and MPA, with the Atomics and Immediate Data of RFC 7306 and the connection set-up
// of RFC 6581.
//
// # What it is
//
// The core is pure and deterministic. A [Stream] is the lower layer protocol of one connection, MPA start-up
// included; a [QP] is attached to one by [QP.Modify] to RTS. What goes in is octets, FIN, reset, time and verbs;
// octets and completions that come out are pulled, by [Stream.AppendTransmit] and [CQ.Poll]. Asynchronous events, and
// the notification that a [CQ] has something, go to handlers at once.
//
// What a Read, a Write and all the others look like on the wire, and what becomes of mistakes, is shown by the
// transcripts in testdata. Which requirements are proved, and by what, is said there and above the tests, and gathered
// in docs/generated/requirements.md; testdata/unproved.tsv would have those of the Verbs that are not, and why.
//
// An RNIC can be made to deviate, by a [Quirk], which [ParseQuirk] reads, and to answer as others do, by the Profile in
// its [Config]. It never fails by itself; [QP.Fail], [CQ.Fail], [SRQ.Fail] and [RNIC.Fail] are catastrophes on demand.
//
// # What it is not
//
// It has no lock: an RNIC and all that belongs to it is not safe for concurrent use, and a driver holds a lock for
// each RNIC. It has no clock: [Stream.Advance] tells the time, and [Stream.NextDeadline] when to do so. It has no
// goroutine, no socket and no TCP of its own: segments come in order, and what is lost was sent again before. Nobody
// is unprivileged but by [QPConfig]. Physical memory is what was put into a [Memory].
//
// # What it costs
//
// An idle QP takes about 1300 octets, whatever the size of its queues: they grow when something is posted. Once
// they have, neither a message nor an FPDU allocates. A CQ costs what it holds.
//
// BenchmarkPair moves octets between two RNICs in one goroutine, and BenchmarkFloor does only what cannot be saved:
// one copy and one CRC32c of each octet at either end. With TCP segments of 1460 octets the pair has half the throughput
// of the floor, with 8960 octets about 0.9 of it: the best of twelve runs on one core of a machine that others used too
// were 2.1 GB/s for Writes, 2.4 for Sends and 2.2 for Reads against 4.2, and 3.2, 2.5 and 3.1 against 3.0. An FPDU costs
// 330 ns beyond its floor, both ends together; no function has more than a tenth of that.
package rnicsim
