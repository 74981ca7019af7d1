package rfc8167

// Sections 5.1 to 5.3 and 6: reverse Calls and their Replies.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section51 = about("5.1", "reverse Calls", func() []conform.Case {
	return []conform.Case{
		{Name: "null", Requirements: []string{"RPCBIDI-5.1-1", "RPCBIDI-5.1-2", "RPCBIDI-5.1-3"}, Need: conform.RPCReverse,
			Says: "A reverse Call has the version of the connection, its XID twice, and msg_type CALL.",
			Ask:  conform.Text(callback(firstXID, 1, 0), comes(1, 0), answers(1, 1), reports(firstXID+1, 1, 1, 0))},
		{Name: "echo", Requirements: []string{"RPCBIDI-5.1-2", "RPCBIDI-5.3-2"}, Need: conform.RPCReverse,
			Says: "The same holds with arguments, which are inline.",
			Ask:  conform.Texts(longest(echoHeader+1), longest(echoHeader+4), longest(echoHeader+100))},
	}
})

var section52 = about("5.2", "Replies to reverse Calls", func() []conform.Case {
	return []conform.Case{
		{Name: "answered", Requirements: []string{"RPCBIDI-2.4-2", "RPCBIDI-4.1-3"}, Need: conform.RPCReverse,
			Says: "Each RPC Reply answers its Call, even one with PROG_UNAVAIL.",
			Ask: conform.EachOf(func(message string) string {
				m := rpctext.Msg(theirXID, none, message)
				return script(
					callback(firstXID, 1, 0), comes(1, 0), sends(1, m), reports(firstXID+1, 1, 1, 0))
			}, rpctext.Reply(theirXID, rpctext.Success, ""), rpctext.Reply(theirXID, rpctext.ProgUnavail, ""),
				rpctext.Reply(theirXID, rpctext.ProgMismatch, rpctext.Words(1, 1)),
				rpctext.Reply(theirXID, rpctext.ProcUnavail, ""), rpctext.Reply(theirXID, rpctext.GarbageArgs, ""),
				rpctext.Reply(theirXID, rpctext.SystemErr, ""), rpctext.Mismatch(theirXID))},
		{Name: "refused", Requirements: []string{"RPCRDMA1-4.5-7", "RPCBIDI-2.4-2"}, Need: conform.RPCReverse,
			Says: "An RDMA_ERROR with the XID of an open Call completes it, without further effect.",
			Ask: conform.Texts(
				script(callback(firstXID, 1, 0), comes(1, 0), sends(1, failure(1, rpctext.ErrChunk)), reports(firstXID+1, 1, 0, 1)),
				script(callback(firstXID, 2, 0), comes(1, 0), sends(1, failure(1, rpctext.ErrVers, 1, 1)), comes(2, 0),
					answers(2, 1), reports(firstXID+1, 2, 1, 1)),
				script(callback(firstXID, 1, 0), comes(1, 0), sends(1, failure(1, rpctext.ErrChunk)), answers(1, 1),
					reports(firstXID+1, 1, 0, 1)))},
		passedOver("error-that-is-broken", []string{"RPCRDMA1-4.5-8", "RPCRDMA1-4.5-3"},
			"An RDMA_ERROR that cannot be decoded is ignored, even with the XID of an open Call.",
			failure(1, 0), failure(1, 3), failure(1, 0xffffffff), failure(1, rpctext.ErrVers), failure(1, rpctext.ErrVers, 1)),
		passedOver("header-that-is-wrong", []string{"RPCRDMA1-4.5-3", "RPCRDMA1-4.3.1-1"},
			"A Reply with a Read list, or with chunks that its Call did not have, is ignored.",
			withChunks(rpctext.Chunks{Reads: []rpctext.ReadSegment{{Position: 24, Segment: memory}}}),
			withChunks(rpctext.Chunks{Writes: [][]rpctext.Segment{{memory}}}),
			withChunks(rpctext.Chunks{Reply: []rpctext.Segment{memory}}),
			rpctext.NoMsg(theirXID, rpctext.Chunks{Reply: []rpctext.Segment{memory}})),
		passedOver("another-xid", []string{"RPCRDMA1-4.5-3", "RPCRDMA1-4.2.1-1", "RPCRDMA1-4.2.1-2"},
			"A Reply whose header and RPC message have different XIDs is ignored.",
			rpctext.Msg(theirXID, none, rpctext.Reply(0x20000, rpctext.Success, "")),
			rpctext.Msg(0x20000, none, rpctext.Reply(theirXID, rpctext.Success, ""))),
		passedOver("msgp", []string{"RPCRDMA1-4.6.1-3", "RPCRDMA1-4.5-3"},
			"A Requester ignores RDMA_MSGP.",
			rpctext.Message1{
				XID: theirXID, Vers: rpctext.Vers1, Credit: 1, Proc: rpctext.RDMAMsgP,
				Body: rpctext.Join(rpctext.Words(4, 1024, 0, 0, 0), rpctext.Reply(theirXID, rpctext.Success, "")),
			}),
		passedOver("done", []string{"RPCRDMA1-4.6.2-2"},
			"A Requester ignores RDMA_DONE.",
			rpctext.Message1{XID: theirXID, Vers: rpctext.Vers1, Credit: 1, Proc: rpctext.RDMADone},
			rpctext.Message1{
				XID: theirXID, Vers: rpctext.Vers1, Credit: 1, Proc: rpctext.RDMADone,
				Body: rpctext.Join(rpctext.Words(0, 0, 0), rpctext.Reply(theirXID, rpctext.Success, "")),
			}),
		passedOver("too-short", []string{"RPCRDMA1-4.5-1"},
			"A message of fewer than 28 octets is ignored, even with the XID of an open Call.",
			rpctext.Message1{XID: theirXID, Vers: rpctext.Vers1}, // 16 octets
			rpctext.Message1{XID: theirXID, Vers: rpctext.Vers1, Body: "00000000 0000"}),
	}
})

