package rpcrdma2

// Sections 4.4.3 and 6.4: in which form a Reply comes.

import (
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section443 = adapted("4.4.3", "Special Format", func() []conform.Case {
	return []conform.Case{
		{Name: "reply-chunk-used", Requirements: []string{"RPCRDMA2-4.4.3-3"}, Need: conform.RPCProgram, Begin: bare,
			Says: "A Reply that does not fit in one message comes in the Reply chunk, be there just enough room in it or more.",
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
			Says: "It is so for each Reply, if our Receives are as small as can be.",
			Ask: asking(func(n null) []string {
				c := rpctext.Chunks{Reply: []rpctext.Segment{segment(1, 64)}}
				reply := n.reply(first)
				filled := rpctext.Chunks{Reply: []rpctext.Segment{segment(1, 0).Of(len(octetsOf(reply)))}}
				return []string{script(tiny(headerLen+4+segmentLen), sends(rpctext.Msg2(first, c, n.call(first))),
					wrote(segment(1, 64), reply), gets(rpctext.NoMsgReply(first, filled)), over)}
			})},
		{Name: "reply-chunk-used-by-default", Requirements: []string{"RPCRDMA2-4.4.3-3"},
			Need: conform.RPCProgram, Begin: begun,
			Says: "Without a word of ours about it, a Reply beyond 4096 octets comes in the Reply chunk.",
			Ask: func(*conform.Setup) (scripts []string) {
				for _, room := range []int{replyLen(longLen) - 4096, 4096} {
					c := rpctext.Chunks{Reply: []rpctext.Segment{segment(1, 4096), segment(2, room)}}
					scripts = append(scripts, script(longCall(c), inReply(c, rpctext.Numbered(0, longLen))))
				}
				return scripts
			}},
		{Name: "reply-chunk-and-write-chunk", Requirements: []string{"RPCRDMA2-4.4.3-3", "RPCRDMA2-4.3.6-2"},
			Need: conform.RPCProgram, Begin: bare,
			Says: "What of a Reply is not in Write chunks and does not fit in one message comes in the Reply chunk.",
			Ask:  conform.Text(script(small(), inBoth()))},
		{Name: "reduced-reply-fits", Requirements: []string{"RPCRDMA2-4.3.6-2"}, Need: conform.RPCProgram, Begin: bare,
			Says: "A Reply that fits in one message without what is in Write chunks comes in one, if the Reply chunk is small.",
			Ask:  conform.Text(script(small(), reducedFits()))},
		{Name: "reply-chunk-not-needed", Requirements: []string{"RPCRDMA2-6.1-1", "RPCRDMA2-4.2.3.1-1"}, Begin: begun,
			Says: "A Reply that fits in one message comes in one, with the Reply chunk unused or left out, or in that chunk.",
			Ask: asking(func(n null) []string {
				c := rpctext.Chunks{Reply: []rpctext.Segment{segment(1, 4096)}}
				return []string{script(sends(rpctext.Msg2(first, c, n.call(first))), eitherWay(n, c.Reply[0]))}
			})},
	}
})

var section64 = adapted("6.4", "choosing a reply mechanism", func() []conform.Case {
	return []conform.Case{
		{Name: "reply-continued", Requirements: []string{"RPCRDMA2-6.4-2", "RPCRDMA2-6.2.2.2-1"},
			Need: conform.RPCProgram, Begin: bare,
			Says: "Without a Reply chunk, a Reply that does not fit in one message comes in several.",
			Ask: func(*conform.Setup) (scripts []string) {
				for _, octets := range []int{1000, 1500, 1899} {
					call := sends(rpctext.Msg2(first, none, plain(first, rpctext.Numbered(0, octets))))
					scripts = append(scripts, script(small(), call, inTwo(none, none, octets)))
				}
				return scripts
			}},
		{Name: "null-continued", Requirements: []string{"RPCRDMA2-6.4-2"}, Begin: bare,
			Says: "It is so for each Reply, if our Receives are as small as can be.",
			Ask: asking(func(n null) []string {
				return []string{script(tiny(headerLen+rpctext.ReplyLen-4), n.asks(first),
					gets(somePart(first, rpctext.Response|rpctext.More)),
					gets(somePart(first, rpctext.Response)), over)}
			})},
		{Name: "reply-continued-by-default", Requirements: []string{"RPCRDMA2-6.4-2"}, Need: conform.RPCProgram, Begin: begun,
			Says: "Without a word of ours about it, a Reply beyond 4096 octets comes in several messages.",
			For:  "a peer that sends messages of 4096 octets",
			Ask: func(s *conform.Setup) []string {
				if property(s, rpcrdma.PropSBSIZ) < 4096 {
					return nil
				}
				return []string{script(longCall(none), gets(somePart(first, rpctext.Response|rpctext.More)),
					gets(somePart(first, rpctext.Response)))}
			}},
		{Name: "reply-chunk-too-small", Requirements: []string{"RPCRDMA2-6.4-2"}, Need: conform.RPCProgram, Begin: bare,
			Says: "A Reply for which the Reply chunk is too small comes in several messages.",
			Ask: func(*conform.Setup) (scripts []string) {
				for _, room := range [][]int{{}, {0}, {100}, {replyLen(1200) - 4}, {400, 400}} {
					c := rpctext.Chunks{Reply: []rpctext.Segment{}}
					unused := rpctext.Chunks{Reply: []rpctext.Segment{}}
					for i, n := range room {
						c.Reply = append(c.Reply, segment(i+1, n))
						unused.Reply = append(unused.Reply, segment(i+1, 0))
					}
					call := sends(rpctext.Msg2(first, c, plain(first, rpctext.Numbered(0, 1200))))
					scripts = append(scripts, script(small(), call, inTwo(unused, none, 1200)))
				}
				return scripts
			}},
		{Name: "results-and-continued", Requirements: []string{"RPCRDMA2-6.4-2", "RPCRDMA2-4.3.6-2"},
			Need: conform.RPCProgram, Begin: bare,
			Says: "A Reply in several messages returns the Write chunks in the last one.",
			Ask:  conform.Text(script(small(), chunkAndContinued()))},
	}
})
