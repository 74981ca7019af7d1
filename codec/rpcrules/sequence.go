package rpcrules

// RPC messages that are split into several messages of version 2: draft 01, section 6.2.2.2.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
)

var (
	ruleSequence = newRule("rpc2-sequence", rules.Error,
		"All messages of a sequence must have the same XID and type, and be consecutive, credit grants aside.",
		"RPCRDMA2-6.2.2.2-2 RPCRDMA2-4.1-5")
	ruleInterrupted = newRule("rpc2-interrupted", rules.Warning,
		"An error must be sent after the sender's own sequence is complete.", "RPCRDMA2-4.1-5",
		lighter("The draft does not forbid an error within a sequence."))
	ruleSequenceEnd = newRule("rpc2-sequence-end", rules.Error,
		"A sequence must be complete: it ends with a message in which MORE is clear.",
		"RPCRDMA2-4.1-6")
	ruleFragment = newRule("rpc2-fragment", rules.Warning,
		"The payload of RDMA2_MSG must begin with a word.", "RPCRDMA2-6.3.1-1",
		lighter("The text of the draft allows a cut at any boundary; its XDR does not."))
	ruleNoPayload = newRule("rpc2-no-payload", rules.Error,
		"RDMA2_MSG must have payload.", "RPCRDMA2-6.3.1-1")
)

// A sequence is the progress of one side in an RPC message that is split into several messages.
type sequence struct {
	state     state
	xid, kind uint32
	role      rpcrdma.Role
	remaining uint32     // of the draft of 2022: octets still to come, as announced
	dead      [16]uint32 // XIDs of other sequences that began meanwhile
	deadLen   int
}

type state uint8

const (
	idle     state = iota
	joining        // a sequence is in progress
	skipping       // one was broken: its rest is ignored
	lost           // messages were not seen: one may be in progress
)

func (q *sequence) missed() { *q = sequence{state: lost} }

// step handles a message whose header has been checked, with its fault.
func (q *sequence) step(m *rpcrdma.Message, fault *Fault, v []rules.Violation) (Fate, []rules.Violation) {
	switch {
	case !hasRPC(m):
		if m.Form == rpcrdma.FormError && q.state == joining {
			v = append(v, ruleInterrupted.Breach(
				m.KindName()+" within the sequence of XID "+hex32(q.xid), "the end of the sequence"))
		}
		if fault != nil {
			return Fate{Fault: fault}, v
		}
		return Fate{Use: Other}, v
	case m.Dialect == rpcrdma.DialectVersion1:
		return whole(fault), v
	case fault != nil:
		return Fate{Fault: fault, Ends: q.fail(m)}, v
	}
	v = checkFragment(m, v)
	return q.follow(m, v)
}

// whole returns the fate of a message that is a complete RPC message.
func whole(fault *Fault) Fate {
	if fault != nil {
		return Fate{Fault: fault}
	}
	return Fate{Use: Whole, First: true}
}

// fail records a message of version 2 that its receiver drops. own says that it belongs to the sequence in progress,
// which is broken then.
func (q *sequence) fail(m *rpcrdma.Message) (own bool) {
	own = q.state == joining && m.XID == q.xid
	switch {
	case own && (m.More || m.Kind != q.kind), m.More && q.state != joining:
		*q = sequence{state: skipping, xid: m.XID}
	case own:
		*q = sequence{}
	}
	return own
}

// refuse records that the receiver refused an RPC message, whose rest is ignored.
func (q *sequence) refuse(xid uint32) {
	if q.state == joining && q.xid == xid {
		*q = sequence{state: skipping, xid: xid}
	}
}

// Refused records that the receiver refused an RPC message of a side before its end. The rest is ignored.
func (s *Stream) Refused(from Side, xid uint32) { s.sides[from].sequence.refuse(xid) }

// follow handles a message without a fault.
func (q *sequence) follow(m *rpcrdma.Message, v []rules.Violation) (Fate, []rules.Violation) {
	switch q.state {
	case joining:
		if !q.continuedBy(m) {
			return q.interleaved(m, v)
		}
	case skipping:
		if m.XID == q.xid {
			if !m.More {
				*q = sequence{}
			}
			return Fate{}, v
		}
	case lost:
		if q.tail(m) {
			return Fate{Cut: true}, v
		}
	}
	first := q.state != joining
	if m.Dialect == rpcrdma.DialectDraft2022 {
		v = q.count(m, first, v)
	}
	if !m.More {
		*q = sequence{}
		return Fate{Use: Whole, First: first}, v
	}
	if first {
		*q = sequence{state: joining, xid: m.XID, kind: m.Kind, role: m.Role}
	}
	q.remaining = m.Remaining
	return Fate{Use: Part, First: first}, v
}

