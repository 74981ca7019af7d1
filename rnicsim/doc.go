// Package rnicsim is a reference RNIC in software: the RDMA Protocol Verbs Specification 1.0 over RDMAP, DDP and MPA,
// with RFC 7306 and RFC 6581.
//
// Open an RNIC with [New], and a connection, a [Stream], with [RNIC.NewStream]. Begin with [Stream.Connect], or
// [Stream.Listen] and [Stream.Accept]; feed it with [Stream.Input] and [Stream.Advance], and send what
// [Stream.AppendTransmit] returns. Attach a QP with [QP.Modify] to RTS, post with [QP.PostSQ] and [QP.PostRQ], and take
// completions from [CQ.Poll]. Package driver does all this on TCP.
//
// The RNIC is pure and deterministic, without goroutine, clock, socket or lock, and not safe for concurrent use.
// Package quirk makes it deviate. The transcripts in testdata show the traffic, errors included.
package rnicsim
