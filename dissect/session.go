package dissect

// DDP Stream Sessions over SCTP (RFC 5043, section 6): each is a connection. It runs on a pair of streams of an
// association, from its Initiate to its Terminates; the next session on these streams is another connection.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect/association"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A session is what a pair keeps over SCTP.
type session struct {
	assoc  *assoc
	stream uint16
	orders [2]order // of either half
	asked  *half    // who has sent an Initiate
}

// half is the half of t that an end of its association sends.
func (t *pair) half(x *endpoint) *half {
	if t.halves[0].flow == x.flow {
		return &t.halves[0]
	}
	return &t.halves[1]
}

// order is that of the chunks of h.
func (h *half) order() *order {
	if h == &h.pair.halves[0] {
		return &h.pair.session.orders[0]
	}
	return &h.pair.session.orders[1]
}

// endpoint is the end of the association that sends h.
func (h *half) endpoint() *endpoint {
	a := h.pair.session.assoc
	if a.ends[0].flow == h.flow {
		return &a.ends[0]
	}
	return &a.ends[1]
}

// newSession begins with a session on a pair of streams.
func (e *Engine) newSession(x *endpoint, id uint16) *pair {
	t := e.newPair(x.flow)
	t.session = &session{assoc: x.assoc, stream: id}
	for i := range t.halves {
		h := &t.halves[i]
		from := h.endpoint()
		h.syn, h.answers = from.init.Span != (record.Span{}), from.answers
		h.phase = full
	}
	x.assoc.sessions[id] = t
	return t
}

// describe fills in what the Conn of a session says of the association.
func (s *session) describe(c *record.Conn, client *half) {
	c.Association = &record.Association{Stream: s.stream}
	for d, h := range []*half{client, client.peer} {
		c.Association.Ends[d] = h.endpoint().init
	}
	c.Agreement = rules.Agreement{Rev: mpa.Rev1, DDPVersion: ddp.Version, InitORD: -1, RespORD: -1}
}

// forget makes t one that no chunk belongs to.
func (s *session) forget(t *pair) {
	if s.assoc.sessions[s.stream] == t {
		delete(s.assoc.sessions, s.stream)
	}
}

// ended tells whether nothing but a Terminate can come in a session: a Terminate or a Reject came.
func (t *pair) ended() bool {
	return t.halves[0].fin || t.halves[1].fin || t.reset || t.conn != nil && t.conn.End == record.EndReject
}

// count counts a DATA chunk.
func (h *half) count(d *association.Data, rec *pcaps.Record, fresh bool) {
	t, o := h.traffic, h.order()
	n := uint64(len(d.UserData) + d.Missing)
	h.pair.include(rec)
	if o.frame != rec.Frame {
		o.frame = rec.Frame
		t.Packets++
	}
	t.Octets += n
	t.TCP.Segments++
	if !fresh {
		t.TCP.Retransmitted += n
	}
}

// control reports a session control message and takes in what it does.
func (e *Engine) control(h *half, w *arrival) {
	var c sctp.Control
	c.Decode(w.octets)
	frame, equivalent := c.Frame(max(0, len(w.octets)+w.missing-sctp.ControlLen))
	if c.FunctionCode == sctp.SessionTerminate && h.pair.refusedBy(h) { // it stands for a Reject (RFC 5043, section 6.4)
		frame, equivalent = mpa.Frame{Reply: true, R: true, Rev: mpa.Rev1}, true
	}
	if !equivalent {
		frame = mpa.Frame{PDLength: frame.PDLength, PrivateData: frame.PrivateData}
	}
	client := h.pair.opener()
	switch {
	case c.FunctionCode.IsInitiate():
		client = h
	case equivalent:
		client = h.peer
	}
	conn := e.recognise(client)
	if equivalent {
		keepFrame(conn, &frame)
	}
	e.event.startup = record.Startup{
		Origin: record.Origin{Conn: conn, Dir: h.direction(), Span: w.span}, MPA: frame, Control: c, Chunk: w.chunk, Octets: w.octets,
		Late: h.peer.endpoint().has(w.chunk.TSN),
	}
	e.sink.StartupFrame(&e.event.startup)
	if equivalent {
		settleSession(conn)
	}
	switch {
	case c.FunctionCode.IsInitiate():
		h.pair.session.asked = h
	case c.FunctionCode == sctp.SessionTerminate:
		e.terminate(h, w.span)
	}
}

// settleSession notes what an Initiate and its answer fix, if both have come.
func settleSession(c *record.Conn) {
	switch {
	case !c.Requested || !c.Replied:
	case c.Reply.R:
		c.End, c.Agreed = record.EndReject, false
	default:
		c.Agreement, c.Agreed = rules.Negotiate(&c.Request, &c.Reply), true
	}
}

// refusedBy tells whether a session Terminate of h answers an Initiate that nothing has answered.
func (t *pair) refusedBy(h *half) bool {
	return t.session.asked == h.peer && t.conn != nil && !t.conn.Replied
}

// terminate ends the side of a session that has sent a Terminate, and the session with the second.
func (e *Engine) terminate(h *half, at record.Span) {
	if !h.fin {
		h.fin, h.finAt = true, at
	}
	if !h.peer.fin {
		return
	}
	if e.deliverAll(h.peer); !h.pair.retired {
		h.pair.retired = true
		e.settle(h.pair)
		h.pair.move(&e.over)
	}
}

// place reports the DDP segment in a DDP Segment Chunk.
func (e *Engine) place(h *half, w *arrival) {
	ulpdu := w.octets[min(sctp.SegmentLen, len(w.octets)):]
	n := len(ulpdu) + w.missing
	e.recognise(h.pair.opener())
	ev := &e.event.Segment
	if n > 0xffff { // no DDP segment is so long
		h.traffic.Undecoded += uint64(len(ulpdu))
		h.traffic.MissingOctets += uint64(w.missing)
		h.traffic.Malformed++
		h.messages.gap()
		return
	}
	ev.FPDU = mpa.Deframed{
		FPDU: mpa.FPDU{ULPDULength: uint16(n), ULPDU: ulpdu}, Missing: w.missing, Start: h.placed, End: h.placed + uint64(n),
	}
	h.placed += uint64(n)
	h.traffic.MissingOctets += uint64(w.missing)
	ev.Place, ev.Chunk = record.Place{}, w.chunk
	_, ev.Err = ev.RDMAP.Decode(ulpdu)
	ev.Ahead, ev.Late, ev.Blind = h.outruns(), h.peer.endpoint().has(w.chunk.TSN), false
	e.decoded(h, w.span)
}

// outruns tells whether the sender of h has acknowledged chunks of the other side that have not come, or wait.
func (h *half) outruns() bool {
	x, o := h.endpoint(), h.peer.order()
	if !x.acked || x.peer.chunks == nil {
		return false
	}
	return x.peer.chunks.Lacks(x.acks.Cumulative) || len(o.waiting) > 0 && x.has(o.waiting[0].chunk.TSN)
}
