package oncrpc

// The header of a Reply, RFC 5531, section 9:
//
//	+---------------------------+
//	| xid                       |  4 octets
//	| mtype (1)                 |  4
//	| reply_stat                |  4
//	+---------------------------+-+---------------------------+
//	| accepted (0):               | denied (1):               |
//	+-----------------------------+---------------------------+
//	| verf: flavor, length, body  | reject_stat               |  4
//	| accept_stat               4 +---------------------------+
//	| PROG_MISMATCH: low        4 | RPC_MISMATCH: low         |  4
//	|                high       4 |               high        |  4
//	| SUCCESS: results            | AUTH_ERROR: auth_stat     |  4
//	+-----------------------------+---------------------------+

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
)

// ReplyStat reports whether a Call was accepted (RFC 5531, section 9).
type ReplyStat uint32

// The states of a Reply.
const (
	Accepted ReplyStat = 0
	Denied   ReplyStat = 1
)

// AcceptStat is the outcome of a Call that was accepted (RFC 5531, section 9).
type AcceptStat uint32

// The outcomes of an accepted Call.
const (
	Success      AcceptStat = 0 // results follow
	ProgUnavail  AcceptStat = 1 // the program is not there
	ProgMismatch AcceptStat = 2 // the program is not there in this version
	ProcUnavail  AcceptStat = 3 // the program has no such procedure
	GarbageArgs  AcceptStat = 4 // the arguments cannot be decoded
	SystemErr    AcceptStat = 5 // something else went wrong
)

// RejectStat says why a Call was denied (RFC 5531, section 9).
type RejectStat uint32

// The reasons to deny a Call.
const (
	RPCMismatch RejectStat = 0 // the version of RPC is not supported
	AuthError   RejectStat = 1 // authentication failed; AuthStat says why
)

// AuthStat says why authentication failed (RFC 5531, section 9).
type AuthStat uint32

// The reasons for which authentication fails.
const (
	AuthOK               AuthStat = 0
	AuthBadCred          AuthStat = 1
	AuthRejectedCred     AuthStat = 2
	AuthBadVerf          AuthStat = 3
	AuthRejectedVerf     AuthStat = 4
	AuthTooWeak          AuthStat = 5
	AuthInvalidResp      AuthStat = 6
	AuthFailed           AuthStat = 7
	AuthKerbGeneric      AuthStat = 8
	AuthTimeExpire       AuthStat = 9
	AuthTktFile          AuthStat = 10
	AuthDecode           AuthStat = 11
	AuthNetAddr          AuthStat = 12
	RPCSECGSSCredProblem AuthStat = 13
	RPCSECGSSCtxProblem  AuthStat = 14
)

var (
	replyStats = &field.Enum{Kind: "ReplyStat", Values: []field.Value{
		{0, "MSG_ACCEPTED"}, {1, "MSG_DENIED"},
	}}
	acceptStats = &field.Enum{Kind: "AcceptStat", Values: []field.Value{
		{0, "SUCCESS"}, {1, "PROG_UNAVAIL"}, {2, "PROG_MISMATCH"}, {3, "PROC_UNAVAIL"}, {4, "GARBAGE_ARGS"},
		{5, "SYSTEM_ERR"},
	}}
	rejectStats = &field.Enum{Kind: "RejectStat", Values: []field.Value{
		{0, "RPC_MISMATCH"}, {1, "AUTH_ERROR"},
	}}
	authStats = &field.Enum{Kind: "AuthStat", Values: []field.Value{
		{0, "AUTH_OK"}, {1, "AUTH_BADCRED"}, {2, "AUTH_REJECTEDCRED"}, {3, "AUTH_BADVERF"}, {4, "AUTH_REJECTEDVERF"},
		{5, "AUTH_TOOWEAK"}, {6, "AUTH_INVALIDRESP"}, {7, "AUTH_FAILED"}, {8, "AUTH_KERB_GENERIC"},
		{9, "AUTH_TIMEEXPIRE"}, {10, "AUTH_TKT_FILE"}, {11, "AUTH_DECODE"}, {12, "AUTH_NET_ADDR"},
		{13, "RPCSEC_GSS_CREDPROBLEM"}, {14, "RPCSEC_GSS_CTXPROBLEM"},
	}}
)

