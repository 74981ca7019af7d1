package rules

// RPC messages that are spread over several messages of version 2: draft 01, section 6.2.2.2.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

var (
	ruleRPCSequence = newRule("rpc2-sequence", Error,
		"All messages of a sequence have the same XID and type and follow each other, credit grants aside.",
		"RPCRDMA2-6.2.2.2-2", "RPCRDMA2-4.1-5")
	ruleRPCInterrupted = newRule("rpc2-interrupted", Warning,
		"An error waits until the sender's own sequence is over.", "RPCRDMA2-4.1-5").
		lighter("The draft does not say that an error may not come between.")
	ruleRPCSequenceEnd = newRule("rpc2-sequence-end", Error,
		"A sequence has an end: the message in which MORE is clear holds the last of the RPC message.",
		"RPCRDMA2-4.1-6")
	ruleRPCFragment = newRule("rpc2-fragment", Warning,
		"The payload of RDMA2_MSG begins with a word.", "RPCRDMA2-6.3.1-1").
		lighter("The text of the draft allows a cut at any boundary; its XDR does not.")
	ruleRPCNoPayload = newRule("rpc2-no-payload", Error,
		"RDMA2_MSG has payload.", "RPCRDMA2-6.3.1-1")
)

// An rpcSequence is how far one side is in an RPC message that is spread over several messages.
type rpcSequence struct {
	state     rpcState
	xid, kind uint32
	role      rpcrdma.Role
	remaining uint32     // of the draft of 2022: octets that are still to come, as stated
	dead      [16]uint32 // XIDs of other sequences that began meanwhile
	deadLen   int
}

type rpcState uint8

const (
	rpcIdle     rpcState = iota
	rpcJoining           // a sequence is in progress
	rpcSkipping          // one was broken: the rest of it is passed over
	rpcLost              // messages were not seen: one may be in progress
)

func (q *rpcSequence) missed() { *q = rpcSequence{state: rpcLost} }

// step takes in a message whose header has been judged, with its fault.
func (q *rpcSequence) step(m *rpcrdma.Message, fault *RPCFault, v []Violation) (RPCFate, []Violation) {
	switch {
	case !hasRPC(m):
		if m.Form == rpcrdma.FormError && q.state == rpcJoining {
			v = append(v, ruleRPCInterrupted.Breach(
				m.KindName()+" within the sequence of XID "+hex32(q.xid), "the end of the sequence"))
		}
		if fault != nil {
			return RPCFate{Fault: fault}, v
		}
		return RPCFate{Use: RPCOther}, v
	case m.Dialect == rpcrdma.DialectVersion1:
		return rpcWhole(fault), v
	case fault != nil:
		return RPCFate{Fault: fault, Ends: q.fail(m)}, v
	}
	v = checkRPCFragment(m, v)
	return q.follow(m, v)
}

// rpcWhole is the fate of a message that is an RPC message.
func rpcWhole(fault *RPCFault) RPCFate {
	if fault != nil {
		return RPCFate{Fault: fault}
	}
	return RPCFate{Use: RPCWhole, First: true}
}

// fail takes in a message of version 2 that its receiver drops. If it belongs to a sequence, that is broken: own.
func (q *rpcSequence) fail(m *rpcrdma.Message) (own bool) {
	own = q.state == rpcJoining && m.XID == q.xid
	switch {
	case own && (m.More || m.Kind != q.kind), m.More && q.state != rpcJoining:
		*q = rpcSequence{state: rpcSkipping, xid: m.XID}
	case own:
		*q = rpcSequence{}
	}
	return own
}

// refuse takes in that the receiver has refused an RPC message: the rest of it is passed over.
func (q *rpcSequence) refuse(xid uint32) {
	if q.state == rpcJoining && q.xid == xid {
		*q = rpcSequence{state: rpcSkipping, xid: xid}
	}
}

// Refused takes in that the receiver refuses an RPC message of a side before its end: the rest of it is passed over.
func (s *RPCStream) Refused(from RPCSide, xid uint32) { s.sides[from].sequence.refuse(xid) }

