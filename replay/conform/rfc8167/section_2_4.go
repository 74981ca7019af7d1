package rfc8167

// Sections 2.4 and 2.4.1: XIDs.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section24 = about("2.4", "XIDs", func() []conform.Case {
	return []conform.Case{
		{Name: "reply-to-nothing", Requirements: []string{"RPCBIDI-2.4-2", "RPCRDMA1-4.5-3"}, Need: conform.RPCReverse,
			Says: "A Reply whose XID is that of no open Call is passed over, whether one is open or not.",
			Ask: func(*conform.Setup) []string {
				unsolicited := rpctext.Msg(0x20000, none, rpctext.Reply(0x20000, rpctext.Success, "")).String()
				return []string{
					script(null(firstXID), "> Send "+unsolicited, null(firstXID+1), reports(firstXID+2, 0, 0, 0)),
					script(callback(firstXID, 1, 0), comes(1, 0), "> Send "+unsolicited, reports(firstXID+1, 1, 0, 0), answers(1, 1),
						reports(firstXID+2, 1, 1, 0)),
				}
			}},
		{Name: "reply-twice", Requirements: []string{"RPCBIDI-2.4-2", "RPCRDMA1-4.5-3"}, Need: conform.RPCReverse,
			Says: "A second Reply to a Call is passed over.",
			Ask: conform.Text(script(
				callback(firstXID, 1, 0), comes(1, 0), answers(1, 1), answers(1, 1), answers(1, 1), reports(firstXID+1, 1, 1, 0)))},
		{Name: "own-call-as-reply", Requirements: []string{"RPCBIDI-2.4-2", "RPCBIDI-2.4.1-1"}, Need: conform.RPCReverse,
			Says: "The XIDs of our own Calls are not those of the peer's: a Reply to one of ours, by ourselves, is passed over.",
			Ask: conform.Text(script(
				callback(firstXID, 1, 0), comes(1, 0),
				"> Send "+rpctext.Msg(firstXID, none, rpctext.Reply(firstXID, rpctext.Success, "")).String(),
				reports(firstXID+1, 1, 0, 0), answers(1, 1), reports(firstXID+2, 1, 1, 0)))},
	}
})

var section241 = about("2.4.1", "the same XID in both directions", func() []conform.Case {
	return []conform.Case{
		{Name: "call-with-the-peers-xid", Requirements: []string{"RPCBIDI-2.4.1-1"}, Need: conform.RPCReverse,
			Says: "A Call of ours may have the XID of a Call of the peer that is open: each is answered for itself.",
			Ask: conform.Text(script(
				callback(firstXID, 1, 0), comes(1, 0), of(1, null(theirXID)), reports(firstXID+1, 1, 0, 0), answers(1, 1),
				reports(firstXID+2, 1, 1, 0)))},
		{Name: "answered-first", Requirements: []string{"RPCBIDI-2.4.1-1"}, Need: conform.RPCReverse,
			Says: "That is so in whatever order they are answered, and more than once.",
			Ask: conform.Text(script(
				callback(firstXID, 1, 0), comes(1, 0), of(1, null(theirXID)), of(1, null(theirXID)), answers(1, 1),
				of(1, null(theirXID)), reports(firstXID+1, 1, 1, 0)))},
	}
})
