package rfc8166

// Script lines that many cases share.

import (
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

// The XIDs of our Calls count from here.
const firstXID rpctext.Word = 0x101

var (
	about        = conform.About("RFC8166", conform.RPCService)
	aboutRFC8797 = conform.About("RFC8797", conform.RPCService)
)

func script(lines ...string) string { return strings.Join(lines, "\n") }

// sends returns a message of ours, and gets one of the peer.
func sends(octets string) string { return "> Send " + octets }
func gets(octets string) string  { return "< Send " + octets }

// silent expects that the peer sends nothing for as long as it would have needed.
const silent = "< Silence"

func null(s *conform.Setup, xid rpctext.Word) string {
	return script(sends(s.Null(uint32(xid))), gets(s.NullReply(uint32(xid))))
}

// nullCall returns the RPC message that calls NULL of a program of the peer, and nullReply its answer.
func nullCall(s *conform.Setup, xid rpctext.Word) string {
	return rpctext.NullCall(xid, rpctext.Word(s.Peer.RPC.Program), rpctext.Word(s.Peer.RPC.ProgramVersion))
}

func nullReply(s *conform.Setup, xid rpctext.Word) string {
	return rpctext.Reply(xid, rpctext.Word(s.Peer.RPC.Stat), "")
}

// nullWith returns a Call of NULL with chunks, and its Short Reply with the returned chunks.
func nullWith(s *conform.Setup, xid rpctext.Word, chunks, back rpctext.Chunks) string {
	return script(sends(nullMessage(s, xid, chunks).String()), gets(rpctext.Msg(xid, back, nullReply(s, xid)).Theirs()))
}

func nullMessage(s *conform.Setup, xid rpctext.Word, chunks rpctext.Chunks) rpctext.Message1 {
	return rpctext.Msg(xid, chunks, nullCall(s, xid))
}

// refused returns a message that is answered with ERR_CHUNK.
func refused(m rpctext.Message1) string {
	return script(sends(m.String()), gets(rpctext.RefusedChunk(m.XID)))
}

func allRefused(messages ...rpctext.Message1) string {
	var lines []string
	for _, m := range messages {
		lines = append(lines, refused(m))
	}
	return script(lines...)
}

// allDropped returns a script with ignored messages: after each a NULL is the first that is answered. So the peer has
// to grant two credits.
func allDropped(s *conform.Setup, messages ...string) []string {
	lines := []string{null(s, firstXID)}
	for i, m := range messages {
		lines = append(lines, sends(m), null(s, firstXID+1+rpctext.Word(i)))
	}
	return []string{script(lines...)}
}

// twoCredits is the kind of peer that cases with ignored messages apply to.
const twoCredits = "a peer that grants two credits"

func grantsTwo(s *conform.Setup) bool { return s.Peer.RPC.Credits >= 2 }

// source, sink and room are memory of ours: of the i-th Read segment, of a Write chunk, and of the Reply chunk.
// sources, sinks and rooms are several, the first of which is the i-th.
func source(i, length int) rpctext.Segment { return sources(i, length)[0] }
func sink(i, length int) rpctext.Segment   { return sinks(i, length)[0] }
func room(i, length int) rpctext.Segment   { return memory(0x7001, i, length)[0] }

func sources(i int, lengths ...int) []rpctext.Segment { return memory(0x5001, i, lengths...) }
func sinks(i int, lengths ...int) []rpctext.Segment   { return memory(0x6001, i, lengths...) }
func rooms(lengths ...int) []rpctext.Segment          { return memory(0x7001, 0, lengths...) }

func memory(first uint32, i int, lengths ...int) []rpctext.Segment {
	segments := []rpctext.Segment{}
	for k, n := range lengths {
		at := i + k
		segments = append(segments,
			rpctext.Segment{Handle: first + uint32(at), Length: uint32(n), Offset: 0x7f0000000000 + uint64(at)<<16})
	}
	return segments
}

// echo returns an ECHO, the transfers of its chunks, and its Reply.
func echo(e rpctext.Echo) string {
	x := e.Exchange()
	return script(asks(firstXID, rpctext.ProcEcho, x.Sent, x.Arguments...), x.Moves, gives(firstXID, x.Returned, x.Results...))
}

// pushes returns the lines in which the peer writes data into a chunk.
func pushes(chunk []rpctext.Segment, data []byte) string {
	lines, _ := rpctext.Fill(chunk, data)
	return lines
}

var none rpctext.Chunks

// readList, writeList and replyChunk are chunks of only one kind.
func readList(segments ...rpctext.ReadSegment) rpctext.Chunks { return rpctext.Chunks{Reads: segments} }
func writeList(chunks ...[]rpctext.Segment) rpctext.Chunks    { return rpctext.Chunks{Writes: chunks} }
func replyChunk(segments []rpctext.Segment) rpctext.Chunks    { return rpctext.Chunks{Reply: segments} }

// numbered returns an item of n octets that differ.
func numbered(n int) rpctext.Item { return rpctext.Numbered(1, n) }

func at(position uint32, s rpctext.Segment) rpctext.ReadSegment {
	return rpctext.ReadSegment{Position: position, Segment: s}
}

// asks calls a procedure of the program conform with items, some of which may be in chunks.
func asks(xid, proc rpctext.Word, chunks rpctext.Chunks, items ...rpctext.Item) string {
	return sends(rpctext.Msg(xid, chunks, rpctext.CallOf(xid, proc, rpctext.Items(items...)).String()).String())
}

func gives(xid rpctext.Word, back rpctext.Chunks, items ...rpctext.Item) string {
	return gets(rpctext.Msg(xid, back, itemsReply(xid, items...)).Theirs())
}

// itemsReply returns the RPC message that returns items.
func itemsReply(xid rpctext.Word, items ...rpctext.Item) string {
	return rpctext.Reply(xid, rpctext.Success, rpctext.Items(items...))
}

// mostPulled is the maximum number of octets of an item in one Segment: few enough for each peer to move them at once.
const mostPulled = 1000

// pulled returns a Call of ECHO whose RPC Reply has n octets with nothing in chunks: the lines of the Call, with
// additional chunks, and of the RDMA Reads of its items, and the items. No message of the Call is longer than 1024
// octets.
func pulled(xid rpctext.Word, octets int, chunks rpctext.Chunks) (lines string, items []rpctext.Item) {
	const perItem = 8 // its discriminator and its length
	for left := octets - rpctext.ReplyLen - rpctext.ItemsLen(); left > 0; {
		n := min(left-perItem, mostPulled)
		if rest := left - perItem - n; rest > 0 && rest <= perItem {
			n -= perItem // something must be left for the last one
		}
		items = append(items, rpctext.Filled(byte('a'+len(items)), n))
		left -= perItem + n
	}
	var reduced []rpctext.Item
	var pulls []string
	for i, item := range items {
		chunks.Reads = append(chunks.Reads, at(rpctext.Position(i, items...), source(i, len(item.Data))))
		reduced = append(reduced, item.InChunk())
		pulls = append(pulls, rpctext.Read(source(i, len(item.Data)), rpctext.Octets(item.Data)))
	}
	return script(append([]string{asks(xid, rpctext.ProcEcho, chunks, reduced...)}, pulls...)...), items
}

// executed expects the number of Calls that REPORT says were executed before it on this connection.
func executed(xid, calls rpctext.Word) string {
	return script(
		sends(rpctext.Msg(xid, none, rpctext.CallOf(xid, rpctext.ProcReport, "").String()).String()),
		gets(rpctext.Msg(xid, none, rpctext.Reply(xid, rpctext.Success, rpctext.Report(calls, 0, 0, 0))).Theirs()))
}

// oneAtATime limits the peer to one outstanding RDMA Read, so that the script can answer each before the next, whatever
// their order.
var oneAtATime = conform.Begin{IRD: 1}
