package rpcrdma2

// Section 6.2.2.2: RDMA2_F_MORE, a Call in several messages.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section6222 = adapted("6.2.2.2", "RDMA2_F_MORE", func() []conform.Case {
	return append([]conform.Case{
		{Name: "call-in-two-parts", Requirements: []string{"RPCRDMA2-6.2.2.2-1"}, Begin: begun,
			Says: "A Call in two messages is what they have joined, wherever it is divided.",
			Ask: asking(func(n null) (scripts []string) {
				for _, at := range []int{4, 8, 12, 16, 20, 24, 28, 32, 36, 5, 6, 7, 15, 33} {
					scripts = append(scripts, script(sends(part(n, 0, at)), sends(part(n, at, 40)), n.answers(first)))
				}
				return scripts
			})},
		{Name: "call-in-many-parts", Requirements: []string{"RPCRDMA2-6.2.2.2-1"}, Begin: begun,
			Says: "A Call comes in as many messages as its sender likes.",
			Ask: asking(func(n null) (scripts []string) {
				for _, octets := range []int{20, 16, 12, 8, 4} {
					scripts = append(scripts, script(sendsAll(divide(first, none, n.call(first), octets)...), n.answers(first)))
				}
				return scripts
			})},
		{Name: "calls-in-parts-one-by-one", Requirements: []string{"RPCRDMA2-6.2.2.2-1"}, Begin: begun,
			Says: "Calls in several messages and in one may follow each other.",
			Ask: asking(func(n null) []string {
				parts := func(xid rpctext.Word) string { return sendsAll(divide(xid, none, n.call(xid), 16)...) }
				return []string{script(parts(first), n.asks(second), parts(third), parts(fourth), n.answers(first),
					n.answers(second),
					n.answers(third), n.answers(fourth))}
			})},
		{Name: "xid-again", Requirements: []string{"RPCRDMA2-6.2.2.2-1"}, Begin: begun,
			Says: "A Call in several messages may have the XID of one that was answered.",
			Ask: asking(func(n null) []string {
				parts := script(sendsAll(divide(first, none, n.call(first), 12)...), n.answers(first))
				return []string{script(parts, parts, n.answered(first), parts)}
			})},
		{Name: "grant-between-parts", Requirements: []string{"RPCRDMA2-6.2.2.2-10", "RPCRDMA2-4.2.1.2-2"}, Begin: begun,
			Says: "A message that only grants credits may come between two parts.",
			Ask: asking(func(n null) []string {
				return []string{script(sends(part(n, 0, 20)), "> Send "+rpctext.Grant(2), sends(part(n, 20, 40)), n.answers(first))}
			})},
		{Name: "long-call-in-parts", Requirements: []string{"RPCRDMA2-6.2.2.2-1", "RPCRDMA2-6.2.2.2-10"},
			Need: conform.RPCProgram, Begin: begun,
			Says: "The parts of a long Call are joined in their order.",
			Ask: func(s *conform.Setup) (scripts []string) {
				item := rpctext.Numbered(0, 1000)
				call := plain(first, item)
				for _, octets := range []int{1000, 400, 100, 52} {
					if len(divide(first, none, call, octets)) <= granted(s) {
						scripts = append(scripts, script(sendsAll(divide(first, none, call, octets)...),
							gets(rpctext.Reply2(first, none, echoed(first, item)))))
					}
				}
				return scripts
			}},
		{Name: "chunks-in-the-last-part",
			Requirements: []string{"RPCRDMA2-6.2.2.2-1", "RPCRDMA2-4.3.5-4", "RPCRDMA2-4.3.6-2"},
			Need:         conform.RPCProgram,
			Begin:        singly,
			Says:         "The chunks of a Call in several messages are in the last one, and their Positions count in all of it.",
			Ask: func(*conform.Setup) (scripts []string) {
				item, s := rpctext.Numbered(3, 50), segment(1, 50)
				call := echo(first, item.InChunk())
				c := rpctext.Chunks{Reads: []rpctext.ReadSegment{{Position: rpctext.Position(0, item), Segment: s}}}
				c.Writes = [][]rpctext.Segment{{segment(2, 30), segment(3, 30)}}
				writes, filled := fill(c.Writes[0], item.Data)
				for _, octets := range []int{4, 16, 40, 48} {
					scripts = append(scripts, script(sendsAll(divide(first, c, call, octets)...), read(s, rpctext.Octets(item.Data)),
						writes,
						gets(rpctext.Reply2(first, rpctext.Chunks{Writes: [][]rpctext.Segment{filled}}, echoed(first, item.InChunk())))))
				}
				return scripts
			}},
		{Name: "more-parts-than-credits", Requirements: []string{"RPCRDMA2-6.2.2.2-10"},
			Need: conform.RPCProgram, Begin: begun,
			For:  "a peer that grants fewer credits",
			Says: "The peer grants more credits if those that it has granted are used up before the last part.",
			Ask:  moreThanCredits},
	}, brokenSequences()...)
})

// moreThanCredits returns a Call with one part more than there are credits for, which is sent when more are granted.
func moreThanCredits(s *conform.Setup) []string {
	if s.Peer.RPC.Granted > mostCalls {
		return nil
	}
	item := rpctext.Numbered(0, 4*granted(s))
	call := plain(first, item)
	parts := divide(first, none, call, 4)[:granted(s)]
	at := 4 * len(parts)
	grant := rpctext.Message2{Vers: rpctext.Vers2, HType: rpctext.RDMANoMsg, Flags: rpctext.Any,
		Body: "?*4 " + rpctext.Chunks{}.String()}
	return []string{script(sendsAll(parts...), gets(grant.Theirs()),
		sends(rpctext.Msg2(first, none, cut(call, at, rpctext.Len(call)))), gets(rpctext.Reply2(first, none,
			echoed(first, item))))}
}
