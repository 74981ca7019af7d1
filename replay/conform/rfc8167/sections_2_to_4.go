package rfc8167

// Sections 2.4 to 4.3: XIDs, credits and Receives in the reverse direction.

import (
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section24 = about("2.4", "XIDs", func() []conform.Case {
	return []conform.Case{
		{Name: "reply-to-nothing", Requirements: []string{"RPCBIDI-2.4-2", "RPCRDMA1-4.5-3"}, Need: conform.RPCReverse,
			Says: "A Reply without an open Call of its XID is ignored, whether other Calls are open or not.",
			Ask: func(*conform.Setup) []string {
				unsolicited := rpctext.Msg(0x20000, none, rpctext.Reply(0x20000, rpctext.Success, "")).String()
				return []string{
					script(null(firstXID), "> Send "+unsolicited, null(firstXID+1), reports(firstXID+2, 0, 0, 0)),
					script(callback(firstXID, 1, 0), comes(1, 0), "> Send "+unsolicited, reports(firstXID+1, 1, 0, 0), answers(1, 1),
						reports(firstXID+2, 1, 1, 0)),
				}
			}},
		{Name: "reply-twice", Requirements: []string{"RPCBIDI-2.4-2", "RPCRDMA1-4.5-3"}, Need: conform.RPCReverse,
			Says: "A second Reply to a Call is ignored.",
			Ask: conform.Text(
				callback(firstXID, 1, 0), comes(1, 0), answers(1, 1), answers(1, 1), answers(1, 1), reports(firstXID+1, 1, 1, 0))},
		{Name: "own-call-as-reply", Requirements: []string{"RPCBIDI-2.4-2", "RPCBIDI-2.4.1-1"}, Need: conform.RPCReverse,
			Says: "XIDs of the two directions are separate: a Reply of ours to our own Call is ignored.",
			Ask: conform.Text(
				callback(firstXID, 1, 0), comes(1, 0),
				"> Send "+rpctext.Msg(firstXID, none, rpctext.Reply(firstXID, rpctext.Success, "")).String(),
				reports(firstXID+1, 1, 0, 0), answers(1, 1), reports(firstXID+2, 1, 1, 0))},
	}
})

var section241 = about("2.4.1", "the same XID in both directions", func() []conform.Case {
	return []conform.Case{
		{Name: "call-with-the-peers-xid", Requirements: []string{"RPCBIDI-2.4.1-1"}, Need: conform.RPCReverse,
			Says: "A Call of ours may have the XID of an open Call of the peer: each is answered separately.",
			Ask: conform.Text(
				callback(firstXID, 1, 0), comes(1, 0), of(1, null(theirXID)), reports(firstXID+1, 1, 0, 0), answers(1, 1),
				reports(firstXID+2, 1, 1, 0))},
		{Name: "answered-first", Requirements: []string{"RPCBIDI-2.4.1-1"}, Need: conform.RPCReverse,
			Says: "That holds in any order of the answers, and repeatedly.",
			Ask: conform.Text(
				callback(firstXID, 1, 0), comes(1, 0), of(1, null(theirXID)), of(1, null(theirXID)), answers(1, 1),
				of(1, null(theirXID)), reports(firstXID+1, 1, 1, 0))},
	}
})

var section41 = about("4.1", "credits", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.RPCReverse}, []conform.Case{
		{Name: "one-at-first", Requirements: []string{"RPCRDMA1-3.3.3-1", "RPCRDMA1-3.3.1-1"},
			Says: "Before the first grant there is one credit: the peer's second Call follows our first Reply.",
			Ask: conform.Text(
				callback(firstXID, 3, 0), comes(1, 0), still(0x201), answers(1, rpctext.Credits), some(2, 3),
				answers(2, rpctext.Credits), answers(3, rpctext.Credits), reports(firstXID+1, 3, 3, 0))},
		{Name: "one-after-the-other", Requirements: []string{"RPCRDMA1-3.3.1-1", "RPCRDMA1-3.3.1-3"},
			Says: "With a grant of one credit the peer sends one Call at a time.",
			Ask: func(s *conform.Setup) []string {
				lines := []string{callback(firstXID, 4, 0)}
				for n := 1; n <= 4; n++ {
					lines = append(lines, comes(n, 0), still(0x200+rpctext.Word(n)), answers(n, 1))
				}
				return []string{script(append(lines, reports(firstXID+1, 4, 4, 0))...)}
			}},
		{Name: "as-many-as-granted", Requirements: []string{"RPCRDMA1-3.3.1-1", "RPCRDMA1-3.3.1-3", "RPCBIDI-4.1-2"},
			Says: "No more Calls are open than granted; each Reply allows another.",
			Ask: conform.Text(
				callback(firstXID, 8, 0), comes(1, 0), answers(1, 3), some(2, 4), still(0x201),
				answers(3, 3), comes(5, 0), still(0x202),
				answers(2, 3), answers(4, 3), answers(5, 3), some(6, 8),
				answers(8, 3), answers(7, 3), answers(6, 3), reports(firstXID+1, 8, 8, 0))},
		{Name: "grant-lowered", Requirements: []string{"RPCRDMA1-3.3.1-1", "RPCRDMA1-3.3.1-4"},
			Says: "A lowered grant applies from then on, and so does one raised again.",
			Ask: conform.Text(
				callback(firstXID, 8, 0), comes(1, 0), answers(1, 3), some(2, 4),
				answers(2, 1), answers(3, 1), still(0x201), answers(4, 1), comes(5, 0), still(0x202),
				answers(5, 2), some(6, 7), still(0x203), answers(6, 2), comes(8, 0),
				answers(7, 2), answers(8, 2), reports(firstXID+1, 8, 8, 0))},
		{Name: "granted-by-an-error", Requirements: []string{"RPCRDMA1-3.3.1-8", "RPCRDMA1-3.3.1-1"},
			Says: "An RDMA_ERROR in place of a Reply grants credits as well.",
			Ask: conform.Text(
				callback(firstXID, 3, 0), comes(1, 0), sends(1, failure(2, rpctext.ErrChunk)), some(2, 3),
				answers(2, 2), answers(3, 2), reports(firstXID+1, 3, 2, 1))},
		{Name: "apart", Requirements: []string{"RPCBIDI-4.1-1", "RPCBIDI-4.1-3"},
			Says: "Our Calls, and the credits that they request, do not affect the Calls of the peer.",
			Ask: func(s *conform.Setup) []string {
				lines := []string{callback(firstXID, 2, 0), comes(1, 0)}
				for i, credits := range []rpctext.Word{0, 1, 32, 0xffffffff} {
					xid := firstXID + 1 + rpctext.Word(i)
					m := rpctext.Msg(xid, none, rpctext.CallOf(xid, rpctext.ProcNull, "").String())
					m.Credit = credits
					lines = append(lines, "> Send "+m.String(), "< Send "+rpctext.NullReply(xid, rpctext.Success))
				}
				return []string{script(append(lines, still(0x201), answers(1, 1), comes(2, 0), answers(2, 1),
					reports(0x202, 2, 2, 0))...)}
			}},
		{Name: "direction-unknown", Requirements: []string{"RPCBIDI-4.1-4", "RPCBIDI-4.1-3"},
			Says: "The credits of a message without a direction are ignored: they grant nothing.",
			Ask: func(s *conform.Setup) []string {
				lines := []string{callback(firstXID, 3, 0), comes(1, 0)}
				for i, proc := range []rpctext.Word{9, rpctext.RDMANoMsg, rpctext.RDMAMsgP, 0xffffffff} {
					m := rpctext.OfType(0x2000+rpctext.Word(i), proc, rpctext.Words(0, 0, 0))
					lines = append(lines, "> Send "+m.String(), "< Send "+rpctext.RefusedChunk(m.XID))
				}
				return []string{script(append(lines, still(0x201), answers(1, 1), comes(2, 0), still(0x202),
					answers(2, 1), comes(3, 0), answers(3, 1))...)}
			}},
	})
})

