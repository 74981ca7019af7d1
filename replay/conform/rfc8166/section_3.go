package rfc8166

// Section 3: credits, chunks and Long Messages.

import (
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section331 = about("3.3.1", "credits", func() []conform.Case {
	return []conform.Case{
		{Name: "burst", Requirements: []string{"RPCRDMA1-3.3.1-5", "RPCRDMA1-3.3.1-8"},
			Says: "As many Calls as granted can be outstanding at once.",
			Ask:  func(s *conform.Setup) []string { return []string{script(null(s, firstXID), burst(s, firstXID+1))} }},
		{Name: "burst-again", Requirements: []string{"RPCRDMA1-3.3.1-5"},
			Says: "A grant stays valid: one burst of Calls can follow another.",
			Ask: func(s *conform.Setup) []string {
				return []string{script(null(s, firstXID), burst(s, 0x1001), burst(s, 0x2001), burst(s, 0x3001))}
			}},
		{Name: "burst-after-errors", Requirements: []string{"RPCRDMA1-3.3.1-5", "RPCRDMA1-4.5-2"},
			Says: "Refused messages use no credits: after them as many Calls as before can be outstanding.",
			Ask: func(s *conform.Setup) []string {
				lines := []string{null(s, firstXID)}
				for i := range granted(s) + 1 {
					m := nullMessage(s, 0x1001+i, none)
					m.Proc = 9
					lines = append(lines, refused(m))
				}
				return []string{script(append(lines, burst(s, 0x2001))...)}
			}},
		{Name: "burst-after-dropped", Requirements: []string{"RPCRDMA1-3.3.1-5", "RPCRDMA1-4.5-1"}, If: grantsTwo, For: twoCredits,
			Says: "Ignored messages use no credits.",
			Ask: func(s *conform.Setup) []string {
				lines := []string{null(s, firstXID)}
				for i := range 6 * granted(s) {
					lines = append(lines, sends("00000000"), null(s, 0x1001+i))
				}
				return []string{script(append(lines, burst(s, 0x2001))...)}
			}},
		{Name: "requested", Requirements: []string{"RPCRDMA1-3.3.1-8", "RPCRDMA1-3.3.1-5"},
			Says: "Whatever number of credits is requested, this Call and the next one are answered.",
			Ask: func(s *conform.Setup) []string {
				var lines []string
				for i, credits := range []rpctext.Word{0, 1, 2, 0x80000000, 0xffffffff, 0, rpctext.Word(s.Rand.Uint32())} {
					m := nullMessage(s, firstXID+rpctext.Word(i), none)
					m.Credit = credits
					lines = append(lines, sends(m.String()), gets(rpctext.Msg(m.XID, none, nullReply(s, m.XID)).Theirs()))
				}
				return []string{script(lines...)}
			}},
		{Name: "grant", Requirements: []string{"RPCRDMA1-3.3.1-2", "RPCRDMA1-3.3.1-5"},
			Says: "Each Reply grants credits, and never zero.",
			Ask: func(s *conform.Setup) []string {
				m := nullMessage(s, firstXID, none)
				return []string{script(sends(m.String()), grants(s, rpctext.Msg(m.XID, none, nullReply(s, m.XID))))}
			}},
		{Name: "grant-in-errors", Requirements: []string{"RPCRDMA1-3.3.1-2", "RPCRDMA1-3.3.1-8"},
			Says: "Each RDMA_ERROR grants credits, and never zero.",
			Ask: func(s *conform.Setup) []string {
				m := nullMessage(s, firstXID, none)
				m.Proc = 9
				return []string{script(sends(m.String()), grants(s, rpctext.Failure1(m.XID, rpctext.ErrChunk)))}
			}},
		{Name: "unsolicited", Requirements: []string{"RPCRDMA1-3.3.1-7", "RPCBIDI-6-1"},
			Says: "Nothing is sent while no Call is open, and no reverse Call before we announce that we accept them.",
			Ask: func(s *conform.Setup) []string {
				return []string{
					silent,
					script(null(s, firstXID), silent, null(s, firstXID+1), silent),
				}
			}},
	}
})

// mostOutstanding limits the outstanding Calls in a case.
const mostOutstanding = 256

// granted returns the number of Calls that can be outstanding.
func granted(s *conform.Setup) rpctext.Word {
	return rpctext.Word(min(max(s.Peer.RPC.Credits, 1), mostOutstanding))
}

// burst returns as many Calls of NULL as granted, and their Replies, in any order.
func burst(s *conform.Setup, xid rpctext.Word) string {
	var ours, theirs []string
	for i := range granted(s) {
		ours = append(ours, sends(nullMessage(s, xid+i, none).String()))
		theirs = append(theirs, gets(rpctext.Msg(rpctext.Any, none, nullReply(s, rpctext.Any)).Theirs()))
	}
	return script(append(ours, theirs...)...)
}

// grants expects a message that grants as many credits as the peer's first one, or another number but zero.
func grants(s *conform.Setup, m rpctext.Message1) string {
	const most = 128 // of the other grants that are accepted
	usual := rpctext.Word(max(s.Peer.RPC.Credits, 1))
	m.Credit = usual
	lines := []string{"< OneOf", "or Send " + m.String()}
	for m.Credit = 1; m.Credit <= min(2*usual, most); m.Credit++ {
		if m.Credit != usual {
			lines = append(lines, `may "a grant may change, and this one has changed" Send `+m.String())
		}
	}
	return script(lines...)
}

var section333 = about("3.3.3", "the start of a connection", func() []conform.Case {
	return []conform.Case{
		{Name: "call-of-1024-octets", Requirements: []string{"RPCRDMA1-3.3.3-3"}, Need: conform.RPCProgram,
			Says: "A message of 1024 octets is accepted, even as the first one.",
			Ask: conform.EachOf(func(octets int) string {
				item := numbered(octets - rpctext.MinHeader - rpctext.CallLen - rpctext.ItemsLen(rpctext.Item{Data: []byte{}}))
				return script(
					asks(firstXID, rpctext.ProcPlain, none, item), gives(firstXID, none, item))
			}, 1024, 1020, 1016)},
		{Name: "null-of-1024-octets", Requirements: []string{"RPCRDMA1-3.3.3-3", "RPCRDMA1-4.3.2.2-3"},
			Says: "A Call of NULL of 1024 octets is accepted: with credentials of AUTH_SYS, and a Write chunk for " +
				"nothing.",
			Ask: func(s *conform.Setup) []string {
				const xid, segments = firstXID, 50
				var chunk []rpctext.Segment
				for i := range segments {
					chunk = append(chunk, sink(i, 8))
				}
				offered, back := writeList(chunk), writeList(rpctext.Used(0, chunk...))
				message := nullMessage(s, xid, offered).String()
				credential := 1024 - rpctext.Len(message)
				message = strings.Replace(message, nullCall(s, xid), rpctext.WithAuthSys(nullCall(s, xid), credential), 1)
				return []string{script(sends(message), gets(rpctext.Msg(xid, back, nullReply(s, xid)).Theirs()))}
			}},
		{Name: "reply-of-1024-octets", Requirements: []string{"RPCRDMA1-3.3.3-4", "RPCPD-5.1-1"}, Need: conform.RPCProgram,
			Says:  "A Reply of 1024 octets is sent inline.",
			Begin: oneAtATime, Ask: conform.Text(inline(1024))},
		{Name: "reply-of-1028-octets", Requirements: []string{"RPCRDMA1-3.3.3-4", "RPCPD-5.1-1", "RPCRDMA1-4.5.4-2"},
			Need:  conform.RPCProgram,
			Says:  "Nothing longer than 1024 octets is sent unless we announce larger Receives.",
			Begin: oneAtATime, Ask: conform.Texts(notInline(1028), notInline(2048), notInline(4100))},
	}
})

// inline returns a Reply of n octets that is sent inline.
func inline(octets int) string {
	lines, items := pulled(firstXID, octets-rpctext.MinHeader, none)
	return script(lines, gives(firstXID, none, items...))
}

// notInline returns a Reply that would have n octets and is not sent, because it cannot be inline.
func notInline(octets int) string {
	lines, _ := pulled(firstXID, octets-rpctext.MinHeader, none)
	return script(lines, gets(rpctext.RefusedChunk(firstXID)))
}

var section345 = about("3.4.5", "Read chunks", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.RPCProgram}, []conform.Case{
		{Name: "one", Requirements: []string{"RPCRDMA1-3.4.5-4", "RPCRDMA1-3.5.2-1"},
			Says: "A Read chunk is inserted at its Position.",
			Ask:  conform.Texts(inChunk(numbered(64)), inChunk(numbered(1)), inChunk(numbered(900)))},
		{Name: "segments-in-order", Requirements: []string{"RPCRDMA1-3.4.5-4"}, Begin: oneAtATime,
			Says: "Segments with the same Position are joined in list order, whatever their lengths.",
			Ask: conform.Texts(
				inSegments(numbered(12), 4, 4, 4), inSegments(numbered(64), 1, 62, 1),
				inSegments(numbered(17), 3, 5, 9), inSegments(numbered(8), 1, 1, 1, 1, 1, 1, 1, 1))},
		{Name: "segments-of-one-region", Requirements: []string{"RPCRDMA1-3.4.5-4"}, Begin: oneAtATime,
			Says: "The order is that of the list, not that of the offsets in a region.",
			Ask: func(*conform.Setup) []string {
				item := numbered(24)
				high := rpctext.Segment{Handle: 0x5001, Length: 16, Offset: 0x20000}
				low := rpctext.Segment{Handle: 0x5001, Length: 8, Offset: 0x10000}
				position := rpctext.Position(0, item)
				return []string{script(
					asks(firstXID, rpctext.ProcEcho, readList(at(position, high), at(position, low)), item.InChunk()),
					rpctext.Read(high, rpctext.Octets(item.Data[:16])), rpctext.Read(low, rpctext.Octets(item.Data[16:])),
					gives(firstXID, none, item))}
			}},
		{Name: "between-others", Requirements: []string{"RPCRDMA1-3.4.5-4", "RPCRDMA1-3.5.2-1"}, Begin: oneAtATime,
			Says: "A Position counts the octets of the items before it, whether they are in chunks or not, and their roundup.",
			Ask: conform.Texts(
				someInChunks(0, 2), someInChunks(1), someInChunks(1, 3), someInChunks(0, 1, 2, 3), someInChunks(3))},
		{Name: "roundup-left-out", Requirements: []string{"RPCRDMA1-3.4.5-4", "RPCRDMA1-3.4.4.4-2"}, Begin: oneAtATime,
			Says: "The roundup of an item in a Read chunk is neither in the chunk nor in the payload.",
			Ask:  conform.EachOf(func(n int) string { return inChunk(numbered(n)) }, 5, 6, 7, 8)},
		{Name: "roundup-in-the-chunk", Requirements: []string{"RPCRDMA1-3.4.5.2-2", "RPCRDMA1-3.4.5-4"}, Begin: oneAtATime,
			Says: "A Read chunk may include the roundup of its item, in the last segment or in one of its own.",
			Ask: conform.Texts(
				inSegments(numbered(5), 8), inSegments(numbered(7), 8),
				inSegments(numbered(5), 5, 3), inSegments(numbered(6), 3, 3, 2))},
		{Name: "read-before-the-reply", Requirements: []string{"RPCRDMA1-3.4.5.1-1"}, Begin: oneAtATime,
			Says: "After the Reply nothing of the Read chunks is read.",
			Ask:  conform.Text(inChunk(numbered(64)), silent)},
	})
})

