package compile

// RPC-over-RDMA: XIDs, and the memory that chunk lists advertise.

import (
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// An rpcReader reads the headers of RPC-over-RDMA of a connection.
type rpcReader struct {
	dialect rpcrdma.Dialect
	xids    map[uint32]*scenario.Var
	parts   []field.Part
}

// newRPCReader returns nil unless a connection carries RPC-over-RDMA: the first Send of each side, if any, is a message
// of that protocol.
func newRPCReader(drafts []*draft) *rpcReader {
	r := &rpcReader{xids: make(map[uint32]*scenario.Var)}
	var seen [2]bool
	for _, d := range drafts {
		if !isSend(d) || seen[d.Side] {
			continue
		}
		seen[d.Side] = true
		dialect, ok := rpcrdma.Recognize(d.body.octets, len(d.body.octets))
		if !ok {
			return nil
		}
		r.dialect = dialect
	}
	if seen == [2]bool{} {
		return nil
	}
	return r
}

func isSend(d *draft) bool {
	m, ok := d.Do.(*scenario.Message)
	return ok && m.Opcode.IsSend()
}

func isFrame(d *draft) bool {
	_, ok := d.Do.(*scenario.Frame)
	return ok
}

// word and hyper are the XDR encodings of numbers.
var word, hyper = scenario.Encoding{Octets: 4}, scenario.Encoding{Octets: 8}

func (r *rpcReader) read(l *learner, d *draft) {
	if !isSend(d) {
		r.moved(l, d)
		return
	}
	octets := d.body.octets
	dialect, ok := rpcrdma.Recognize(octets, len(octets))
	if !ok {
		return
	}
	r.parts = rpcrdma.AppendLayout(r.parts[:0], octets, len(octets), dialect)
	end := 0
	for i := range r.parts {
		p := &r.parts[i]
		end = max(end, p.End())
		r.offer(l, d, p)
	}
	r.xid(l, d, 0)
	r.xid(l, d, end) // of the RPC message after the header
}

// offer handles memory that a part of the header advertises.
func (r *rpcReader) offer(l *learner, d *draft, p *field.Part) {
	handle, length, offset := p.Table.Lookup("rpcordma.rdma_handle"), p.Table.Lookup("rpcordma.rdma_length"), p.Table.Lookup("rpcordma.rdma_offset")
	if handle == nil || offset == nil || offset.End(0) > len(p.Octets) {
		return
	}
	stag, _ := p.Value(handle)
	to, _ := p.Value(offset)
	n, _ := p.Value(length)
	owner := d.Side
	f := find{draft: d, at: p.Off + handle.Octet(), to: p.Off + offset.Octet(), base: to, length: n, encoding: word}
	if r.isReply(d) { // the Responder returns what the Requester had advertised
		l.give(d, owner.Other(), f.at, f.to)
		return
	}
	l.offer(uint32(stag), f)
}

// isReply reports whether a message has an XID of the other side.
func (r *rpcReader) isReply(d *draft) bool {
	v := r.xids[uint32(number(d.body.octets, word))]
	return v != nil && v.Owner != d.Side
}

// xid puts the variable of an XID at a place, and creates it if it is new. After the header, the XID must equal the
// header's.
func (r *rpcReader) xid(l *learner, d *draft, at int) {
	octets := d.body.octets
	if at+4 > len(octets) {
		return
	}
	xid := uint32(number(octets[at:], word))
	v := r.xids[xid]
	switch {
	case at > 0 && xid != uint32(number(octets, word)):
		return
	case v == nil:
		v = l.new("x", scenario.Var{Kind: scenario.XID, Owner: d.Side, Value: uint64(xid)})
		if l.refer(v, d, at, word); l.learned[v].Step == 0 {
			l.drop(v, "x")
			return
		}
		r.xids[xid] = v
		return
	}
	if v.Owner != d.Side && at == 0 {
		l.learned[v].Uses++
	}
	l.refer(v, d, at, word)
}

// moved handles a step that may carry an RPC message in a chunk.
func (r *rpcReader) moved(l *learner, d *draft) {
	m, ok := d.Do.(*scenario.Message)
	if !ok || m.Opcode != rdmap.OpWrite && m.Opcode != rdmap.OpReadResponse || len(d.body.octets) < 8 {
		return
	}
	const call, reply = 0, 1 // msg_type of RFC 5531
	kind := number(d.body.octets[4:], word)
	v := r.xids[uint32(number(d.body.octets, word))]
	if v != nil && (kind == call && v.Owner == d.Side || kind == reply && v.Owner != d.Side) {
		l.refer(v, d, 0, word)
	}
}
