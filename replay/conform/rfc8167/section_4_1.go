package rfc8167

// Section 4.1: credits in the reverse direction.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section41 = about("4.1", "credits", func() []conform.Case {
	return []conform.Case{
		{Name: "one-at-first", Requirements: []string{"RPCRDMA1-3.3.3-1", "RPCRDMA1-3.3.1-1"}, Need: conform.RPCReverse,
			Says: "Before anything was granted there is one credit: the peer's second Call comes behind our first Reply.",
			Ask: func(s *conform.Setup) []string {
				return []string{script(
					callback(firstXID, 3, 0), comes(1, 0), still(s, 0x201), answers(1, rpctext.Credits), some(2, 3),
					answers(2, rpctext.Credits), answers(3, rpctext.Credits), reports(firstXID+1, 3, 3, 0))}
			}},
		{Name: "one-after-the-other", Requirements: []string{"RPCRDMA1-3.3.1-1", "RPCRDMA1-3.3.1-3"}, Need: conform.RPCReverse,
			Says: "Who grants one credit gets one Call at a time.",
			Ask: func(s *conform.Setup) []string {
				lines := []string{callback(firstXID, 4, 0)}
				for n := 1; n <= 4; n++ {
					lines = append(lines, comes(n, 0), still(s, 0x200+rpctext.Word(n)), answers(n, 1))
				}
				return []string{script(append(lines, reports(firstXID+1, 4, 4, 0))...)}
			}},
		{Name: "as-many-as-granted", Requirements: []string{"RPCRDMA1-3.3.1-1", "RPCRDMA1-3.3.1-3", "RPCBIDI-4.1-2"},
			Need: conform.RPCReverse,
			Says: "No more Calls are open than are granted; each Reply makes room for one.",
			Ask: func(s *conform.Setup) []string {
				return []string{script(
					callback(firstXID, 8, 0), comes(1, 0), answers(1, 3), some(2, 4), still(s, 0x201),
					answers(3, 3), comes(5, 0), still(s, 0x202),
					answers(2, 3), answers(4, 3), answers(5, 3), some(6, 8),
					answers(8, 3), answers(7, 3), answers(6, 3), reports(firstXID+1, 8, 8, 0))}
			}},
		{Name: "grant-lowered", Requirements: []string{"RPCRDMA1-3.3.1-1", "RPCRDMA1-3.3.1-4"}, Need: conform.RPCReverse,
			Says: "A grant that was lowered holds from then on, and one that was raised again, too.",
			Ask: func(s *conform.Setup) []string {
				return []string{script(
					callback(firstXID, 8, 0), comes(1, 0), answers(1, 3), some(2, 4),
					answers(2, 1), answers(3, 1), still(s, 0x201), answers(4, 1), comes(5, 0), still(s, 0x202),
					answers(5, 2), some(6, 7), still(s, 0x203), answers(6, 2), comes(8, 0),
					answers(7, 2), answers(8, 2), reports(firstXID+1, 8, 8, 0))}
			}},
		{Name: "granted-by-an-error", Requirements: []string{"RPCRDMA1-3.3.1-8", "RPCRDMA1-3.3.1-1"}, Need: conform.RPCReverse,
			Says: "An RDMA_ERROR in place of a Reply grants credits as well.",
			Ask: conform.Text(script(
				callback(firstXID, 3, 0), comes(1, 0), sends(1, failure(2, rpctext.ErrChunk)), some(2, 3),
				answers(2, 2), answers(3, 2), reports(firstXID+1, 3, 2, 1)))},
		{Name: "apart", Requirements: []string{"RPCBIDI-4.1-1", "RPCBIDI-4.1-3"}, Need: conform.RPCReverse,
			Says: "Calls of ours, and the credits that they request, have nothing to do with the Calls of the peer.",
			Ask: func(s *conform.Setup) []string {
				lines := []string{callback(firstXID, 2, 0), comes(1, 0)}
				for i, credits := range []rpctext.Word{0, 1, 32, 0xffffffff} {
					xid := firstXID + 1 + rpctext.Word(i)
					m := rpctext.Msg(xid, none, rpctext.CallOf(xid, rpctext.ProcNull, "").String())
					m.Credit = credits
					lines = append(lines, "> Send "+m.String(), "< Send "+rpctext.NullReply(xid, rpctext.Success))
				}
				return []string{script(append(lines, still(s, 0x201), answers(1, 1), comes(2, 0), answers(2, 1),
					reports(0x202, 2, 2, 0))...)}
			}},
		{Name: "direction-unknown", Requirements: []string{"RPCBIDI-4.1-4", "RPCBIDI-4.1-3"}, Need: conform.RPCReverse,
			Says: "The credits of a message that does not tell its direction are ignored: they grant nothing.",
			Ask: func(s *conform.Setup) []string {
				lines := []string{callback(firstXID, 3, 0), comes(1, 0)}
				for i, proc := range []rpctext.Word{9, rpctext.RDMANoMsg, rpctext.RDMAMsgP, 0xffffffff} {
					m := rpctext.Message1{XID: 0x2000 + rpctext.Word(i), Vers: rpctext.Vers1, Credit: rpctext.Credits, Proc: proc}
					m.Body = rpctext.Words(0, 0, 0)
					lines = append(lines, "> Send "+m.String(), "< Send "+rpctext.RefusedChunk(m.XID))
				}
				return []string{script(append(lines, still(s, 0x201), answers(1, 1), comes(2, 0), still(s, 0x202),
					answers(2, 1), comes(3, 0), answers(3, 1))...)}
			}},
	}
})

// failure returns an RDMA_ERROR in place of the Reply to a Call of the peer.
func failure(granted, code rpctext.Word, more ...rpctext.Word) rpctext.Message1 {
	return rpctext.Message1{
		XID: theirXID, Vers: rpctext.Vers1, Credit: granted, Proc: rpctext.RDMAError,
		Body: rpctext.Words(append([]rpctext.Word{code}, more...)...),
	}
}
