package rfc8166

// Section 3.5.3: Long Messages.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section353 = about("3.5.3", "Long Messages", func() []conform.Case {
	return []conform.Case{
		{Name: "long-call-of-null", Requirements: []string{"RPCRDMA1-3.5.3-3", "RPCRDMA1-4.2.4-3", "RPCRDMA1-3.4.5-4"},
			Begin: oneAtATime,
			Says:  "A Call of any length may be in a Position Zero Read chunk, in one segment or in several.",
			Ask: func(s *conform.Setup) []string {
				return []string{
					longNull(s, rpctext.CallLen), longNull(s, 20, 20), longNull(s, 4, 32, 4), longNull(s, 1, 2, 37), longNull(s, 39, 1),
				}
			}},
		{Name: "long-call", Requirements: []string{"RPCRDMA1-3.5.3-3", "RPCRDMA1-3.5.3-6", "RPCRDMA1-6.1-2"},
			Need: conform.RPCProgram, Begin: oneAtATime,
			Says: "The items of a Long Call are in it with their roundup, whether they are DDP-eligible or not.",
			Ask: conform.Texts(longCall(rpctext.ProcEcho, numbered(5)), longCall(rpctext.ProcPlain, numbered(5)),
				longCall(rpctext.ProcPlain, rpctext.Filled('a', 700), rpctext.Filled('b', 200)))},
		{Name: "long-call-with-read-chunk", Requirements: []string{"RPCRDMA1-3.4.5-4", "RPCRDMA1-3.5.3-3"},
			Need: conform.RPCProgram, Begin: oneAtATime,
			Says: "A Long Call may have Read chunks besides, whose Positions count in all of it.",
			Ask: func(*conform.Setup) []string {
				items := []rpctext.Item{numbered(5), rpctext.Numbered(100, 9)}
				call := rpctext.CallOf(firstXID, rpctext.ProcEcho, rpctext.Items(items[0], items[1].InChunk())).String()
				body, data := source(0, rpctext.Len(call)), source(1, len(items[1].Data))
				position := rpctext.Position(1, items...)
				return []string{script(
					sends(rpctext.NoMsg(firstXID, readList(at(0, body), at(position, data))).String()),
					reads(body, call), reads(data, rpctext.Octets(items[1].Data)), gives(firstXID, none, items...))}
			}},
		{Name: "long-reply", Requirements: []string{"RPCRDMA1-3.5.3-4", "RPCRDMA1-3.5.3-1", "RPCRDMA1-4.3.3-3"},
			Need:  conform.RPCProgram,
			Says:  "A Reply that is too long for the peer's Receives is in the Reply chunk, by however much it is too long.",
			Begin: oneAtATime,
			Ask: conform.Texts(
				longReply(inlineWithReply+4, inlineWithReply+4), longReply(inlineWithReply+4, 4096),
				longReply(1020, 1020), longReply(1024, 65536))},
		{Name: "long-reply-in-segments", Requirements: []string{"RPCRDMA1-3.5.3-4", "RPCRDMA1-4.3.3-3"},
			Need: conform.RPCProgram, Begin: oneAtATime,
			Says: "The segments of a Reply chunk are filled in their order; those that are left over have length zero.",
			Ask: conform.Texts(longReply(1000, 500, 500), longReply(1000, 1, 998, 1), longReply(1000, 1000, 1000),
				longReply(1000, 600, 600, 600))},
		{Name: "roundup", Requirements: []string{"RPCRDMA1-3.5.3-6", "RPCRDMA1-3.5.3-4"},
			Need: conform.RPCProgram, Begin: oneAtATime,
			Says: "A Long Reply has the roundup of its items.",
			Ask: func(*conform.Setup) []string {
				items := []rpctext.Item{rpctext.Filled('a', 949)}
				data, r := source(0, 949), room(0, 4096)
				message := itemsReply(firstXID, items...)
				length := rpctext.ReplyLen + rpctext.ItemsLen(items...)
				chunks := readList(at(rpctext.Position(0, items...), data))
				chunks.Reply = []rpctext.Segment{r}
				return []string{script(
					asks(firstXID, rpctext.ProcEcho, chunks, items[0].InChunk()), reads(data, rpctext.Octets(items[0].Data)),
					writes(r, message),
					gets(rpctext.NoMsg(firstXID, replyChunk(rpctext.Used(length, r))).Theirs()))}
			}},
		{Name: "reply-chunk-too-small", Requirements: []string{"RPCRDMA1-3.5.3-4", "RPCRDMA1-4.5.4-2"},
			Need: conform.RPCProgram, Begin: oneAtATime,
			Says: "A Reply for which its Reply chunk has no room is not sent, and nothing is written beyond the chunk.",
			Ask: conform.Texts(replyTooSmall(1000, 999), replyTooSmall(1000, 500, 499), replyTooSmall(1000, 4),
				replyTooSmall(2000, 1996))},
		{Name: "reduced-first", Requirements: []string{"RPCRDMA1-3.5.3-5", "RPCRDMA1-4.3.2-1", "RPCRDMA1-3.5.2-2"},
			Need: conform.RPCProgram, Begin: oneAtATime,
			Says: "A Reply that is short enough once its results are in Write chunks is sent inline.",
			Ask: func(*conform.Setup) []string {
				chunk := sinks(0, 1000)
				lines, items := pulled(firstXID, 1036, writeList(chunk))
				return []string{script(
					lines, pushes(chunk, items[0].Data), gives(firstXID, writeList(chunk), items[0].InChunk()))}
			}},
		{Name: "reduced-and-long", Requirements: []string{"RPCRDMA1-3.5.3-5", "RPCRDMA1-3.5.3-4", "RPCRDMA1-4.3.2-1"},
			Need: conform.RPCProgram, Begin: oneAtATime,
			Says: "A Reply that is too long although results of it are in Write chunks is in the Reply chunk, without them.",
			Ask:  conform.Text(reducedAndLong())},
	}
})