// failure returns an RDMA_ERROR in place of the Reply to a Call of the peer.
func failure(granted, code rpctext.Word, more ...rpctext.Word) rpctext.Message1 {
	m := rpctext.Failure1(theirXID, code, more...)
	m.Credit = granted
	return m
}

var section42 = about("4.2", "inline thresholds", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.RPCReverse}, []conform.Case{
		{Name: "call-of-1024-octets", Requirements: []string{"RPCBIDI-4.2-1", "RPCRDMA1-3.3.3-4"},
			Says: "By default a Call of the peer may have 1024 octets.",
			Ask:  conform.Text(longest(1024))},
		{Name: "call-of-more", Requirements: []string{"RPCBIDI-4.2-1", "RPCBIDI-5.3-2", "RPCRDMA1-3.3.3-4"},
			Says: "A longer Call is not sent, nor is a chunk used for it.",
			Ask:  conform.Texts(tooLong(1028), tooLong(2048), tooLong(8192))},
		{Name: "call-by-private-data", Requirements: []string{"RPCBIDI-4.2-1", "RPCPD-4.2-2"},
			If:  func(s *conform.Setup) bool { return s.Peer.RPC.Private != nil },
			For: "a peer that sends Private Data of RPC-over-RDMA", Begin: conform.Begin{Private: "f6ab0e18 01 00 03 03"},
			Says: "With Private Data the peer's longest Call is as long as its longest Reply.",
			Ask: func(s *conform.Setup) []string {
				most := min(rpcprivate.DecodeSize(s.Peer.RPC.Private.SendSize), 4096)
				return []string{longest(most), tooLong(most + 4)}
			}},
	})
})