// memory is memory that was not advertised to the peer.
var memory = rpctext.Segment{Handle: 0x6001, Length: 64, Offset: 0x20000}

func withChunks(c rpctext.Chunks) rpctext.Message1 {
	return rpctext.Msg(theirXID, c, rpctext.Reply(theirXID, rpctext.Success, ""))
}

// passedOver returns a case with messages in place of the Reply to a Call of the peer, which it ignores. The Call stays
// open: the right Reply is accepted after them.
func passedOver(name string, requirements []string, says string, messages ...rpctext.Message1) conform.Case {
	return conform.Case{
		Name: name, Requirements: requirements, Need: conform.RPCReverse, Says: says,
		Ask: conform.EachOf(func(m rpctext.Message1) string {
			return script(callback(firstXID, 1, 0), comes(1, 0), sends(1, m), reports(firstXID+1, 1, 0, 0),
				answers(1, 1), reports(firstXID+2, 1, 1, 0))
		}, messages...),
	}
}

var section6 = about("6", "no unwanted reverse Calls", func() []conform.Case {
	return []conform.Case{
		{Name: "not-unasked", Requirements: []string{"RPCBIDI-6-1", "RPCRDMA1-3.3.1-7"},
			Says: "No reverse Call is sent without a request.",
			Ask: func(s *conform.Setup) []string {
				const xid = uint32(firstXID)
				return []string{silent, script("> Send "+s.Null(xid), "< Send "+s.NullReply(xid), silent)}
			}},
		{Name: "no-more-than-asked", Requirements: []string{"RPCBIDI-6-1"}, Need: conform.RPCReverse,
			Says: "The peer sends as many reverse Calls as requested, and no more.",
			Ask: conform.Texts(script(callback(firstXID, 0, 0), silent, reports(firstXID+1, 0, 0, 0)),
				script(callback(firstXID, 2, 0), comes(1, 0), answers(1, 32), comes(2, 0), answers(2, 32), silent,
					reports(firstXID+1, 2, 2, 0)))},
	}
})
