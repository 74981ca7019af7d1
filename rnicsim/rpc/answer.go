package rpc

// From results to messages: the contents of Write chunks and of the Reply chunk.

import (
	"bytes"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// An answer is a Reply whose eligible results are in the Write chunks of the Call.
type answer struct {
	writes  rpcrdma.WriteList // with the lengths that are returned
	pushes  []Push            // into the Write chunks
	payload []byte            // the rest of the RPC message
}

// reduce takes eligible results out of a message, and puts them into the Write chunks of a Call, in their order (RFC 8166, section 4.3.2).
// A chunk without segments leaves its result inline.
func (e *Responder) reduce(c *call, message []byte, eligible []Span) *refusal {
	var payload []byte
	results, done := e.results[:0], 0
	for chunk := range c.writes.Chunks() {
		var result []byte
		if len(eligible) > 0 {
			if data := eligible[0]; chunk.Count() > 0 {
				result = message[data.At:][:data.Length]
				payload = joined(payload, message[done:data.At])
				done = data.end()
			}
			eligible = eligible[1:]
		}
		results = append(results, result)
	}
	e.results = results
	defer clear(results)
	return e.distribute(c, joined(payload, message[done:]), results)
}

// distribute puts results into the Write chunks of a Call, in their order. Remaining chunks are returned unused.
func (e *Responder) distribute(c *call, payload []byte, results [][]byte) *refusal {
	a, index := &c.answer, 0
	a.payload, a.writes = payload, bytes.Clone(c.writes)
	for chunk := range a.writes.Chunks() {
		var result []byte
		if index < len(results) {
			result = results[index]
		}
		index++
		if uint64(len(result)) > chunk.Length() && !e.careless(WriteTooSmall) {
			return &refusal{Fault: WriteTooSmall, Index: uint32(index), Needed: uint32(len(result))}
		}
		a.pushes = fill(chunk, result, a.pushes)
	}
	return nil
}

// fill puts octets into a chunk, as many as it has room for, from its first segment on (RFC 8166, section 3.4.6). It
// appends the RDMA Writes to pushes, and leaves in the chunk the lengths that were used.
func fill(c rpcrdma.WriteChunk, octets []byte, pushes []Push) []Push {
	at := len(c) - c.Count()*rpcrdma.SegmentLen
	for s := range c.Segments() {
		n := min(uint64(s.Length), uint64(len(octets)))
		if n > 0 {
			pushes = append(pushes, Push{STag: s.Handle, TO: s.Offset, Octets: octets[:n:n]})
		}
		octets = octets[n:]
		s.Length = uint32(n)
		s.AppendBinary(c[:at])
		at += rpcrdma.SegmentLen
	}
	return pushes
}

// unused returns a chunk as it is returned if nothing was put into it; nil if c is nil.
func unused(c rpcrdma.WriteChunk) rpcrdma.WriteChunk {
	c = bytes.Clone(c)
	fill(c, nil, nil)
	return c
}

// long puts a Reply into the Reply chunk of its Call. It returns false if there is none, or if it is too small. Then it
// stays unused, unless the Responder is careless of that.
func (e *Responder) long(c *call) (filled rpcrdma.WriteChunk, pushes []Push, ok bool) {
	a := &c.answer
	if !c.reply.Present() || uint64(len(a.payload)) > c.reply.Length() && !e.careless(ReplyTooSmall) {
		return nil, nil, false
	}
	filled = bytes.Clone(c.reply)
	return filled, fill(filled, a.payload, slices.Clip(a.pushes)), true
}
