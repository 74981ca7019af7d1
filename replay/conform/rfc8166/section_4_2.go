package rfc8166

// Sections 4.2 and 4.3: XIDs, types of messages, and the lists of a Reply.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section421 = about("4.2.1", "rdma_xid", func() []conform.Case {
	return []conform.Case{
		{Name: "any", Requirements: []string{"RPCRDMA1-4.2.1-1", "RPCRDMA1-4.5-4"},
			Says: "A Reply has the XID of its Call, whatever it is, in the header and in the RPC message.",
			Ask: func(s *conform.Setup) []string {
				var lines []string
				for _, xid := range []rpctext.Word{1, 0, 0x80000000, 0xffffffff, 0x01000000, rpctext.Word(s.Rand.Uint32())} {
					lines = append(lines, null(s, xid))
				}
				return []string{script(lines...)}
			}},
		{Name: "mismatch", Requirements: []string{"RPCRDMA1-4.5.2-1", "RPCRDMA1-4.2.1-1", "RPCRDMA1-4.2.1-2"},
			Says: "A Call whose header and RPC message have different XIDs is refused with ERR_CHUNK.",
			Ask: conform.EachWith(func(s *conform.Setup, other rpctext.Word) string {
				m := rpctext.Msg(firstXID, none, nullCall(s, other))
				return script(sends(m.String()), refusedMismatch(s))
			}, firstXID+1, 0, 0x01010000)},
		{Name: "mismatch-in-a-long-call", Begin: oneAtATime,
			Requirements: []string{"RPCRDMA1-4.5.2-1", "RPCRDMA1-4.2.1-1", "RPCRDMA1-4.2.1-2"},
			Says:         "A Long Call whose header and RPC message have different XIDs is refused with ERR_CHUNK.",
			Ask: func(s *conform.Setup) []string {
				body := source(0, rpctext.CallLen)
				return []string{script(
					sends(rpctext.NoMsg(firstXID, readList(at(0, body))).String()),
					rpctext.Read(body, nullCall(s, firstXID+1)), refusedMismatch(s))}
			}},
	}
})

// refusedMismatch returns the answer to a NULL whose header has firstXID, and its RPC message another one.
func refusedMismatch(s *conform.Setup) string {
	reply := rpctext.Msg(rpctext.Any, none, nullReply(s, rpctext.Any)).Theirs()
	return script("< OneOf", "or Send "+rpctext.RefusedChunk(firstXID),
		`may "RPCRDMA1-4.2.1-2: it need not compare them" Send `+reply)
}

