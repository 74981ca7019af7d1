package rpcrdma2

// Sections 4.4, 4.5 and 6.4: forms of a Reply, and Calls of the peer.

import (
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext2"
)

var section443 = adapted("4.4.3", "Special Format", func() []conform.Case {
	return []conform.Case{
		{Name: "reply-chunk-used", Requirements: []string{"RPCRDMA2-4.4.3-3"}, Need: conform.RPCProgram, Begin: bare,
			Says: "A Reply that does not fit in one message is in the Reply chunk, with just enough room or more.",
			Ask: func(*conform.Setup) (scripts []string) {
				for _, octets := range []int{1000, 1001, 1200, 2003} {
					all := replyLen(octets)
					for _, room := range [][]int{{all}, {all + 4}, {4096}, {400, all - 400}, {400, 1, 4095}, {0, 300, 0, 4096}} {
						scripts = append(scripts, script(small(), inReplyChunk(octets, room...)))
					}
				}
				return scripts
			}},
		{Name: "null-in-reply-chunk", Requirements: []string{"RPCRDMA2-4.4.3-3"}, Begin: bare,
			Says: "That holds for each Reply if our Receives have the minimum size.",
			Ask: asking(func(n null) []string {
				c := rpctext.Chunks{Reply: []rpctext.Segment{segment(1, 64)}}
				reply := n.reply(first)
				filled := rpctext.Chunks{Reply: []rpctext.Segment{segment(1, 0).Of(len(octetsOf(reply)))}}
				return []string{script(tiny(headerLen+4+segmentLen), sends(rpctext2.Msg(first, c, n.call(first))),
					rpctext.Written(segment(1, 64), reply), gets(rpctext2.NoMsgReply(first, filled)), over)}
			})},
		{Name: "reply-chunk-used-by-default", Requirements: []string{"RPCRDMA2-4.4.3-3"},
			Need: conform.RPCProgram, Begin: begun,
			Says: "By default a Reply beyond 4096 octets is in the Reply chunk.",
			Ask: conform.EachOf(func(room int) string {
				c := rpctext.Chunks{Reply: []rpctext.Segment{segment(1, 4096), segment(2, room)}}
				return script(longCall(c), inReply(c, rpctext.Numbered(0, longLen)))
			}, replyLen(longLen)-4096, 4096)},
		{Name: "reply-chunk-and-write-chunk", Requirements: []string{"RPCRDMA2-4.4.3-3", "RPCRDMA2-4.3.6-2"},
			Need: conform.RPCProgram, Begin: bare,
			Says: "The rest of a Reply without its Write chunks is in the Reply chunk if it does not fit in one message.",
			Ask:  conform.Text(small(), inBoth())},
		{Name: "reduced-reply-fits", Requirements: []string{"RPCRDMA2-4.3.6-2"}, Need: conform.RPCProgram, Begin: bare,
			Says: "A Reply that fits in one message without its Write chunks is sent so if the Reply chunk is too small.",
			Ask:  conform.Text(small(), reducedFits())},
		{Name: "reply-chunk-not-needed", Requirements: []string{"RPCRDMA2-6.1-1", "RPCRDMA2-4.2.3.1-1"}, Begin: begun,
			Says: "A Reply that fits in one message is sent so, with the Reply chunk unused or omitted, or is in that chunk.",
			Ask: asking(func(n null) []string {
				c := rpctext.Chunks{Reply: []rpctext.Segment{segment(1, 4096)}}
				return []string{script(sends(rpctext2.Msg(first, c, n.call(first))), eitherWay(n, c.Reply[0]))}
			})},
	}
})

var section64 = adapted("6.4", "choosing a reply mechanism", func() []conform.Case {
	return conform.Alike(conform.Case{Begin: bare}, []conform.Case{
		{Name: "reply-continued", Requirements: []string{"RPCRDMA2-6.4-2", "RPCRDMA2-6.2.2.2-1"}, Need: conform.RPCProgram,
			Says: "Without a Reply chunk, a Reply that does not fit in one message is sent in several.",
			Ask: conform.EachOf(func(octets int) string {
				call := sends(rpctext2.Msg(first, none, plain(first, rpctext.Numbered(0, octets))))
				return script(small(), call, inTwo(none, none, octets))
			}, 1000, 1500, 1899)},
		{Name: "null-continued", Requirements: []string{"RPCRDMA2-6.4-2"},
			Says: "That holds for each Reply if our Receives have the minimum size.",
			Ask: asking(func(n null) []string {
				return []string{script(tiny(headerLen+rpctext.ReplyLen-4), n.asks(first),
					gets(somePart(first, rpctext2.Response|rpctext2.More)),
					gets(somePart(first, rpctext2.Response)), over)}
			})},
		{Name: "reply-continued-by-default", Requirements: []string{"RPCRDMA2-6.4-2"}, Need: conform.RPCProgram, Begin: begun,
			Says: "By default a Reply beyond 4096 octets is sent in several messages.",
			If:   func(s *conform.Setup) bool { return property(s, rpcrdma.PropSBSIZ) >= 4096 },
			For:  "a peer that sends messages of 4096 octets",
			Ask: conform.Text(longCall(none), gets(somePart(first, rpctext2.Response|rpctext2.More)),
				gets(somePart(first, rpctext2.Response)))},
		{Name: "reply-chunk-too-small", Requirements: []string{"RPCRDMA2-6.4-2"}, Need: conform.RPCProgram,
			Says: "A Reply that exceeds the Reply chunk is sent in several messages.",
			Ask: conform.EachOf(func(room []int) string {
				c := rpctext.Chunks{Reply: []rpctext.Segment{}}
				unused := rpctext.Chunks{Reply: []rpctext.Segment{}}
				for i, n := range room {
					c.Reply = append(c.Reply, segment(i+1, n))
					unused.Reply = append(unused.Reply, segment(i+1, 0))
				}
				call := sends(rpctext2.Msg(first, c, plain(first, rpctext.Numbered(0, 1200))))
				return script(small(), call, inTwo(unused, none, 1200))
			}, [][]int{{}, {0}, {100}, {replyLen(1200) - 4}, {400, 400}}...)},
		{Name: "results-and-continued", Requirements: []string{"RPCRDMA2-6.4-2", "RPCRDMA2-4.3.6-2"},
			Need: conform.RPCProgram,
			Says: "A Reply in several messages returns the Write chunks in the last one.",
			Ask:  conform.Text(small(), chunkAndContinued())},
	})
})