// someInChunks returns an ECHO of four items, some of which are in Read chunks.
func someInChunks(which ...int) string {
	e := rpctext.Echo{Reads: make([][]rpctext.Segment, 4), Items: []rpctext.Item{
		rpctext.Numbered(0x10, 5), rpctext.Numbered(0x20, 6), {Data: []byte("seven..")}, rpctext.Numbered(0x40, 8)}}
	for _, i := range which {
		e.Reads[i] = sources(i, len(e.Items[i].Data))
	}
	return echo(e)
}

func inChunk(item rpctext.Item) string { return inSegments(item, len(item.Data)) }

// inSegments returns an ECHO of an item that is in a Read chunk with segments of some lengths.
func inSegments(item rpctext.Item, lengths ...int) string {
	return echo(rpctext.Echo{Items: []rpctext.Item{item}, Reads: [][]rpctext.Segment{sources(0, lengths...)}})
}

var section346 = about("3.4.6", "Write chunks", func() []conform.Case {
	return []conform.Case{
		{Name: "copied", Requirements: []string{"RPCRDMA1-3.4.6-3", "RPCRDMA1-3.4.6-2", "RPCRDMA1-3.5.2-2"},
			Need: conform.RPCProgram,
			Says: "A Write chunk is returned with its segments, and the lengths written before the Reply.",
			Ask: conform.Texts(
				pushed(numbered(64), 64), pushed(numbered(64), 1000), pushed(numbered(1), 1),
				pushed(numbered(900), 0x10000))},
		{Name: "segments-in-order", Requirements: []string{"RPCRDMA1-3.4.6-3", "RPCRDMA1-3.4.6-2"}, Need: conform.RPCProgram,
			Says: "The segments of a Write chunk are filled without gaps in their order; the rest are returned with length zero.",
			Ask: conform.Texts(
				pushed(numbered(12), 4, 4, 4), pushed(numbered(10), 4, 4, 4), pushed(numbered(8), 4, 4, 4),
				pushed(numbered(3), 4, 4, 4), pushed(numbered(17), 1, 3, 5, 100, 100))},
		{Name: "roundup", Requirements: []string{"RPCRDMA1-3.4.6.2-2", "RPCRDMA1-3.4.6.2-3", "RPCRDMA1-3.4.6-3"},
			Need: conform.RPCProgram,
			Says: "The roundup of a result is neither written, even if there is room for it, nor counted.",
			Ask: conform.Texts(
				pushed(numbered(5), 8), pushed(numbered(5), 5), pushed(numbered(5), 4, 4),
				pushed(numbered(6), 8), pushed(numbered(6), 6), pushed(numbered(6), 4, 4),
				pushed(numbered(7), 8), pushed(numbered(7), 7), pushed(numbered(7), 4, 4))},
		{Name: "too-small", Requirements: []string{"RPCRDMA1-3.4.6-1", "RPCRDMA1-4.5.4-2"}, Need: conform.RPCProgram,
			Says: "A Write chunk without room for its result is answered by ERR_CHUNK, and nothing is written beyond it.",
			Ask: conform.Texts(tooSmall(numbered(64), 63), tooSmall(numbered(64), 32, 31), tooSmall(numbered(5), 4),
				tooSmall(numbered(8), 0))},
		{Name: "called-by-null", Requirements: []string{"RPCRDMA1-3.4.6-3", "RPCRDMA1-4.3.2.2-3"},
			Says: "The Write chunks of a Call without results are returned with their segments, and lengths of zero.",
			Ask:  unusedByNull([]int{64}, []int{1, 2, 3}, []int{0x10000, 0x10000}, []int{0, 8, 0})},
	}
})

