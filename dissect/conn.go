package dissect

// Following connections: which TCP segment belongs to which, when one begins and when it is over. Those over SCTP begin
// in session.go.

import (
	"net/netip"

	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/internal/recency"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A flow is one direction of a TCP connection, or of an SCTP association.
type flow struct{ src, dst netip.AddrPort }

// A pair is the two directions of a TCP connection that is followed, be it iWARP or not, or of a DDP stream over SCTP.
type pair struct {
	halves           [2]half // the sender of the first packet, and the other
	span             record.Span
	earliest, latest int64 // times of its packets, as far as they have one
	reset            bool
	retired          bool         // both sides have sent all they had: only what it was is still known
	conn             *record.Conn // nil as long as it is not known to be iWARP
	reuse            reuse
	session          *session // over SCTP; nil over TCP

	place recency.Place[pair] // in unknown, iwarp or over of the Engine, by its latest packet
}

// A reuse is a SYN that came while its ports were in use. It may begin a new connection, or be a stray one.
type reuse struct {
	from *half // nil if there was none
	isn  uint32
	span record.Span // of the SYN
}

// A half is one direction of a TCP connection, or of a DDP stream over SCTP.
type half struct {
	flow
	pair     *pair
	peer     *half
	asm      reassembly.Half
	syn, fin bool
	answers  bool        // its SYN answers one
	shut     bool        // over SCTP, fin is for a SHUTDOWN
	finAt    record.Span // the first packet with a FIN
	rstAt    record.Span // the first with a reset that counts
	acked    uint32      // the highest acknowledgement, if acks
	acks     bool
	finAcked uint64          // what it had acknowledged then
	reached  uint64          // offset behind the latest piece
	early    *early          // nil if nothing is kept
	traffic  *record.Traffic // own, or once the connection is iWARP, that of its Conn
	own      record.Traffic
	sightings

	phase    phase
	framing  framing.Direction // of TCP
	messages assembler
	start    startup
	placed   uint64 // over SCTP: octets of the ULPDUs that came
}

// follow finds the direction that a segment belongs to, or begins to follow its connection. It is nil if that was given
// up.
func (e *Engine) follow(s *tcpip.Segment) *half {
	h := e.find(s)
	if h != nil && (s.Flags&tcpip.SYN != 0 || h.pair.reuse.from != nil) {
		h = e.reused(h, s)
	}
	if h == nil {
		if e.given.has(lane{flow: flow{s.Src, s.Dst}}, s.Flags&tcpip.SYN != 0) {
			return nil
		}
		h = e.begin(s)
	}
	h.pair.use()
	return h
}

// reused decides whether the ports of a connection are used again. A SYN with another sequence number says so if the
// connection has ended. While it goes on, anybody could send one (RFC 5961, section 4): then the other side's answer, or
// data behind that SYN, has to confirm it. The result is h, or the direction of the new connection, or nil if that has
// still to begin.
func (e *Engine) reused(h *half, s *tcpip.Segment) *half {
	t := h.pair
	over := t.retired || t.reset
	syn, answer := s.Flags&tcpip.SYN != 0, s.Flags&tcpip.ACK != 0
	claim := t.reuse
	switch {
	case syn && h.asm.NewISN(s.Seq) && over:
	case syn && answer && claim.from == h.peer && s.Ack == claim.isn+1:
	case !syn && claim.from == h && s.Seq == claim.isn+1 && s.Len() > 0:
	case syn && !answer && h.asm.NewISN(s.Seq):
		t.reuse = reuse{from: h, isn: s.Seq}
		return h
	default:
		return h
	}
	if t.conn != nil && !over {
		t.conn.Reused = claim.span
	}
	e.finish(t)
	if claim.from == nil || over {
		return nil
	}
	h = e.begin(s)
	claimant := h
	if syn {
		claimant = h.peer
	}
	claimant.syn = true
	claimant.asm.Push(&reassembly.Segment{Seq: claim.isn, SYN: true})
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

// begin follows a new TCP connection. If there are too many, the idlest is given up.
func (e *Engine) begin(s *tcpip.Segment) *half {
	t := e.newPair(flow{s.Src, s.Dst})
	for i := range t.halves {
		h := &t.halves[i]
		h.asm.Init(e.budget)
		e.halves[h.flow] = h
	}
	e.totals.TCP++
	e.recent = [2]*half{&t.halves[0], &t.halves[1]}
	return &t.halves[0]
}

// newPair begins with the two directions of something, the given one first.
func (e *Engine) newPair(f flow) *pair {
	if e.conns >= e.maxConns {
		e.giveUp()
	}
	t := &pair{}
	first, second := &t.halves[0], &t.halves[1]
	first.flow, second.flow = f, flow{f.dst, f.src}
	first.peer, second.peer = second, first
	for i := range t.halves {
		h := &t.halves[i]
		h.pair, h.traffic = t, &h.own
		h.framing.Init(&e.framing)
	}
	e.conns++
	t.move(&e.unknown)
	return t
}

// giveUp ends the connection that is of least use: the idlest of those that are over, else of those that are not known
// to be iWARP, else of all. One that was not known to be iWARP may still become it.
func (e *Engine) giveUp() {
	t := e.over.Idlest()
	switch {
	case t != nil:
		e.given.add(t.lane())
	case e.unknown.Idlest() != nil:
		t = e.unknown.Idlest()
	default:
		t = e.iwarp.Idlest()
		e.given.add(t.lane())
		e.totals.GivenUp++
		e.note(&t.halves[0], record.GivenUp, 0, t.span)
	}
	e.finish(t)
}

// reset notes a reset by h. One that answers a SYN is a refusal: such a connection is reported, for it may well have
// been meant for iWARP.
func (e *Engine) reset(h *half, rec *pcaps.Record) {
	t := h.pair
	if h.asm.Push(&reassembly.Segment{Seq: e.packet.Seq, RST: true}); !h.asm.RST() {
		return // far from what is expected: nobody obeys it
	}
	if h.rstAt == (record.Span{}) {
		h.rstAt = record.At(rec.Frame, rec.Time)
		if !h.fin && e.packet.Flags&tcpip.ACK != 0 {
			h.finAcked = h.peer.offset(e.packet.Ack)
		}
	}
	t.reset = true
	if h.peer.syn && !h.syn && !h.peer.asm.FIN() && t.conn == nil && h.peer.traffic.Octets == 0 {
		e.recognise(h.peer)
		t.conn.End = record.EndRefused
	}
	t.move(&e.over) // what the other side has sent meanwhile may still follow
}

// retire gives back the memory of a connection both sides of which have sent all they had. What follows can only be
// acknowledgements and retransmissions.
func (e *Engine) retire(t *pair) {
	if t.retired || !t.halves[0].asm.Finished() || !t.halves[1].asm.Finished() {
		return
	}
	t.retired = true
	e.settle(t)
	t.move(&e.over)
}

// recognise makes a connection an iWARP connection whose client is the sender h. If it is one already, its client
// stays.
func (e *Engine) recognise(client *half) *record.Conn {
	t := client.pair
	if t.conn == nil {
		t.conn = &record.Conn{ID: e.totals.Connections, Client: client.src, Server: client.dst, End: record.EndOpen}
		e.totals.Connections++
		for d, h := range []*half{client, client.peer} {
			t.conn.Traffic[d] = h.own
			h.traffic = &t.conn.Traffic[d]
		}
		if t.place.List() == &e.unknown {
			t.move(&e.iwarp)
		}
		if t.session != nil {
			t.session.describe(t.conn, client)
		}
	}
	return t.conn
}

// ahead reports whether h has acknowledged octets of its peer that have not come, or wait to be decoded.
func (h *half) ahead() bool {
	if !h.acks || !h.peer.asm.Started() {
		return false
	}
	next := h.peer.asm.NextSeq()
	if offset, ok := h.peer.framing.Front(); ok {
		next = h.peer.asm.Seq(offset)
	}
	beyond := int32(h.acked - next)
	if h.peer.fin {
		beyond-- // the FIN counts as an octet
	}
	return beyond > 0
}

// late tells whether the peer of h has acknowledged the octets of h before offset.
func (h *half) late(offset uint64) bool {
	return h.peer.acks && int32(h.peer.acked-h.asm.Seq(offset)) >= 0
}

// blind tells whether h has acknowledged no octet behind the MPA frame of its peer.
func (h *half) blind() bool {
	p := h.peer
	return h.acks && p.start.behindFrame > 0 && int32(h.acked-p.asm.Seq(p.start.behindFrame)) <= 0
}

// unseen is how many octets of h its peer has acknowledged that never came.
func (h *half) unseen() uint64 {
	if !h.peer.acks || !h.asm.Started() {
		return 0
	}
	beyond := int32(h.peer.acked - h.asm.NextSeq())
	if h.fin || h.peer.fin {
		beyond-- // the FIN counts as an octet, and may itself be what never came
	}
	return uint64(max(0, beyond))
}

// direction is that of h, which belongs to an iWARP connection.
func (h *half) direction() record.Direction {
	if h.traffic == &h.pair.conn.Traffic[record.S2C] {
		return record.S2C
	}
	return record.C2S
}

// finish ends a connection: decodes what waits, reports it if it is iWARP, and forgets it.
func (e *Engine) finish(t *pair) {
	if !t.retired {
		for i := range t.halves {
			e.flush(&t.halves[i])
		}
		e.settle(t)
	}
	if t.conn != nil {
		e.giveEarly(t)
		t.conn.Span, t.conn.Earliest, t.conn.Latest = t.span, t.earliest, t.latest
		t.conn.End, t.conn.Whole = t.end(), t.halves[0].syn && t.halves[1].syn
		for i := range t.halves {
			h := &t.halves[i]
			d := h.direction()
			t.conn.FIN[d], t.conn.RST[d], t.conn.Heard[d] = h.finAt, h.rstAt, h.finAcked
		}
		e.sink.End(t.conn)
	}
	e.forget(t)
	t.place.Leave()
	e.conns--
}

// flush decodes what waits for something that may still come.
func (e *Engine) flush(h *half) {
	if h.pair.session != nil {
		e.deliverAll(h)
		e.miss(h)
		return
	}
	h.asm.Flush()
	e.drain(h)
}

// forget makes t one that no packet belongs to.
func (e *Engine) forget(t *pair) {
	if t.session != nil {
		t.session.forget(t)
		return
	}
	for i := range t.halves {
		delete(e.halves, t.halves[i].flow)
	}
	e.recent = [2]*half{}
}

// settle reports what is not whole, counts, and gives back memory.
func (e *Engine) settle(t *pair) {
	e.conclude(t)
	for i := range t.halves {
		h := &t.halves[i]
		if t.conn != nil {
			e.leave(h)
		}
		if t.session != nil {
			e.drop(h)
		} else {
			e.closeTCP(h)
		}
		h.start, h.messages = startup{}, assembler{}
	}
}

// closeTCP counts what TCP did, and gives back what its reassembly and the search for FPDUs kept.
func (e *Engine) closeTCP(h *half) {
	if h.pair.conn != nil {
		h.traffic.TCP = h.asm.Counters()
		h.traffic.Unseen = h.unseen()
	}
	h.framing.Discard()
	h.asm.Close()
}

// end says how the connection ended.
func (t *pair) end() record.End {
	switch c := t.conn; {
	case c.End != record.EndOpen: // a Terminate, a refusal, or a rejection as the last word of MPA
		return c.End
	case t.reset:
		return record.EndReset
	case t.halves[0].fin || t.halves[1].fin:
		return record.EndFIN
	}
	return record.EndOpen
}

// move makes t the latest of some connections, in place of those that it was among.
func (t *pair) move(l *recency.List[pair]) { l.Use(t, &t.place) }

// use makes t the latest of those that it is among.
func (t *pair) use() {
	if l := t.place.List(); l.Latest() != t {
		t.move(l)
	}
}