// String returns "MSG_ACCEPTED", "MSG_DENIED", or the number of an unknown state, "ReplyStat2".
func (s ReplyStat) String() string { return replyStats.Name(uint64(s)) }

// NotOffered reports whether the server does not have what was called: the program, its version or the procedure. Clients
// probe servers in this way.
func (s AcceptStat) NotOffered() bool {
	return s == ProgUnavail || s == ProgMismatch || s == ProcUnavail
}

// String returns "PROG_MISMATCH", or the number of an unknown outcome, "AcceptStat6".
func (s AcceptStat) String() string { return acceptStats.Name(uint64(s)) }

// String returns "RPC_MISMATCH", "AUTH_ERROR", or the number of an unknown reason, "RejectStat2".
func (s RejectStat) String() string { return rejectStats.Name(uint64(s)) }

// String returns "AUTH_TOOWEAK", or the number of an unknown reason, "AuthStat15".
func (s AuthStat) String() string { return authStats.Name(uint64(s)) }

const replySource = "RFC 5531, section 9"

// Reply is the header of a Reply (RFC 5531, section 9); if the Call succeeded, its results follow. The type stands for
// mtype 1. Fields of parts that a Reply does not have are zero.
type Reply struct {
	XID        uint32 // that of the Call
	ReplyStat  ReplyStat
	Verf       OpaqueAuth // if Accepted
	AcceptStat AcceptStat // if Accepted
	RejectStat RejectStat // if Denied
	Low, High  uint32     // if ProgMismatch or RPCMismatch: the lowest and highest version that is supported
	AuthStat   AuthStat   // if AuthError
}

var (
	errReplyType  = ReplyFields.Err("rpc.msgtyp", field.ErrValue, "is not 1, that of a Reply (RFC 5531, section 9)")
	errReplyStat  = ReplyFields.Err("rpc.replystat", field.ErrValue, "is neither 0, accepted, nor 1, denied (RFC 5531, section 9)")
	errRejectStat = DeniedFields.Err("rpc.state_reject", field.ErrValue, "is neither 0, RPC_MISMATCH, nor 1, AUTH_ERROR (RFC 5531, section 9)")
	errAcceptStat = AcceptedFields.Err("rpc.state_accept", field.ErrValue, "is not defined (RFC 5531, section 9)")
	errAuthStat   = AuthErrorFields.Err("rpc.state_auth", field.ErrValue, "is not defined (RFC 5531, section 9)")
)

// Decode reads the header of a Reply at the beginning of b and returns its length: where the results begin, if the Call
// succeeded. If b ends first, Decode returns len(b) and an error that wraps field.ErrShort and names the first
// field that is not whole. If the message is not a Reply, or its reply_stat or reject_stat is not defined, which leaves
// the rest unknown, Decode returns the offset of that field and an error that wraps field.ErrValue. The fields
// before the error are valid.
func (h *Reply) Decode(b []byte) (n int, err error) {
	*h = Reply{}
	var head [ReplyLen]byte
	n = copy(head[:], b)
	h.XID = order.Uint32(head[0:])
	h.ReplyStat = ReplyStat(order.Uint32(head[8:]))
	switch {
	case n >= typeOff+4 && !IsReply(b):
		return typeOff, errReplyType
	case n < ReplyLen:
		return n, ReplyFields.Short(n)
	case h.ReplyStat == Accepted:
		n, err = h.decodeAccepted(b[ReplyLen:])
	case h.ReplyStat == Denied:
		n, err = h.decodeDenied(b[ReplyLen:])
	default:
		return ReplyLen - 4, errReplyStat
	}
	return ReplyLen + n, err
}

func (h *Reply) decodeAccepted(b []byte) (n int, err error) {
	n, err = h.Verf.decode(b, errsVerifier)
	if err != nil {
		return n, err
	}
	if len(b) < n+4 {
		return len(b), AcceptedFields.Short(len(b) - n)
	}
	h.AcceptStat = AcceptStat(order.Uint32(b[n:]))
	if n += 4; h.AcceptStat != ProgMismatch {
		return n, nil
	}
	return h.decodeMismatch(b, n, ProgMismatchFields)
}

