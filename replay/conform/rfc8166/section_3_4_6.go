package rfc8166

// Section 3.4.6: Write chunks.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section346 = about("3.4.6", "Write chunks", func() []conform.Case {
	return []conform.Case{
		{Name: "copied", Requirements: []string{"RPCRDMA1-3.4.6-3", "RPCRDMA1-3.4.6-2", "RPCRDMA1-3.5.2-2"},
			Need: conform.RPCProgram,
			Says: "A Write chunk comes back with its segments, and the lengths of what was written before the Reply.",
			Ask: conform.Texts(
				pushed(numbered(64), 64), pushed(numbered(64), 1000), pushed(numbered(1), 1),
				pushed(numbered(900), 0x10000))},
		{Name: "segments-in-order", Requirements: []string{"RPCRDMA1-3.4.6-3", "RPCRDMA1-3.4.6-2"}, Need: conform.RPCProgram,
			Says: "The segments of a Write chunk are filled without gaps in their order; the rest come back with length zero.",
			Ask: conform.Texts(
				pushed(numbered(12), 4, 4, 4), pushed(numbered(10), 4, 4, 4), pushed(numbered(8), 4, 4, 4),
				pushed(numbered(3), 4, 4, 4), pushed(numbered(17), 1, 3, 5, 100, 100))},
		{Name: "roundup", Requirements: []string{"RPCRDMA1-3.4.6.2-2", "RPCRDMA1-3.4.6.2-3", "RPCRDMA1-3.4.6-3"},
			Need: conform.RPCProgram,
			Says: "The roundup of a result is not written, even if there is room for it, and not counted.",
			Ask: func(*conform.Setup) (scripts []string) {
				for n := 5; n < 8; n++ {
					scripts = append(scripts, pushed(numbered(n), 8), pushed(numbered(n), n), pushed(numbered(n), 4, 4))
				}
				return scripts
			}},
		{Name: "too-small", Requirements: []string{"RPCRDMA1-3.4.6-1", "RPCRDMA1-4.5.4-2"}, Need: conform.RPCProgram,
			Says: "Where a Write chunk has no room for its result an ERR_CHUNK comes, and nothing is written beyond it.",
			Ask: conform.Texts(tooSmall(numbered(64), 63), tooSmall(numbered(64), 32, 31), tooSmall(numbered(5), 4),
				tooSmall(numbered(8), 0))},
		{Name: "called-by-null", Requirements: []string{"RPCRDMA1-3.4.6-3", "RPCRDMA1-4.3.2.2-3"},
			Says: "The Write chunks of a Call without results come back with their segments, and lengths of zero.",
			Ask:  unusedByNull([]int{64}, []int{1, 2, 3}, []int{0x10000, 0x10000}, []int{0, 8, 0})},
	}
})

// pushed returns an ECHO of an item that comes back in a Write chunk with segments of some lengths.
func pushed(item rpctext.Item, lengths ...int) string {
	chunk := sinks(0, lengths...)
	back := rpctext.Used(len(item.Data), chunk...)
	lines := []string{asks(firstXID, rpctext.ProcEcho, writeList(chunk), item), pushes(back, item.Data)}
	return script(append(lines, gives(firstXID, writeList(back), item.InChunk()))...)
}

// tooSmall returns an ECHO of an item for which a Write chunk with segments of some lengths has no room.
func tooSmall(item rpctext.Item, lengths ...int) string {
	return script(
		asks(firstXID, rpctext.ProcEcho, writeList(sinks(0, lengths...)), item),
		gets(rpctext.RefusedChunk(firstXID)))
}

// sinks returns the segments of a Write chunk, the first of which is the i-th of all.
func sinks(i int, lengths ...int) (chunk []rpctext.Segment) {
	chunk = []rpctext.Segment{}
	for k, n := range lengths {
		chunk = append(chunk, sink(i+k, n))
	}
	return chunk
}

// pushes: the peer writes octets into the segments of a chunk, which have the lengths that come back.
func pushes(back []rpctext.Segment, octets []byte) string {
	var lines []string
	for _, s := range back {
		if s.Length > 0 {
			lines = append(lines, writes(s, rpctext.Octets(octets[:s.Length])))
			octets = octets[s.Length:]
		}
	}
	return script(lines...)
}

// unusedByNull asks for NULL with a Write list that has a chunk with segments of some lengths, each list in a
// connection of its own, and all of them in one list.
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
