package rfc8167

// Sections 4.2 and 4.3.2: the Receives of both directions.

import (
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section42 = about("4.2", "inline thresholds", func() []conform.Case {
	return []conform.Case{
		{Name: "call-of-1024-octets", Requirements: []string{"RPCBIDI-4.2-1", "RPCRDMA1-3.3.3-4"}, Need: conform.RPCReverse,
			Says: "A Call of the peer may have 1024 octets, if we have told nothing of our Receives.",
			Ask:  conform.Text(longest(1024))},
		{Name: "call-of-more", Requirements: []string{"RPCBIDI-4.2-1", "RPCBIDI-5.3-2", "RPCRDMA1-3.3.3-4"},
			Need: conform.RPCReverse,
			Says: "A Call that is longer is not sent, and no chunk is used for it.",
			Ask: func(s *conform.Setup) []string {
				return []string{tooLong(s, 1028), tooLong(s, 2048), tooLong(s, 8192)}
			}},
		{Name: "call-by-private-data", Requirements: []string{"RPCBIDI-4.2-1", "RPCPD-4.2-2"}, Need: conform.RPCReverse,
			For:   "a peer that sends Private Data of RPC-over-RDMA",
			Begin: conform.Begin{Private: "f6ab0e18 01 00 03 03"},
			Says:  "With Private Data the longest Call of the peer is as long as its longest Reply.",
			Ask: func(s *conform.Setup) []string {
				if s.Peer.RPC.Private == nil {
					return nil
				}
				most := min(rpcrdma.DecodeBufferSize(s.Peer.RPC.Private.SendSize), 4096)
				return []string{longest(most), tooLong(s, most+4)}
			}},
	}
})

// echoHeader is how many octets of a reverse ECHO stand before the data of its item.
var echoHeader = rpctext.MinHeader + rpctext.CallLen + rpctext.ItemsLen(rpctext.Item{})

func longest(octets int) string {
	n := octets - echoHeader
	m := rpctext.Msg(theirXID, none, rpctext.Reply(theirXID, rpctext.Success, rpctext.Items(rpctext.Filled(fill, n))))
	return script(callback(firstXID, 1, rpctext.Word(n)), comes(1, n), sends(1, m), reports(firstXID+1, 1, 1, 0))
}

// tooLong returns one of so many octets, which is not sent, whatever is said of that.
func tooLong(s *conform.Setup, octets int) string {
	arguments := rpctext.Callback(1, rpctext.Word(octets-echoHeader))
	answer := func(status rpctext.Word) string {
		return rpctext.Msg(firstXID, none, rpctext.Reply(firstXID, status, "")).Theirs()
	}
	return script(
		"> Send "+rpctext.Msg(firstXID, none, rpctext.CallOf(firstXID, rpctext.ProcCallback, arguments).String()).String(),
		"< OneOf", "or Send "+answer(rpctext.SystemErr), "or Send "+answer(rpctext.Success), silent(s),
		reports(firstXID+1, 0, 0, 0))
}

var section432 = about("4.3.2", "the Receives of a server", func() []conform.Case {
	return []conform.Case{
		{Name: "replies-beside-a-burst", Requirements: []string{"RPCBIDI-4.3.2-1", "RPCRDMA1-3.3.1-6", "RPCBIDI-4.1-1"},
			Need: conform.RPCReverse,
			Says: "There are Receives for the Replies to all open Calls of the peer, besides those for as many Calls of " +
				"ours as are granted.",
			Ask: func(s *conform.Setup) []string {
				return []string{beside(s, 1), beside(s, 4)}
			}},
		{Name: "all-replies-at-once", Requirements: []string{"RPCRDMA1-3.3.1-6"}, Need: conform.RPCReverse,
			Says: "All open Calls of the peer can be answered at once, in any order.",
			Ask: func(*conform.Setup) []string {
				lines := []string{callback(firstXID, 5, 0), comes(1, 0), answers(1, 4), some(2, 5)}
				for _, n := range []int{4, 2, 5, 3} {
					lines = append(lines, answers(n, 4))
				}
				return []string{script(append(lines, reports(firstXID+1, 5, 5, 0))...)}
			}},
		{Name: "burst-beside-open-calls", Requirements: []string{"RPCBIDI-4.1-1", "RPCBIDI-4.3.2-1"},
			Need: conform.RPCReverse,
			Says: "While Calls of the peer are open, and stay so, as many Calls of ours as are granted are answered.",
			Ask: func(s *conform.Setup) []string {
				calls, replies := burst(s)
				return []string{script(
					callback(firstXID, 3, 0), comes(1, 0), answers(1, 2), some(2, 3), calls, replies, calls, replies,
					reports(firstXID+1, 3, 1, 0))}
			}},
	}
})

// mostOutstanding is how many Calls of ours are outstanding at most in a case.
const mostOutstanding = 256

// burst returns as many Calls of NULL as are granted, and their Replies, which may come in any order.
func burst(s *conform.Setup) (calls, replies string) {
	var ours, theirs []string
	for i := range min(max(s.Peer.RPC.Credits, 1), mostOutstanding) {
		ours = append(ours, "> Send "+s.Null(0x1001+i))
		theirs = append(theirs, "< Send "+rpctext.NullReply(rpctext.Any, rpctext.Success))
	}
	return script(ours...), script(theirs...)
}

// beside returns a burst of Calls of ours, and between them the Replies to so many Calls of the peer.
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