// follow takes in a message without a fault of its own.
func (q *rpcSequence) follow(m *rpcrdma.Message, v []Violation) (RPCFate, []Violation) {
	switch q.state {
	case rpcJoining:
		if !q.continuedBy(m) {
			return q.intrusion(m, v)
		}
	case rpcSkipping:
		if m.XID == q.xid {
			if !m.More {
				*q = rpcSequence{}
			}
			return RPCFate{}, v
		}
	case rpcLost:
		if q.tail(m) {
			return RPCFate{Cut: true}, v
		}
	}
	first := q.state != rpcJoining
	if m.Dialect == rpcrdma.DialectDraft2022 {
		v = q.count(m, first, v)
	}
	if !m.More {
		*q = rpcSequence{}
		return RPCFate{Use: RPCWhole, First: first}, v
	}
	if first {
		*q = rpcSequence{state: rpcJoining, xid: m.XID, kind: m.Kind, role: m.Role}
	}
	q.remaining = m.Remaining
	return RPCFate{Use: RPCPart, First: first}, v
}

// continuedBy tells whether m goes on with the sequence. In the draft of 2022 the last message has another type.
func (q *rpcSequence) continuedBy(m *rpcrdma.Message) bool {
	same := m.Kind == q.kind || m.Dialect == rpcrdma.DialectDraft2022 && m.Form == rpcrdma.FormInline
	return same && m.XID == q.xid && m.Role == q.role
}

// intrusion takes in a message that is between those of a sequence. The sequence goes on; what begins with the message
// is dropped up to its end. A message of another type for the same RPC message breaks that, for all messages with the
// XID of one at fault are dropped (draft 01, section 7.1.3).
func (q *rpcSequence) intrusion(m *rpcrdma.Message, v []Violation) (RPCFate, []Violation) {
	if m.XID == q.xid && m.Role == q.role {
		v = append(v, q.intruder(m))
		q.refuse(m.XID)
		return RPCFate{Fault: faultContinuation}, v
	}
	for i, xid := range q.dead[:q.deadLen] {
		if xid != m.XID {
			continue
		}
		if !m.More {
			q.deadLen--
			q.dead[i] = q.dead[q.deadLen]
		}
		return RPCFate{}, v
	}
	if m.More && m.XID != q.xid && q.deadLen < len(q.dead) {
		q.dead[q.deadLen] = m.XID
		q.deadLen++
	}
	return RPCFate{Fault: faultContinuation}, append(v, q.intruder(m))
}

func (q *rpcSequence) intruder(m *rpcrdma.Message) Violation {
	return ruleRPCSequence.Breach(
		m.KindName()+" with XID "+hex32(m.XID), "the next message of the sequence of XID "+hex32(q.xid))

}

// tail tells whether a message is the rest of a sequence whose begin was not seen, and notes when that is over. A begin
// shows by the XID, with which every RPC message begins.
func (q *rpcSequence) tail(m *rpcrdma.Message) bool {
	begins := m.Form != rpcrdma.FormInline || len(m.Payload) >= 4 && word(m.Payload, 0) == m.XID
	if begins || !m.More {
		*q = rpcSequence{}
	}
	return !begins
}

// count judges rdma_remaining of the draft of 2022.
func (q *rpcSequence) count(m *rpcrdma.Message, first bool, v []Violation) []Violation {
	n := int64(m.Len-m.HeaderLen) + int64(m.Remaining)
	if first || m.Form != rpcrdma.FormInline || n == int64(q.remaining) {
		return v
	}
	return append(v, ruleRPCSequenceEnd.Breach(
		fmt.Sprintf("%d octets here and behind", n), fmt.Sprintf("%d, as the message before says", q.remaining)))
}

// checkRPCFragment judges the length of the payload of a message of version 2 (D-33 of package rpcrdma).
func checkRPCFragment(m *rpcrdma.Message, v []Violation) []Violation {
	switch n := m.Len - m.HeaderLen; {
	case m.Form != rpcrdma.FormInline || n >= 4:
	case n == 0:
		return append(v, ruleRPCNoPayload.Breach("none", "at least 4 octets"))
	default:
		return append(v, ruleRPCFragment.Breach(octets(n), "at least 4 octets"))
	}
	return v
}

// End takes in that the connection was closed in good order, and appends to v what a side has left unfinished, unless it
// was waiting for credits.
func (s *RPCStream) End(from RPCSide, v []Violation) []Violation {
	if q, c := &s.sides[from].sequence, &s.sides[from].credits; q.state == rpcJoining && c.sent < c.limit {
		v = append(v, ruleRPCSequenceEnd.Breach(
			"the end of the connection within the sequence of XID "+hex32(q.xid), "the rest of the RPC message"))
	}
	return v
}
