package rpcrdma2

// Section 7.3 and appendix A.1: chunks that a Responder cannot handle.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext2"
)

var section731 = about("7.3.1", "RDMA2_ERR_READ_CHUNKS", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.RPCProgram, Begin: begun}, []conform.Case{
		{Name: "many-read-chunks", Requirements: []string{"RPCRDMA2-7.3.1-1", "RPCRDMA2-7.3.1-2"},
			Says: "As many Read chunks as allowed segments are all accepted, or answered with RDMA2_ERR_READ_CHUNKS and the " +
				"limit.",
			Ask: func(s *conform.Setup) []string {
				n := mostSegments(s)
				call, reply := emptyItems(n)
				return []string{script(sends(call), getsOneOf(append(fewer(rpctext2.ReadChunks, n), reply)...))}
			}},
		{Name: "too-many-read-chunks", Requirements: []string{"RPCRDMA2-7.3.1-1", "RPCRDMA2-7.3.3-1"},
			Says: "More are answered so, or with RDMA2_ERR_SEGMENTS, with a limit below the number sent.",
			Ask:  tooManyReads},
		{Name: "too-many-read-chunks-not-executed", Requirements: []string{"RPCRDMA2-7.3.1-3"},
			Says: "Such a Call is not executed, and none of its chunks is read.",
			Ask:  notExecuted(tooManyReads)},
	})
})

// tooManyReads returns Calls with more Read chunks than allowed segments.
func tooManyReads(s *conform.Setup) (scripts []string) {
	for _, n := range beyond(s) {
		call, _ := emptyItems(n)
		scripts = append(scripts, script(sends(call), getsOneOf(append(fewer(rpctext2.ReadChunks, n), segmentsError(s))...)))
	}
	return scripts
}

var section732 = about("7.3.2", "RDMA2_ERR_WRITE_CHUNKS", func() []conform.Case {
	return conform.Alike(conform.Case{Begin: begun}, []conform.Case{
		{Name: "many-write-chunks", Requirements: []string{"RPCRDMA2-7.3.2-1", "RPCRDMA2-4.3.6-2"},
			Says: "Write chunks without segments, however many, are all returned, or answered with RDMA2_ERR_WRITE_CHUNKS and " +
				"the limit.",
			Ask: askingEach(func(n null, count int) string {
				c := rpctext.Chunks{Writes: chunksOf(make([]int, count), 0)}
				return script(sends(rpctext2.Msg(first, c, n.call(first))),
					getsOneOf(append(fewer(rpctext2.WriteChunks, count), rpctext2.Reply(first, c, n.reply(first)))...))
			}, 2, 8, 16, 17, 33, 65, 100)},
		{Name: "as-many-write-chunks-as-segments", Requirements: []string{"RPCRDMA2-7.3.2-1", "RPCRDMA2-4.3.6-2"},
			Says: "The same holds for as many Write chunks as allowed segments, with one segment each.",
			Ask: func(s *conform.Setup) []string {
				n, peer := mostSegments(s), nullOf(s)
				shape := slices.Repeat([]int{1}, n)
				c, unused := rpctext.Chunks{Writes: chunksOf(shape, 64)}, rpctext.Chunks{Writes: chunksOf(shape, 0)}
				return []string{script(sends(rpctext2.Msg(first, c, peer.call(first))),
					getsOneOf(append(fewer(rpctext2.WriteChunks, n), rpctext2.Reply(first, unused, peer.reply(first)))...))}
			}},
	})
})

