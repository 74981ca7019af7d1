package rpcrdma2

// Section 6.2.4: remote invalidation.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section624 = adapted("6.2.4", "remote invalidation", func() []conform.Case {
	return []conform.Case{
		{Name: "reply-invalidates", Requirements: []string{"RPCRDMA2-6.2.4-2"}, Begin: begun,
			Says: "A Reply invalidates the STag that the Call names, or none.",
			Ask: asking(func(n null) (scripts []string) {
				for _, at := range []int{1, 2, 3} {
					c := rpctext.Chunks{Writes: chunksOf([]int{2, 1}, 64)}
					m := rpctext.Invalidating(first, rpctext.Word(segment(at, 0).Handle), c, n.call(first))
					scripts = append(scripts, script(sends(m), invalidates(segment(at, 0),
						rpctext.Reply2(first, rpctext.Chunks{Writes: chunksOf([]int{2, 1}, 0)}, n.reply(first)))))
				}
				return scripts
			})},
		{Name: "reply-to-a-special-call-invalidates", Requirements: []string{"RPCRDMA2-6.2.4-2"}, Begin: singly,
			Says: "So does the Reply to a Call that is in a Read chunk.",
			Ask: asking(func(n null) []string {
				s := segment(1, rpctext.CallLen)
				m := rpctext.NoMsg2(first, special(s))
				m.Body = rpctext.Join(rpctext.Words(rpctext.Word(s.Handle)), special(s).String())
				return []string{script(sends(m), read(s, n.call(first)),
					invalidates(s, rpctext.Reply2(first, none, n.reply(first))))}
			})},
		{Name: "reply-with-results-invalidates", Requirements: []string{"RPCRDMA2-6.2.4-2"},
			Need: conform.RPCProgram, Begin: singly,
			Says: "So does a Reply whose results were written, with the STag that was read or written.",
			Ask: func(*conform.Setup) (scripts []string) {
				item, from, to := rpctext.Numbered(1, 64), segment(1, 64), segment(2, 64)
				c := rpctext.Chunks{Reads: []rpctext.ReadSegment{{Position: rpctext.Position(0, item), Segment: from}},
					Writes: [][]rpctext.Segment{{to}}}
				reply := rpctext.Reply2(first, rpctext.Chunks{Writes: c.Writes}, echoed(first, item.InChunk()))
				for _, s := range []rpctext.Segment{from, to} {
					m := rpctext.Invalidating(first, rpctext.Word(s.Handle), c, echo(first, item.InChunk()))
					scripts = append(scripts, script(sends(m), read(from, rpctext.Octets(item.Data)),
						wrote(to, rpctext.Octets(item.Data)), invalidates(s, reply)))
				}
				return scripts
			}},
		{Name: "nothing-to-invalidate", Requirements: []string{"RPCRDMA2-6.2.4-2"}, Begin: begun,
			Says: "The Reply to a Call that names no STag invalidates none, though the Call before did and both have the same " +
				"chunks.",
			Ask: asking(func(n null) []string {
				c, unused := rpctext.Chunks{Writes: chunksOf([]int{1}, 64)}, rpctext.Chunks{Writes: chunksOf([]int{1}, 0)}
				m := rpctext.Invalidating(first, rpctext.Word(segment(1, 0).Handle), c, n.call(first))
				return []string{script(sends(m), invalidates(segment(1, 0), rpctext.Reply2(first, unused, n.reply(first))),
					sends(rpctext.Msg2(second, c, n.call(second))), gets(rpctext.Reply2(second, unused, n.reply(second))))}
			})},
		{Name: "errors-invalidate-nothing", Requirements: []string{"RPCRDMA2-6.2.4-2"}, Begin: begun,
			Says: "An RDMA2_ERROR is no Reply, and invalidates nothing.",
			Ask: asking(func(n null) []string {
				c := rpctext.Chunks{Writes: chunksOf([]int{1}, 64)}
				stag := rpctext.Word(segment(1, 0).Handle)
				unknown, wrong := rpctext.Invalidating(first, stag, c, n.call(first)), rpctext.Invalidating(first, stag, c,
					n.call(second))
				unknown.HType = 6
				return []string{refused(unknown, rpctext.InvalHType), refused(wrong, rpctext.BadXDR)}
			})},
		{Name: "continued-reply-invalidates", Requirements: []string{"RPCRDMA2-6.2.4-2"},
			Need: conform.RPCProgram, Begin: bare,
			Says: "Of a Reply in several messages only the last one invalidates the STag, so that none comes for what is " +
				"invalid.",
			Ask: conform.Text(script(small(), continuedInvalidates()))},
	}
})

// invalidates: a Reply comes in a Send, or in one that invalidates the STag of a segment.
func invalidates(s rpctext.Segment, reply string) string {
	return script("< OneOf", "or Send "+reply, fmt.Sprintf("or SendInvalidate InvalidateSTag=0x%x %s", s.Handle, reply))
}

// continuedInvalidates returns a Call whose Reply has two messages, and a Write chunk that is not used.
func continuedInvalidates() string {
	const room = smallReceive - headerLen
	chunk := rpctext.Chunks{Writes: chunksOf([]int{1}, 64)}
	unused := rpctext.Chunks{Writes: chunksOf([]int{1}, 0)}
	item := rpctext.Numbered(0, 1500)
	payload := replyOctets(first, item)
	part := rpctext.Replying(first, none, rpctext.Octets(payload[:room])).With(rpctext.More)
	return script(
		sends(rpctext.Invalidating(first, rpctext.Word(segment(1, 0).Handle), chunk, plain(first, item))),
		"< OneOf", "or Send "+part.Theirs(), `may "it divides the Reply elsewhere" Send `+somePart(first,
			rpctext.Response|rpctext.More),
		invalidates(segment(1, 0), rpctext.Reply2(first, unused, rpctext.Octets(payload[room:]))))
}
