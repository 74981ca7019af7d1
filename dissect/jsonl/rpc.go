package jsonl

// Objects about RPCs: what they were, and what moved them.

import (
	"encoding/json"
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/internal/printable"
)

func (e *Encoder) rpc(t *record.Transaction) {
	e.beginTransaction(t)
	form, _ := json.Marshal(newExchange(t.Upper.(*rpc.Exchange))) // it holds nothing that JSON has not
	form = printable.AppendJSON(nil, form)
	e.line = append(e.line, ',')
	e.line = append(e.line, form[1:]...) // its own brace stays open
	e.line = e.line[:len(e.line)-1]
	e.end()
}

// exchange is what an object about an RPC has beside what all transactions have.
type exchange struct {
	XID        string   `json:"xid"`
	Dialect    string   `json:"dialect"`
	Reverse    bool     `json:"reverse"`
	Procedure  *string  `json:"procedure"`
	Operations []string `json:"operations"`
	Result     *string  `json:"result"`
	Repeats    int      `json:"repeats"`
	Call       *half    `json:"call"`
	Reply      *half    `json:"reply"`
	Reads      []chunk  `json:"reads"`
	Writes     []chunk  `json:"writes"`
	ReplyChunk *chunk   `json:"reply_chunk"`
	ChunksCut  bool     `json:"chunks_cut"`
}

// half is a Call or Reply as it was sent.
type half struct {
	frames
	Kind            string  `json:"kind"`
	Sends           int     `json:"sends"`
	Inline          uint64  `json:"inline"`
	Len             uint64  `json:"len"`
	Credits         uint32  `json:"credits"`
	InvalidatedSTag *string `json:"inval_stag"`
}

// frames are the first and the last frame of something.
type frames struct {
	Frame     uint64 `json:"frame"`
	LastFrame uint64 `json:"last_frame"`
}

type chunk struct {
	Position *uint32   `json:"position,omitempty"` // of a Read chunk
	Segments []segment `json:"segments"`
}

type segment struct {
	STag     string  `json:"stag"`
	Offset   string  `json:"offset"`
	Length   uint32  `json:"length"`
	Returned *uint32 `json:"returned,omitempty"` // not of a Read chunk
	Moved    uint64  `json:"moved"`
	Moves    []move  `json:"moves"`
}

type move struct {
	Request *frames `json:"request,omitempty"` // of an RDMA Read
	frames
	Offset string `json:"offset"`
	Octets uint64 `json:"octets"`
}

func newExchange(x *rpc.Exchange) *exchange {
	r := &exchange{
		XID: fmt.Sprintf("0x%08x", x.XID), Dialect: x.Dialect.String(), Reverse: x.Reverse, Operations: []string{},
		Repeats: x.Repeats, Call: newHalf(&x.Call), Reply: newHalf(&x.Reply), ChunksCut: x.ChunksCut,
		Reads: []chunk{}, Writes: []chunk{},
	}
	if x.Known {
		procedure := x.Procedure.String()
		r.Procedure = &procedure
	}
	if x.Result != "" {
		r.Result = &x.Result
	}
	for _, op := range x.Operations {
		r.Operations = append(r.Operations, op.String())
	}
	for _, op := range x.Callbacks {
		r.Operations = append(r.Operations, op.String())
	}
	for i := range x.Reads {
		c := newChunk(&x.Reads[i], true)
		c.Position = &x.Reads[i].Position
		r.Reads = append(r.Reads, c)
	}
	for i := range x.Writes {
		r.Writes = append(r.Writes, newChunk(&x.Writes[i], false))
	}
	if len(x.ReplyChunk.Segments) > 0 {
		c := newChunk(&x.ReplyChunk, false)
		r.ReplyChunk = &c
	}
	return r
}

// newHalf is nil for one that was not seen.
func newHalf(h *rpc.Half) *half {
	if h.Frame == 0 {
		return nil
	}
	r := &half{frames: newFrames(&h.Span), Kind: h.Kind, Sends: h.Parts, Inline: h.Inline, Len: h.Len, Credits: h.Credits}
	if h.Invalidates {
		stag := fmt.Sprintf("0x%08x", h.InvalidatedSTag)
		r.InvalidatedSTag = &stag
	}
	return r
}

func newFrames(s *record.Span) frames { return frames{s.Frame, s.LastFrame} }

func newChunk(c *rpc.Chunk, read bool) chunk {
	r := chunk{Segments: []segment{}}
	for i := range c.Segments {
		s := &c.Segments[i]
		form := segment{
			STag: fmt.Sprintf("0x%08x", s.Handle), Offset: fmt.Sprintf("0x%016x", s.Offset), Length: s.Length,
			Moved: s.Moved, Moves: []move{},
		}
		if !read {
			form.Returned = &s.Returned
		}
		for j := range s.Moves {
			form.Moves = append(form.Moves, newMove(&s.Moves[j]))
		}
		r.Segments = append(r.Segments, form)
	}
	return r
}

func newMove(m *rpc.Move) move {
	r := move{frames: newFrames(&m.Data), Offset: fmt.Sprintf("0x%016x", m.Offset), Octets: m.Octets}
	if m.Request.Frame != 0 {
		request := newFrames(&m.Request)
		r.Request = &request
	}
	return r
}