// pushed returns an ECHO of an item that is returned in a Write chunk with segments of some lengths.
func pushed(item rpctext.Item, lengths ...int) string {
	return echoed([]rpctext.Item{item}, [][]int{lengths}, []int{0})
}

// tooSmall returns an ECHO of an item for which a Write chunk with segments of some lengths has no room.
func tooSmall(item rpctext.Item, lengths ...int) string {
	return script(
		asks(firstXID, rpctext.ProcEcho, writeList(sinks(0, lengths...)), item),
		gets(rpctext.RefusedChunk(firstXID)))
}

// unusedByNull calls NULL with a Write list of one chunk with segments of some lengths, each list in a connection of
// its own, and with all the chunks in one list.
func unusedByNull(lengths ...[]int) func(*conform.Setup) []string {
	return func(s *conform.Setup) (scripts []string) {
		var all, allBack [][]rpctext.Segment
		for i, each := range lengths {
			chunk := sinks(16*i, each...)
			back := rpctext.Used(0, chunk...)
			all, allBack = append(all, chunk), append(allBack, back)
			scripts = append(scripts, nullWith(s, firstXID, rpctext.Chunks{Writes: all[i:]},
				rpctext.Chunks{Writes: allBack[i:]}))
		}
		if len(all) > 1 {
			scripts = append(scripts, nullWith(s, firstXID, rpctext.Chunks{Writes: all}, rpctext.Chunks{Writes: allBack}))
		}
		return scripts
	}
}

