package rpc

// RPC-over-RDMA messages as a view shows them.

import (
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Packet is an RPC-over-RDMA message, the payload of a Send, with what is needed to read the RPC message in it. It is the
// Body of the record.Uppers of this package.
type Packet struct {
	rpcrdma.Message
	Octets  []byte                // what was captured of it
	Context oncrpc.MessageContext // what its Call says; without a Call, only Positions and Returned of Message
	Chunk   []byte                // the RPC message in the Reply chunk, as far as it was captured; else nil
}

// fill fills in Context from x, the RPC that the message belongs to.
func (p *Packet) fill(x *Exchange, chunk []byte) {
	c := &p.Context
	c.Exchange, c.Positions, c.Returned, p.Chunk = x.rpc(), c.Positions[:0], c.Returned[:0], chunk
	for i := range x.Reads {
		if at := x.Reads[i].Position; at > 0 {
			c.Positions = append(c.Positions, at)
		}
	}
	for i := range x.Writes {
		c.Returned = append(c.Returned, x.Writes[i].Returned())
	}
}

// guess fills in Context from the message alone, if it is a Call.
func (p *Packet) guess() {
	c := &p.Context
	c.Exchange, c.Positions, c.Returned, p.Chunk = oncrpc.Exchange{}, c.Positions[:0], c.Returned[:0], nil
	var call oncrpc.Call
	if !oncrpc.IsCall(p.Payload) {
		return
	}
	call.Decode(p.Payload) // what could not be decoded is empty
	c.Exchange = call.Exchange()
	for at := range p.Reads.Positions() {
		if at > 0 {
			c.Positions = append(c.Positions, at)
		}
	}
}

// Read reads a Send of the given length in octets, of which b was captured, without knowledge of its connection; it does not
// read the results in a Reply. It returns nil if the Send is not an RPC-over-RDMA message.
func Read(b []byte, length uint64) record.Body {
	n := int(min(length, maxSend))
	b = b[:min(len(b), n)]
	d, ok := rpcrdma.Recognize(b, n)
	if !ok {
		return nil
	}
	p := &Packet{Octets: b}
	p.Decode(b, n, d)
	p.guess()
	return p
}

// Lay implements record.Body: the header of RPC-over-RDMA, and the RPC message that follows it or is in the Reply chunk.
func (p *Packet) Lay(v *record.View) {
	v.Begin("", p.Octets, uint64(p.Len))
	v.Parts = rpcrdma.AppendLayout(v.Parts, p.Octets, p.Len, p.Dialect)
	message, off := p.Octets[min(p.HeaderLen, len(p.Octets)):], p.HeaderLen
	if p.Form == rpcrdma.FormBody && len(p.Chunk) > 0 {
		message, off = p.Chunk, 0
		v.Begin("Reply chunk: RPC message", message, uint64(len(message)))
	}
	if rpcrdma.CheckRPC(message, p.XID, p.Role == rpcrdma.Responder) != nil {
		return
	}
	first := len(v.Parts)
	v.Parts = oncrpc.AppendLayout(v.Parts, message, &p.Context)
	v.Shift(first, off)
}
