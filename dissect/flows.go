package dissect

// Following TCP connections: which segment belongs to which, when one begins and when it is over.

import (
	"net/netip"

	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/session"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A flow is one direction of a TCP connection, or of an SCTP association.
type flow struct{ src, dst netip.AddrPort }

// flows are the TCP connections that are followed.
type flows struct {
	all     *connections
	shared  *session.Shared
	budget  *reassembly.Budget
	halves  map[flow]*half
	recent  [2]*half // both directions of the latest connection
	n       uint64   // connections up to now
	foreign [record.NumForeign]uint64
	piece   reassembly.Piece // used again and again
	damaged int              // octets of memory of all damaged packets that wait
}

// A pair is the two directions of a TCP connection.
type pair struct {
	connection
	tcp    session.TCP
	flows  *flows
	halves [2]half // the sender of the first packet, and the other
	reuse  reuse
}

// A reuse is a SYN that came while its ports were in use. It may begin a new connection, or be a stray one.
type reuse struct {
	from *half // nil if there was none
	isn  uint32
	span record.Span // of the SYN
}

// A half is one direction of a TCP connection.
type half struct {
	*session.Side
	pair *pair
	peer *half
	i    int // in pair.halves
	asm  reassembly.Half
	*framing.Progress
	acked uint32 // the highest acknowledgement, if HasAcked
	since uint32 // the first one
	sightings
	damages  damages
	tracking tracking
}

// receive takes a segment.
func (f *flows) receive(s *tcpip.Segment, rec *pcaps.Record) {
	h := f.follow(s, rec)
	if h == nil {
		return
	}
	h.pair.Include(rec.Frame, rec.Time)
	if s.Len() == 0 || h.damages.unsound || !h.keeps(s, rec) {
		h.take(s, rec)
	}
}

// take takes a segment of h.
func (h *half) take(s *tcpip.Segment, rec *pcaps.Record) {
	if s.Len() > 0 && h.sightings.repeats(s, rec.Time) {
		h.Wire.Duplicates++
		return
	}
	h.Wire.Packets++
	h.Wire.Octets += uint64(s.Len())
	h.track(s, rec)
	switch {
	case h.pair.Over:
	case s.Flags&tcpip.RST != 0:
		h.reset(s, rec)
	default:
		h.deliver(s, rec)
	}
}

// follow finds the direction that a segment belongs to, or begins to follow its connection. It is nil if that was given
// up.
func (f *flows) follow(s *tcpip.Segment, rec *pcaps.Record) *half {
	h := f.find(s)
	if h != nil && (s.Flags&tcpip.SYN != 0 || h.pair.reuse.from != nil) {
		h = f.reused(h, s, rec)
	}
	if h == nil {
		if f.all.forgotten.has(address{flow: flow{s.Src, s.Dst}}, s.Flags&tcpip.SYN != 0) {
			return nil
		}
		h = f.begin(s)
	}
	f.all.use(&h.pair.connection)
	return h
}

func (f *flows) find(s *tcpip.Segment) *half {
	for _, h := range f.recent {
		if h != nil && h.Addr == s.Src && h.peer.Addr == s.Dst {
			return h
		}
	}
	h := f.halves[flow{s.Src, s.Dst}]
	if h != nil {
		f.recent = [2]*half{h, h.peer}
	}
	return h
}

// reused decides whether the ports of a connection are used again. A SYN with another sequence number says so if the
// connection has ended. While it goes on, anybody could send one (RFC 5961, section 4): then the other side's answer, or
// data after that SYN, has to confirm it. The result is h, or the direction of the new connection, or nil if that has
// still to begin.
func (f *flows) reused(h *half, s *tcpip.Segment, rec *pcaps.Record) *half {
	t := h.pair
	over := t.Over || t.IsReset()
	syn, answer := s.Flags&tcpip.SYN != 0, s.Flags&tcpip.ACK != 0
	claim := t.reuse
	switch {
	case syn && h.asm.NewISN(s.Seq) && over:
	case syn && answer && claim.from == h.peer && s.Ack == claim.isn+1:
	case !syn && claim.from == h && s.Seq == claim.isn+1 && s.Len() > 0:
	case syn && !answer && h.asm.NewISN(s.Seq):
		t.reuse = reuse{from: h, isn: s.Seq, span: record.At(rec.Frame, rec.Time)}
		return h
	default:
		return h
	}
	if t.Conn != nil && !over {
		t.Conn.Reused = claim.span
	}
	f.all.finish(&t.connection)
	if claim.from == nil || over {
		return nil
	}
	h = f.begin(s)
	claimant := h
	if syn {
		claimant = h.peer
	}
	claimant.Opened = true
	claimant.asm.Push(&reassembly.Segment{Seq: claim.isn, SYN: true})
	return h
}

// begin follows a new TCP connection. If there are too many, another one is given up.
func (f *flows) begin(s *tcpip.Segment) *half {
	t := &pair{flows: f}
	t.connection = connection{Stream: &t.tcp.Stream, carrier: t}
	f.all.add(&t.connection)
	t.tcp.Init(f.shared, s.Src, s.Dst)
	for i, flow := range []flow{{s.Src, s.Dst}, {s.Dst, s.Src}} {
		h := &t.halves[i]
		h.Side, h.Progress, h.pair, h.peer, h.i = &t.tcp.Sides[i], t.tcp.Progress(i), t, &t.halves[1-i], i
		h.asm.Init(f.budget)
		f.halves[flow] = h
	}
	f.n++
	f.recent = [2]*half{&t.halves[0], &t.halves[1]}
	return &t.halves[0]
}

// deliver hands a segment to the reassembly of its direction and takes what is ready.
func (h *half) deliver(s *tcpip.Segment, rec *pcaps.Record) {
	if s.Flags&tcpip.ACK != 0 {
		if h.peer.damages.waiting != nil {
			h.peer.settleDamaged(s.Ack)
		}
		h.peer.asm.Acked(s.Ack)
		if !h.HasAcked {
			h.since = s.Ack
		}
		if !h.HasAcked || int32(s.Ack-h.acked) > 0 { // an earlier one may come late
			h.acked, h.HasAcked, h.Acked = s.Ack, true, h.peer.asm.Offset(s.Ack)
		}
	}
	if s.Window == 0 {
		h.Wire.ZeroWindows++
	}
	if s.Len() == 0 && s.Flags&(tcpip.SYN|tcpip.FIN) == 0 {
		return
	}
	if s.Flags&tcpip.SYN != 0 {
		h.Opened, h.Answers = true, s.Flags&tcpip.ACK != 0
	}
	if s.Flags&tcpip.FIN != 0 && !h.Closed {
		h.Closed, h.FIN, h.LastAck = true, record.At(rec.Frame, rec.Time), h.Acked
		h.HasFIN = true
	}
	h.asm.Push(&reassembly.Segment{
		Seq: s.Seq, SYN: s.Flags&tcpip.SYN != 0, FIN: s.Flags&tcpip.FIN != 0,
		Data: s.Payload, Missing: s.Missing, Frame: rec.Frame, Time: rec.Time,
	})
	t := h.pair
	if t.Conn != nil && len(s.Payload) > 0 {
		before := h.Traffic.TCP
		h.Traffic.TCP = h.asm.Counters()
		if now := &h.Traffic.TCP; now.Retransmitted != before.Retransmitted || now.OutOfOrder != before.OutOfOrder {
			h.Traffic.Disorder = record.At(rec.Frame, rec.Time)
		}
	}
	h.drain()
	if t.halves[0].asm.Finished() && t.halves[1].asm.Finished() { // what follows can only be acknowledgements and retransmissions
		t.settle()
	}
	t.flows.all.sort(&t.connection)
}

// drain takes what is ready of a direction.
func (h *half) drain() {
	if h.Reached == 0 && h.peer.HasAcked { // what it has acknowledged has a place now
		h.peer.Acked = h.asm.Offset(h.peer.acked)
	}
	h.Reached = h.asm.Ready()
	for p := &h.pair.flows.piece; h.asm.Next(p); {
		h.pair.tcp.Receive(h.i, p)
	}
}

// unseen is how many octets of h its peer has acknowledged that never came, if any packet of h did.
func (h *half) unseen() uint64 {
	if !h.peer.HasAcked || h.Wire.Packets == 0 {
		return 0
	}
	begin, end := h.peer.since, h.peer.since
	if h.asm.Started() {
		end = h.asm.NextSeq()
		begin = end - uint32(h.asm.Ready())
	}
	before, beyond := int32(begin-h.peer.since), int32(h.peer.acked-end)
	if c := h.pair.Conn; !h.peer.Opened && (c == nil || !c.Requested) { // the capture may have begun between
		before = 0
	}
	if h.Closed || h.peer.Closed {
		beyond-- // the FIN counts as an octet, and may itself be what never came
	}
	return uint64(max(0, before)) + uint64(max(0, beyond))
}

// reset notes a reset by h. One that answers a SYN is a refusal.
func (h *half) reset(s *tcpip.Segment, rec *pcaps.Record) {
	t, peer := h.pair, h.peer
	if h.asm.Push(&reassembly.Segment{Seq: s.Seq, RST: true}); !h.asm.RST() {
		return // far from what is expected: the receiver ignores it
	}
	if !h.Reset {
		h.Reset, h.RST, h.Bare = true, record.At(rec.Frame, rec.Time), s.Flags&tcpip.ACK == 0
		if !h.Closed && s.Flags&tcpip.ACK != 0 {
			h.LastAck = peer.asm.Offset(s.Ack)
		}
	}
	if peer.Opened && !h.Opened && !peer.asm.FIN() && t.Conn == nil && peer.Wire.Octets == 0 {
		t.tcp.Refuse(peer.i)
	}
	all := t.flows.all
	all.move(&t.connection, &all.over) // what the other side has sent meanwhile may still follow
}

// flow is the addresses of h.
func (h *half) flow() flow { return flow{h.Addr, h.peer.Addr} }

// address is that of t, in the direction of its first half.
func (t *pair) address() address { return address{flow: t.halves[0].flow()} }

// finish decodes what waits, reports the end, and forgets the addresses.
func (t *pair) finish() {
	for i := range t.halves {
		for h := &t.halves[i]; len(h.damages.waiting) > 0; { // nobody knows whether they were taken
			h.settleDamaged(h.damages.waiting[0].end())
		}
	}
	if !t.Over {
		for i := range t.halves {
			h := &t.halves[i]
			h.asm.Flush()
			h.drain()
		}
		t.settle()
	}
	for i := range t.halves {
		h := &t.halves[i]
		if t.Conn == nil && h.unanswered() {
			t.tcp.Unanswered(i)
		} else if spoke := h.misled(t.flows.shared); t.Conn == nil && spoke != record.NotForeign {
			t.tcp.Mislead(i, spoke)
		}
		h.Wire.Pending = h.tracking.pending()
	}
	t.tcp.End()
	for i := range t.halves {
		delete(t.flows.halves, t.halves[i].flow())
	}
	t.flows.recent = [2]*half{}
}

// settle reports what is not whole, counts what TCP did, and gives back memory.
func (t *pair) settle() {
	t.tcp.Settle()
	for i := range t.halves {
		h := &t.halves[i]
		if t.Conn != nil {
			h.Traffic.TCP, h.Traffic.Unseen = h.asm.Counters(), h.unseen()
		}
		h.asm.Close()
	}
}
