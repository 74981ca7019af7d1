// Package rnicsim is a reference RNIC in software: the objects, verbs and state machines of the RDMA Protocol Verbs
// Specification 1.0 over RDMAP, DDP and MPA, with the Atomics and Immediate Data of RFC 7306.
//
// The core is pure and deterministic: it has no goroutine, clock, socket or global randomness. A [Stream] is the lower
// layer protocol of one connection, MPA start-up included; a [QP] is attached to one by [QP.Modify] to RTS. What goes
// in is octets, FIN, reset, time and verbs; octets and completions that come out are pulled, by [Stream.AppendTransmit]
// and [CQ.Poll]. Asynchronous events, and the notification that a [CQ] has something, go to handlers at once.
//
// What a Read, a Write and all the others look like on the wire, and what becomes of mistakes, is shown by the
// transcripts in testdata.
//
// An RNIC and all that belongs to it is not safe for concurrent use: a driver holds a lock for each RNIC.
package rnicsim
