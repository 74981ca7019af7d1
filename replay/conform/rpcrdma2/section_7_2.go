package rpcrdma2

// Sections 7.2, 7.2.1 and 7.2.2: messages that do not parse.

import (
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext2"
)

var section72 = adapted("7.2", "XDR errors", func() []conform.Case {
	return []conform.Case{
		{Name: "xid-mismatch", Requirements: []string{"RPCRDMA2-7.2-1", "RPCRDMA2-7.2.1-1", "RPCRDMA2-7-2"}, Begin: begun,
			Says: "A Call whose header and RPC message have different XIDs is answered with RDMA2_ERR_BAD_XDR.",
			Ask: asking(func(n null) []string {
				return eachRefused(rpctext2.BadXDR, rpctext2.Msg(first, none, n.call(second)), rpctext2.Msg(0, none, n.call(second)),
					rpctext2.Msg(first, none, n.call(0)), rpctext2.Msg(first, none, n.call(first<<8)))
			})},
		{Name: "xid-mismatch-in-a-chunk", Requirements: []string{"RPCRDMA2-7.2-1", "RPCRDMA2-7.2.1-1"}, Begin: singly,
			Says: "The same holds for one in a Position Zero Read chunk.",
			Ask: asking(func(n null) []string {
				return []string{script(inChunk(first, n.call(second), rpctext.CallLen), gets(rpctext2.Error(first, rpctext2.BadXDR)))}
			})},
		{Name: "xid-mismatch-in-parts", Requirements: []string{"RPCRDMA2-7.2-1", "RPCRDMA2-7.2.1-1"}, Begin: begun,
			Says: "The same holds for one in several messages, with the XID of either.",
			Ask: asking(func(n null) []string {
				return []string{script(sendsAll(divide(first, none, n.call(second), 20)...),
					getsOneOf(rpctext2.Error(first, rpctext2.BadXDR), rpctext2.Error(first, rpctext2.InvalCont)))}
			})},
		{Name: "nomsg-without-chunks", Requirements: []string{"RPCRDMA2-7.2-1", "RPCRDMA2-7.2.1-1"}, Begin: begun,
			Says: "An RDMA2_NOMSG without chunks but with an XID, which is not a grant, is answered with RDMA2_ERR_BAD_XDR.",
			Ask: conform.EachOf(func(xid rpctext.Word) string {
				return refused(rpctext2.NoMsg(xid, none), rpctext2.BadXDR)
			}, xids[1:]...)},
		{Name: "nomsg-without-a-call", Requirements: []string{"RPCRDMA2-7.2-1", "RPCRDMA2-7.2.1-1"}, Begin: begun,
			Says: "The same holds for an RDMA2_NOMSG whose chunks have no Call.",
			Ask: conform.Texts(eachRefused(rpctext2.BadXDR, rpctext2.NoMsg(first, rpctext.Chunks{Writes: chunksOf([]int{1}, 64)}),
				rpctext2.NoMsg(first, rpctext.Chunks{Reply: []rpctext.Segment{segment(1, 64)}}),
				rpctext2.NoMsg(first, rpctext.Chunks{Reads: []rpctext.ReadSegment{{Position: 40, Segment: segment(1, 64)}}}))...)},
		{Name: "reply-in-a-call", Requirements: []string{"RPCRDMA2-7.2-1", "RPCRDMA2-7.2.1-1"}, Begin: begun,
			Says: "A message that is a Call by its flags and a Reply by its payload, or neither, is answered with " +
				"RDMA2_ERR_BAD_XDR.",
			Ask: asking(func(n null) []string {
				var messages []rpctext2.Message
				for _, kind := range []rpctext.Word{1, 2, 0x100, 0xffffffff} {
					c := rpctext.CallOf(first, rpctext.ProcNull, "")
					c.Program, c.Version, c.MsgType = n.program, n.version, kind
					messages = append(messages, rpctext2.Msg(first, none, c.String()))
				}
				return eachRefused(rpctext2.BadXDR, messages...)
			})},
		{Name: "replies-to-nothing", Requirements: []string{"RPCRDMA2-7.2-1"}, Begin: begun,
			Says: "A Reply without a Call is discarded without an answer.",
			Ask: asking(func(n null) []string {
				reply := rpctext2.Msg(first, none, rpctext.Reply(first, rpctext.Success, "")).With(rpctext2.Response)
				return []string{script(sends(reply), n.answered(second)),
					script(sends(n.message(first).With(rpctext2.Response)), n.answered(second))}
			})},
		{Name: "arguments-malformed", Requirements: []string{"RPCRDMA2-7.2-2"}, Need: conform.RPCProgram, Begin: begun,
			Says: "A Call with a correct header and malformed arguments is answered with GARBAGE_ARGS.",
			Ask: func(*conform.Setup) (scripts []string) {
				for _, arguments := range []string{
					"", "00000001", "00000001 00000002", "00000001 00000001", "00000001 00000001 00000004",
					"00000001 00000001 ffffffff 00000000", "ffffffff",
					"00000002 00000000",
				} {
					for _, proc := range []rpctext.Word{rpctext.ProcEcho, rpctext.ProcPlain} {
						scripts = append(scripts, script(sends(rpctext2.Msg(first, none, rpctext.CallOf(first, proc, arguments).String())),
							gets(rpctext2.Reply(first, none, rpctext.Reply(first, rpctext.GarbageArgs, "")))))
					}
				}
				return scripts
			}},
		{Name: "chunk-of-another-length", Requirements: []string{"RPCRDMA2-7.2-2"}, Need: conform.RPCProgram, Begin: singly,
			Says: "The same holds for a Read chunk shorter or longer than its argument.",
			Ask: conform.EachOf(func(octets int) string {
				item, s := rpctext.Filled(0x2a, 32), segment(1, octets)
				c := rpctext.Chunks{Reads: []rpctext.ReadSegment{{Position: rpctext.Position(0, item), Segment: s}}}
				return script(sends(rpctext2.Msg(first, c, echo(first, item.InChunk()))),
					rpctext.Read(s, rpctext.Octets(rpctext.Filled(0x2a, octets).Data)),
					gets(rpctext2.Reply(first, none, rpctext.Reply(first, rpctext.GarbageArgs, ""))))
			}, 31, 28, 4, 33, 36, 64)},
	}
})