func (h *Reply) decodeDenied(b []byte) (n int, err error) {
	if len(b) < 4 {
		return len(b), DeniedFields.Short(len(b))
	}
	h.RejectStat = RejectStat(order.Uint32(b))
	switch h.RejectStat {
	case RPCMismatch:
		return h.decodeMismatch(b, 4, RPCMismatchFields)
	case AuthError:
		if len(b) < 8 {
			return len(b), AuthErrorFields.Short(len(b) - 4)
		}
		h.AuthStat = AuthStat(order.Uint32(b[4:]))
		return 8, nil
	}
	return 0, errRejectStat
}

// decodeMismatch reads low and high, which stand at off in b.
func (h *Reply) decodeMismatch(b []byte, off int, table *field.Table) (n int, err error) {
	var versions [8]byte
	n = copy(versions[:], b[off:])
	h.Low, h.High = order.Uint32(versions[0:]), order.Uint32(versions[4:])
	return off + n, table.Short(n)
}

// AppendBinary appends the header to b: of the parts after reply_stat those that belong to it, none if it is not
// defined. It never fails.
func (h *Reply) AppendBinary(b []byte) ([]byte, error) {
	b = order.AppendUint32(slices.Grow(b, h.Len()), h.XID)
	b = order.AppendUint32(b, uint32(TypeReply))
	b = order.AppendUint32(b, uint32(h.ReplyStat))
	switch h.ReplyStat {
	case Accepted:
		b = order.AppendUint32(h.Verf.append(b), uint32(h.AcceptStat))
	case Denied:
		b = order.AppendUint32(b, uint32(h.RejectStat))
	}
	switch {
	case h.hasVersions():
		b = order.AppendUint32(b, h.Low)
		b = order.AppendUint32(b, h.High)
	case h.hasAuthStat():
		b = order.AppendUint32(b, uint32(h.AuthStat))
	}
	return b, nil
}

func (h *Reply) hasVersions() bool {
	return h.ReplyStat == Accepted && h.AcceptStat == ProgMismatch || h.ReplyStat == Denied && h.RejectStat == RPCMismatch
}

func (h *Reply) hasAuthStat() bool { return h.ReplyStat == Denied && h.RejectStat == AuthError }

// Len returns the number of octets that AppendBinary writes.
func (h *Reply) Len() int {
	n := ReplyLen
	switch h.ReplyStat {
	case Accepted:
		n += h.Verf.Len() + 4
	case Denied:
		n += 4
	}
	switch {
	case h.hasVersions():
		n += 8
	case h.hasAuthStat():
		n += 4
	}
	return n
}

// Succeeded reports whether the results of the procedure follow.
func (h *Reply) Succeeded() bool { return h.ReplyStat == Accepted && h.AcceptStat == Success }

// Stat returns the outcome of the Call in one word: the name of the accept_stat; if it was denied, of the reject_stat; if
// authentication failed, of the auth_stat.
func (h *Reply) Stat() string {
	switch {
	case h.hasAuthStat():
		return h.AuthStat.String()
	case h.ReplyStat == Denied:
		return h.RejectStat.String()
	case h.ReplyStat == Accepted:
		return h.AcceptStat.String()
	}
	return h.ReplyStat.String()
}

// Check reports what a sender must not send: a state that is not defined, or a verifier that is too long or whose
// length or fill is wrong. The error wraps field.ErrValue and names the field.
func (h *Reply) Check() error {
	switch h.ReplyStat {
	case Accepted:
		if err := h.Verf.Body.Check(MaxAuth, errsVerifier.body); err != nil {
			return err
		}
		if h.AcceptStat > SystemErr {
			return errAcceptStat
		}
		return nil
	case Denied:
		switch {
		case h.RejectStat > AuthError:
			return errRejectStat
		case h.RejectStat == AuthError && h.AuthStat > RPCSECGSSCtxProblem:
			return errAuthStat
		}
		return nil
	}
	return errReplyStat
}