var section453 = adapted("4.5.3", "support for the reverse direction", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.RPCReverse, Begin: bare}, []conform.Case{
		{Name: "no-support-no-calls", Requirements: []string{"RPCRDMA2-4.5.3-1"},
			Says: "The peer makes no Calls, even on request, if our properties do not allow them.",
			Ask: conform.EachOf(func(m rpctext2.Message) string {
				return script(sends(m), gets(rpctext2.AnyConnProp()), triesToCallBack(first, 3, 0),
					counted(second, rpctext.Any, 0, 0, 0))
			}, rpctext2.Properties(), reversing(0), rpctext2.Properties(rpctext2.Property(rpctext2.BRS)),
				rpctext2.Properties(rpctext2.Number(rpctext2.BRS, simple), rpctext2.Number(rpctext2.BRS, 0)),
				rpctext2.Properties(rpctext2.Number(99, simple)), reversing(4), reversing(0xffffffff))},
		{Name: "many-calls", Requirements: []string{"RPCRDMA2-4.5.3-1", "RPCRDMA2-4.2.1.1-4"},
			Says: "The peer makes as many Calls as requested, one after the other if they are answered so.",
			Ask: func(*conform.Setup) []string {
				lines := []string{sends(granting(reversing(simple), 1)), gets(rpctext2.AnyConnProp()), callsBack(first, 9, 0),
					"> Send " + rpctext2.Grant(1)}
				for _, name := range []string{"$a", "$b", "$c", "$d", "$e", "$f", "$g", "$h", "$i"} {
					lines = append(lines, "var "+name+" xid", theirNull(name), answersNull(name))
				}
				return []string{script(append(lines, counted(second, 1, 9, 9, 0))...)}
			}},
		{Name: "support-and-calls", Requirements: []string{"RPCRDMA2-4.5.3-1", "RPCRDMA2-3.1.3.4-3"},
			Says: "The peer makes Calls at each level of support.",
			Ask: conform.EachOf(func(level rpctext.Word) string {
				return script(reversed(level), "var $a xid", callsBack(first, 1, 0), theirNull("$a"),
					answersNull("$a"),
					counted(second, 1, 1, 1, 0))
			}, simple, continued, general)},
	})
})

var section454 = adapted("4.5.4", "chunks in the reverse direction", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.RPCReverse, Begin: bare}, []conform.Case{
		{Name: "no-chunks", Requirements: []string{"RPCRDMA2-4.5.4-3"},
			Says: "If we accept no chunks, Calls of the peer have none, even with DDP-eligible data.",
			Ask: func(*conform.Setup) (scripts []string) {
				for _, level := range []rpctext.Word{simple, continued} {
					for _, octets := range []int{1, 64, 1000, 3000} {
						item := rpctext.Filled(callbackOctet, octets)
						scripts = append(scripts, script(reversed(level), "var $a xid", callsBack(first, 1, rpctext.Word(octets)),
							gets(named(theirCall(rpctext.ProcEcho, "?*16 "+rpctext.Items(item)), "$a")),
							"> Send "+named(answer(rpctext.Items(item)).String(), "$a"), counted(second, 1, 1, 1, 0)))
					}
				}
				return scripts
			}},
		{Name: "long-call-continued", Requirements: []string{"RPCRDMA2-4.5.4-3", "RPCRDMA2-6.2.2.2-1"},
			Says: "A Call of the peer that does not fit in one message is sent in several if we accept that.",
			Ask: conform.Text(smallReversed(continued), "var $a xid", callsBack(first, 1, 1500),
				gets(named(somePart(placeholder, rpctext2.More), "$a")), gets(named(somePart(placeholder, 0), "$a")),
				"> Send "+named(answer(rpctext.Items(rpctext.Filled(callbackOctet, 1500))).String(), "$a"), counted(second, 1, 1, 1,
					0))},
		{Name: "long-call-not-made", Requirements: []string{"RPCRDMA2-4.5.4-3", "RPCRDMA2-4.5.3-1"},
			Says: "It is not sent if we accept Calls in one message only.",
			Ask: conform.Text(smallReversed(simple), triesToCallBack(first, 1, 1500),
				counted(second, rpctext.Any, 0, 0, 0))},
		{Name: "chunks-in-a-reply", Requirements: []string{"RPCRDMA2-4.3.6-2"},
			Says: "A Reply of ours with chunks that the peer did not offer is discarded, and the right one accepted.",
			Ask: conform.Text(notTaken(rpctext2.Msg(placeholder, rpctext.Chunks{Writes: chunksOf([]int{1}, 0)},
				rpctext.Reply(placeholder, rpctext.Success, "")).With(rpctext2.Response)))},
	})
})
