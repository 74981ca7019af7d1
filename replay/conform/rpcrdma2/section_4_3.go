package rpcrdma2

// Section 4.3: Read and Write chunks.

import (
	"slices"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext2"
)

var section435 = adapted("4.3.5", "Read chunks", func() []conform.Case {
	return []conform.Case{
		{Name: "call-in-segments", Requirements: []string{"RPCRDMA2-4.3.5-4", "RPCRDMA2-6.1-1"}, Begin: singly,
			Says: "A Call in a Position Zero Read chunk is the octets of its segments, joined in list order.",
			Ask: askingEach(func(n null, lengths []int) string {
				return script(inChunk(first, n.call(first), lengths...), n.answers(first))
			}, [][]int{{40}, {20, 20}, {4, 36}, {36, 4}, {1, 39}, {7, 13, 20}, {1, 1, 1, 37},
				{4, 4, 4, 4, 4, 4, 4, 4, 4, 4}}...)},
		{Name: "item-in-segments", Requirements: []string{"RPCRDMA2-4.3.5-4"}, Need: conform.RPCProgram, Begin: singly,
			Says: "An argument in a Read chunk is the octets of its segments, joined in list order, whatever their lengths.",
			Ask: conform.EachOf(itemInSegments, [][]int{{64}, {32, 32}, {1, 63}, {63, 1}, {3, 5, 7, 49}, {61}, {1, 2}, {1},
				{200, 1, 100, 2}}...)},
		{Name: "items-in-chunks", Requirements: []string{"RPCRDMA2-4.3.5-4"}, Need: conform.RPCProgram, Begin: singly,
			Says: "Each of several arguments in Read chunks is inserted at its Position, with its padding.",
			Ask: conform.Texts(itemsInChunks(8, 8), itemsInChunks(5, 6), itemsInChunks(64, 1), itemsInChunks(3, 3),
				itemsInChunks(1, 100))},
		{Name: "some-items-in-chunks", Requirements: []string{"RPCRDMA2-4.3.5-4"}, Need: conform.RPCProgram, Begin: singly,
			Says: "The Position of a Read chunk counts the inline octets before it.",
			Ask: conform.EachOf(func(at int) string {
				e := rpctext.Echo{Reads: make([][]rpctext.Segment, at+1), Items: []rpctext.Item{
					rpctext.Numbered(1, 10), absent, rpctext.Numbered(101, 33), rpctext.Numbered(50, 6)}}
				e.Reads[at] = segments(1, len(e.Items[at].Data))
				return echoes(e)
			}, 0, 2, 3)},
		{Name: "items-in-mixed-segments", Requirements: []string{"RPCRDMA2-4.3.5-4"}, Need: conform.RPCProgram, Begin: singly,
			Says: "Segments with the same Position belong together even with others between them.",
			Ask:  conform.Text(mixedSegments())},
		{Name: "item-and-call-in-chunks", Requirements: []string{"RPCRDMA2-4.3.5-4"}, Need: conform.RPCProgram, Begin: singly,
			Says: "A Call in a Position Zero Read chunk can have an argument in another Read chunk.",
			Ask:  conform.Text(itemAndCall())},
	}
})

// inChunk returns a Call in a Position Zero Read chunk, in segments of some lengths, which the peer reads.
func inChunk(xid rpctext.Word, call string, lengths ...int) string {
	chunk, reads := rpctext.Split(call, 0, segments(1, lengths...)...)
	return script(sends(rpctext2.NoMsg(xid, rpctext.Chunks{Reads: chunk})), reads)
}

// itemInSegments returns an ECHO of an item in segments of some lengths.
func itemInSegments(lengths []int) string {
	total := 0
	for _, n := range lengths {
		total += n
	}
	return echoes(rpctext.Echo{
		Items: []rpctext.Item{rpctext.Numbered(7, total)}, Reads: [][]rpctext.Segment{segments(1, lengths...)}})
}