var section353 = about("3.5.3", "Long Messages", func() []conform.Case {
	return conform.Alike(conform.Case{Begin: oneAtATime}, []conform.Case{
		{Name: "long-call-of-null", Requirements: []string{"RPCRDMA1-3.5.3-3", "RPCRDMA1-4.2.4-3", "RPCRDMA1-3.4.5-4"},
			Says: "A Call of any length may be in a Position Zero Read chunk, in one segment or in several.",
			Ask: func(s *conform.Setup) []string {
				return []string{
					longNull(s, rpctext.CallLen), longNull(s, 20, 20), longNull(s, 4, 32, 4), longNull(s, 1, 2, 37), longNull(s, 39, 1),
				}
			}},
		{Name: "long-call", Requirements: []string{"RPCRDMA1-3.5.3-3", "RPCRDMA1-3.5.3-6", "RPCRDMA1-6.1-2"},
			Need: conform.RPCProgram,
			Says: "A Long Call includes its items with their roundup, whether they are DDP-eligible or not.",
			Ask: conform.Texts(longCall(rpctext.ProcEcho, numbered(5)), longCall(rpctext.ProcPlain, numbered(5)),
				longCall(rpctext.ProcPlain, rpctext.Filled('a', 700), rpctext.Filled('b', 200)))},
		{Name: "long-call-with-read-chunk", Requirements: []string{"RPCRDMA1-3.4.5-4", "RPCRDMA1-3.5.3-3"},
			Need: conform.RPCProgram,
			Says: "A Long Call may also have Read chunks, whose Positions count in the whole message.",
			Ask: func(*conform.Setup) []string {
				items := []rpctext.Item{numbered(5), rpctext.Numbered(100, 9)}
				call := rpctext.CallOf(firstXID, rpctext.ProcEcho, rpctext.Items(items[0], items[1].InChunk())).String()
				body, data := source(0, rpctext.Len(call)), source(1, len(items[1].Data))
				position := rpctext.Position(1, items...)
				return []string{script(
					sends(rpctext.NoMsg(firstXID, readList(at(0, body), at(position, data))).String()),
					rpctext.Read(body, call), rpctext.Read(data, rpctext.Octets(items[1].Data)), gives(firstXID, none, items...))}
			}},
		{Name: "long-reply", Requirements: []string{"RPCRDMA1-3.5.3-4", "RPCRDMA1-3.5.3-1", "RPCRDMA1-4.3.3-3"},
			Need: conform.RPCProgram,
			Says: "A Reply longer than our Receives is in the Reply chunk, however much longer it is.",
			Ask: conform.Texts(
				longReply(inlineWithReply+4, inlineWithReply+4), longReply(inlineWithReply+4, 4096),
				longReply(1020, 1020), longReply(1024, 65536))},
		{Name: "long-reply-in-segments", Requirements: []string{"RPCRDMA1-3.5.3-4", "RPCRDMA1-4.3.3-3"},
			Need: conform.RPCProgram,
			Says: "The segments of a Reply chunk are filled in order; unused ones have length zero.",
			Ask: conform.Texts(longReply(1000, 500, 500), longReply(1000, 1, 998, 1), longReply(1000, 1000, 1000),
				longReply(1000, 600, 600, 600))},
		{Name: "roundup", Requirements: []string{"RPCRDMA1-3.5.3-6", "RPCRDMA1-3.5.3-4"}, Need: conform.RPCProgram,
			Says: "A Long Reply includes the roundup of its items.",
			Ask: func(*conform.Setup) []string {
				items := []rpctext.Item{rpctext.Filled('a', 949)}
				data, r := source(0, 949), room(0, 4096)
				message := itemsReply(firstXID, items...)
				length := rpctext.ReplyLen + rpctext.ItemsLen(items...)
				chunks := readList(at(rpctext.Position(0, items...), data))
				chunks.Reply = []rpctext.Segment{r}
				return []string{script(
					asks(firstXID, rpctext.ProcEcho, chunks, items[0].InChunk()), rpctext.Read(data, rpctext.Octets(items[0].Data)),
					rpctext.Written(r, message),
					gets(rpctext.NoMsg(firstXID, replyChunk(rpctext.Used(length, r))).Theirs()))}
			}},
		{Name: "reply-chunk-too-small", Requirements: []string{"RPCRDMA1-3.5.3-4", "RPCRDMA1-4.5.4-2"},
			Need: conform.RPCProgram,
			Says: "A Reply that exceeds its Reply chunk is not sent, and nothing is written beyond the chunk.",
			Ask: conform.Texts(replyTooSmall(1000, 999), replyTooSmall(1000, 500, 499), replyTooSmall(1000, 4),
				replyTooSmall(2000, 1996))},
		{Name: "reduced-first", Requirements: []string{"RPCRDMA1-3.5.3-5", "RPCRDMA1-4.3.2-1", "RPCRDMA1-3.5.2-2"},
			Need: conform.RPCProgram,
			Says: "A Reply that is short enough without the results in Write chunks is sent inline.",
			Ask: func(*conform.Setup) []string {
				chunk := sinks(0, 1000)
				lines, items := pulled(firstXID, 1036, writeList(chunk))
				return []string{script(
					lines, pushes(chunk, items[0].Data), gives(firstXID, writeList(chunk), items[0].InChunk()))}
			}},
		{Name: "reduced-and-long", Requirements: []string{"RPCRDMA1-3.5.3-5", "RPCRDMA1-3.5.3-4", "RPCRDMA1-4.3.2-1"},
			Need: conform.RPCProgram,
			Says: "A Reply that is too long even without the results in Write chunks is in the Reply chunk, without them.",
			Ask:  conform.Text(reducedAndLong())},
	})
})

