package rpcrules

// The transport header alone, RFC 8166, section 4, and draft 01, section 6.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
)

var (
	ruleHeader = newPair("header", rules.Error,
		"Every Send must begin with a complete transport header.",
		"RPCRDMA1-3.2-1 RPCRDMA1-4.5-1", "RPCRDMA2-4.1-1 RPCRDMA2-7-1", grave)
	ruleXDR = newPair("xdr", rules.Error,
		"A transport header must be XDR: words of four octets, discriminators of 0 or 1, correct counts.",
		"RPCRDMA1-4.1.2-1 RPCRDMA1-4-1", "RPCRDMA2-8.3-1", grave)
	ruleKind = newPair("kind", rules.Error,
		"rdma_proc or rdma_htype must be one that the version defines and allows to send.",
		"RPCRDMA1-4.2.4-1 RPCRDMA1-4.6.1-1 RPCRDMA1-4.6.2-1", "RPCRDMA2-7.2-1", grave, in("rpcordma.msg_type"))
	ruleBody = newPair("body", rules.Error,
		"Without payload after the header, the RPC message must be in a Position Zero Read chunk (Call) or "+
			"the Reply chunk (Reply).",
		"RPCRDMA1-4.2.4-3 RPCRDMA1-3.5.3-2", "RPCRDMA2-6.3.2-1 RPCRDMA2-4.4.3-1", grave)
	ruleTrailing = newPair("trailing", rules.Error,
		"Nothing may follow the header of a message without payload.",
		"RPCRDMA1-3.5.3-7", "RPCRDMA2-4.4.3-5 RPCRDMA2-6.3.3-1", in("rpcordma.trailing"))
	ruleFlags = newRule("rpc2-flags", rules.Error,
		"The reserved bits of rdma_flags must be zero.", "RPCRDMA2-6.2.2-1", in("rpcordma.flags.reserved"))
	ruleErrorFlag = newRule("rpc2-error-flag", rules.Error,
		"RDMA2_ERROR must have the RESPONSE flag set.", "RPCRDMA2-6.2.2.1-4", in("rpcordma.flags.response"))
	ruleMore = newRule("rpc2-more", rules.Error,
		"MORE must not be set except on RDMA2_MSG and RDMA2_CONNPROP.", "RPCRDMA2-6.2.2.2-5", in("rpcordma.flags.more"))
	ruleMoreChunks = newRule("rpc2-more-chunks", rules.Error,
		"Chunks must be in the last message of a sequence, in which MORE is clear.",
		"RPCRDMA2-6.2.2.2-9 RPCRDMA2-6.2.2.2-7", in("rpcordma.flags.more"))
	ruleTPMore = newRule("rpc2-tpmore", rules.Error,
		"TPMORE must not be set except on RDMA2_CONNPROP.", "RPCRDMA2-6.2.2.3-1", in("rpcordma.flags.tpmore"))
	ruleGrantXID = newRule("rpc2-grant-xid", rules.Error,
		"A message that only grants credits must have XID 0.", "RPCRDMA2-6.3.2-2", in("rpcordma.xid"))
)

// checkHeader checks a header of a known version alone. [CheckPayload] checks the payload.
func checkHeader(m *rpcrdma.Message, v []rules.Violation) (*Fault, []rules.Violation) {
	if m.Form == rpcrdma.FormError {
		return nil, checkError(m, v)
	}
	if fault, v := checkKind(m, v); fault != nil {
		return fault, v
	}
	fault, v := checkFlags(m, v)
	switch {
	case fault != nil:
	case m.Err != nil && m.Form == rpcrdma.FormProperties:
		return badProperties(m, v)
	case m.Err != nil:
		return faultXDR, append(v, ruleXDR.Breach(m.Dialect, m.Err.Error(), "a header that can be decoded"))
	default:
		fault, v = checkLists(m, v)
	}
	before := len(v)
	v = checkTrailing(m, v)
	if fault == nil && hasRPC(m) && len(v) > before {
		fault = faultXDR
	}
	return fault, v
}

// checkKind checks rdma_proc or rdma_htype.
func checkKind(m *rpcrdma.Message, v []rules.Violation) (*Fault, []rules.Violation) {
	padded := m.Dialect == rpcrdma.DialectVersion1 && rpcrdma.Proc(m.Kind) == rpcrdma.ProcMsgP
	switch {
	case m.Form == rpcrdma.FormDone:
		return faultSilent, append(v, ruleKind.Breach(m.Dialect, m.KindName(), "a type that may be sent"))
	case padded:
		return faultKind, append(v, ruleKind.Breach(m.Dialect, m.KindName(), "a type that may be sent"))
	case m.Form == rpcrdma.FormUnknown:
		return faultKind, append(v, ruleKind.Breach(m.Dialect, m.KindName(), "a type that is defined"))
	}
	return nil, v
}

const reservedFlags = ^(rpcrdma.FlagResponse | rpcrdma.FlagMore | rpcrdma.FlagTPMore)

// checkFlags checks rdma_flags of draft 01 of version 2.
func checkFlags(m *rpcrdma.Message, v []rules.Violation) (*Fault, []rules.Violation) {
	if m.Flags&reservedFlags != 0 {
		v = append(v, ruleFlags.Breach(m.Flags.String(), "no reserved bits")) // a receiver ignores them
	}
	if m.Flags&(rpcrdma.FlagMore|rpcrdma.FlagTPMore) == 0 {
		return nil, v
	}
	more, props := m.Flags&rpcrdma.FlagMore != 0, m.Form == rpcrdma.FormProperties
	switch {
	case m.Flags&rpcrdma.FlagTPMore != 0 && !props:
		return faultKind, append(v, ruleTPMore.Breach("TPMORE in "+m.KindName(), "TPMORE clear"))
	case more && m.Form != rpcrdma.FormInline && !props:
		return faultContinuation, append(v, ruleMore.Breach("MORE in "+m.KindName(), "MORE clear"))
	case more && m.HasChunks():
		return faultContinuation, append(v, ruleMoreChunks.Breach("chunks and MORE", "MORE clear, or no chunks"))
	}
	return nil, v
}

// checkTrailing checks what follows the header of a message without payload.
func checkTrailing(m *rpcrdma.Message, v []rules.Violation) []rules.Violation {
	mayFollow := m.Err != nil || m.Form == rpcrdma.FormInline || m.Form == rpcrdma.FormUnknown
	if rest := m.Len - m.HeaderLen; rest > 0 && !mayFollow {
		if m.Flags&rpcrdma.FlagMore == 0 {
			v = append(v, ruleTrailing.Breach(m.Dialect,
				fmt.Sprintf("%d octets after %s", rest, m.KindName()), "none"))
		}
	}
	return v
}

// badProperties checks an RDMA2_CONNPROP that cannot be decoded (D-18 of package rpcrdma). If it continues in the next
// message, it may end anywhere.
func badProperties(m *rpcrdma.Message, v []rules.Violation) (*Fault, []rules.Violation) {
	if m.Flags&rpcrdma.FlagMore != 0 {
		return nil, v
	}
	if rpcrdma.IsPropData(m.Err) {
		return faultPropertyShort, append(v, ruleProperty.Breach(m.Err.Error(), "complete data"))
	}
	return faultProperties, append(v, ruleXDR.Breach(m.Dialect, m.Err.Error(), "a header that can be decoded"))
}

// hasRPC reports whether the message carries an RPC message or a part of one.
func hasRPC(m *rpcrdma.Message) bool {
	return m.Form == rpcrdma.FormInline || m.Form == rpcrdma.FormBody
}