// continuedBy reports whether m continues the sequence. In the draft of 2022 the last message has a different type.
func (q *sequence) continuedBy(m *rpcrdma.Message) bool {
	same := m.Kind == q.kind || m.Dialect == rpcrdma.DialectDraft2022 && m.Form == rpcrdma.FormInline
	return same && m.XID == q.xid && m.Role == q.role
}

// interleaved handles a message within a sequence that it does not belong to. The sequence continues; what begins with
// the message is dropped up to its end. A message of another type for the same RPC message breaks the sequence, because
// all messages with the XID of a faulty one are dropped (draft 01, section 7.1.3).
func (q *sequence) interleaved(m *rpcrdma.Message, v []rules.Violation) (Fate, []rules.Violation) {
	if m.XID == q.xid && m.Role == q.role {
		v = append(v, q.intruder(m))
		q.refuse(m.XID)
		return Fate{Fault: faultContinuation}, v
	}
	for i, xid := range q.dead[:q.deadLen] {
		if xid != m.XID {
			continue
		}
		if !m.More {
			q.deadLen--
			q.dead[i] = q.dead[q.deadLen]
		}
		return Fate{}, v
	}
	if m.More && m.XID != q.xid && q.deadLen < len(q.dead) {
		q.dead[q.deadLen] = m.XID
		q.deadLen++
	}
	return Fate{Fault: faultContinuation}, append(v, q.intruder(m))
}

func (q *sequence) intruder(m *rpcrdma.Message) rules.Violation {
	return ruleSequence.Breach(
		m.KindName()+" with XID "+hex32(m.XID), "the next message of the sequence of XID "+hex32(q.xid))

}

// tail reports whether a message belongs to a sequence whose beginning was not seen, and records the end of that
// sequence. A beginning shows by the XID and the type, with which every RPC message begins.
func (q *sequence) tail(m *rpcrdma.Message) bool {
	begins := m.Form != rpcrdma.FormInline || len(m.Payload) >= 4 && word(m.Payload, 0) == m.XID
	if begins && len(m.Payload) >= 8 && m.Form == rpcrdma.FormInline {
		kind := oncrpc.MsgType(word(m.Payload, 4))
		begins = kind == oncrpc.TypeCall && m.Role != rpcrdma.Responder || kind == oncrpc.TypeReply && m.Role != rpcrdma.Requester
	}
	if begins || !m.More {
		*q = sequence{}
	}
	return !begins
}

// count checks rdma_remaining of the draft of 2022.
func (q *sequence) count(m *rpcrdma.Message, first bool, v []rules.Violation) []rules.Violation {
	n := int64(m.Len-m.HeaderLen) + int64(m.Remaining)
	if first || m.Form != rpcrdma.FormInline || n == int64(q.remaining) {
		return v
	}
	return append(v, ruleSequenceEnd.Breach(
		fmt.Sprintf("%d octets from here on", n), fmt.Sprintf("%d, by the previous message", q.remaining)))
}

// checkFragment checks the length of the payload of a message of version 2 (D-33 of package rpcrdma).
func checkFragment(m *rpcrdma.Message, v []rules.Violation) []rules.Violation {
	switch n := m.Len - m.HeaderLen; {
	case m.Form != rpcrdma.FormInline || n >= 4:
	case n == 0:
		return append(v, ruleNoPayload.Breach("none", "at least 4 octets"))
	default:
		return append(v, ruleFragment.Breach(octets(n), "at least 4 octets"))
	}
	return v
}

// End records that the connection was closed cleanly, and reports a sequence that a side left unfinished, unless it was
// waiting for credits.
func (s *Stream) End(from Side, v []rules.Violation) []rules.Violation {
	if q, c := &s.sides[from].sequence, &s.sides[from].credits; q.state == joining && c.sent < c.limit {
		v = append(v, ruleSequenceEnd.Breach(
			"the end of the connection within the sequence of XID "+hex32(q.xid), "the rest of the RPC message"))
	}
	return v
}
