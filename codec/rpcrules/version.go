package rpcrules

// Versions, RFC 8166, section 4.2.2, and draft 01, section 4.2.3.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
)

var (
	ruleVersion = newRule("rpc1-version", rules.Error,
		"rdma_vers must be that of a defined version.", "RPCRDMA1-4.2.2-1", grave, in("rpcordma.version"))
	ruleVersionChange = newPair("version-change", rules.Error,
		"All messages of a connection must have the same rdma_vers, in both directions and of both sides.",
		"RPCBIDI-5.1-1 RPCBIDI-5.2-1 RPCRDMA1-4.2.2-1",
		"RPCRDMA2-4.2.3.3-2 RPCRDMA2-4.2.3.3-1 RPCRDMA2-4.5.1-2 RPCRDMA2-4.5.2-2 RPCRDMA2-4.2.3-3", grave, in("rpcordma.version"))
	ruleVersionRefused = newRule("rpc2-version-refused", rules.Error,
		"After a version error, a client must use a version in the reported range.",
		"RPCRDMA2-7.1.1-3 RPCRDMA2-4.2.3.2-2", in("rpcordma.version"))
	ruleVersionAnswer = newRule("rpc2-version-answer", rules.Error,
		"A server must answer the first message of version 2 in version 2, or with a version error about it.",
		"RPCRDMA2-4.2.3.1-1 RPCRDMA2-4.2.3.2-1")
)

// A version is what is known of a connection's version.
type version struct {
	pinned    uint32 // of the first message whose version was not refused; 0 if there was none
	by        Side
	answered  bool // the other side has sent a message of that version
	unseen    bool // an error that reports that may not have been seen
	refused   bool // an error reported an unsupported version
	low, high uint32
}

// check checks the version of a message. A fault means that its receiver does not support it.
func (x *version) check(from Side, m *rpcrdma.Message, v []rules.Violation) (*Fault, []rules.Violation) {
	known := m.Vers == rpcrdma.Vers1 || m.Vers == rpcrdma.Vers2
	switch {
	case m.Form == rpcrdma.FormError && m.Err == nil:
		if known { // else nobody knows how it is laid out
			x.refusal(from, m)
		}
		return nil, v
	case m.Form == rpcrdma.FormError && m.Cut:
		x.unseen = x.unseen || from == Server
		return nil, v
	case !known && x.pinned != 0 && x.answered:
		return faultVersion, append(v, x.change(from, m))
	case !known:
		return faultVersion, append(v, ruleVersion.Breach(
			fmt.Sprintf("rdma_vers %d", m.Vers), "rdma_vers 1 or 2"))
	case m.Dialect == rpcrdma.DialectUnknown:
		return faultKind, append(v, ruleKind.Breach(rpcrdma.DialectVersion2,
			rpcrdma.HType(m.Kind).String(), "a type that is defined"))
	case x.refused && from == Client && (m.Vers < x.low || m.Vers > x.high):
		return faultVersion, append(v, ruleVersionRefused.Breach(
			fmt.Sprintf("rdma_vers %d", m.Vers), versionRange(x.low, x.high)))
	case x.pinned == 0:
		x.pinned, x.by = m.Vers, from
	case m.Vers != x.pinned && !x.answered && x.unseen: // the client has chosen again
		x.pinned = m.Vers
	case m.Vers != x.pinned && !x.answered && from != x.by:
		x.answered = true
		return faultVersion, append(v, ruleVersionAnswer.Breach(
			fmt.Sprintf("rdma_vers %d", m.Vers), fmt.Sprintf("rdma_vers %d", x.pinned)))
	case m.Vers != x.pinned:
		return faultVersion, append(v, x.change(from, m))
	}
	x.answered = x.answered || from != x.by
	x.refused = x.refused && from == Client // what a server uses it supports
	return nil, v
}

// change is a violation by a message that is not of the version of the connection. Version 2 says how the side begins that uses it.
func (x *version) change(from Side, m *rpcrdma.Message) rules.Violation {
	d := rpcrdma.DialectVersion1
	if x.pinned == rpcrdma.Vers2 || from == x.by && m.Vers == rpcrdma.Vers2 && m.Role == rpcrdma.Requester {
		d = rpcrdma.DialectVersion2
	}
	return ruleVersionChange.Breach(d, fmt.Sprintf("rdma_vers %d", m.Vers), fmt.Sprintf("rdma_vers %d", x.pinned))
}

func versionRange(low, high uint32) string {
	if low == high {
		return fmt.Sprintf("rdma_vers %d", low)
	}
	return fmt.Sprintf("rdma_vers %d to %d", low, high)
}

// refusal records an error: after a version error, before any other answer, the client chooses again.
func (x *version) refusal(from Side, m *rpcrdma.Message) {
	if from == Server && m.Error.Err == rpcrdma.ErrCode2Vers && !x.answered && m.Error.VersLow <= m.Error.VersHigh {
		x.refused, x.low, x.high = true, m.Error.VersLow, m.Error.VersHigh
		x.pinned = 0
	}
}
