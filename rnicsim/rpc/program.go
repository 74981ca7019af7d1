package rpc

// The program: which Calls are executed, and how the others are answered.

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
)

// Program and ProgramVersion identify the program (RFC 5531, section 8.3: numbers that users define).
const (
	Program        oncrpc.Program = 0x20697763
	ProgramVersion uint32         = 1
)

// The procedures.
const (
	ProcNull     uint32 = iota // void -> void
	ProcEcho                   // items -> items; data is DDP-eligible, as argument and as result
	ProcPlain                  // items -> items; nothing is DDP-eligible
	ProcReport                 // void -> Report
	ProcCallback               // count, octets -> void; this end then makes count Calls
)

// maxCallbacks is the most Calls of this end that one Call may ask for.
const maxCallbacks = 64

// A results is an RPC Reply.
type results struct {
	message  []byte
	eligible []span // in ascending order
}

// A span is the place of an item's data, without length and roundup.
type span struct{ at, length int }

// roundup returns the number of octets after n octets of opaque data (RFC 4506, section 4.10).
func roundup(n int) int { return oncrpc.Fill(n) }

// perform executes a Call. It returns an RPC Reply, which may be an error, or a refusal if the chunks are wrong.
func (e *Responder) perform(c *call) (*results, *refusal) {
	if r := e.checkPayload(c); r != nil {
		return nil, r
	}
	if e.careless(BadMsgType) {
		clear(c.payload[4:8])
	}
	if vers := 8; len(c.payload) >= vers+4 && binary.BigEndian.Uint32(c.payload[vers:]) != oncrpc.Version {
		return replied(&oncrpc.Reply{
			XID: c.xid, ReplyStat: oncrpc.Denied, RejectStat: oncrpc.RPCMismatch, Low: oncrpc.Version, High: oncrpc.Version,
		}), nil
	}
	a := &arguments{octets: c.payload, chunks: c.chunks, anywhere: e.careless(NotEligible)}
	var h oncrpc.Call
	n, err := h.Decode(c.payload)
	a.at = n
	if err == nil {
		err = h.Check()
	}
	if r := e.fault(NotEligible, a.reduced() && (a.passed() || h.Protection() != oncrpc.Plain)); r != nil {
		return nil, r
	}
	switch {
	case err != nil:
		return accepted(c.xid, oncrpc.GarbageArgs), nil
	case h.Prog != Program:
		return accepted(c.xid, oncrpc.ProgUnavail), nil
	case h.Vers != ProgramVersion:
		return replied(&oncrpc.Reply{
			XID: c.xid, AcceptStat: oncrpc.ProgMismatch, Low: ProgramVersion, High: ProgramVersion,
		}), nil
	case h.Proc > ProcCallback:
		return accepted(c.xid, oncrpc.ProcUnavail), nil
	}
	return e.proceed(c, h.Proc, a)
}

// proceed executes a Call of the program with its arguments.
func (e *Responder) proceed(c *call, proc uint32, a *arguments) (*results, *refusal) {
	s := accepted(c.xid, oncrpc.Success)
	var count, octets uint32
	switch proc {
	case ProcEcho, ProcPlain:
		a.echo(s, proc == ProcEcho)
	case ProcReport:
		for _, n := range [...]uint32{e.executed, e.reverse.sent, e.reverse.answered, e.reverse.refused} {
			s.word(n)
		}
	case ProcCallback:
		count, octets = a.word(), a.word()
	}
	if !a.mismatch {
		if r := e.fault(NotEligible, a.reduced()); r != nil {
			return nil, r
		}
	}
	switch {
	case !a.whole(), count > maxCallbacks:
		return accepted(c.xid, oncrpc.GarbageArgs), nil
	case proc == ProcCallback && !e.reverse.ask(count, octets, e.version.reverseRoom()):
		return accepted(c.xid, oncrpc.SystemErr), nil
	}
	e.executed++
	return s, nil
}

// accepted returns a Reply to a Call that was accepted. It is complete unless stat is oncrpc.Success.
func accepted(xid uint32, stat oncrpc.AcceptStat) *results {
	return replied(&oncrpc.Reply{XID: xid, AcceptStat: stat})
}

func replied(h *oncrpc.Reply) *results {
	b, _ := h.AppendBinary(nil)
	return &results{message: b}
}
