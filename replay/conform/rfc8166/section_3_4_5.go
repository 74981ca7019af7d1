package rfc8166

// Section 3.4.5: Read chunks.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section345 = about("3.4.5", "Read chunks", func() []conform.Case {
	return []conform.Case{
		{Name: "one", Requirements: []string{"RPCRDMA1-3.4.5-4", "RPCRDMA1-3.5.2-1"}, Need: conform.RPCProgram,
			Says: "A Read chunk is put in at its Position.",
			Ask:  conform.Texts(inChunk(numbered(64)), inChunk(numbered(1)), inChunk(numbered(900)))},
		{Name: "segments-in-order", Requirements: []string{"RPCRDMA1-3.4.5-4"}, Need: conform.RPCProgram, Begin: oneAtATime,
			Says: "Segments with the same Position are joined in the order of the list, whatever their lengths are.",
			Ask: conform.Texts(
				inSegments(numbered(12), 4, 4, 4), inSegments(numbered(64), 1, 62, 1),
				inSegments(numbered(17), 3, 5, 9), inSegments(numbered(8), 1, 1, 1, 1, 1, 1, 1, 1))},
		{Name: "segments-of-one-region", Requirements: []string{"RPCRDMA1-3.4.5-4"},
			Need: conform.RPCProgram, Begin: oneAtATime,
			Says: "The order is that of the list, and not that of the offsets in a region.",
			Ask: func(*conform.Setup) []string {
				item := numbered(24)
				high := rpctext.Segment{Handle: 0x5001, Length: 16, Offset: 0x20000}
				low := rpctext.Segment{Handle: 0x5001, Length: 8, Offset: 0x10000}
				position := rpctext.Position(0, item)
				return []string{script(
					asks(firstXID, rpctext.ProcEcho, readList(at(position, high), at(position, low)), item.InChunk()),
					reads(high, rpctext.Octets(item.Data[:16])), reads(low, rpctext.Octets(item.Data[16:])),
					gives(firstXID, none, item))}
			}},
		{Name: "between-others", Requirements: []string{"RPCRDMA1-3.4.5-4", "RPCRDMA1-3.5.2-1"},
			Need: conform.RPCProgram, Begin: oneAtATime,
			Says: "A Position counts the octets of the items before it, whether they are in chunks or not, and their roundup.",
			Ask: conform.Texts(
				someInChunks(0, 2), someInChunks(1), someInChunks(1, 3), someInChunks(0, 1, 2, 3), someInChunks(3))},
		{Name: "roundup-left-out", Requirements: []string{"RPCRDMA1-3.4.5-4", "RPCRDMA1-3.4.4.4-2"},
			Need: conform.RPCProgram, Begin: oneAtATime,
			Says: "The roundup of an item in a Read chunk is neither in the chunk nor in the payload.",
			Ask: func(*conform.Setup) (scripts []string) {
				for n := 5; n < 9; n++ {
					scripts = append(scripts, inChunk(numbered(n)))
				}
				return scripts
			}},
		{Name: "roundup-in-the-chunk", Requirements: []string{"RPCRDMA1-3.4.5.2-2", "RPCRDMA1-3.4.5-4"},
			Need: conform.RPCProgram, Begin: oneAtATime,
			Says: "A Read chunk may have the roundup of its item too, in the last segment or in one of its own.",
			Ask: conform.Texts(
				withRoundup(numbered(5), 8), withRoundup(numbered(7), 8),
				withRoundup(numbered(5), 5, 3), withRoundup(numbered(6), 3, 3, 2))},
		{Name: "read-before-the-reply", Requirements: []string{"RPCRDMA1-3.4.5.1-1"},
			Need: conform.RPCProgram, Begin: oneAtATime,
			Says: "Behind the Reply nothing of the Read chunks is read any more.",
			Ask: func(s *conform.Setup) []string {
				return []string{script(inChunk(numbered(64)), silent(s))}
			}},
	}
})

func inChunk(item rpctext.Item) string { return inSegments(item, len(item.Data)) }

// inSegments returns an ECHO of an item that is in a Read chunk with segments of some lengths.
func inSegments(item rpctext.Item, lengths ...int) string { return chunked(item, item.Data, lengths) }

// withRoundup returns one whose chunk has the roundup of the item too.
func withRoundup(item rpctext.Item, lengths ...int) string {
	return chunked(item, append(item.Data[:len(item.Data):len(item.Data)],
		make([]byte, rpctext.Padding(len(item.Data)))...), lengths)
}

// chunked returns an ECHO of an item whose Read chunk has some octets, in segments of some lengths.
func chunked(item rpctext.Item, octets []byte, lengths []int) string {
	pulls, segments := split(octets, lengths, rpctext.Position(0, item))
	return script(
		asks(firstXID, rpctext.ProcEcho, rpctext.Chunks{Reads: segments}, item.InChunk()), pulls, gives(firstXID, none, item))
}

// split returns a Read chunk with some octets, in segments of some lengths, and the RDMA Reads of it.
func split(octets []byte, lengths []int, position uint32) (pulls string, segments []rpctext.ReadSegment) {
	var lines []string
	for i, n := range lengths {
		segments = append(segments, at(position, source(i, n)))
		lines = append(lines, reads(source(i, n), rpctext.Octets(octets[:n])))
		octets = octets[n:]
	}
	return script(lines...), segments
}

// someInChunks returns an ECHO of four items, of which some are in Read chunks.
func someInChunks(which ...int) string {
	items := []rpctext.Item{rpctext.Numbered(0x10, 5), rpctext.Numbered(0x20, 6), {Data: []byte("seven..")},
		rpctext.Numbered(0x40, 8)}
	sent := append([]rpctext.Item(nil), items...)
	var chunks rpctext.Chunks
	var pulls []string
	for _, i := range which {
		sent[i] = items[i].InChunk()
		s := source(i, len(items[i].Data))
		chunks.Reads = append(chunks.Reads, at(rpctext.Position(i, items...), s))
		pulls = append(pulls, reads(s, rpctext.Octets(items[i].Data)))
	}
	return script(asks(firstXID, rpctext.ProcEcho, chunks, sent...), script(pulls...), gives(firstXID, none, items...))
}
