package rpc

// RPCs as JSON objects.

import (
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
	File      string `json:"file,omitempty"` // if there are several
	Frame     uint64 `json:"frame"`
	LastFile  string `json:"last_file,omitempty"`
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

// Object implements ulp.Detailed.
func (x *Exchange) Object(frames flow.Frames) any {
	r := &exchangeObject{
		XID: fmt.Sprintf("0x%08x", x.XID), Dialect: x.Dialect.String(), Reverse: x.Reverse, Operations: []string{},
		Repeats: x.Repeats, Call: newHalf(&x.Call, frames), Reply: newHalf(&x.Reply, frames), ChunksCut: x.ChunksCut,
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
		c := newChunk(&x.Reads[i], true, frames)
		c.Position = &x.Reads[i].Position
		r.Reads = append(r.Reads, c)
	}
	for i := range x.Writes {
		r.Writes = append(r.Writes, newChunk(&x.Writes[i], false, frames))
	}
	if len(x.ReplyChunk.Segments) > 0 {
		r.ReplyChunk = new(newChunk(&x.ReplyChunk, false, frames))
	}
	return r
}

// newHalf returns nil for a Half that was not seen.
func newHalf(h *Half, frames flow.Frames) *halfObject {
	if h.Frame == 0 {
		return nil
	}
	r := &halfObject{framesObject: newFrames(&h.Span, frames), Kind: h.Kind, Sends: h.Parts, Inline: h.Inline, Len: h.Len, Credits: h.Credits}
	if h.Invalidates {
		r.InvalidatedSTag = new(fmt.Sprintf("0x%08x", h.InvalidatedSTag))
	}
	return r
}

func newFrames(s *flow.Span, frames flow.Frames) (f framesObject) {
	f.File, f.Frame = frames.Place(s.Frame)
	f.LastFile, f.LastFrame = frames.Place(s.LastFrame)
	return f
}

func newChunk(c *Chunk, read bool, frames flow.Frames) chunkObject {
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
			form.Moves = append(form.Moves, newMove(&s.Moves[j], frames))
		}
		r.Segments = append(r.Segments, form)
	}
	return r
}

func newMove(m *Move, frames flow.Frames) moveObject {
	r := moveObject{framesObject: newFrames(&m.Data, frames), Offset: fmt.Sprintf("0x%016x", m.Offset), Octets: m.Octets}
	if m.Request.Frame != 0 {
		r.Request = new(newFrames(&m.Request, frames))
	}
	return r
}
