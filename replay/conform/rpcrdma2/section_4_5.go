package rpcrdma2

// Section 4.5: Calls of the peer.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section453 = adapted("4.5.3", "support for the reverse direction", func() []conform.Case {
	return []conform.Case{
		{Name: "no-support-no-calls", Requirements: []string{"RPCRDMA2-4.5.3-1"}, Need: conform.RPCReverse, Begin: bare,
			Says: "The peer makes no Calls, though it is asked to, if our properties do not say that we take them.",
			Ask: func(*conform.Setup) (scripts []string) {
				for _, m := range []rpctext.Message2{
					rpctext.Properties(), reversing(0), rpctext.Properties(rpctext.Property(rpctext.BRS)),
					rpctext.Properties(rpctext.Number(rpctext.BRS, simple), rpctext.Number(rpctext.BRS, 0)),
					rpctext.Properties(rpctext.Number(99, simple)), reversing(4), reversing(0xffffffff),
				} {
					scripts = append(scripts, script(sends(m), gets(rpctext.AnyConnProp()), triesToCallBack(first, 3, 0),
						counted(second, rpctext.Any, 0, 0, 0)))
				}
				return scripts
			}},
		{Name: "many-calls", Requirements: []string{"RPCRDMA2-4.5.3-1", "RPCRDMA2-4.2.1.1-4"},
			Need: conform.RPCReverse, Begin: bare,
			Says: "The peer makes as many Calls as it is asked to, one after the other if they are answered so.",
			Ask: func(*conform.Setup) []string {
				lines := []string{sends(granting(reversing(simple), 1)), gets(rpctext.AnyConnProp()), callsBack(first, 9, 0),
					"> Send " + rpctext.Grant(1)}
				for _, name := range []string{"$a", "$b", "$c", "$d", "$e", "$f", "$g", "$h", "$i"} {
					lines = append(lines, "var "+name+" xid", theirNull(name), answersNull(name))
				}
				return []string{script(append(lines, counted(second, 1, 9, 9, 0))...)}
			}},
		{Name: "support-and-calls", Requirements: []string{"RPCRDMA2-4.5.3-1", "RPCRDMA2-3.1.3.4-3"},
			Need: conform.RPCReverse, Begin: bare,
			Says: "The peer makes Calls at each level of support.",
			Ask: func(*conform.Setup) (scripts []string) {
				for _, level := range []rpctext.Word{simple, continued, general} {
					scripts = append(scripts, script(reversed(level), "var $a xid", callsBack(first, 1, 0), theirNull("$a"),
						answersNull("$a"),
						counted(second, 1, 1, 1, 0)))
				}
				return scripts
			}},
	}
})

var section454 = adapted("4.5.4", "chunks in the reverse direction", func() []conform.Case {
	return []conform.Case{
		{Name: "no-chunks", Requirements: []string{"RPCRDMA2-4.5.4-3"}, Need: conform.RPCReverse, Begin: bare,
			Says: "Where we take none, Calls of the peer have no chunks, though they have data that may be in one.",
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
			Need: conform.RPCReverse, Begin: bare,
			Says: "A Call of the peer that does not fit in one message comes in several, if we take that.",
			Ask: func(*conform.Setup) []string {
				return []string{script(smallReversed(continued), "var $a xid", callsBack(first, 1, 1500),
					gets(named(somePart(placeholder, rpctext.More), "$a")), gets(named(somePart(placeholder, 0), "$a")),
					"> Send "+named(answer(rpctext.Items(rpctext.Filled(callbackOctet, 1500))).String(), "$a"), counted(second, 1, 1, 1,
						0))}
			}},
		{Name: "long-call-not-made", Requirements: []string{"RPCRDMA2-4.5.4-3", "RPCRDMA2-4.5.3-1"},
			Need: conform.RPCReverse, Begin: bare,
			Says: "It is not made, if we take Calls in one message only.",
			Ask: func(*conform.Setup) []string {
				return []string{script(smallReversed(simple), triesToCallBack(first, 1, 1500),
					counted(second, rpctext.Any, 0, 0, 0))}
			}},
		{Name: "chunks-in-a-reply", Requirements: []string{"RPCRDMA2-4.3.6-2"}, Need: conform.RPCReverse, Begin: bare,
			Says: "A Reply of ours with chunks that the peer did not offer is discarded, and the right one taken.",
			Ask: func(*conform.Setup) []string {
				m := rpctext.Msg2(placeholder, rpctext.Chunks{Writes: chunksOf([]int{1}, 0)},
					rpctext.Reply(placeholder, rpctext.Success, ""))
				return []string{script(reversed(simple), "var $a xid", callsBack(first, 1, 0), theirNull("$a"),
					"> Send "+named(m.With(rpctext.Response).String(), "$a"), counted(second, 1, 1, 0, 0),
					answersNull("$a"), counted(third, 2, 1, 1, 0))}
			}},
	}
})
