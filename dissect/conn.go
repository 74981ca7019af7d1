package dissect

// Following TCP connections: which packet belongs to which, when one begins and when it is over.

import (
	"net/netip"

	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
)

// A flow is one direction of a TCP connection.
type flow struct{ src, dst netip.AddrPort }

// A tcpConn is a TCP connection that is followed, be it iWARP or not.
type tcpConn struct {
	halves [2]half // the sender of the first packet, and the other
	span   Span
	reset  bool
	conn   *Conn // nil as long as it is not known to be iWARP

	later, earlier *tcpConn // neighbours in the list by latest packet
}

// A half is one direction of a TCP connection.
type half struct {
	flow
	tcp      *tcpConn
	peer     *half
	asm      reassembly.Half
	syn, fin bool
	traffic  *Traffic // own, or once the connection is iWARP, that of its Conn
	own      Traffic

	phase  phase
	start  startup
	stream *stream // once FPDUs are decoded
}

// follow finds the direction that a segment belongs to, or begins to follow its connection.
func (e *Engine) follow(s *tcpip.Segment) *half {
	h := e.find(s)
	if h != nil && s.Flags&tcpip.SYN != 0 && h.asm.NewISN(s.Seq) {
		e.finish(h.tcp) // the ports are used again
		h = nil
	}
	if h == nil {
		h = e.begin(s)
	}
	if e.latest != h.tcp {
		e.unlink(h.tcp)
		e.link(h.tcp)
	}
	return h
}

func (e *Engine) find(s *tcpip.Segment) *half {
	for _, h := range e.recent {
		if h != nil && h.src == s.Src && h.dst == s.Dst {
			return h
		}
	}
	h := e.halves[flow{s.Src, s.Dst}]
	if h != nil {
		e.recent = [2]*half{h, h.peer}
	}
	return h
}

// begin follows a new connection. If there are too many, the idlest is given up.
func (e *Engine) begin(s *tcpip.Segment) *half {
	if e.conns >= e.maxConns {
		e.totals.GivenUp++
		e.finish(e.idlest)
	}
	t := &tcpConn{span: Span{Frame: ^uint64(0)}}
	first, second := &t.halves[0], &t.halves[1]
	first.flow, second.flow = flow{s.Src, s.Dst}, flow{s.Dst, s.Src}
	first.peer, second.peer = second, first
	for i := range t.halves {
		h := &t.halves[i]
		h.tcp, h.traffic = t, &h.own
		h.asm.Init(e.budget)
		e.halves[h.flow] = h
	}
	e.conns++
	e.totals.TCP++
	e.link(t)
	e.recent = [2]*half{first, second}
	return first
}

// reset notes a reset by h. One that answers a SYN is a refusal: such a connection is reported, for it may well have
// been meant for iWARP.
func (e *Engine) reset(h *half) {
	t := h.tcp
	t.reset = true
	if h.peer.syn && !h.syn && !h.peer.asm.FIN() && t.conn == nil && h.peer.traffic.Octets == 0 {
		e.recognise(h.peer)
		t.conn.End = EndRefused
	}
}

// recognise makes a connection an iWARP connection whose client is the sender h. If it is one already, its client
// stays.
func (e *Engine) recognise(client *half) *Conn {
	t := client.tcp
	if t.conn == nil {
		t.conn = &Conn{ID: e.totals.Connections, Client: client.src, Server: client.dst, End: EndOpen}
		e.totals.Connections++
		for d, h := range []*half{client, client.peer} {
			t.conn.Traffic[d] = h.own
			h.traffic = &t.conn.Traffic[d]
		}
	}
	return t.conn
}

// direction is that of h, which belongs to an iWARP connection.
func (h *half) direction() Direction {
	if h.traffic == &h.tcp.conn.Traffic[S2C] {
		return S2C
	}
	return C2S
}

// finish ends a connection: decodes what waits, reports it if it is iWARP, and forgets it.
func (e *Engine) finish(t *tcpConn) {
	for i := range t.halves {
		h := &t.halves[i]
		h.asm.Flush()
		e.drain(h)
	}
	if t.conn != nil {
		for i := range t.halves {
			h := &t.halves[i]
			e.leave(h)
			h.traffic.TCP = h.asm.Counters()
		}
		t.conn.Span = t.span
		t.conn.End = t.end()
		e.sink.End(t.conn)
	}
	for i := range t.halves {
		h := &t.halves[i]
		h.asm.Close()
		delete(e.halves, h.flow)
	}
	e.unlink(t)
	e.conns--
	e.recent = [2]*half{}
}

// end says how the connection ended.
func (t *tcpConn) end() End {
	switch c := t.conn; {
	case c.End != EndOpen: // a Terminate, a refusal, or a rejection as the last word of MPA
		return c.End
	case t.reset:
		return EndReset
	case t.halves[0].fin || t.halves[1].fin:
		return EndFIN
	}
	return EndOpen
}

// link makes t the latest of the list.
func (e *Engine) link(t *tcpConn) {
	t.earlier, t.later = e.latest, nil
	if e.latest != nil {
		e.latest.later = t
	} else {
		e.idlest = t
	}
	e.latest = t
}

// unlink takes t out of the list.
func (e *Engine) unlink(t *tcpConn) {
	if t.later != nil {
		t.later.earlier = t.earlier
	} else {
		e.latest = t.earlier
	}
	if t.earlier != nil {
		t.earlier.later = t.later
	} else {
		e.idlest = t.later
	}
	t.later, t.earlier = nil, nil
}