var section424 = about("4.2.4", "rdma_proc", func() []conform.Case {
	return []conform.Case{
		{Name: "error-to-a-responder", Requirements: []string{"RPCRDMA1-4.2.4-5"}, If: grantsTwo, For: twoCredits,
			Says: "A Responder ignores a well-formed RDMA_ERROR.",
			Ask: func(s *conform.Setup) []string {
				return allDropped(s,
					ourError(firstXID, rpctext.ErrChunk), ourError(0x20000, rpctext.ErrChunk), ourError(0x20001, rpctext.ErrVers, 1, 1),
					ourError(0x20002, rpctext.ErrVers, 0, 0xffffffff), ourError(0, rpctext.ErrChunk))
			}},
		{Name: "error-that-is-broken", Requirements: []string{"RPCRDMA1-4.2.4-5", "RPCRDMA1-4.5-8"}, If: grantsTwo, For: twoCredits,
			Says: "An RDMA_ERROR that cannot be decoded is ignored: its code is unknown, or it is truncated.",
			Ask: func(s *conform.Setup) []string {
				return allDropped(s,
					ourError(0x20000, 0), ourError(0x20001, 3), ourError(0x20002, 0xffffffff), ourError(0x20003, rpctext.ErrVers),
					ourError(0x20004, rpctext.ErrVers, 1), ourError(0x20005, rpctext.ErrVers, 2, 1),
					ourError(0x20006, rpctext.ErrChunk, 0, 0, 0),
					ourError(0x20007, rpctext.ErrVers, 1, 1, 1, 1), ourError(0x20008, 3, 1, 2, 3, 4, 5, 6, 7, 8),
					rpctext.Cut(ourError(0x20009, rpctext.ErrVers, 1, 1), 27), rpctext.Cut(ourError(0x2000a, rpctext.ErrChunk), 19))
			}},
		{Name: "error-of-another-version", Requirements: []string{"RPCRDMA1-4.2.4-5"}, If: grantsTwo, For: twoCredits,
			Says: "An RDMA_ERROR is ignored whatever its rdma_vers, so that no error is answered by another.",
			Ask: func(s *conform.Setup) []string {
				var messages []string
				for i, vers := range []rpctext.Word{0, 3, 0xffffffff} {
					m := rpctext.Failure1(0x20000+rpctext.Word(i), rpctext.ErrVers, 1, 1)
					m.Vers = vers
					messages = append(messages, m.String())
				}
				return allDropped(s, messages...)
			}},
		{Name: "error-with-a-call", Requirements: []string{"RPCRDMA1-4.2.4-5"}, If: grantsTwo, For: twoCredits,
			Says: "An RDMA_ERROR with a Call after its code is ignored.",
			Ask: func(s *conform.Setup) []string {
				m := nullMessage(s, 0x20000, none)
				m.Proc = rpctext.RDMAError
				return allDropped(s, m.String())
			}},
	}
})

func ourError(xid, code rpctext.Word, more ...rpctext.Word) string {
	return rpctext.Failure1(xid, code, more...).String()
}

var section432 = about("4.3.2", "the Write list", func() []conform.Case {
	return []conform.Case{
		{Name: "pushed", Requirements: []string{"RPCRDMA1-4.3.2-1", "RPCRDMA1-3.5.2-2"}, Need: conform.RPCProgram,
			Says: "A DDP-eligible result is written into the Write chunk offered for it, however short it is.",
			Ask:  conform.Texts(pushed(numbered(4), 4), pushed(numbered(1), 64), pushed(numbered(256), 1024))},
		{Name: "not-eligible", Requirements: []string{"RPCRDMA1-3.4.2-2", "RPCRDMA1-4.3.2.2-3"}, Need: conform.RPCProgram,
			Says: "A result that is not DDP-eligible is inline, and the Write chunk is returned unused.",
			Ask: func(*conform.Setup) []string {
				item, chunk := numbered(64), sinks(0, 1024)
				return []string{script(
					asks(firstXID, rpctext.ProcPlain, writeList(chunk), item),
					gives(firstXID, writeList(rpctext.Used(0, chunk...)), item))}
			}},
		{Name: "no-list", Requirements: []string{"RPCRDMA1-3.4.2-1", "RPCRDMA1-4.3.1-1"}, Need: conform.RPCProgram,
			Says: "Without a Write list all results are inline, and the Reply has no lists.",
			Ask:  conform.Text(echoed([]rpctext.Item{numbered(64), rpctext.Numbered(100, 7)}, nil, nil))},
		{Name: "read-list-of-the-reply", Requirements: []string{"RPCRDMA1-4.3.1-1"}, Need: conform.RPCProgram,
			Says: "The Read list of a Reply is empty, even if the Call had one.",
			Ask:  conform.Text(inChunk(numbered(64)))},
	}
})

