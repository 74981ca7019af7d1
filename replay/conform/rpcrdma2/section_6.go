package rpcrdma2

// Section 6: header types, flags and remote invalidation.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext2"
)

// unknownTypes are undefined values of rdma_htype, among them those of version 1 that version 2 has dropped.
var unknownTypes = []rpctext.Word{2, 3, 6, 7, 8, 9, 10, 13, 14, 0x100, 0x7fffffff, 0x80000000, 0xffffffff}

var section61 = adapted("6.1", "header types", func() []conform.Case {
	return conform.Alike(conform.Case{Begin: begun}, []conform.Case{
		{Name: "types-supported", Requirements: []string{"RPCRDMA2-6.1-1", "RPCRDMA2-4.2.3.1-1"}, Begin: singly,
			Says: "Each of the four header types is accepted.",
			Ask: asking(func(n null) []string {
				s := segment(1, rpctext.CallLen)
				special := rpctext.Chunks{Reads: []rpctext.ReadSegment{{Segment: s}}}
				return []string{script(n.answered(first),
					sends(rpctext2.NoMsg(second, special)), rpctext.Read(s, n.call(second)), n.answers(second),
					sends(rpctext2.Refusing(third, rpctext2.System)), n.answered(fourth))}
			})},
		{Name: "type-unknown", Requirements: []string{"RPCRDMA2-6.1-2", "RPCRDMA2-7.1.2-1", "RPCRDMA2-7-2", "RPCRDMA2-7-3"},
			Says: "An undefined header type is answered with RDMA2_ERR_INVAL_HTYPE.",
			Ask:  asking(func(n null) []string { return eachRefused(rpctext2.InvalHType, typesOf(n.call(first))...) })},
		{Name: "type-unknown-nothing-behind", Requirements: []string{"RPCRDMA2-6.1-2", "RPCRDMA2-7.1.2-1"},
			Says: "The same holds without anything after the prefix of the header.",
			Ask: conform.EachOf(func(t rpctext.Word) string {
				m := rpctext2.Message{XID: first, Vers: rpctext2.Vers, Credit: rpctext2.NextGrant, HType: t}
				return refused(m, rpctext2.InvalHType)
			}, unknownTypes...)},
		{Name: "type-unknown-not-executed", Requirements: []string{"RPCRDMA2-6.1-2", "RPCRDMA2-7.1.2-2"},
			Need: conform.RPCProgram,
			Says: "A Call with an unknown header type is not executed.",
			Ask: asking(func(n null) []string {
				return withLine(eachRefused(rpctext2.InvalHType, typesOf(n.call(first))...), reports(second, 0))
			})},
		{Name: "type-unknown-then-known", Requirements: []string{"RPCRDMA2-6.1-2", "RPCRDMA2-7.1.2-1"},
			Says: "Successive unknown header types do not affect the connection.",
			Ask: asking(func(n null) []string {
				lines := []string{n.answered(second)}
				for _, m := range typesOf(n.call(first)) {
					lines = append(lines, refused(m, rpctext2.InvalHType), n.answered(second))
				}
				return []string{script(lines...)}
			})},
	})
})

// typesOf returns Calls of NULL with each unknown header type, and any payload.
func typesOf(payload string) (messages []rpctext2.Message) {
	for _, t := range unknownTypes {
		m := rpctext2.Msg(first, none, payload)
		m.HType = t
		messages = append(messages, m)
	}
	return messages
}

// reserved are the undefined flags.
const reserved rpctext.Word = 0xfffffff8

