package rpc

// RPC-over-RDMA messages as a view shows them.

import (
	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Packet is an RPC-over-RDMA message, the payload of a Send, with what is needed to read the RPC message in it. It is the
// Body of the record.Uppers of this package.
type Packet struct {
	rpcrdma.Message
	Octets  []byte             // what was captured of it
	Context nfs.MessageContext // what its Call says; without a Call, only Positions and Returned of Message
	Chunk   []byte             // the RPC message in the Reply chunk, as far as it was captured; else nil
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
	if !oncrpc.IsCall(p.Payload) {
		return
	}
	c.Exchange = exchangeOf(p.Payload)
	for at := range p.Reads.Positions() {
		if at > 0 {
			c.Positions = append(c.Positions, at)
		}
	}
}

// recognised reads a Send as ulp.Layer.Read does, without knowledge of its connection; it does not read the results in a Reply.
func (l *layer) recognised(b []byte, length uint64) record.Body {
	n := int(min(length, maxSend))
	b = b[:min(len(b), n)]
	d, ok := rpcrdma.Recognize(b, n)
	if !ok {
		return nil
	}
	p := &l.packet
	p.Octets = b
	p.Decode(b, n, d)
	p.guess()
	return p
}

// Lay implements record.Body: the header of RPC-over-RDMA, and the RPC message that follows it or is in the Reply chunk.
func (p *Packet) Lay(v *record.View) {
	v.Begin("", p.Octets, uint64(p.Len))
	v.Parts = rpcrdma.AppendLayout(v.Parts, p.Octets, p.Len, p.Dialect)
	message, inChunk := p.rpc()
	off := p.HeaderLen
	if inChunk {
		off = 0
		v.Begin("Reply chunk: RPC message", p.Chunk, uint64(len(p.Chunk)))
	}
	if message != nil {
		first := len(v.Parts)
		v.Parts = nfs.AppendLayout(v.Parts, message, &p.Context)
		v.Shift(first, off)
	}
}

// rpc is the RPC message, and whether the Reply chunk has it; nil if there is none.
func (p *Packet) rpc() (message []byte, inChunk bool) {
	message = p.Octets[min(p.HeaderLen, len(p.Octets)):]
	if inChunk = p.Form == rpcrdma.FormBody && len(p.Chunk) > 0; inChunk {
		message = p.Chunk
	}
	if rpcrdma.CheckRPC(message, p.XID, p.Role == rpcrdma.Responder) != nil {
		return nil, inChunk
	}
	return message, inChunk
}

// Speaks implements ulp.Speaker: an RPC message of NFS need not have header fields of it.
func (p *Packet) Speaks(proto string) bool {
	message, _ := p.rpc()
	return proto == nfsProto && p.Context.Procedure.Program == oncrpc.ProgramNFS && message != nil
}

// nfsProto is the name of NFS in display filters.
const nfsProto = "nfs"

// exchangeOf is what a Call says of itself. What could not be decoded is empty.
func exchangeOf(message []byte) oncrpc.Exchange {
	var call oncrpc.Call
	call.Decode(message)
	return call.Exchange()
}

// A wasRead is a Call that was in a Read chunk, as a view shows it.
type wasRead struct{ message []byte }

// Lay implements record.Body.
func (c *wasRead) Lay(v *record.View) {
	v.Begin("Read chunk: RPC message", c.message, uint64(len(c.message)))
	if oncrpc.IsCall(c.message) {
		v.Parts = nfs.AppendLayout(v.Parts, c.message, &nfs.MessageContext{Exchange: exchangeOf(c.message)})
	}
}