var section4321 = about("4.3.2.1", "several Write chunks", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.RPCProgram}, []conform.Case{
		{Name: "in-order", Requirements: []string{"RPCRDMA1-4.3.2.1-1", "RPCRDMA1-4.3.2-1"},
			Says: "Each Write chunk takes one result, in the order of both.",
			Ask: conform.Texts(
				echoed(three(), [][]int{{64}, {64}, {64}}, []int{0, 1, 2}),
				echoed(three(), [][]int{{8}, {4, 4}, {1, 1, 100}}, []int{0, 1, 2}))},
		{Name: "fewer-chunks-than-results", Requirements: []string{"RPCRDMA1-4.3.2.1-1"},
			Says: "When no Write chunks are left, the other results are inline.",
			Ask:  conform.Texts(echoed(three(), [][]int{{64}}, []int{0}), echoed(three(), [][]int{{64}, {64}}, []int{0, 1}))},
		{Name: "fewer-results-than-chunks", Requirements: []string{"RPCRDMA1-4.3.2.1-1", "RPCRDMA1-4.3.2.2-3"},
			Says: "When no results are left, the other Write chunks are returned unused.",
			Ask: conform.Texts(
				echoed(three()[:1], [][]int{{64}, {64, 64}, {8}}, []int{0, -1, -1}),
				echoed(nil, [][]int{{64}, {8, 8}}, []int{-1, -1}))},
		{Name: "one-result-in-one-chunk", Requirements: []string{"RPCRDMA1-4.3.2.1-1", "RPCRDMA1-3.4.4.4-1"},
			Says: "Two results are never in one chunk, even if it has room for both.",
			Ask:  conform.Text(echoed(three(), [][]int{{1000}, {1000}}, []int{0, 1}))},
	})
})

var section4322 = about("4.3.2.2", "unused Write chunks", func() []conform.Case {
	return []conform.Case{
		{Name: "arm-without-data", Requirements: []string{"RPCRDMA1-4.3.2.2-1"}, Need: conform.RPCProgram,
			Says: "A Write chunk not used by a union arm without data is used for the next result.",
			Ask: conform.Texts(
				echoed([]rpctext.Item{absent, three()[0]}, [][]int{{64}}, []int{1}),
				echoed([]rpctext.Item{three()[0], absent, absent, three()[1]}, [][]int{{64}, {64}}, []int{0, 3}))},
		{Name: "left-over", Requirements: []string{"RPCRDMA1-4.3.2.2-3", "RPCRDMA1-4.3.2.2-1"}, Need: conform.RPCProgram,
			Says: "A Write chunk without a result is returned with its segments, and lengths of zero.",
			Ask: conform.Texts(
				echoed([]rpctext.Item{absent}, [][]int{{64}}, []int{-1}),
				echoed([]rpctext.Item{absent, three()[0], absent}, [][]int{{64}, {32, 32}}, []int{1, -1}))},
		{Name: "left-over-by-null", Requirements: []string{"RPCRDMA1-4.3.2.2-3", "RPCRDMA1-3.4.6-3"},
			Says: "NULL has no results: all Write chunks are returned with their segments, and lengths of zero.",
			Ask:  unusedByNull([]int{1024}, []int{16, 16})},
		{Name: "left-over-by-an-error", Requirements: []string{"RPCRDMA1-4.3.2.2-3"}, Need: conform.RPCProgram,
			Says: "A GARBAGE_ARGS Reply has no results: its Write chunks are returned unused.",
			Ask: func(*conform.Setup) []string {
				chunk := sinks(0, 64, 64)
				back := writeList(rpctext.Used(0, chunk...))
				call := rpctext.CallOf(firstXID, rpctext.ProcEcho, "00000001")
				return []string{script(
					sends(rpctext.Msg(firstXID, writeList(chunk), call.String()).String()),
					gets(rpctext.Msg(firstXID, back, rpctext.Reply(firstXID, rpctext.GarbageArgs, "")).Theirs()))}
			}},
	}
})