var section733 = about("7.3.3", "RDMA2_ERR_SEGMENTS", func() []conform.Case {
	return conform.Alike(conform.Case{Begin: begun}, []conform.Case{
		{Name: "as-many-segments-as-may-be", Requirements: []string{"RPCRDMA2-5.2.4-1", "RPCRDMA2-4.3.6-2"},
			Says: "A Call may have as many segments as the peer announces, in one chunk or in several.",
			Ask: func(s *conform.Setup) []string {
				n, peer := mostSegments(s), nullOf(s)
				ask := func(c, unused rpctext.Chunks) string {
					return script(sends(rpctext2.Msg(first, c, peer.call(first))),
						gets(rpctext2.Reply(first, unused, peer.reply(first))))
				}
				return []string{
					ask(rpctext.Chunks{Writes: chunksOf([]int{n}, 64)}, rpctext.Chunks{Writes: chunksOf([]int{n}, 0)}),
					ask(rpctext.Chunks{Writes: chunksOf([]int{n / 2, n - n/2}, 64)},
						rpctext.Chunks{Writes: chunksOf([]int{n / 2, n - n/2}, 0)}),
				}
			}},
		{Name: "too-many-segments", Requirements: []string{"RPCRDMA2-7.3.3-1", "RPCRDMA2-5.2.4-1"},
			Says: "A chunk with more segments is answered with RDMA2_ERR_SEGMENTS and the limit.",
			Ask:  tooManySegments},
		{Name: "too-many-segments-not-executed", Requirements: []string{"RPCRDMA2-7.3.3-1"}, Need: conform.RPCProgram,
			Says: "Such a Call is not executed.",
			Ask:  notExecuted(tooManySegments)},
		{Name: "too-many-segments-of-a-call", Requirements: []string{"RPCRDMA2-7.3.3-1"},
			Says: "The same holds for a Position Zero Read chunk with more segments, none of which is read.",
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, n := range beyond(s) {
					var c rpctext.Chunks
					for i := range n {
						c.Reads = append(c.Reads, rpctext.ReadSegment{Segment: segment(i+1, 4)})
					}
					scripts = append(scripts, script(sends(rpctext2.NoMsg(first, c)), gets(segmentsError(s))))
				}
				return scripts
			}},
	})
})

var section734 = adapted("7.3.4", "RDMA2_ERR_WRITE_RESOURCE", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.RPCProgram, Begin: begun}, []conform.Case{
		{Name: "write-chunk-too-small",
			Requirements: []string{"RPCRDMA2-7.3.4-1", "RPCRDMA2-7.3.4-2", "RPCRDMA2-7.3.4-3", "RPCRDMA2-6.4-3"},
			Says:         "A Write chunk that is too small is answered with RDMA2_ERR_WRITE_RESOURCE, its number and the needed size.",
			Ask: func(*conform.Setup) (scripts []string) {
				for _, room := range [][]int{{63}, {1}, {0}, {32, 31}, {0, 0}, {10, 10, 10}} {
					scripts = append(scripts, tooSmall([]int{64}, 1, room))
				}
				return append(scripts, tooSmall([]int{1}, 1, []int{0}), tooSmall([]int{1000}, 1, []int{999}))
			}},
		{Name: "another-write-chunk-too-small",
			Requirements: []string{"RPCRDMA2-7.3.4-1", "RPCRDMA2-7.3.4-2", "RPCRDMA2-7.3.4-3"},
			Says:         "The number is that of the first one that is too small, counted from 1.",
			Ask: conform.Texts(tooSmall([]int{8, 30}, 2, []int{8}, []int{29}), tooSmall([]int{8, 30}, 2, []int{64}, []int{10, 10}),
				tooSmall([]int{8, 30}, 1, []int{7}, []int{29}), tooSmall([]int{8, 30}, 1, []int{7}, []int{30}))},
	})
})

var section735 = adapted("7.3.5", "RDMA2_ERR_REPLY_RESOURCE", func() []conform.Case {
	return []conform.Case{
		{Name: "reply-fits-nowhere", Requirements: []string{"RPCRDMA2-7.3.5-1", "RPCRDMA2-7.3.5-2", "RPCRDMA2-6.4-3"},
			Begin: bare,
			Says: "A Reply of which not even one word fits in our Receives is answered with RDMA2_ERR_REPLY_RESOURCE and the " +
				"needed size, or 0.",
			Ask: asking(func(n null) (scripts []string) {
				reply := n.reply(first)
				for _, c := range []rpctext.Chunks{none, {Reply: []rpctext.Segment{}}, {Reply: []rpctext.Segment{segment(1, 20)}}} {
					scripts = append(scripts, script(tiny(headerLen), sends(rpctext2.Msg(first, c, n.call(first))),
						getsOneOf(rpctext2.Error(first, rpctext2.ReplyResource, rpctext.Word(len(octetsOf(reply)))),
							rpctext2.Error(first, rpctext2.ReplyResource, 0)), over))
				}
				return scripts
			})},
	}
})

// mostSegments returns the number of segments that the peer allows in a Call, but no more than fit in a message of 4096
// octets.
func mostSegments(s *conform.Setup) int {
	const fit = 64
	return min(property(s, rpcrdma.PropRCSIZ), fit)
}

// beyond returns numbers of segments above mostSegments.
func beyond(s *conform.Setup) []int {
	n := mostSegments(s)
	return []int{n + 1, n + 2, n + n/2 + 1}
}

