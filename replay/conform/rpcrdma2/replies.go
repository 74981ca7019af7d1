package rpcrdma2

// Replies that do not fit in one message. Our Receives are small in these cases, so that short items suffice.

import (
	"encoding/hex"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext2"
)

// smallReceive is a Receive Buffer Size, in octets, that is too small for a Reply of wholeItem.
const (
	smallReceive = 1024
	wholeItem    = 2000
)

// whole returns a Call whose Reply fits in one message if our Receives have the default of 4096 octets.
func whole() string {
	item := rpctext.Filled(0x61, wholeItem)
	return script(sends(rpctext2.Msg(first, none, plain(first, item))), gets(rpctext2.Reply(first, none, echoed(first, item))))
}

// longItem returns an item whose Reply takes three messages if our Receives are small.
func longItem() rpctext.Item { return rpctext.Filled(0x62, 2900) }

// longCall returns a PLAIN, in parts, whose Reply does not fit in one message of 4096 octets.
func longCall(c rpctext.Chunks) string {
	return sendsAll(divide(first, c, plain(first, rpctext.Numbered(0, longLen)), partLen)...)
}

// The lengths in octets of its item, and of the parts of the Call.
const (
	longLen = 6000
	partLen = 3600
)

// somePart returns a message of the peer with a part of an RPC message, however it is divided.
func somePart(xid, flags rpctext.Word) string {
	m := rpctext2.Message{XID: xid, Vers: rpctext2.Vers, Flags: flags}
	return m.Theirs() + " ?*"
}

// smallest returns properties of ours with small Receives.
func smallest() rpctext2.Message {
	return rpctext2.Properties(rpctext2.Number(rpctext2.RBSIZ, smallReceive))
}

// small returns the exchange of properties with them.
func small() string {
	return script(sends(smallest()), gets(rpctext2.AnyConnProp()))
}

// tiny returns the exchange of properties with our Receives of n octets.
func tiny(octets rpctext.Word) string {
	return script(sends(rpctext2.Properties(rpctext2.Number(rpctext2.RBSIZ, octets))), gets(rpctext2.AnyConnProp()))
}

// The lengths in octets of the header of an RDMA2_MSG without chunks, and of a segment in it.
const (
	headerLen  = 36
	segmentLen = 16
)

func replyLen(octets int) int { return rpctext.ReplyLen + rpctext.ItemsLen(rpctext.Filled(0, octets)) }

func replyOctets(xid rpctext.Word, items ...rpctext.Item) []byte {
	octets, err := hex.DecodeString(strings.ReplaceAll(echoed(xid, items...), " ", ""))
	if err != nil {
		panic(err) // octets that are all the same cannot fail
	}
	return octets
}

// inReplyChunk returns a PLAIN of an item of n octets, and the Reply in a Reply chunk with segments of some lengths.
func inReplyChunk(octets int, room ...int) string {
	item := rpctext.Numbered(0, octets)
	var c rpctext.Chunks
	for i, n := range room {
		c.Reply = append(c.Reply, segment(i+1, n))
	}
	return script(sends(rpctext2.Msg(first, c, plain(first, item))), inReply(c, item))
}

func inReply(c rpctext.Chunks, item rpctext.Item) string {
	writes, filled := rpctext.Fill(c.Reply, replyOctets(first, item))
	return script(writes, gets(rpctext2.NoMsgReply(first, rpctext.Chunks{Reply: filled})))
}

// inBoth returns an ECHO of two items, the first of which has a Write chunk; the rest of the Reply is in the Reply
// chunk.
func inBoth() string {
	items := []rpctext.Item{rpctext.Numbered(0, 900), rpctext.Numbered(0, 1300)}
	c := rpctext.Chunks{Writes: [][]rpctext.Segment{{segment(1, 1000)}}, Reply: []rpctext.Segment{segment(2, 2048)}}
	result, filled := rpctext.Fill(c.Writes[0], items[0].Data)
	rest, reply := rpctext.Fill(c.Reply, replyOctets(first, items[0].InChunk(), items[1]))
	return script(sends(rpctext2.Msg(first, c, echo(first, items...))), result, rest,
		gets(rpctext2.NoMsgReply(first, rpctext.Chunks{Writes: [][]rpctext.Segment{filled}, Reply: reply})))
}

