package rpc

// RPCs as JSON objects.

import (
	"encoding/json"
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/flow"
)

// exchangeObject has what an RPC has in addition to other transactions.
type exchangeObject struct {
	XID        string        `json:"xid"`
	Dialect    string        `json:"dialect"`
	Reverse    bool          `json:"reverse"`
	Procedure  *string       `json:"procedure"`
	Operations []string      `json:"operations"`
	Result     *string       `json:"result"`
	Repeats    int           `json:"repeats"`
	Call       *halfObject   `json:"call"`
	Reply      *halfObject   `json:"reply"`
	Reads      []chunkObject `json:"reads"`
	Writes     []chunkObject `json:"writes"`
	ReplyChunk *chunkObject  `json:"reply_chunk"`
	ChunksCut  bool          `json:"chunks_cut"`
}

// halfObject is a Call or Reply as it was sent.
type halfObject struct {
	framesObject
	Kind            string  `json:"kind"`
	Sends           int     `json:"sends"`
	Inline          uint64  `json:"inline"`
	Len             uint64  `json:"len"`
	Credits         uint32  `json:"credits"`
	InvalidatedSTag *string `json:"inval_stag"`
}

// framesObject is the first and the last frame of something.
type framesObject struct {
	Frame     uint64 `json:"frame"`
	LastFrame uint64 `json:"last_frame"`
}

type chunkObject struct {
	Position *uint32         `json:"position,omitempty"` // of a Read chunk
	Segments []segmentObject `json:"segments"`
}

type segmentObject struct {
	STag     string       `json:"stag"`
	Offset   string       `json:"offset"`
	Length   uint32       `json:"length"`
	Returned *uint32      `json:"returned,omitempty"` // not of a Read chunk
	Moved    uint64       `json:"moved"`
	Moves    []moveObject `json:"moves"`
}

type moveObject struct {
	Request *framesObject `json:"request,omitempty"` // of an RDMA Read
	framesObject
	Offset string `json:"offset"`
	Octets uint64 `json:"octets"`
}

// MarshalJSON implements json.Marshaler: what an RPC has in addition to other transactions.
func (x *Exchange) MarshalJSON() ([]byte, error) { return json.Marshal(newExchange(x)) }

func newExchange(x *Exchange) *exchangeObject {
	r := &exchangeObject{
		XID: fmt.Sprintf("0x%08x", x.XID), Dialect: x.Dialect.String(), Reverse: x.Reverse, Operations: []string{},
		Repeats: x.Repeats, Call: newHalf(&x.Call), Reply: newHalf(&x.Reply), ChunksCut: x.ChunksCut,
		Reads: []chunkObject{}, Writes: []chunkObject{},
	}
	if x.Known {
		r.Procedure = new(x.Procedure.String())
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
		r.ReplyChunk = new(newChunk(&x.ReplyChunk, false))
	}
	return r
}

// newHalf returns nil for a Half that was not seen.
func newHalf(h *Half) *halfObject {
	if h.Frame == 0 {
		return nil
	}
	r := &halfObject{framesObject: newFrames(&h.Span), Kind: h.Kind, Sends: h.Parts, Inline: h.Inline, Len: h.Len, Credits: h.Credits}
	if h.Invalidates {
		r.InvalidatedSTag = new(fmt.Sprintf("0x%08x", h.InvalidatedSTag))
	}
	return r
}

func newFrames(s *flow.Span) framesObject { return framesObject{s.Frame, s.LastFrame} }

func newChunk(c *Chunk, read bool) chunkObject {
	r := chunkObject{Segments: []segmentObject{}}
	for i := range c.Segments {
		s := &c.Segments[i]
		form := segmentObject{
			STag: fmt.Sprintf("0x%08x", s.Handle), Offset: fmt.Sprintf("0x%016x", s.Offset), Length: s.Length,
			Moved: s.Moved, Moves: []moveObject{},
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

func newMove(m *Move) moveObject {
	r := moveObject{framesObject: newFrames(&m.Data), Offset: fmt.Sprintf("0x%016x", m.Offset), Octets: m.Octets}
	if m.Request.Frame != 0 {
		r.Request = new(newFrames(&m.Request))
	}
	return r
}
