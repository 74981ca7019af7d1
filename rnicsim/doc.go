// Package rnicsim is a reference RNIC in software: the RDMA Protocol Verbs Specification 1.0 over RDMAP, DDP and MPA,
// with RFC 7306 and RFC 6581.
//
// Open an RNIC by [New], and one connection, a [Stream], by [RNIC.NewStream]. Begin by [Stream.Connect], or
// [Stream.Listen] and [Stream.Accept]; feed it by [Stream.Input] and [Stream.Advance], and send what
// [Stream.AppendTransmit] returns. Attach a QP by [QP.Modify] to RTS, post by [QP.PostSQ] and [QP.PostRQ], and take
// completions by [CQ.Poll]. Package driver does all this on TCP.
//
// The RNIC is pure and deterministic, without goroutine, clock, socket or lock, and not safe for concurrent use.
// Package quirk makes it deviate. The transcripts in testdata show the traffic, errors included.
package rnicsim