// inlineWithReply is the maximum length in octets of an RPC Reply in 1024 octets, after a header with a Reply chunk of
// one segment.
const inlineWithReply = 1024 - rpctext.MinHeader - 4 - 16

// longNull returns a Call of NULL in a Position Zero Read chunk with segments of some lengths.
func longNull(s *conform.Setup, lengths ...int) string {
	segments, pulls := rpctext.Split(nullCall(s, firstXID), 0, sources(0, lengths...)...)
	return script(
		sends(rpctext.NoMsg(firstXID, rpctext.Chunks{Reads: segments}).String()), pulls,
		gets(rpctext.Msg(firstXID, none, nullReply(s, firstXID)).Theirs()))
}

// longCall returns a Call with items in a Position Zero Read chunk.
func longCall(proc rpctext.Word, items ...rpctext.Item) string {
	call := rpctext.CallOf(firstXID, proc, rpctext.Items(items...)).String()
	body := source(0, rpctext.CallLen+rpctext.ItemsLen(items...))
	return script(
		sends(rpctext.NoMsg(firstXID, readList(at(0, body))).String()),
		rpctext.Read(body, call), gives(firstXID, none, items...))
}

// longReply returns an RPC Reply of n octets that is sent in a Reply chunk with segments of some lengths.
func longReply(octets int, lengths ...int) string {
	chunk := rooms(lengths...)
	lines, items := pulled(firstXID, octets, replyChunk(chunk))
	back := rpctext.Used(octets, chunk...)
	return script(lines, pushesReply(back, items), gets(rpctext.NoMsg(firstXID, replyChunk(back)).Theirs()))
}