// itemsInChunks returns an ECHO of items of some lengths, each in a chunk.
func itemsInChunks(lengths ...int) string {
	var e rpctext.Echo
	for i, n := range lengths {
		e.Items = append(e.Items, rpctext.Numbered(byte(10*i), n))
		e.Reads = append(e.Reads, segments(i+1, n))
	}
	return echoes(e)
}

// mixedSegments returns an ECHO of two items whose segments alternate. The peer may read chunk by chunk or in the order of
// the list: the octets are the same either way.
func mixedSegments() string {
	x, y, z := rpctext.Filled(0x31, 8).Data, rpctext.Filled(0x32, 8).Data, rpctext.Filled(0x33, 8).Data
	items := []rpctext.Item{{Data: slices.Concat(x, y)}, {Data: slices.Concat(y, z)}}
	var c rpctext.Chunks
	for i := range 4 {
		c.Reads = append(c.Reads, rpctext.ReadSegment{Position: rpctext.Position(i%2, items...), Segment: segment(i+1, 8)})
	}
	asks := func(i int) string { return c.Reads[i].Request() }
	either := func(name string, i, k int) string {
		return script("< ["+name+"] OneOf", "or "+asks(i), "or "+asks(k), "> ReadResponse to ["+name+"] "+rpctext.Octets(y))
	}
	return script(sends(rpctext2.Msg(first, c, echo(first, items[0].InChunk(), items[1].InChunk()))),
		rpctext.Read(segment(1, 8), rpctext.Octets(x)), either("b", 1, 2), either("c", 2, 1), rpctext.Read(segment(4, 8), rpctext.Octets(z)),
		gets(rpctext2.Reply(first, none, echoed(first, items...))))
}

// itemAndCall returns an ECHO in a Position Zero Read chunk, except for its item, which has a chunk of its own.
func itemAndCall() string {
	item := rpctext.Numbered(3, 30)
	call := echo(first, item.InChunk())
	body, data := segment(1, rpctext.Len(call)), segment(2, len(item.Data))
	c := rpctext.Chunks{Reads: []rpctext.ReadSegment{{Segment: body},
		{Position: rpctext.Position(0, item), Segment: data}}}
	return script(sends(rpctext2.NoMsg(first, c)), rpctext.Read(body, call), rpctext.Read(data, rpctext.Octets(item.Data)),
		gets(rpctext2.Reply(first, none, echoed(first, item))))
}

