package rpctext

// ONC RPC messages (RFC 5531, section 9).

import "strings"

// The status of an accepted Reply.
const (
	Success      Word = 0
	ProgUnavail  Word = 1
	ProgMismatch Word = 2
	ProcUnavail  Word = 3
	GarbageArgs  Word = 4
	SystemErr    Word = 5
)

// The lengths in octets of a Call and of an accepted Reply, without arguments and results.
const (
	CallLen  = 40
	ReplyLen = 24
)

const rpcVersion Word = 2

// authNone is an anonymous credential or verifier: its flavor and its length.
const authNone = "00000000 00000000"

// A Call is anonymous, with AUTH_NONE. CallOf returns a correct one.
type Call struct {
	XID, MsgType, RPCVers, Program, Version, Proc Word
	Args                                          string
}

// CallOf returns a Call of a procedure of the program conform.
func CallOf(xid, proc Word, args string) Call {
	return Call{XID: xid, RPCVers: rpcVersion, Program: Program, Version: ProgramVersion, Proc: proc, Args: args}
}

// NullCall returns a Call of the procedure NULL of a program, which has CallLen octets.
func NullCall(xid, program, version Word) string {
	c := CallOf(xid, ProcNull, "")
	c.Program, c.Version = program, version
	return c.String()
}

// String returns the Call as octets of a Scenario.
func (c Call) String() string {
	return Join(Words(c.XID, c.MsgType, c.RPCVers, c.Program, c.Version, c.Proc), authNone, authNone, c.Args)
}

// WithAuthSys returns a Call, given in hexadecimal digits, with credentials of AUTH_SYS (RFC 5531, appendix A) in place of
// AUTH_NONE. They make it longer by a number of octets: 20 to 272, a multiple of four.
func WithAuthSys(call string, octets int) string {
	const flavor, fixed, before = 1, 20, CallLen - 16 // stamp, length of the name, uid, gid, number of more gids
	name := strings.Repeat("6e", octets-fixed)
	credential := Join(Words(flavor, Word(octets), 0x73746d70, Word(octets-fixed)), name, Words(0, 0, 0))
	digits := strings.ReplaceAll(call, " ", "")
	return Join(digits[:2*before], credential, digits[2*(before+8):])
}

// Reply returns an accepted Reply with its status and results, or the lowest and the highest version of PROG_MISMATCH,
// which match any if none are given.
func Reply(xid, status Word, results string) string {
	if status == ProgMismatch && results == "" {
		results = Words(Any, Any)
	}
	return Join(Words(xid, 1, 0), authNone, status.String(), results)
}

// Mismatch returns a Reply that denies a Call because of its RPC version, and reports version 2 as the only one.
func Mismatch(xid Word) string { return Words(xid, 1, 1, 0, rpcVersion, rpcVersion) }