var section721 = adapted("7.2.1", "RDMA2_ERR_BAD_XDR", func() []conform.Case {
	return conform.Alike(conform.Case{Begin: begun}, []conform.Case{
		{Name: "header-cut-short", Requirements: []string{"RPCRDMA2-7.2.1-1"},
			Says: "A truncated header is answered with RDMA2_ERR_BAD_XDR.",
			Ask: asking(func(n null) (scripts []string) {
				for octets := prefixLen; octets < headerLen; octets++ {
					scripts = append(scripts, script(short(n.message(first), octets), gets(rpctext2.Error(first, rpctext2.BadXDR))))
				}
				return scripts
			})},
		{Name: "lists-cut-short", Requirements: []string{"RPCRDMA2-7.2.1-1"},
			Says: "The same holds for one truncated in its chunk lists.",
			Ask: func(*conform.Setup) (scripts []string) {
				for _, m := range []rpctext2.Message{rpctext2.Msg(first, allLists(), ""), rpctext2.NoMsg(first, allLists())} {
					for octets := prefixLen; octets < rpctext.Len(m.String()); octets += 4 {
						scripts = append(scripts, script(short(m, octets), gets(rpctext2.Error(first, rpctext2.BadXDR))))
					}
				}
				return scripts
			}},
		{Name: "no-payload", Requirements: []string{"RPCRDMA2-7.2.1-1"},
			Says: "The same holds for an RDMA2_MSG without the start of an RPC message.",
			Ask: askingEach(func(n null, octets int) string {
				m := rpctext2.Msg(first, none, "")
				if octets > 0 {
					m = rpctext2.Msg(first, none, rpctext.Cut(n.call(first), octets))
				}
				return refused(m, rpctext2.BadXDR)
			}, 0, 1, 3, 4, 7)},
		{Name: "discriminators", Requirements: []string{"RPCRDMA2-7.2.1-1"},
			Says: "A discriminator other than 0 or 1 is answered with RDMA2_ERR_BAD_XDR.",
			Ask: asking(func(n null) (scripts []string) {
				for _, word := range []string{"00000002", "00000100", "80000000", "ffffffff"} {
					for _, lists := range []string{
						word + " 00000000 00000000", "00000000 " + word + " 00000000", "00000000 00000000 " + word,
						"00000001 00000028 00005001 00000008 0000000000010000 " + word + " 00000000 00000000",
						"00000000 00000001 00000001 00005001 00000008 0000000000010000 " + word + " 00000000",
					} {
						m := n.message(first)
						m.Body = rpctext.Join("00000000", lists, n.call(first))
						scripts = append(scripts, refused(m, rpctext2.BadXDR))
					}
				}
				return scripts
			})},
		{Name: "too-many-segments-to-be-there", Requirements: []string{"RPCRDMA2-7.2.1-1"},
			Says: "The same holds for a chunk that counts more segments than it has.",
			Ask: asking(func(n null) (scripts []string) {
				for _, count := range []string{"00000010", "10000001", "7fffffff", "ffffffff"} {
					for _, lists := range []string{"00000000 00000001 " + count, "00000000 00000000 00000001 " + count} {
						m := n.message(first)
						m.Body = rpctext.Join("00000000", lists, n.call(first))
						scripts = append(scripts, refused(m, rpctext2.BadXDR))
					}
				}
				return scripts
			})},
		{Name: "positions", Requirements: []string{"RPCRDMA2-7.2.1-1"},
			Says: "A Position that is not a multiple of four, or zero with a payload, is answered with RDMA2_ERR_BAD_XDR.",
			Ask: askingEach(func(n null, position uint32) string {
				c := rpctext.Chunks{Reads: []rpctext.ReadSegment{{Position: position, Segment: segment(1, 8)}}}
				return refused(rpctext2.Msg(first, c, n.call(first)), rpctext2.BadXDR)
			}, 0, 1, 2, 3, 41, 42, 43, 0xffffffff)},
		{Name: "not-executed", Requirements: []string{"RPCRDMA2-7.2.1-2", "RPCRDMA2-7.2-1"}, Need: conform.RPCProgram,
			Says: "A Call that is answered with RDMA2_ERR_BAD_XDR is not executed.",
			Ask: asking(func(n null) []string {
				unaligned := rpctext.Chunks{Reads: []rpctext.ReadSegment{{Position: 42, Segment: segment(1, 8)}}}
				return withLine(eachRefused(rpctext2.BadXDR, rpctext2.Msg(first, none, n.call(second)),
					rpctext2.Msg(first, unaligned, n.call(first)),
					rpctext2.NoMsg(first, none)), reports(third, 0))
			})},
		{Name: "properties-cut-short", Requirements: []string{"RPCRDMA2-7.2.1-1"}, Begin: bare,
			Says: "Truncated properties are answered with RDMA2_ERR_BAD_XDR, or that of a " +
				"value.",
			Ask: func(*conform.Setup) (scripts []string) {
				m := late(rpctext2.Properties(rpctext2.Number(rpctext2.RBSIZ, 4096),
					rpctext2.Number(rpctext2.BRS, 1))).With(rpctext2.TPMore)
				for octets := prefixLen; octets < rpctext.Len(m.String()); octets++ {
					scripts = append(scripts, script(opened(), short(m, octets), malformed(m), closed()))
				}
				for _, count := range []string{"00000003", "7fffffff", "ffffffff"} {
					many := m
					many.Body = strings.Replace(m.Body, "00000002", count, 1)
					scripts = append(scripts, script(opened(), sends(many), malformed(m), closed()))
				}
				return scripts
			}},
	})
})

