package rpcrules

// Credits, RFC 8166, section 3.3, RFC 8167, section 4.1, and draft 01, section 4.2.1.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
)

var (
	ruleGrantZero = newPair("grant-zero", rules.Error,
		"A grant of credits must never be zero.",
		"RPCRDMA1-3.3.1-2 RPCBIDI-5.2-3", "RPCRDMA2-4.2.1.1-3 RPCRDMA2-7-5", grave, in("rpcordma.flow_control", "rpcordma.credit_grant"))
	// A Responder can answer all the same: "the critical value is the granted value" (RFC 8166, section 3.3.1).
	ruleAskZero = newRule("rpc1-ask-zero", rules.Error,
		"A Call must not ask for zero credits: it could not be sent itself.", "RPCRDMA1-3.3.1-3", in("rpcordma.flow_control"))
	ruleCredits = newPair("credits", rules.Error,
		"No more Calls (version 1) or messages (version 2) may be sent than the receiver has granted credits for.",
		"RPCRDMA1-3.3.1-1 RPCRDMA1-3.3.1-3 RPCBIDI-4.1-1",
		"RPCRDMA2-4.2.1.1-4 RPCRDMA2-4.2.1.1-1 RPCRDMA2-6.2.2.2-10", answered(rules.SendNoBuffer))
	ruleCreditsLowered = newRule("rpc1-credits-lowered", rules.Warning,
		"No more Calls may be sent than the latest grant allows.", "RPCRDMA1-3.3.1-1", answered(rules.SendNoBuffer),
		lighter("The Requester may have sent the Call before it received the Reply that lowers the grant."))
	ruleFirstCall = newRule("rpc1-first-call", rules.Error,
		"A Requester must send its second Call only after the first Reply.", "RPCRDMA1-3.3.3-1", answered(rules.SendNoBuffer))
	ruleFirstSend = newRule("rpc2-first-send", rules.Error,
		"A client must send its second message only after the server's first.", "RPCRDMA2-4.2.3-1", answered(rules.SendNoBuffer))
	ruleGrantMax = newRule("rpc2-grant-max", rules.Warning,
		"No more credits may be granted than the sender announced as its maximum.", "RPCRDMA2-4.2.1.1-2",
		lighter("The draft does not say whether the maximum limits what a side grants or what it receives."), in("rpcordma.credit_grant"))
)

// credits are the messages of version 2 that one side may send. The count is the most permissive: every grant is added
// to the earlier ones, although draft 01 calls it a limit in places.
type credits struct {
	sent, limit uint64 // in the draft of 2022 only the low 32 bits of limit count
	over        bool   // sending beyond the grant was reported, since the latest grant
	unknown     bool   // grants may have been missed
}

// credit records the credits that a message grants, and that it uses one, in version 2. In version 1 a Responder grants
// them in its messages: see [Stream.Answered].
func (s *Stream) credit(from Side, m *rpcrdma.Message, v []rules.Violation) []rules.Violation {
	limit, grant := m.Granted()
	if m.Vers == rpcrdma.Vers1 || m.Dialect == rpcrdma.DialectVersion1 || m.Dialect == rpcrdma.DialectUnknown {
		switch {
		case grant > 0:
		case m.Role == rpcrdma.Responder:
			v = append(v, ruleGrantZero.Breach(m.Dialect, "rdma_credit 0", "at least 1"))
		case m.Role == rpcrdma.Requester:
			v = append(v, ruleAskZero.Breach("rdma_credit 0", "at least 1"))
		}
		return v
	}
	own, peer := &s.sides[from].credits, &s.sides[1-from].credits
	if m.Form != rpcrdma.FormGrant {
		v = own.use(from, m, s.sides[1-from].sent, v)
	}
	if m.Dialect == rpcrdma.DialectDraft2022 {
		peer.limit, peer.over = uint64(grant), false
		return v
	}
	switch {
	case grant == 0:
		v = append(v, ruleGrantZero.Breach(m.Dialect, "a grant of 0", "at least 1"))
	case limit != 0 && grant > limit:
		v = append(v, ruleGrantMax.Breach(fmt.Sprintf("a grant of %d", grant), fmt.Sprintf("at most %d", limit)))
	}
	peer.limit += uint64(grant)
	peer.over = peer.over && grant == 0
	return v
}

// use records that a side sends a message.
func (c *credits) use(from Side, m *rpcrdma.Message, answered bool, v []rules.Violation) []rules.Violation {
	c.sent++
	excess := c.sent > c.limit
	if m.Dialect == rpcrdma.DialectDraft2022 {
		if c.sent == 1 && from == Server {
			c.limit = max(c.limit, 1) // both sides may send one message before the first grant
		}
		excess = int32(uint32(c.sent)-uint32(c.limit)) > 0
	}
	switch {
	case !excess || c.unknown || c.over:
	case from == Client && !answered:
		c.over = true
		return append(v, ruleFirstSend.Breach(
			fmt.Sprintf("message %d", c.sent), "a message from the server first"))
	default:
		c.over = true
		return append(v, ruleCredits.Breach(m.Dialect,
			fmt.Sprintf("message %d", c.sent), fmt.Sprintf("credits for %d", c.limit)))
	}
	return v
}

// A requester holds the Calls of version 1 that one side has sent, and its credits for them.
type requester struct {
	open     uint32 // unanswered Calls
	granted  uint32 // by the latest answer; 0 before the first
	slack    uint32 // Calls that may still use an earlier, higher grant, because the sender may not know the latest
	answered bool
	unknown  bool // messages may have been missed: nothing is checked before the next answer

	refused [4]uint32 // header types that the other side does not support, each plus 1; version 2 only
}

func (r *requester) missed() { *r = requester{unknown: true} }

// called records a Call that asks for a number of credits.
func (r *requester) called(requested uint32, v []rules.Violation) []rules.Violation {
	r.open++
	if r.unknown {
		return v
	}
	if !r.answered {
		if r.open == 2 {
			v = append(v, ruleFirstCall.Breach("a second Call", "a Reply first"))
		}
		return v
	}
	limit := min(max(requested, 1), r.granted)
	if r.open <= limit {
		r.slack = max(r.slack, 1) - 1
		return v
	}
	seen, expected := fmt.Sprintf("%d Calls open", r.open), fmt.Sprintf("at most %d (credits granted)", limit)
	if r.slack > 0 {
		r.slack--
		return append(v, ruleCreditsLowered.Breach(seen, expected))
	}
	return append(v, ruleCredits.one.Breach(seen, expected))
}

// reply records the answer to an open Call.
//
// After a lower grant the Requester may use the previous one until it receives the lower one. That is the next of the
// Replies that it has not counted, so it counts at least open+1 Calls, and sends no more than the rest of the previous
// grant.
func (r *requester) reply(grant uint32) {
	grant = max(grant, 1) // a grant of 0 cannot be intended
	before := r.granted
	r.open = max(r.open, 1) - 1
	if left := before; r.answered && grant < before && left > r.open+1 {
		r.slack = max(r.slack, left-r.open-1)
	} else if grant >= before {
		r.slack = 0
	}
	r.granted, r.answered, r.unknown = grant, true, false
}