var section622 = adapted("6.2.2", "reserved flags", func() []conform.Case {
	return []conform.Case{
		{Name: "reserved-flag-ignored", Requirements: []string{"RPCRDMA2-6.2.2-2"}, Begin: begun,
			Says: "Each reserved flag is ignored in a Call.",
			Ask: asking(func(n null) (scripts []string) {
				for flag := rpctext2.TPMore << 1; flag <= 0x80000000; flag <<= 1 {
					scripts = append(scripts, script(sends(n.message(first).With(flag)), n.answers(first)))
				}
				return scripts
			})},
		{Name: "reserved-flags-ignored", Requirements: []string{"RPCRDMA2-6.2.2-2"}, Begin: begun,
			Says: "All reserved flags together are ignored, in each type of message.",
			Ask: asking(func(n null) []string {
				return []string{
					script(sends(n.message(first).With(reserved)), n.answers(first)),
					script(sends(rpctext2.NoMsg(0, none).With(reserved)), n.answered(first)),
					script(sends(rpctext2.Refusing(first, rpctext2.System).With(reserved)), n.answered(first)),
					script(sends(part(n, 0, 20).With(reserved)), sends(part(n, 20, 40)), n.answers(first)),
					script(sends(part(n, 0, 20)), sends(part(n, 20, 40).With(reserved)), n.answers(first)),
				}
			})},
		{Name: "reserved-flags-ignored-in-properties", Requirements: []string{"RPCRDMA2-6.2.2-2", "RPCRDMA2-6.1-1"},
			Begin: bare,
			Says:  "All reserved flags together are ignored in properties, and do not affect whether they are the last.",
			Ask: asking(func(n null) []string {
				return []string{
					script(sends(rpctext2.Properties().With(reserved)), gets(rpctext2.AnyConnProp()), n.answered(first)),
					script(sends(rpctext2.Properties().With(reserved|rpctext2.TPMore)), gets(rpctext2.AnyConnProp()),
						sends(rpctext2.Properties().With(reserved)), n.answered(first)),
				}
			})},
		{Name: "reserved-flags-beside-an-error", Requirements: []string{"RPCRDMA2-6.2.2-2", "RPCRDMA2-6.1-2"}, Begin: begun,
			Says: "Reserved flags do not hide another error in a message.",
			Ask: asking(func(n null) []string {
				m := n.message(first).With(reserved)
				m.HType = 6
				return eachRefused(rpctext2.InvalHType, m, n.message(second).With(reserved|rpctext2.TPMore))
			})},
	}
})

