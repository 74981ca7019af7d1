package rfc8166

// RFC 8797, sections 3.2 and 4.1: remote invalidation.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section8797d32 = aboutRFC8797("3.2", "remote invalidation", func() []conform.Case {
	return []conform.Case{
		{Name: "not-without-private-data", Requirements: []string{"RPCPD-3.2-1", "RPCPD-4.1-3", "RPCPD-5.1-1"},
			Need:  conform.RPCProgram,
			Begin: oneAtATime,
			Says:  "Who has sent no Private Data gets no Send with Invalidate, whatever chunks there are.",
			Ask:   withAllChunks},
		{Name: "not-without-r", Requirements: []string{"RPCPD-3.2-1", "RPCPD-4.1-3"}, Need: conform.RPCProgram,
			Begin: conform.Begin{IRD: 1, Private: "f6ab0e18 01 00 03 00"},
			Says:  "Who says that remote invalidation is not supported gets no Send with Invalidate.",
			Ask:   withAllChunks},
		{Name: "not-by-reserved-bits", Requirements: []string{"RPCPD-3.2-1", "RPCPD-4.1-3", "RPCPD-4-4"},
			Need:  conform.RPCProgram,
			Begin: conform.Begin{IRD: 1, Private: "f6ab0e18 01 fe 03 00"},
			Says:  "That is said by one bit, and not by those beside it.",
			Ask:   withAllChunks},
		{Name: "not-by-foreign-data", Requirements: []string{"RPCPD-3.2-1", "RPCPD-5.2-2"}, Need: conform.RPCProgram,
			Begin: conform.Begin{IRD: 1, Private: "f6ab0e19 01 01 03 03"},
			Says:  "Private Data of others do not say it either.",
			Ask:   withAllChunks},
		{Name: "not-for-null", Requirements: []string{"RPCPD-3.2-1", "RPCPD-4.1-3"},
			Begin: conform.Begin{Private: sizes4096},
			Says:  "The Reply to a NULL with a Write chunk is a Send without Invalidate, too.",
			Ask:   unusedByNull([]int{64})},
	}
})

// withAllChunks returns Calls with each kind of chunks, whose Replies come by plain Sends.
func withAllChunks(*conform.Setup) []string {
	return []string{
		inChunk(numbered(64)), pushed(numbered(64), 64), longCall(rpctext.ProcEcho, numbered(64)), reducedAndLong(),
	}
}

var section8797d41 = aboutRFC8797("4.1", "the R field", func() []conform.Case {
	return []conform.Case{
		{Name: "stag-of-the-call", Requirements: []string{"RPCPD-4.1-2", "RPCPD-4.1-1"}, Need: conform.RPCProgram,
			Begin: conform.Begin{IRD: 1, Private: invalid4k},
			Says:  "A Reply that invalidates an STag invalidates one of its own Call, of whatever chunk.",
			Ask: func(s *conform.Setup) []string {
				item, read, write, reply := numbered(64), source(0, 64), sink(0, 64), room(0, 8)
				reads1 := []rpctext.ReadSegment{at(rpctext.Position(0, item), read)}
				writes1 := [][]rpctext.Segment{{write}}
				pull, push := reads(read, rpctext.Octets(item.Data)), pushes(writes1[0], item.Data)
				all := rpctext.Chunks{Reads: reads1, Writes: writes1, Reply: []rpctext.Segment{reply}} // too small to be used
				back := rpctext.Chunks{Writes: writes1, Reply: []rpctext.Segment{reply.Of(0)}}
				return []string{
					script(asks(firstXID, rpctext.ProcEcho, readList(reads1...), item.InChunk()), pull,
						invalidates(s, messageOf(firstXID, none, item), read)),
					script(asks(firstXID, rpctext.ProcEcho, writeList(writes1...), item), push,
						invalidates(s, messageOf(firstXID, writeList(writes1...), item.InChunk()), write)),
					script(asks(firstXID, rpctext.ProcEcho, all, item.InChunk()),
						pull, push, invalidates(s, messageOf(firstXID, back, item.InChunk()), read, write, reply)),
				}
			}},
		{Name: "stag-of-which-call", Requirements: []string{"RPCPD-4.1-2"}, Need: conform.RPCProgram, For: grantsTwo,
			Begin: conform.Begin{Private: invalid4k},
			Says:  "Of two Calls at once each gets an STag of its own invalidated.",
			Ask: func(s *conform.Setup) []string {
				if s.Peer.RPC.Credits < 2 {
					return nil
				}
				var ours []string
				var replies []alternative
				for i := range 2 {
					xid, item, chunk := firstXID+1+rpctext.Word(i), rpctext.Item{Absent: true}, sinks(i, 64)
					offered, back := writeList(chunk), writeList(rpctext.Used(0, chunk...))
					ours = append(ours, asks(xid, rpctext.ProcEcho, offered, item))
					replies = append(replies, alternative{messageOf(xid, back, item), chunk})
				}
				return []string{script(null(s, firstXID), script(ours...), either(s, replies...), either(s, replies...))}
			}},
		{Name: "no-stag", Requirements: []string{"RPCPD-4.1-2"}, Begin: conform.Begin{Private: invalid4k},
			Says: "A Call without chunks has no STag: its Reply is a plain Send.",
			Ask:  func(s *conform.Setup) []string { return []string{script(null(s, firstXID), null(s, firstXID+1))} }},
		{Name: "no-stag-in-errors", Requirements: []string{"RPCPD-4.1-2"}, Begin: conform.Begin{Private: invalid4k},
			Says: "An RDMA_ERROR for what has no chunks is a plain Send.",
			Ask: func(s *conform.Setup) []string {
				m := nullMessage(s, firstXID, none)
				m.Proc = 5
				return []string{allRefused(m)}
			}},
		{Name: "stag-of-null", Requirements: []string{"RPCPD-4.1-2", "RPCPD-4.1-1"}, Begin: conform.Begin{Private: invalid4k},
			Says: "The Reply to a NULL with Write chunks invalidates an STag of them, or none.",
			Ask: func(s *conform.Setup) []string {
				chunk := sinks(0, 64, 64)
				back := writeList(rpctext.Used(0, chunk...))
				reply := rpctext.Msg(firstXID, back, nullReply(s, firstXID)).Theirs()
				return []string{script(
					sends(nullMessage(s, firstXID, writeList(chunk)).String()), invalidates(s, reply, chunk...))}
			}},
	}
})

func messageOf(xid rpctext.Word, back rpctext.Chunks, items ...rpctext.Item) string {
	return rpctext.Msg(xid, back, itemsReply(xid, items...)).Theirs()
}

// An alternative is a message that may come, with the Segments of its Call.
type alternative struct {
	message  string
	segments []rpctext.Segment
}

// invalidates: a message comes, which may invalidate the STag of one of some Segments, if the peer has said that
// it does so.
func invalidates(s *conform.Setup, message string, segments ...rpctext.Segment) string {
	return either(s, alternative{message, segments})
}

func either(s *conform.Setup, replies ...alternative) string {
	lines := []string{"< OneOf"}
	for _, r := range replies {
		lines = append(lines, "or Send "+r.message)
		if p := s.Peer.RPC.Private; p == nil || !p.R {
			continue
		}
		for _, segment := range r.segments {
			lines = append(lines, fmt.Sprintf("or SendInvalidate InvalidateSTag=0x%x %s", segment.Handle, r.message),
				fmt.Sprintf("or SendSEInvalidate InvalidateSTag=0x%x %s", segment.Handle, r.message))
		}
	}
	return script(lines...)
}
