package rpc

// RPCs as a line of text.

import (
	"fmt"
	"strconv"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// AppendDetail implements ulp.Detailed: the result, what carried Call and Reply, and credits.
//
//	: SUCCESS; Call 152 inline; Reply 128 inline, 4096 by Writes 14-17; credits 32/32
func (x *Exchange) AppendDetail(b []byte, frames flow.Frames) []byte {
	if x.Result != "" {
		b = printable.Append(append(b, ": "...), x.Result)
	}
	if x.Reverse {
		b = append(b, "; reverse direction"...)
	}
	if x.Repeats > 0 {
		b = quantity.AppendCount(append(b, "; Call repeated "...), x.Repeats, "time")
	}
	b = appendHalf(append(b, "; Call"...), &x.Call)
	for i := range x.Reads {
		b = appendChunk(b, &x.Reads[i], " by Reads", frames)
	}
	if x.Reply.Frame != 0 {
		b = appendHalf(append(b, "; Reply"...), &x.Reply)
	}
	for i := range x.Writes {
		b = appendChunk(b, &x.Writes[i], " by Writes", frames)
	}
	if len(x.ReplyChunk.Segments) > 0 {
		b = appendChunk(b, &x.ReplyChunk, " in the Reply chunk by Writes", frames)
	}
	if x.ChunksCut {
		b = append(b, ", and segments that are not followed"...)
	}
	b = strconv.AppendUint(append(b, "; credits "...), uint64(x.Call.Credits), 10)
	if x.Reply.Frame != 0 {
		b = strconv.AppendUint(append(b, '/'), uint64(x.Reply.Credits), 10)
	}
	return b
}

// appendHalf appends the type of message, if it is not the usual one, and the number of inline octets.
func appendHalf(b []byte, h *Half) []byte {
	if h.Frame == 0 {
		return append(b, " not seen"...)
	}
	if h.Kind != "RDMA_MSG" && h.Kind != "RDMA2_MSG" {
		b = printable.Append(append(b, ' '), h.Kind)
	}
	b = strconv.AppendUint(append(b, ' '), h.Inline, 10)
	b = append(b, " inline"...)
	if h.Parts > 1 {
		b = strconv.AppendInt(append(b, " in "...), int64(h.Parts), 10)
		b = append(b, " Sends"...)
	}
	return b
}

// maxMoves is how many RDMA Reads and Writes of a chunk are shown.
const maxMoves = 8

// appendChunk appends how many octets of a chunk were moved, of how many if it has room for more, and by which operations:
// the frames of Read Request and Response with > between them, or those of a Write.
func appendChunk(b []byte, c *Chunk, by string, frames flow.Frames) []byte {
	moved, offered := c.Moved(), c.Offered()
	b = strconv.AppendUint(append(b, ", "...), moved, 10)
	if moved != offered {
		b = strconv.AppendUint(append(b, " of "...), offered, 10)
	}
	if moved == 0 {
		return append(b, " offered"...)
	}
	b = append(b, by...)
	n, merged := 0, false // one Move may stand for several
	for i := range c.Segments {
		merged = merged || len(c.Segments[i].Moves) == MaxMoves
		for j := range c.Segments[i].Moves {
			if n++; n <= maxMoves {
				b = appendMove(append(b, ' '), &c.Segments[i].Moves[j], frames)
			}
		}
	}
	if n > maxMoves {
		b = append(b, " and "...)
		if merged {
			b = append(b, "at least "...)
		}
		b = strconv.AppendInt(b, int64(n-maxMoves), 10)
		b = append(b, " more"...)
	}
	return b
}

func appendMove(b []byte, m *Move, frames flow.Frames) []byte {
	if m.Request != (flow.Span{}) {
		b = append(frames.Append(b, &m.Request), '>')
	}
	return frames.Append(b, &m.Data)
}

// details are the columns of RPCs in CSV.
var details = []string{
	"xid", "call_kind", "call_inline", "call_len", "call_credits", "reply_kind", "reply_inline", "reply_len", "reply_credits",
	"read_octets", "write_octets", "reply_chunk_octets",
}

// Cells implements ulp.Detailed: the XID, what carried Call and Reply, credits, and the octets that chunks moved.
func (x *Exchange) Cells() []string {
	cells := []string{fmt.Sprintf("0x%08x", x.XID)}
	for _, h := range []*Half{&x.Call, &x.Reply} {
		if h.Frame == 0 {
			cells = append(cells, "", "", "", "")
			continue
		}
		cells = append(cells, h.Kind, fmt.Sprint(h.Inline), fmt.Sprint(h.Len), fmt.Sprint(h.Credits))
	}
	var moved [2]uint64
	for side, chunks := range [][]Chunk{x.Reads, x.Writes} {
		for i := range chunks {
			moved[side] += chunks[i].Moved()
		}
	}
	return append(cells, fmt.Sprint(moved[0]), fmt.Sprint(moved[1]), fmt.Sprint(x.ReplyChunk.Moved()))
}