var section6223 = adapted("6.2.2.3", "RDMA2_F_TPMORE", func() []conform.Case {
	return conform.Alike(conform.Case{Begin: begun}, []conform.Case{
		{Name: "on-a-message", Requirements: []string{"RPCRDMA2-6.2.2.3-2"},
			Says: "RDMA2_F_TPMORE on a message without properties is answered with RDMA2_ERR_INVAL_HTYPE.",
			Ask: asking(func(n null) []string {
				return eachRefused(rpctext2.InvalHType,
					n.message(first).With(rpctext2.TPMore), part(n, 0, 20).With(rpctext2.TPMore),
					rpctext2.NoMsg(second, special(segment(1, rpctext.CallLen))).With(rpctext2.TPMore))
			})},
		{Name: "on-a-message-before-the-last-properties", Requirements: []string{"RPCRDMA2-6.2.2.3-2"}, Begin: bare,
			Says: "That holds while more properties are to follow.",
			Ask: asking(func(n null) []string {
				return []string{script(opened(), refused(n.message(first).With(rpctext2.TPMore), rpctext2.InvalHType), closed())}
			})},
		{Name: "on-a-message-not-executed", Requirements: []string{"RPCRDMA2-6.2.2.3-2"}, Need: conform.RPCProgram,
			Says: "A Call with RDMA2_F_TPMORE is not executed.",
			Ask: asking(func(n null) []string {
				return []string{script(refused(n.message(first).With(rpctext2.TPMore), rpctext2.InvalHType), reports(second, 0))}
			})},
		{Name: "on-an-unknown-type", Requirements: []string{"RPCRDMA2-6.2.2.3-2", "RPCRDMA2-6.1-2"},
			Says: "RDMA2_F_TPMORE on an undefined header type is answered like either error.",
			Ask: asking(func(n null) []string {
				m := n.message(first).With(rpctext2.TPMore)
				m.HType = 7
				return eachRefused(rpctext2.InvalHType, m)
			})},
		{Name: "properties-after-the-last", Requirements: []string{"RPCRDMA2-6.2.2.3-3"},
			Says: "Properties after the last ones are answered with RDMA2_ERR_INVAL_HTYPE, whatever they are.",
			Ask: conform.Texts(eachRefused(rpctext2.InvalHType, late(rpctext2.Properties()),
				late(rpctext2.Properties(rpctext2.Number(rpctext2.RBSIZ, 1024))),
				late(rpctext2.Properties()).With(rpctext2.TPMore), late(rpctext2.Properties(rpctext2.Property(99, 1, 2, 3))))...)},
		{Name: "properties-after-the-last-again", Requirements: []string{"RPCRDMA2-6.2.2.3-3"},
			Says: "That holds each time, and Calls in between are answered.",
			Ask: asking(func(n null) []string {
				again := refused(late(rpctext2.Properties()), rpctext2.InvalHType)
				return []string{script(again, again, n.answered(first), again, n.answered(second))}
			})},
		{Name: "properties-after-the-last-not-applied", Requirements: []string{"RPCRDMA2-6.2.2.3-3"},
			Need: conform.RPCProgram,
			Says: "Properties after the last ones have no effect: the maximum length of the peer's messages does not change.",
			Ask: conform.Text(
				refused(late(rpctext2.Properties(rpctext2.Number(rpctext2.RBSIZ, smallReceive))), rpctext2.InvalHType), whole())},
		{Name: "properties-in-several-messages", Requirements: []string{"RPCRDMA2-6.2.2.3-4", "RPCRDMA2-6.1-1"}, Begin: bare,
			Says: "Properties may be in several messages: all but the last have RDMA2_F_TPMORE.",
			Ask: asking(func(n null) []string {
				more := sends(rpctext2.Properties(rpctext2.Number(rpctext2.RBSIZ, 4096)).With(rpctext2.TPMore))
				return []string{
					script(opened(), closed(), n.answered(first)),
					script(opened(), more, more, more, more, closed(), n.answered(first)),
					script(opened(), more, closed(), refused(late(rpctext2.Properties()), rpctext2.InvalHType)),
				}
			})},
		{Name: "property-in-parts", Requirements: []string{"RPCRDMA2-6.2.2.2-1", "RPCRDMA2-6.1-1"}, Begin: bare,
			Says: "A property that is too long for one message is sent in several with RDMA2_F_MORE.",
			Ask: asking(func(n null) []string {
				begin, end := late(rpctext2.Properties()).With(rpctext2.More), late(rpctext2.Properties())
				begin.Body, end.Body = rpctext.Words(1, 1000, 1500)+" 00*700", "00*800"
				return []string{script(opened(), sends(begin), sends(end), n.answered(first))}
			})},
		{Name: "properties-come-first", Requirements: []string{"RPCRDMA2-6.3.4-1", "RPCRDMA2-6.2.2.3-4", "RPCRDMA2-4.2.3.1-1"},
			Begin: bare,
			Says:  "The first message of the peer has its properties, and no Reply precedes the last ones.",
			Ask: asking(func(n null) []string {
				return []string{script(sends(rpctext2.Properties()), gets(rpctext2.AnyConnProp()), n.answered(first))}
			})},
	})
})

// opened returns the exchange of properties, with more of ours to follow. They take effect.
func opened(properties ...string) string {
	return script(sends(rpctext2.Properties(properties...).With(rpctext2.TPMore)), gets(rpctext2.AnyConnProp()))
}

// closed returns the last message with properties of ours.
func closed(properties ...string) string {
	return sends(late(rpctext2.Properties(properties...)))
}

// late returns a message with properties that are not the first.
func late(m rpctext2.Message) rpctext2.Message {
	m.XID++
	m.Credit = rpctext2.NextGrant
	return m
}

