package rpc

// What it takes to read an RPC message that RPC-over-RDMA has reduced.

import "github.com/iwarpkit/iwarp/codec/oncrpc"

// A Context is what the Call of a message tells about it: the Context of a record.Upper of this package.
type Context struct {
	oncrpc.Exchange
	Positions []uint32 // of the Read chunks of the Call but that at 0
	Returned  []uint64 // octets in each chunk of the Write list, as far as the Reply has told
	Body      []byte   // the RPC message, if the Reply chunk has it, as far as it was captured; else nil
}

func (c *Context) fill(x *Exchange, body []byte) {
	c.Exchange, c.Positions, c.Returned, c.Body = x.rpc(), c.Positions[:0], c.Returned[:0], body
	for i := range x.Reads {
		if at := x.Reads[i].Position; at > 0 {
			c.Positions = append(c.Positions, at)
		}
	}
	for i := range x.Writes {
		c.Returned = append(c.Returned, x.Writes[i].Returned())
	}
}