func replyTooSmall(octets int, lengths ...int) string {
	lines, _ := pulled(firstXID, octets, replyChunk(rooms(lengths...)))
	return script(lines, gets(rpctext.RefusedChunk(firstXID)))
}

// pushesReply expects that the peer writes the Reply with items into the segments of a Reply chunk, and returns their
// lengths as back.
func pushesReply(back []rpctext.Segment, items []rpctext.Item) string {
	message := rpctext.Plain(itemsReply(firstXID, items...))
	var lines []string
	before := 0
	for _, s := range back {
		if n := int(s.Length); n > 0 {
			lines = append(lines, rpctext.Written(s, rpctext.Part(message, before, n)))
			before += n
		}
	}
	return script(lines...)
}

// reducedAndLong returns a Reply of two items, one of which is in a Write chunk; the rest is too long.
func reducedAndLong() string {
	chunk, reply := sinks(0, 100), rooms(1024)
	items := []rpctext.Item{rpctext.Filled('a', 100), rpctext.Filled('b', 960)}
	first, second := source(0, 100), source(1, 960)
	message := itemsReply(firstXID, items[0].InChunk(), items[1])
	length := rpctext.ReplyLen + rpctext.ItemsLen(items...) - 100
	return script(
		asks(firstXID, rpctext.ProcEcho, rpctext.Chunks{
			Reads:  []rpctext.ReadSegment{at(rpctext.Position(0, items...), first), at(rpctext.Position(1, items...), second)},
			Writes: [][]rpctext.Segment{chunk}, Reply: reply,
		}, items[0].InChunk(), items[1].InChunk()),
		rpctext.Read(first, rpctext.Octets(items[0].Data)), rpctext.Read(second, rpctext.Octets(items[1].Data)),
		pushes(chunk, items[0].Data), rpctext.Written(reply[0], message),
		gets(rpctext.NoMsg(firstXID, rpctext.Chunks{
			Writes: [][]rpctext.Segment{chunk}, Reply: rpctext.Used(length, reply...),
		}).Theirs()))
}