var section6222 = adapted("6.2.2.2", "RDMA2_F_MORE", func() []conform.Case {
	return append(conform.Alike(conform.Case{Begin: begun}, []conform.Case{
		{Name: "call-in-two-parts", Requirements: []string{"RPCRDMA2-6.2.2.2-1"},
			Says: "A Call in two messages is reassembled, wherever it is divided.",
			Ask: askingEach(func(n null, at int) string {
				return script(sends(part(n, 0, at)), sends(part(n, at, 40)), n.answers(first))
			}, 4, 8, 12, 16, 20, 24, 28, 32, 36, 5, 6, 7, 15, 33)},
		{Name: "call-in-many-parts", Requirements: []string{"RPCRDMA2-6.2.2.2-1"},
			Says: "A Call may have any number of messages.",
			Ask: askingEach(func(n null, octets int) string {
				return script(sendsAll(divide(first, none, n.call(first), octets)...), n.answers(first))
			}, 20, 16, 12, 8, 4)},
		{Name: "calls-in-parts-one-by-one", Requirements: []string{"RPCRDMA2-6.2.2.2-1"},
			Says: "Calls in several messages and in one may follow each other.",
			Ask: asking(func(n null) []string {
				parts := func(xid rpctext.Word) string { return sendsAll(divide(xid, none, n.call(xid), 16)...) }
				return []string{script(parts(first), n.asks(second), parts(third), parts(fourth), n.answers(first),
					n.answers(second),
					n.answers(third), n.answers(fourth))}
			})},
		{Name: "xid-again", Requirements: []string{"RPCRDMA2-6.2.2.2-1"},
			Says: "A Call in several messages may have the XID of one that was answered.",
			Ask: asking(func(n null) []string {
				parts := script(sendsAll(divide(first, none, n.call(first), 12)...), n.answers(first))
				return []string{script(parts, parts, n.answered(first), parts)}
			})},
		{Name: "grant-between-parts", Requirements: []string{"RPCRDMA2-6.2.2.2-10", "RPCRDMA2-4.2.1.2-2"},
			Says: "A message that only grants credits may come between two parts.",
			Ask: asking(func(n null) []string {
				return []string{script(sends(part(n, 0, 20)), "> Send "+rpctext2.Grant(2), sends(part(n, 20, 40)), n.answers(first))}
			})},
		{Name: "long-call-in-parts", Requirements: []string{"RPCRDMA2-6.2.2.2-1", "RPCRDMA2-6.2.2.2-10"},
			Need: conform.RPCProgram,
			Says: "The parts of a long Call are joined in their order.",
			Ask: func(s *conform.Setup) (scripts []string) {
				item := rpctext.Numbered(0, 1000)
				call := plain(first, item)
				for _, octets := range []int{1000, 400, 100, 52} {
					if len(divide(first, none, call, octets)) <= granted(s) {
						scripts = append(scripts, script(sendsAll(divide(first, none, call, octets)...),
							gets(rpctext2.Reply(first, none, echoed(first, item)))))
					}
				}
				return scripts
			}},
		{Name: "chunks-in-the-last-part",
			Requirements: []string{"RPCRDMA2-6.2.2.2-1", "RPCRDMA2-4.3.5-4", "RPCRDMA2-4.3.6-2"},
			Need:         conform.RPCProgram,
			Begin:        singly,
			Says:         "The chunks of a Call in several messages are in the last one, and their Positions count in the whole Call.",
			Ask: func(*conform.Setup) (scripts []string) {
				item, s := rpctext.Numbered(3, 50), segment(1, 50)
				call := echo(first, item.InChunk())
				c := rpctext.Chunks{Reads: []rpctext.ReadSegment{{Position: rpctext.Position(0, item), Segment: s}}}
				c.Writes = [][]rpctext.Segment{{segment(2, 30), segment(3, 30)}}
				writes, filled := rpctext.Fill(c.Writes[0], item.Data)
				for _, octets := range []int{4, 16, 40, 48} {
					scripts = append(scripts, script(sendsAll(divide(first, c, call, octets)...), rpctext.Read(s, rpctext.Octets(item.Data)),
						writes,
						gets(rpctext2.Reply(first, rpctext.Chunks{Writes: [][]rpctext.Segment{filled}}, echoed(first, item.InChunk())))))
				}
				return scripts
			}},
		{Name: "more-parts-than-credits", Requirements: []string{"RPCRDMA2-6.2.2.2-10"}, Need: conform.RPCProgram,
			If:   func(s *conform.Setup) bool { return s.Peer.RPC.Granted <= mostCalls },
			For:  "a peer that grants fewer credits",
			Says: "The peer grants more credits if they are used up before the last part.",
			Ask:  moreThanCredits},
	}), brokenSequences()...)
})

// moreThanCredits returns a Call with one part more than there are credits. The part is sent after more are granted.
func moreThanCredits(s *conform.Setup) []string {
	item := rpctext.Numbered(0, 4*granted(s))
	call := plain(first, item)
	parts := divide(first, none, call, 4)[:granted(s)]
	at := 4 * len(parts)
	grant := rpctext2.Message{Vers: rpctext2.Vers, HType: rpctext.RDMANoMsg, Flags: rpctext.Any,
		Body: "?*4 " + rpctext.Chunks{}.String()}
	return []string{script(sendsAll(parts...), gets(grant.Theirs()),
		sends(rpctext2.Msg(first, none, cut(call, at, rpctext.Len(call)))), gets(rpctext2.Reply(first, none,
			echoed(first, item))))}
}