var section4323 = about("4.3.2.3", "empty Write chunks", func() []conform.Case {
	return []conform.Case{
		{Name: "result-inline", Requirements: []string{"RPCRDMA1-4.3.2.3-1"}, Need: conform.RPCProgram,
			Says: "The result that belongs to an empty Write chunk is inline, and the chunk is returned empty in its place.",
			Ask: conform.Texts(
				echoed(three()[:1], [][]int{{}}, []int{-1}), echoed(three(), [][]int{{}, {64}, {64}}, []int{-1, 1, 2}),
				echoed(three(), [][]int{{64}, {}, {64}}, []int{0, -1, 2}), echoed(three(), [][]int{{64}, {64}, {}}, []int{0, 1, -1}),
				echoed(three(), [][]int{{}, {}, {}}, []int{-1, -1, -1}))},
		{Name: "called-by-null", Requirements: []string{"RPCRDMA1-4.3.2.3-1", "RPCRDMA1-3.4.6-3"},
			Says: "Empty Write chunks are returned empty in their places, among others returned unused.",
			Ask:  unusedByNull([]int{}, []int{64}, []int{}, []int{})},
	}
})

var section433 = about("4.3.3", "the Reply chunk", func() []conform.Case {
	return []conform.Case{
		{Name: "copied-though-unused", Requirements: []string{"RPCRDMA1-4.3.3-3", "RPCRDMA1-4.3.3-2"},
			Says: "A Reply chunk that is too small for the Reply is returned in a Short Reply, with lengths of zero.",
			Ask: conform.EachWith(func(s *conform.Setup, lengths []int) string {
				chunk := rooms(lengths...)
				back := replyChunk(rpctext.Used(0, chunk...))
				return script(
					sends(nullMessage(s, firstXID, replyChunk(chunk)).String()), "< OneOf",
					"or Send "+rpctext.Msg(firstXID, back, nullReply(s, firstXID)).Theirs(),
					`may "it uses a Reply chunk for each Reply, and this one is too small" Send `+rpctext.RefusedChunk(firstXID))
			}, [][]int{{8}, {0}, {4, 4, 4}, {20}, {}}...)},
		{Name: "copied-though-short", Requirements: []string{"RPCRDMA1-4.3.3-3", "RPCRDMA1-4.3.3-2"},
			Need: conform.RPCProgram,
			Says: "A Reply that fits inline is sent inline or in the Reply chunk; the chunk is returned in both cases.",
			Ask:  conform.Text(eitherWay(numbered(8)))},
		{Name: "with-write-list", Requirements: []string{"RPCRDMA1-4.3.3-3", "RPCRDMA1-3.5.3-5", "RPCRDMA1-4.3.2-1"},
			Need:  conform.RPCProgram,
			Begin: oneAtATime,
			Says:  "A Long Reply has the Write list and the Reply chunk, each with its octets.",
			Ask:   conform.Text(reducedAndLong())},
	}
})

func three() []rpctext.Item {
	return []rpctext.Item{rpctext.Numbered(0x10, 8), rpctext.Numbered(0x40, 7), rpctext.Numbered(0x70, 5)}
}

var absent = rpctext.Item{Absent: true}

// echoed returns an ECHO of items with Write chunks, each with segments of some lengths; which is the index of the item
// returned in each chunk, -1 for none.
func echoed(items []rpctext.Item, lengths [][]int, which []int) string {
	e := rpctext.Echo{Items: items, Into: which}
	for i, each := range lengths {
		e.Writes = append(e.Writes, sinks(16*i, each...))
	}
	return echo(e)
}

// eitherWay returns an ECHO of an item with a Reply chunk, and a Reply that would fit inline. That is one step of the
// peer, or two: so the script ends there, and the end may replace the second.
func eitherWay(item rpctext.Item) string {
	chunk := rooms(1024)
	length := rpctext.ReplyLen + rpctext.ItemsLen(item)
	short := rpctext.Msg(firstXID, replyChunk(rpctext.Used(0, chunk...)), itemsReply(firstXID, item)).Theirs()
	long := rpctext.NoMsg(firstXID, replyChunk(rpctext.Used(length, chunk...))).Theirs()
	write := rpctext.Written(chunk[0], itemsReply(firstXID, item))
	return script(
		asks(firstXID, rpctext.ProcEcho, replyChunk(chunk), item),
		"< OneOf", "or Send "+short, "or "+write[len("< "):], "> FIN",
		"< OneOf", "or Send "+long, "or FIN", "or Reset")
}
