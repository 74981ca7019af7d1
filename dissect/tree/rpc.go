package tree

// The headers of RPC-over-RDMA and of RPC in a Send. Which Sends have them is known only when their last segment has been
// printed, so they follow it, below the line about the message of the upper layer.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// maxSend is how many octets are kept of a Send that is longer than one segment. Headers are shorter.
const maxSend = 64 << 10

// A send is the ULP payload of the latest Send: it is known if the segments came in order, and all but the last were
// captured whole.
type send struct {
	conn   *record.Conn
	dir    record.Direction
	msn    uint32
	last   uint64 // frame of its latest segment
	octets []byte // empty if some of it is missing
}

// segment takes in what a segment of a Send brings.
func (s *send) segment(g *record.Segment) {
	h := &g.RDMAP
	if g.Err != nil || !h.Control.Opcode.IsSend() {
		return
	}
	u := &h.Untagged
	goesOn := s.conn == g.Conn && s.dir == g.Dir && s.msn == u.MSN && uint64(u.MO) == uint64(len(s.octets))
	s.conn, s.dir, s.msn, s.last = g.Conn, g.Dir, u.MSN, g.LastFrame
	switch {
	case u.MO == 0:
		s.octets = s.octets[:0]
	case !goesOn || len(s.octets)+len(h.Body) > maxSend:
		s.octets = s.octets[:0]
		return
	}
	s.octets = append(s.octets, h.Body...)
}

// of is the payload of the Send that ends an event; empty if it is not known.
func (s *send) of(o *record.Origin) []byte {
	if s.conn != o.Conn || s.dir != o.Dir || s.last != o.LastFrame {
		return nil
	}
	return s.octets
}

// rpc prints the headers of the RPC-over-RDMA message m, which is all that payload holds, and of the RPC message in it,
// of which of is the Context, nil if that is not known.
func (p *Printer) rpc(m *rpcrdma.Message, payload []byte, of any) {
	p.transport = rpcrdma.AppendLayout(p.transport[:0], payload, m.Len, m.Dialect)
	for i := range p.transport {
		part := &p.transport[i]
		p.header(part.Table, element(part))
		p.fields(part, 0)
	}
	message, off := payload[min(m.HeaderLen, len(payload)):], m.HeaderLen
	c := context(of, message)
	if m.Form == rpcrdma.FormBody && len(c.Body) > 0 {
		p.end()
		message, off = c.Body, 0
		p.styled(p.opts.Palette.Message, "", "Reply chunk: RPC message, "+quantity.Count(uint64(len(message)), "octet"), "")
	}
	if rpcrdma.CheckRPC(message, m.XID, m.Role == rpcrdma.Responder) == nil {
		p.rpcMessage(c, message, off)
	}
}

// rpcMessage prints the headers of an RPC message, which is at offset off.
func (p *Printer) rpcMessage(c *rpc.Context, message []byte, off int) {
	p.message = oncrpc.AppendLayout(p.message[:0], message, c.Exchange)
	for i := range p.message {
		part := &p.message[i]
		if isResult(part.Table) {
			continue
		}
		p.header(part.Table, "")
		p.fields(part, off)
	}
	if oncrpc.IsReply(message) {
		p.results(c, message, off)
	} else {
		p.operations(c, message, off)
	}
}

// element says which element of its list, or of its chunk, a part is.
func element(p *field.Part) string {
	if p.Depth == 0 {
		return ""
	}
	return fmt.Sprintf(" [%d]", p.Index)
}