var brokenSequences = func() []conform.Case {
	return conform.Alike(conform.Case{Begin: begun}, []conform.Case{
		{Name: "another-call-between",
			Requirements: []string{"RPCRDMA2-6.2.2.2-3", "RPCRDMA2-6.2.2.2-4", "RPCRDMA2-7.1.3-1"},
			Says:         "A message with another XID between the parts of a Call is answered with RDMA2_ERR_INVAL_CONT.",
			Ask: asking(func(n null) (scripts []string) {
				special := rpctext2.NoMsg(second, special(segment(1, rpctext.CallLen)))
				for _, intruder := range []rpctext2.Message{n.message(second), divide(second, none, n.call(second), 20)[0],
					special} {
					scripts = append(scripts, script(sends(part(n, 0, 20)), sends(intruder), invalCont(first, second), over),
						script(sends(part(n, 0, 12)), sends(part(n, 12, 24)), sends(intruder), invalCont(first, second), over))
				}
				return scripts
			})},
		{Name: "another-type-between",
			Requirements: []string{"RPCRDMA2-6.2.2.2-3", "RPCRDMA2-6.2.2.2-4", "RPCRDMA2-7.1.3-1"},
			Says:         "A message of another type between the parts of a Call is answered with RDMA2_ERR_INVAL_CONT.",
			Ask: asking(func(n null) []string {
				m := rpctext2.NoMsg(first, special(segment(1, rpctext.CallLen)))
				return []string{script(sends(part(n, 0, 20)), refused(m, rpctext2.InvalCont), over)}
			})},
		{Name: "more-on-nomsg", Requirements: []string{"RPCRDMA2-6.2.2.2-5", "RPCRDMA2-6.2.2.2-6", "RPCRDMA2-7.1.3-1"},
			Says: "RDMA2_F_MORE on an RDMA2_NOMSG is answered with RDMA2_ERR_INVAL_CONT, and nothing is read.",
			Ask: func(*conform.Setup) []string {
				m := rpctext2.NoMsg(first, special(segment(1, rpctext.CallLen))).With(rpctext2.More)
				return withLine(eachRefused(rpctext2.InvalCont, m), over)
			}},
		{Name: "more-on-an-unknown-type", Requirements: []string{"RPCRDMA2-6.2.2.2-5", "RPCRDMA2-6.1-2"},
			Says: "RDMA2_F_MORE on a header type that means nothing is answered for the one or the other.",
			Ask: asking(func(n null) (scripts []string) {
				for _, m := range typesOf(n.call(first)) {
					scripts = append(scripts, script(sends(m.With(rpctext2.More)),
						getsOneOf(rpctext2.Error(first, rpctext2.InvalHType), rpctext2.Error(first, rpctext2.InvalCont)), over))
				}
				return scripts
			})},
		{Name: "more-on-an-error", Requirements: []string{"RPCRDMA2-6.2.2.2-5", "RPCRDMA2-7-6"},
			Says: "An RDMA2_ERROR with RDMA2_F_MORE is not answered, and no continuation is expected.",
			Ask: asking(func(n null) []string {
				return []string{notAnswered(n, rpctext2.Refusing(first, rpctext2.System).With(rpctext2.More), rpctext2.InvalCont)}
			})},
		{Name: "more-and-chunks", Requirements: []string{"RPCRDMA2-6.2.2.2-7", "RPCRDMA2-6.2.2.2-8", "RPCRDMA2-7.1.3-1"},
			Says: "A message with RDMA2_F_MORE and a chunk is answered with RDMA2_ERR_INVAL_CONT, in the first part or a later one.",
			Ask: asking(func(n null) (scripts []string) {
				for _, c := range everyList() {
					begin := rpctext2.Msg(first, c, cut(n.call(first), 0, 20)).With(rpctext2.More)
					middle := rpctext2.Msg(first, c, cut(n.call(first), 12, 24)).With(rpctext2.More)
					scripts = append(scripts, script(refused(begin, rpctext2.InvalCont), over),
						script(sends(part(n, 0, 12)), refused(middle, rpctext2.InvalCont), over))
				}
				return scripts
			})},
		{Name: "rest-discarded", Requirements: []string{"RPCRDMA2-7.1.3-2", "RPCRDMA2-6.2.2.2-7"},
			Says: "All parts with the XID of a faulty one are discarded, and the next Call is answered.",
			Ask: asking(func(n null) (scripts []string) {
				for _, c := range everyList() {
					begin := rpctext2.Msg(first, c, cut(n.call(first), 0, 20)).With(rpctext2.More)
					middle := rpctext2.Msg(first, c, cut(n.call(first), 12, 24)).With(rpctext2.More)
					scripts = append(scripts,
						script(refused(begin, rpctext2.InvalCont), sends(part(n, 20, 40)), n.answered(second)),
						script(sends(part(n, 0, 12)), refused(middle, rpctext2.InvalCont), sends(part(n, 24, 36)), sends(part(n, 36, 40)),
							n.answered(second)))
				}
				return scripts
			})},
		{Name: "rest-not-executed", Requirements: []string{"RPCRDMA2-7.1.3-2"}, Need: conform.RPCProgram,
			Says: "A Call with a faulty part is not executed, whatever else arrives of it.",
			Ask: asking(func(n null) []string {
				bad := rpctext2.Msg(first, rpctext.Chunks{Writes: chunksOf([]int{1}, 64)},
					cut(n.call(first), 0, 20)).With(rpctext2.More)
				return []string{script(refused(bad, rpctext2.InvalCont), sends(part(n, 20, 40)), reports(second, 0))}
			})},
	})
}