// echoHeader is the number of octets of a reverse ECHO before the data of its item.
var echoHeader = rpctext.MinHeader + rpctext.CallLen + rpctext.ItemsLen(rpctext.Item{})

func longest(octets int) string {
	n := octets - echoHeader
	m := rpctext.Msg(theirXID, none, rpctext.Reply(theirXID, rpctext.Success, rpctext.Items(rpctext.Filled(fill, n))))
	return script(callback(firstXID, 1, rpctext.Word(n)), comes(1, n), sends(1, m), reports(firstXID+1, 1, 1, 0))
}

// tooLong returns a reverse ECHO of n octets, which is not sent, whatever is reported of it.
func tooLong(octets int) string {
	arguments := rpctext.Callback(1, rpctext.Word(octets-echoHeader))
	answer := func(status rpctext.Word) string {
		return rpctext.Msg(firstXID, none, rpctext.Reply(firstXID, status, "")).Theirs()
	}
	return script(
		"> Send "+rpctext.Msg(firstXID, none, rpctext.CallOf(firstXID, rpctext.ProcCallback, arguments).String()).String(),
		"< OneOf", "or Send "+answer(rpctext.SystemErr), "or Send "+answer(rpctext.Success), silent,
		reports(firstXID+1, 0, 0, 0))
}

var section432 = about("4.3.2", "the Receives of a server", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.RPCReverse}, []conform.Case{
		{Name: "replies-beside-a-burst", Requirements: []string{"RPCBIDI-4.3.2-1", "RPCRDMA1-3.3.1-6", "RPCBIDI-4.1-1"},
			Says: "The peer has Receives for the Replies to all its open Calls, besides those for as many Calls of " +
				"ours as granted.",
			Ask: func(s *conform.Setup) []string {
				return []string{beside(s, 1), beside(s, 4)}
			}},
		{Name: "all-replies-at-once", Requirements: []string{"RPCRDMA1-3.3.1-6"},
			Says: "All open Calls of the peer can be answered at once, in any order.",
			Ask: func(*conform.Setup) []string {
				lines := []string{callback(firstXID, 5, 0), comes(1, 0), answers(1, 4), some(2, 5)}
				for _, n := range []int{4, 2, 5, 3} {
					lines = append(lines, answers(n, 4))
				}
				return []string{script(append(lines, reports(firstXID+1, 5, 5, 0))...)}
			}},
		{Name: "burst-beside-open-calls", Requirements: []string{"RPCBIDI-4.1-1", "RPCBIDI-4.3.2-1"},
			Says: "While Calls of the peer stay open, as many Calls of ours as granted are answered.",
			Ask: func(s *conform.Setup) []string {
				calls, replies := burst(s)
				return []string{script(
					callback(firstXID, 3, 0), comes(1, 0), answers(1, 2), some(2, 3), calls, replies, calls, replies,
					reports(firstXID+1, 3, 1, 0))}
			}},
	})
})

// mostOutstanding limits the outstanding Calls of ours in a case.
const mostOutstanding = 256

// burst returns as many Calls of NULL as granted, and their Replies, in any order.
func burst(s *conform.Setup) (calls, replies string) {
	var ours, theirs []string
	for i := range min(max(s.Peer.RPC.Credits, 1), mostOutstanding) {
		ours = append(ours, "> Send "+s.Null(0x1001+i))
		theirs = append(theirs, "< Send "+rpctext.NullReply(rpctext.Any, rpctext.Success))
	}
	return script(ours...), script(theirs...)
}

// beside returns a burst of Calls of ours, and between them the Replies to n Calls of the peer.
func beside(s *conform.Setup, open int) string {
	calls, replies := burst(s)
	lines := []string{callback(firstXID, rpctext.Word(1+open), 0), comes(1, 0), answers(1, rpctext.Word(open)),
		some(2, 1+open), calls}
	for n := 2; n <= 1+open; n++ {
		lines = append(lines, answers(n, 1))
	}
	all := rpctext.Word(1 + open)
	return script(append(lines, replies, reports(firstXID+1, all, all, 0))...)
}