// inlineWithReply is how many octets of an RPC Reply fit into 1024 after a header with a Reply chunk of one segment.
const inlineWithReply = 1024 - rpctext.MinHeader - 4 - 16

// longNull returns a Call of NULL in a Position Zero Read chunk with segments of some lengths.
func longNull(s *conform.Setup, lengths ...int) string {
	pulls, segments := splitText(nullCall(s, firstXID), lengths)
	return script(
		sends(rpctext.NoMsg(firstXID, rpctext.Chunks{Reads: segments}).String()), pulls,
		gets(rpctext.Msg(firstXID, none, nullReply(s, firstXID)).Theirs()))
}

// splitText returns a Position Zero Read chunk with octets in hexadecimal digits.
func splitText(octets string, lengths []int) (pulls string, segments []rpctext.ReadSegment) {
	var lines []string
	before := 0
	for i, n := range lengths {
		segments = append(segments, at(0, source(i, n)))
		lines = append(lines, reads(source(i, n), rpctext.Part(octets, before, n)))
		before += n
	}
	return script(lines...), segments
}

// longCall returns a Call with items in a Position Zero Read chunk.
func longCall(proc rpctext.Word, items ...rpctext.Item) string {
	call := rpctext.CallOf(firstXID, proc, rpctext.Items(items...)).String()
	body := source(0, rpctext.CallLen+rpctext.ItemsLen(items...))
	return script(
		sends(rpctext.NoMsg(firstXID, readList(at(0, body))).String()),
		reads(body, call), gives(firstXID, none, items...))
}

// longReply returns an RPC Reply of so many octets that comes in a Reply chunk with segments of some lengths.
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

func rooms(lengths ...int) (chunk []rpctext.Segment) {
	for i, n := range lengths {
		chunk = append(chunk, room(i, n))
	}
	return chunk
}

// pushesReply: the peer writes the Reply with items into the segments of a Reply chunk, which have the lengths
// that come back.
func pushesReply(back []rpctext.Segment, items []rpctext.Item) string {
	message := rpctext.Plain(itemsReply(firstXID, items...))
	var lines []string
	before := 0
	for _, s := range back {
		if n := int(s.Length); n > 0 {
			lines = append(lines, writes(s, rpctext.Part(message, before, n)))
			before += n
		}
	}
	return script(lines...)
}

// reducedAndLong returns a Reply of two items of which one is in a Write chunk, and the rest too long.
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
		reads(first, rpctext.Octets(items[0].Data)), reads(second, rpctext.Octets(items[1].Data)),
		pushes(chunk, items[0].Data), writes(reply[0], message),
		gets(rpctext.NoMsg(firstXID, rpctext.Chunks{
			Writes: [][]rpctext.Segment{chunk}, Reply: rpctext.Used(length, reply...),
		}).Theirs()))
}
