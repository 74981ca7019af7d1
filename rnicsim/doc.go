// Package rnicsim is a reference RNIC in software: the objects, verbs and state machines of the RDMA Protocol Verbs
// Specification 1.0 over RDMAP, DDP and MPA, with the Atomics and Immediate Data of RFC 7306 and the start-up of RFC
// 6581.
//
// Open an RNIC by [New]; [RNIC.AllocatePD], [RNIC.CreateCQ], [RNIC.CreateQP] and [RNIC.RegisterOctets] create what a
// connection needs. A [Stream] is one connection below: feed it by [Stream.Input] and [Stream.Advance], send what
// [Stream.AppendTransmit] returns, and begin by [Stream.Connect], or [Stream.Listen] and [Stream.Accept]. Attach a QP by
// [QP.Modify] to RTS, post by [QP.PostSQ] and [QP.PostRQ], and take completions by [CQ.Poll]. Package driver does all
// this on TCP.
//
// The RNIC is pure and deterministic: it has no goroutine, clock, socket or lock, and is not safe for concurrent use. A
// [Quirk] makes it deviate, and the Profile of its [Config] makes it answer as other RNICs do. The transcripts in
// testdata show what goes over the wire, mistakes included.
package rnicsim