// tooManySegments returns Calls with more segments than allowed, in a Write chunk and in the Reply chunk.
func tooManySegments(s *conform.Setup) (scripts []string) {
	for _, n := range beyond(s) {
		chunks := chunksOf([]int{n}, 64)
		for _, c := range []rpctext.Chunks{{Writes: chunks}, {Reply: chunks[0]}} {
			scripts = append(scripts, script(sends(rpctext2.Msg(first, c, nullOf(s).call(first))), gets(segmentsError(s))))
		}
	}
	return scripts
}

// segmentsError returns the error with the number of segments that the peer has announced.
func segmentsError(s *conform.Setup) string {
	return rpctext2.Error(first, rpctext2.Segments, rpctext.Word(mostSegments(s)))
}

// fewer returns errors with each number of chunks below that of those sent.
func fewer(code rpctext.Word, sent int) (errors []string) {
	for n := range sent {
		errors = append(errors, rpctext2.Error(first, code, rpctext.Word(n)))
	}
	return errors
}

// emptyItems returns an ECHO of n empty items, each with a Read chunk, so that there is nothing to read.
func emptyItems(n int) (call rpctext2.Message, reply string) {
	items := make([]rpctext.Item, n)
	var c rpctext.Chunks
	for i := range items {
		c.Reads = append(c.Reads, rpctext.ReadSegment{Position: rpctext.Position(i, items...), Segment: segment(i+1, 0)})
	}
	return rpctext2.Msg(first, c, echo(first, items...)), rpctext2.Reply(first, none, echoed(first, items...))
}

// tooSmall returns an ECHO of items of some lengths, and Write chunks whose segments have some lengths. Chunk at is the
// first that is too small. The peer may also return the Write chunks unused and send everything in one message.
func tooSmall(lengths []int, at int, room ...[]int) string {
	var items []rpctext.Item
	for _, n := range lengths {
		items = append(items, rpctext.Numbered(1, n))
	}
	var c, unused rpctext.Chunks
	k := 0
	for _, segments := range room {
		var chunk, empty []rpctext.Segment
		for _, n := range segments {
			k++
			chunk, empty = append(chunk, segment(k, n)), append(empty, segment(k, 0))
		}
		c.Writes, unused.Writes = append(c.Writes, chunk), append(unused.Writes, empty)
	}
	return script(sends(rpctext2.Msg(first, c, echo(first, items...))), "< OneOf",
		"or Send "+rpctext2.Error(first, rpctext2.WriteResource, rpctext.Word(at), rpctext.Word(lengths[at-1])),
		`may "it need not know which chunk it is, nor how long it should be" Send `+rpctext2.Error(first,
			rpctext2.WriteResource, 0, 0),
		`may "RPCRDMA2-6.4-2 allows results that do not fit in the Reply" Send `+rpctext2.Reply(first, unused,
			echoed(first, items...)))
}

var sectionA1 = adapted("A.1", "DDP-eligibility", func() []conform.Case {
	return []conform.Case{
		{Name: "argument-not-eligible", Requirements: []string{"RPCRDMA2-A.1-1"}, Need: conform.RPCProgram, Begin: begun,
			Says: "A Call with a Read chunk for an ineligible item is answered with an RDMA2_ERROR, and is not executed.",
			Ask: func(*conform.Setup) []string {
				empty := rpctext.Item{}
				return []string{
					ineligible(plain(first, empty), rpctext.Position(0, empty)),
					ineligible(plain(first, rpctext.Numbered(1, 8), empty), rpctext.Position(1, rpctext.Numbered(1, 8), empty)),
					ineligible(echo(first), rpctext.CallLen), ineligible(echo(first, empty),
						rpctext.CallLen+4), ineligible(echo(first, empty), 24),
					ineligible(rpctext.CallOf(first, rpctext.ProcReport, "").String(), rpctext.CallLen),
				}
			}},
	}
})

// ineligible returns a Call with a Read chunk at a Position, which is refused with any code and not executed. The chunk is
// empty, so that it does not matter whether the peer reads before it refuses.
func ineligible(call string, position uint32) string {
	c := rpctext.Chunks{Reads: []rpctext.ReadSegment{{Position: position, Segment: segment(1, 0)}}}
	return script(sends(rpctext2.Msg(first, c, call)), gets(rpctext2.Error(first, rpctext.Any)+" ?*"), reports(second, 0))
}