// reducedFits returns an ECHO whose Reply would not fit without its Write chunk, and has a Reply chunk that is too small.
func reducedFits() string {
	item := rpctext.Numbered(0, 1024)
	c := rpctext.Chunks{Writes: [][]rpctext.Segment{{segment(1, 1024)}}, Reply: []rpctext.Segment{segment(2, 20)}}
	result, filled := rpctext.Fill(c.Writes[0], item.Data)
	returned := rpctext.Chunks{Writes: [][]rpctext.Segment{filled}}
	unused := rpctext.Chunks{Writes: returned.Writes, Reply: []rpctext.Segment{segment(2, 0)}}
	payload := echoed(first, item.InChunk())
	return script(sends(rpctext2.Msg(first, c, echo(first, item))), result,
		getsOneOf(rpctext2.Reply(first, unused, payload), rpctext2.Reply(first, returned, payload)))
}

// eitherWay returns the Reply to a NULL with a Reply chunk of a segment that has room for it, which the peer may use
// (section 6.4). That is one step of the peer or two, so the script ends there, and the end may replace the second.
func eitherWay(n null, room rpctext.Segment) string {
	chunk := func(octets int) rpctext.Chunks { return rpctext.Chunks{Reply: []rpctext.Segment{room.Of(octets)}} }
	reply := n.reply(first)
	return script("< OneOf",
		"or Send "+rpctext2.Reply(first, chunk(0), reply), "or Send "+rpctext2.Reply(first, none, reply),
		"or "+strings.TrimPrefix(rpctext.Written(room, reply), "< "), "> FIN",
		"< OneOf", "or Send "+rpctext2.NoMsgReply(first, chunk(len(octetsOf(reply)))), "or FIN", "or Reset")
}

// chunkAndContinued returns an ECHO of two items, the first of which has a Write chunk; the rest is in two messages.
func chunkAndContinued() string {
	items := []rpctext.Item{rpctext.Numbered(0, 100), rpctext.Numbered(0, 1300)}
	c := rpctext.Chunks{Writes: [][]rpctext.Segment{{segment(1, 100)}}}
	result, filled := rpctext.Fill(c.Writes[0], items[0].Data)
	payload := replyOctets(first, items[0].InChunk(), items[1])
	return script(sends(rpctext2.Msg(first, c, echo(first, items...))), result,
		divided(rpctext.Chunks{Writes: [][]rpctext.Segment{filled}}, rpctext.Chunks{Writes: [][]rpctext.Segment{filled}},
			payload))
}

// inTwo returns the Reply with an item of n octets, in two messages, the last of which has the returned chunks, in one
// of two equivalent forms.
func inTwo(returned, or rpctext.Chunks, octets int) string {
	return divided(returned, or, replyOctets(first, rpctext.Numbered(0, octets)))
}

// divided returns an RPC Reply in two messages. The first is as long as our Receives; a peer may divide it elsewhere,
// at an unknown place.
func divided(returned, or rpctext.Chunks, payload []byte) string {
	const room = smallReceive - headerLen
	part := rpctext2.Replying(first, none, rpctext.Octets(payload[:room])).With(rpctext2.More)
	return script(
		"< OneOf",
		"or Send "+part.Theirs(),
		`may "it divides the Reply elsewhere" Send `+somePart(first, rpctext2.Response|rpctext2.More),
		"< OneOf",
		"or Send "+rpctext2.Reply(first, returned, rpctext.Octets(payload[room:])),
		"or Send "+rpctext2.Reply(first, or, rpctext.Octets(payload[room:])),
		`may "it divides the Reply elsewhere" Send `+somePart(first, rpctext2.Response))
}
