package rpc

// RPCs as a line of text.

import (
	"strconv"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// AppendDetail implements record.Detailed: the result, what carried Call and Reply, and credits.
//
//	: SUCCESS; Call 152 inline; Reply 128 inline, 4096 by Writes 14-17; credits 32/32
func (x *Exchange) AppendDetail(b []byte) []byte {
	if x.Result != "" {
		b = printable.Append(append(b, ": "...), x.Result)
	}
	if x.Reverse {
		b = append(b, "; reverse direction"...)
	}
	if x.Repeats > 0 {
		b = quantity.AppendCount(append(b, "; Call repeated "...), uint64(x.Repeats), "time")
	}
	b = appendHalf(append(b, "; Call"...), &x.Call)
	for i := range x.Reads {
		b = appendChunk(b, &x.Reads[i], " by Reads")
	}
	if x.Reply.Frame != 0 {
		b = appendHalf(append(b, "; Reply"...), &x.Reply)
	}
	for i := range x.Writes {
		b = appendChunk(b, &x.Writes[i], " by Writes")
	}
	if len(x.ReplyChunk.Segments) > 0 {
		b = appendChunk(b, &x.ReplyChunk, " in the Reply chunk by Writes")
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
func appendChunk(b []byte, c *Chunk, by string) []byte {
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
				b = appendMove(append(b, ' '), &c.Segments[i].Moves[j])
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

func appendMove(b []byte, m *Move) []byte {
	if m.Request != (record.Span{}) {
		b = append(m.Request.AppendFrames(b), '>')
	}
	return m.Data.AppendFrames(b)
}
