package rpcclient

import (
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// reverseXID is that of Calls to the client.
const reverseXID = 0x7e570001

// callback is the program of an NFS client (RFC 8881, section 20).
const callback oncrpc.Program = 0x40000000

// null returns a Call of NULL.
func null(xid uint32) []byte {
	h := oncrpc.Call{XID: xid, RPCVers: oncrpc.Version, Prog: callback, Vers: 1}
	b, _ := h.AppendBinary(nil)
	return b
}

var rfc8167 = []section{
	{"RFC8167", "2.4", "XIDs", []Case{
		{Name: "reply-to-nothing", Requirements: []string{"RPCBIDI-2.4-2", "RPCRDMA1-4.5-3"}, Due: Discards, Alter: func(a *Answer) bool {
			a.Header.XID ^= 1 << 31
			return a.encode() && word(len(a.Message)/4-len(a.Payload)/4, a.Header.XID)(a)
		}, Says: "A Reply without an open Call of its XID is ignored."},
		{Name: "reply-twice", Requirements: []string{"RPCBIDI-2.4-2", "RPCRDMA1-4.5-3"}, Due: GoesOn, Alter: func(a *Answer) bool {
			a.Before = [][]byte{a.Message}
			return true
		}, Says: "A second Reply to a Call is ignored."},
	}},
	{"RFC8167", "2.4.1", "XIDs of both directions", []Case{
		{Name: "call-with-the-clients-xid", Requirements: []string{"RPCBIDI-2.4.1-1"}, Due: Discards, Alter: func(a *Answer) bool {
			a.Message = reverse(new(rpcrdma.Version1), a.Header.XID, a.Header.XID)
			return true
		}, Says: "A Call of the server is not taken for the Reply to the open Call with the same XID."},
	}},
	{"RFC8167", "4.1", "credits", []Case{
		{Name: "no-direction", Requirements: []string{"RPCBIDI-4.1-4", "RPCRDMA1-4.2.4-4"}, Due: Complies, Check: one, Alter: func(a *Answer) bool {
			h := rpcrdma.Version1{XID: a.Header.XID ^ 1<<31, Vers: rpcrdma.Vers1, Credit: 32, Proc: rpcrdma.ProcNoMsg}
			b, _ := h.AppendBinary(nil)
			a.Before = [][]byte{b}
			return word(wordCredit, 1)(a)
		}, Says: "A message whose direction cannot be told is not refused, and its credits are ignored: with a grant of 1 before and after it, one Call is open at a time."},
	}},
	{"RFC8167", "4.3.1", "Receives", []Case{
		{Name: "as-granted", Requirements: []string{"RPCBIDI-4.3.1-1"}, Due: Serves, Alter: func(a *Answer) bool {
			for i := range uint32(a.Grant) {
				a.Before = append(a.Before, reverse(new(rpcrdma.Version1), reverseXID+i, reverseXID+i))
			}
			return true
		}, Says: "A client that takes Calls has a Receive for each that it grants, besides those for its own Calls."},
	}},
	{"RFC8167", "5.1", "Calls in the reverse direction", []Case{
		{Name: "other-xid", Requirements: []string{"RPCBIDI-5.1-2"}, Due: Refuses, Alter: preceded(new(rpcrdma.Version1), reverseXID+1),
			Says: "A Call to the client is refused if the XIDs of its header and its RPC message differ."},
	}},
	{"RFC8167", "5.3", "chunks in the reverse direction", []Case{
		{Name: "read-chunk", Requirements: []string{"RPCBIDI-5.3-3"}, Due: Refuses,
			Alter: preceded(&rpcrdma.Version1{Reads: rpcrdma.ReadList{}.Append(40, foreign)}, reverseXID),
			Says:  "A client without support for chunks refuses a Call with a Read chunk."},
		{Name: "write-chunk", Requirements: []string{"RPCBIDI-5.3-3"}, Due: Refuses,
			Alter: preceded(&rpcrdma.Version1{Writes: rpcrdma.WriteList{}.Append(foreign)}, reverseXID),
			Says:  "A client without support for chunks refuses a Call with a Write chunk."},
	}},
}
