package rpc

// A program for tests of RPC-over-RDMA.

import (
	"bytes"
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
)

// EchoProgram and EchoVersion identify the program (RFC 5531, section 8.3: numbers that users define).
const (
	EchoProgram oncrpc.Program = 0x20697763
	EchoVersion uint32         = 1
)

// The procedures.
const (
	ProcNull     uint32 = iota // void -> void
	ProcEcho                   // items -> items; data is DDP-eligible, as argument and as result
	ProcPlain                  // items -> items; nothing is DDP-eligible
	ProcReport                 // void -> Report
	ProcCallback               // count, octets -> void; this end then makes count Calls
)

// The limits of the Calls of this end.
const (
	maxCallbacks = 64                // that one Call may ask for
	maxReverse   = 16 * maxCallbacks // that may be due
)

// An Echo is the Program that docs/conform-rpc.md describes: it echoes, reports what it has executed, and calls back. The zero value
// serves one connection.
type Echo struct {
	executed                uint32
	batches                 []batch // of Calls that are due
	due                     int     // Calls in them
	sent, answered, refused uint32  // Calls of this end
}

// Execute implements Program.
func (e *Echo) Execute(r *Request) {
	if vers := 8; len(r.Message) >= vers+4 && binary.BigEndian.Uint32(r.Message[vers:]) != oncrpc.Version {
		r.Reply(replied(&oncrpc.Reply{
			XID: word(r.Message, 0), ReplyStat: oncrpc.Denied, RejectStat: oncrpc.RPCMismatch, Low: oncrpc.Version, High: oncrpc.Version,
		}))
		return
	}
	a := &arguments{octets: r.Message, left: r.Reduced}
	var h oncrpc.Call
	n, err := h.Decode(r.Message)
	a.at = n
	if err == nil {
		err = h.Check()
	}
	xid := word(r.Message, 0)
	switch {
	case len(a.left) > 0 && (a.passed() || h.Protection() != oncrpc.Plain) && r.Refuse(NotEligible):
	case err != nil:
		r.Reply(accepted(xid, oncrpc.GarbageArgs))
	case h.Prog != EchoProgram:
		r.Reply(accepted(xid, oncrpc.ProgUnavail))
	case h.Vers != EchoVersion:
		r.Reply(replied(&oncrpc.Reply{XID: xid, AcceptStat: oncrpc.ProgMismatch, Low: EchoVersion, High: EchoVersion}))
	case h.Proc > ProcCallback:
		r.Reply(accepted(xid, oncrpc.ProcUnavail))
	default:
		e.proceed(r, h.Proc, a)
	}
}

// proceed executes a Call of the program with its arguments.
func (e *Echo) proceed(r *Request, proc uint32, a *arguments) {
	xid := word(r.Message, 0)
	s := results{message: accepted(xid, oncrpc.Success)}
	var count, octets uint32
	switch proc {
	case ProcEcho, ProcPlain:
		a.echo(&s, proc == ProcEcho)
	case ProcReport:
		for _, n := range [...]uint32{e.executed, e.sent, e.answered, e.refused} {
			s.word(n)
		}
	case ProcCallback:
		count, octets = a.word(), a.word()
	}
	if len(a.left) > 0 && !a.mismatch {
		if r.Refuse(NotEligible) {
			return
		}
		a.skip()
	}
	switch {
	case !a.whole(), count > maxCallbacks:
		r.Reply(accepted(xid, oncrpc.GarbageArgs))
	case proc == ProcCallback && !e.ask(count, octets, r.Room()):
		r.Reply(accepted(xid, oncrpc.SystemErr))
	default:
		e.executed++
		r.Reply(s.message, s.eligible...)
	}
}

// accepted returns a Reply to a Call that was accepted. It is complete unless stat is oncrpc.Success.
func accepted(xid uint32, stat oncrpc.AcceptStat) []byte {
	return replied(&oncrpc.Reply{XID: xid, AcceptStat: stat})
}

func replied(h *oncrpc.Reply) []byte {
	b, _ := h.AppendBinary(nil)
	return b
}

const (
	firstReverseXID = 0x69776301
	reverseFill     = 0x5a // octets of the echoed item
)

// A batch is equal Calls of this end: NULL, or ECHO of an item of octets octets.
type batch struct{ count, octets uint32 }

// ask makes Calls due. It returns false if their RPC messages exceed room octets, or too many are due already.
func (e *Echo) ask(count, octets uint32, room int) bool {
	if uint64(e.due)+uint64(count) > maxReverse || reverseLen(octets) > uint64(max(room, 0)) {
		return false
	}
	if count > 0 {
		e.batches = append(e.batches, batch{count, octets})
		e.due += int(count)
	}
	return true
}

// reverseLen returns the length in octets of the RPC message of a Call.
func reverseLen(octets uint32) uint64 {
	if octets == 0 {
		return oncrpc.MinCallLen
	}
	return oncrpc.MinCallLen + 3*4 + (uint64(octets)+3)&^3
}

// Next implements Program.
func (e *Echo) Next() []byte {
	if e.due == 0 {
		return nil
	}
	b := &e.batches[0]
	octets := b.octets
	if b.count--; b.count == 0 {
		e.batches = e.batches[1:]
	}
	e.due--
	h := oncrpc.Call{XID: firstReverseXID + e.sent, RPCVers: oncrpc.Version, Prog: EchoProgram, Vers: EchoVersion, Proc: ProcNull}
	e.sent++
	if octets > 0 {
		h.Proc = ProcEcho
	}
	head, _ := h.AppendBinary(nil)
	s := results{message: head}
	if octets > 0 {
		s.word(1)
		s.item(bytes.Repeat([]byte{reverseFill}, int(octets)), false)
	}
	return s.message
}

// Replied implements Program.
func (e *Echo) Replied(_ uint32, reply []byte) {
	if reply == nil {
		e.refused++
	} else {
		e.answered++
	}
}