var section722 = adapted("7.2.2", "RDMA2_ERR_BAD_PROPVAL", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.RPCProgram, Begin: bare}, []conform.Case{
		{Name: "nothing-applied", Requirements: []string{"RPCRDMA2-7.2.2-2", "RPCRDMA2-7.2.2-1"},
			Says: "If one property is malformed, none in the message has an effect.",
			Ask: func(*conform.Setup) []string {
				good, bad := rpctext2.Number(rpctext2.RBSIZ, smallReceive), rpctext2.Property(rpctext2.BRS, 0, 0, 1)
				return []string{
					script(refusedProperties(good, bad), whole()), script(refusedProperties(bad, good), whole()),
					script(refusedProperties(good, rpctext.Words(rpctext2.SBSIZ, 0xffff, 0)), whole()),
				}
			}},
		{Name: "those-before-applied", Requirements: []string{"RPCRDMA2-7.2.2-2"},
			Says: "Properties of other messages keep their effect.",
			Ask: func(*conform.Setup) []string {
				good, bad := rpctext2.Number(rpctext2.RBSIZ, smallReceive), rpctext2.Property(rpctext2.BRS, 0, 0, 1)
				refusal := refused(late(rpctext2.Properties(bad)).With(rpctext2.TPMore), rpctext2.BadPropval)
				return []string{
					script(opened(good), refusal, closed(), inReplyChunk(1500, 2048)),
					script(opened(), refusal, closed(good), inReplyChunk(1500, 2048)),
				}
			}},
	})
})

func allLists() rpctext.Chunks {
	return rpctext.Chunks{
		Reads:  []rpctext.ReadSegment{{Position: 40, Segment: segment(1, 8)}, {Position: 40, Segment: segment(2, 8)}},
		Writes: chunksOf([]int{1, 2}, 64),
		Reply:  []rpctext.Segment{segment(6, 64)},
	}
}

// malformed expects an error about truncated properties, where the header or a value may be at fault.
func malformed(m rpctext2.Message) string {
	return getsOneOf(rpctext2.Error(m.XID, rpctext2.BadXDR), rpctext2.Error(m.XID, rpctext2.BadPropval))
}