// invalCont expects RDMA2_ERR_INVAL_CONT, with the XID of the message in between, or of the sequence that it broke.
func invalCont(sequence, between rpctext.Word) string {
	return getsOneOf(rpctext2.Error(between, rpctext2.InvalCont), rpctext2.Error(sequence, rpctext2.InvalCont))
}

// everyList returns chunks in each list, with and without a segment, and in all lists.
func everyList() []rpctext.Chunks {
	position := rpctext.ReadSegment{Position: 40, Segment: segment(1, 8)}
	return []rpctext.Chunks{
		{Reads: []rpctext.ReadSegment{position}}, {Writes: chunksOf([]int{1}, 64)}, {Writes: chunksOf([]int{0}, 0)},
		{Reply: []rpctext.Segment{segment(2, 64)}}, {Reply: []rpctext.Segment{}},
		{Reads: []rpctext.ReadSegment{position}, Writes: chunksOf([]int{2}, 64), Reply: []rpctext.Segment{segment(3, 64)}},
	}
}

var section624 = adapted("6.2.4", "remote invalidation", func() []conform.Case {
	return []conform.Case{
		{Name: "reply-invalidates", Requirements: []string{"RPCRDMA2-6.2.4-2"}, Begin: begun,
			Says: "A Reply invalidates the STag that the Call names, or none.",
			Ask: askingEach(func(n null, at int) string {
				c := rpctext.Chunks{Writes: chunksOf([]int{2, 1}, 64)}
				m := rpctext2.Invalidating(first, rpctext.Word(segment(at, 0).Handle), c, n.call(first))
				return script(sends(m), invalidates(segment(at, 0),
					rpctext2.Reply(first, rpctext.Chunks{Writes: chunksOf([]int{2, 1}, 0)}, n.reply(first))))
			}, 1, 2, 3)},
		{Name: "reply-to-a-special-call-invalidates", Requirements: []string{"RPCRDMA2-6.2.4-2"}, Begin: singly,
			Says: "The same holds for the Reply to a Call in a Read chunk.",
			Ask: asking(func(n null) []string {
				s := segment(1, rpctext.CallLen)
				m := rpctext2.NoMsg(first, special(s))
				m.Body = rpctext.Join(rpctext.Words(rpctext.Word(s.Handle)), special(s).String())
				return []string{script(sends(m), rpctext.Read(s, n.call(first)),
					invalidates(s, rpctext2.Reply(first, none, n.reply(first))))}
			})},
		{Name: "reply-with-results-invalidates", Requirements: []string{"RPCRDMA2-6.2.4-2"},
			Need: conform.RPCProgram, Begin: singly,
			Says: "The same holds for a Reply whose results were written, with the STag that was read or written.",
			Ask: func(*conform.Setup) (scripts []string) {
				item, from, to := rpctext.Numbered(1, 64), segment(1, 64), segment(2, 64)
				c := rpctext.Chunks{Reads: []rpctext.ReadSegment{{Position: rpctext.Position(0, item), Segment: from}},
					Writes: [][]rpctext.Segment{{to}}}
				reply := rpctext2.Reply(first, rpctext.Chunks{Writes: c.Writes}, echoed(first, item.InChunk()))
				for _, s := range []rpctext.Segment{from, to} {
					m := rpctext2.Invalidating(first, rpctext.Word(s.Handle), c, echo(first, item.InChunk()))
					scripts = append(scripts, script(sends(m), rpctext.Read(from, rpctext.Octets(item.Data)),
						rpctext.Written(to, rpctext.Octets(item.Data)), invalidates(s, reply)))
				}
				return scripts
			}},
		{Name: "nothing-to-invalidate", Requirements: []string{"RPCRDMA2-6.2.4-2"}, Begin: begun,
			Says: "The Reply to a Call that names no STag invalidates none, even if the previous Call did and both have the same " +
				"chunks.",
			Ask: asking(func(n null) []string {
				c, unused := rpctext.Chunks{Writes: chunksOf([]int{1}, 64)}, rpctext.Chunks{Writes: chunksOf([]int{1}, 0)}
				m := rpctext2.Invalidating(first, rpctext.Word(segment(1, 0).Handle), c, n.call(first))
				return []string{script(sends(m), invalidates(segment(1, 0), rpctext2.Reply(first, unused, n.reply(first))),
					sends(rpctext2.Msg(second, c, n.call(second))), gets(rpctext2.Reply(second, unused, n.reply(second))))}
			})},
		{Name: "errors-invalidate-nothing", Requirements: []string{"RPCRDMA2-6.2.4-2"}, Begin: begun,
			Says: "An RDMA2_ERROR is not a Reply, and invalidates nothing.",
			Ask: asking(func(n null) []string {
				c := rpctext.Chunks{Writes: chunksOf([]int{1}, 64)}
				stag := rpctext.Word(segment(1, 0).Handle)
				unknown, wrong := rpctext2.Invalidating(first, stag, c, n.call(first)), rpctext2.Invalidating(first, stag, c,
					n.call(second))
				unknown.HType = 6
				return []string{refused(unknown, rpctext2.InvalHType), refused(wrong, rpctext2.BadXDR)}
			})},
		{Name: "continued-reply-invalidates", Requirements: []string{"RPCRDMA2-6.2.4-2"},
			Need: conform.RPCProgram, Begin: bare,
			Says: "Of a Reply in several messages only the last one invalidates the STag, so that none comes for what is " +
				"invalid.",
			Ask: conform.Text(small(), continuedInvalidates())},
	}
})

// invalidates expects a Reply in a Send, which may invalidate the STag of a segment.
func invalidates(s rpctext.Segment, reply string) string {
	return script("< OneOf", "or Send "+reply, fmt.Sprintf("or SendInvalidate InvalidateSTag=0x%x %s", s.Handle, reply))
}

// continuedInvalidates returns a Call whose Reply has two messages, and an unused Write chunk.
func continuedInvalidates() string {
	const room = smallReceive - headerLen
	chunk := rpctext.Chunks{Writes: chunksOf([]int{1}, 64)}
	unused := rpctext.Chunks{Writes: chunksOf([]int{1}, 0)}
	item := rpctext.Numbered(0, 1500)
	payload := replyOctets(first, item)
	part := rpctext2.Replying(first, none, rpctext.Octets(payload[:room])).With(rpctext2.More)
	return script(
		sends(rpctext2.Invalidating(first, rpctext.Word(segment(1, 0).Handle), chunk, plain(first, item))),
		"< OneOf", "or Send "+part.Theirs(), `may "it divides the Reply elsewhere" Send `+somePart(first,
			rpctext2.Response|rpctext2.More),
		invalidates(segment(1, 0), rpctext2.Reply(first, unused, rpctext.Octets(payload[room:]))))
}