var section436 = adapted("4.3.6", "Write chunks", func() []conform.Case {
	return conform.Alike(conform.Case{Begin: begun}, []conform.Case{
		{Name: "unused-chunks-returned", Requirements: []string{"RPCRDMA2-4.3.6-2", "RPCRDMA2-4.3.6-3"},
			Says: "A Reply without results returns each Write chunk of the Call, with all its segments and lengths of zero.",
			Ask: askingEach(func(n null, shape []int) string {
				c := rpctext.Chunks{Writes: chunksOf(shape, 100)}
				return script(sends(rpctext2.Msg(first, c, n.call(first))),
					gets(rpctext2.Reply(first, rpctext.Chunks{Writes: chunksOf(shape, 0)}, n.reply(first))))
			}, [][]int{{1}, {2}, {1, 1}, {3, 2}, {0}, {0, 1}, {1, 0}, {0, 0}}...)},
		{Name: "result-in-segments", Requirements: []string{"RPCRDMA2-4.3.6-2", "RPCRDMA2-4.3.6-3"},
			Need: conform.RPCProgram,
			Says: "A result fills the segments of its Write chunk in their order, without gaps, and their lengths say how far.",
			Ask: conform.Texts(
				resultInChunk(64, 64), resultInChunk(64, 100), resultInChunk(64, 32, 32), resultInChunk(64, 1, 63),
				resultInChunk(64, 63, 1, 10), resultInChunk(64, 10, 10, 10, 10, 10, 10, 10), resultInChunk(64, 0, 64),
				resultInChunk(64, 20, 0, 50), resultInChunk(64, 64, 64),
				resultInChunk(1, 1), resultInChunk(5, 3, 3), resultInChunk(1000, 1024))},
		{Name: "results-in-chunks", Requirements: []string{"RPCRDMA2-4.3.6-2", "RPCRDMA2-4.3.6-3"}, Need: conform.RPCProgram,
			Says: "Each Write chunk takes one result, in the order of both.",
			Ask: conform.Texts(resultsInChunks([]int{8, 8}, 8, 8), resultsInChunks([]int{5, 30}, 64, 64),
				resultsInChunks([]int{40, 1}, 40, 1))},
		{Name: "more-chunks-than-results", Requirements: []string{"RPCRDMA2-4.3.6-2", "RPCRDMA2-4.3.6-3"},
			Need: conform.RPCProgram,
			Says: "Write chunks after the filled ones are returned unused.",
			Ask:  conform.Texts(resultsInChunks([]int{24}, 24, 24), resultsInChunks([]int{7}, 64, 64))},
		{Name: "more-results-than-chunks", Requirements: []string{"RPCRDMA2-4.3.6-2", "RPCRDMA2-4.3.6-3"},
			Need: conform.RPCProgram,
			Says: "Results without a Write chunk are in the Reply.",
			Ask:  conform.Texts(resultsInChunks([]int{24, 3}, 24), resultsInChunks([]int{7, 9, 11}, 64, 64))},
		{Name: "empty-chunk", Requirements: []string{"RPCRDMA2-4.3.6-2", "RPCRDMA2-4.3.6-3"}, Need: conform.RPCProgram,
			Says: "The result whose Write chunk has no segments is in the Reply, and the next result in the next Write chunk.",
			Ask: conform.Text(echoes(rpctext.Echo{
				Items:  []rpctext.Item{rpctext.Numbered(1, 20), rpctext.Numbered(101, 30)},
				Writes: [][]rpctext.Segment{{}, segments(1, 64)}, Into: []int{-1, 1}}))},
		{Name: "absent-result", Requirements: []string{"RPCRDMA2-4.3.6-3"}, Need: conform.RPCProgram,
			Says: "A result without data uses no Write chunk.",
			Ask: conform.Text(echoes(rpctext.Echo{
				Items: []rpctext.Item{absent, rpctext.Numbered(5, 44)}, Writes: [][]rpctext.Segment{segments(1, 44)}, Into: []int{1}}))},
		{Name: "nothing-eligible", Requirements: []string{"RPCRDMA2-4.3.6-2"}, Need: conform.RPCProgram,
			Says: "A result that may not be in a chunk is in the Reply, and the Write chunk is returned unused.",
			Ask: conform.Text(
				sends(rpctext2.Msg(first, rpctext.Chunks{Writes: chunksOf([]int{2}, 100)}, plain(first, rpctext.Numbered(1, 60)))),
				gets(rpctext2.Reply(first, rpctext.Chunks{Writes: chunksOf([]int{2}, 0)},
					echoed(first, rpctext.Numbered(1, 60)))))},
	})
})

// chunksOf returns Write chunks with these numbers of segments, each of some octets.
func chunksOf(shape []int, octets int) (chunks [][]rpctext.Segment) {
	n := 0
	for _, segments := range shape {
		chunk := []rpctext.Segment{}
		for range segments {
			n++
			chunk = append(chunk, segment(n, octets))
		}
		chunks = append(chunks, chunk)
	}
	return chunks
}

// resultInChunk returns an ECHO of an item of n octets, and the result in a Write chunk with segments of some lengths.
func resultInChunk(octets int, room ...int) string {
	return echoes(rpctext.Echo{Items: []rpctext.Item{rpctext.Numbered(9, octets)},
		Writes: [][]rpctext.Segment{segments(1, room...)}, Into: []int{0}})
}

// resultsInChunks returns an ECHO of items of some lengths, and Write chunks with room for so many octets each.
func resultsInChunks(lengths []int, room ...int) string {
	var e rpctext.Echo
	for i, n := range lengths {
		e.Items = append(e.Items, rpctext.Numbered(byte(20*i), n))
	}
	for i, n := range room {
		if i >= len(lengths) {
			i = -1
		}
		e.Writes, e.Into = append(e.Writes, segments(len(e.Writes)+1, n)), append(e.Into, i)
	}
	return echoes(e)
}
