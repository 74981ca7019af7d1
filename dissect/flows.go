package dissect

// Following TCP connections: which segment belongs to which, when one begins and when it is over.

import (
	"net/netip"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/session"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A tuple is one direction of a TCP connection, or of an SCTP association.
type tuple struct{ src, dst netip.AddrPort }

// flows are the TCP connections that are followed.
type flows struct {
	all     *connections
	shared  *session.Shared
	budget  *reassembly.Budget
	seen    *sightings
	halves  map[tuple]*half
	recent  *half  // a direction of the latest connection
	free    *pair  // of a connection that has ended: memory for the next one
	n       uint64 // connections up to now
	idle    uint64 // of those that are over and are not iWARP, those without payload
	foreign [flow.NumForeign]uint64
	piece   reassembly.Piece // used again and again
	damaged int              // octets of memory of all damaged packets that wait
}

// A pair is the two directions of a TCP connection.
type pair struct {
	connection
	tcp    session.TCP
	flows  *flows
	halves [2]half // the sender of the first packet, and the other
	reuse  *reuse  // nil if there was none
}

// A reuse is a SYN that came while its ports were in use. It may begin a new connection, or be a stray one.
type reuse struct {
	from     *half
	isn      uint32
	answers  bool          // it acknowledges a SYN that was not captured
	peer     uint32        // the sequence number after that SYN, if answers
	attempts flow.Attempts // the same SYN, again and again
	stray    bool          // its sender goes on with the connection that there is
}

// passes takes a segment of h that does not begin what the SYN claims.
func (r *reuse) passes(h *half, s *tcpip.Segment, rec *pcaps.Record) {
	switch a := &r.attempts; {
	case r.from != h:
		a.Answers++
	case s.Flags.Has(tcpip.SYN):
		a.SYNs++
		a.Include(flow.At(rec.Frame, rec.Time))
	case !s.Flags.Has(tcpip.RST):
		r.stray = true
	}
}

// synAgain is the least time after which a SYN is sent again, in nanoseconds: TCP waits for a second (RFC 6298, section 2), and a copy of a packet
// comes at once.
const synAgain = 5e8

// isAttempt reports whether the SYN is of a host that has no other connection, and not one that anybody may have sent.
func (r *reuse) isAttempt() bool {
	return r != nil && !r.stray && r.attempts.SYNs > 1 && r.attempts.LastTime-r.attempts.Time >= synAgain
}

// isFollowedBy reports whether a segment of h, neither a SYN nor a reset, comes right after the SYNs of r.
func (r *reuse) isFollowedBy(h *half, s *tcpip.Segment) bool {
	if s.Flags&(tcpip.SYN|tcpip.RST) != 0 {
		return false
	}
	return r.from == h && s.Seq == r.isn+1 || r.from == h.peer && r.answers && s.Seq == r.peer
}

// isTaken reports whether a segment of h takes up the connection by the SYN of r, with which its peer has answered the SYN of h, as with one
// before that: that had been damaged on the way, or the peer has forgotten it.
func (r *reuse) isTaken(h *half, s *tcpip.Segment) bool {
	return r.from == h.peer && r.answers && r.from.onlySYNs() && h.asm.Started() && h.Opened && r.isFollowedBy(h, s) && s.Flags.Has(tcpip.ACK) && s.Ack == r.isn+1
}

// A half is one direction of a TCP connection.
type half struct {
	*session.Side
	pair     *pair
	peer     *half
	i        int32  // in pair.halves
	number   uint32 // in flows.seen
	resetSeq uint32 // of its reset
	resetAt  int64  // the time of that, or of a later one
	asm      reassembly.Half
	*framing.Direction
	firsts   firsts
	damages  damages
	tracking tracking
}

func (f *flows) receive(s *tcpip.Segment, rec *pcaps.Record) {
	h := f.find(s)
	if h == nil || s.Flags.Has(tcpip.SYN) || h.pair.reuse != nil || h.pair.Over && s.Len() > 0 {
		if h = f.follow(h, s, rec); h == nil {
			return
		}
	}
	f.all.use(&h.pair.connection)
	h.pair.Include(rec.Frame, rec.Time)
	if !h.keeps(s, rec) {
		h.take(s, rec)
	}
}

func (h *half) take(s *tcpip.Segment, rec *pcaps.Record) {
	tells := s.Len() > 0 || s.Flags&(tcpip.SYN|tcpip.FIN|tcpip.RST) != 0 || h.tracking.isKeepAlive(s)
	if tells && h.pair.flows.seen.repeats(h.number, s, rec.Time, h.tracking.isNew(s)) {
		if h.Wire.Duplicates++; s.Flags.Has(tcpip.RST) {
			h.confirm(s, rec)
		}
		return
	}
	h.Wire.Packets++
	h.Wire.Octets += uint64(s.Len())
	h.track(s, rec)
	switch {
	case h.pair.Over:
	case s.Flags.Has(tcpip.RST):
		h.reset(s, rec)
	default:
		h.deliver(s, rec)
	}
}

// follow finds out whether a segment begins a connection. It returns the direction that the segment belongs to; nil if its
// connection was given up. h is the one that had its addresses, if any.
func (f *flows) follow(h *half, s *tcpip.Segment, rec *pcaps.Record) *half {
	if h != nil {
		h = f.reused(h, s, rec)
	}
	if h != nil {
		return h
	}
	if f.all.forgotten.has(address{tuple: tuple{s.Src, s.Dst}}, s.Flags.Has(tcpip.SYN)) {
		return nil
	}
	return f.begin(s)
}

// find returns the direction that has the addresses of a segment; nil if there is none.
func (f *flows) find(s *tcpip.Segment) *half {
	switch h := f.recent; {
	case h == nil:
	case h.sends(s):
		return h
	case h.peer.sends(s):
		return h.peer
	}
	h := f.halves[tuple{s.Src, s.Dst}]
	if h != nil {
		f.recent = h
	}
	return h
}

// sends reports whether a segment is of h.
func (h *half) sends(s *tcpip.Segment) bool { return h.Addr == s.Src && h.peer.Addr == s.Dst }

// reused decides whether the ports of a connection are used again. A SYN with another sequence number says so if the
// connection has ended, and so do octets that were not of it, if all of those are known. While it goes on, anybody could send one (RFC 5961, section 4): then the other side's answer, or
// what comes right after that SYN, has to confirm it. The result is h, or the direction of the new connection, or nil if that has
// still to begin.
func (f *flows) reused(h *half, s *tcpip.Segment, rec *pcaps.Record) *half {
	t := h.pair
	over := t.Over || t.IsReset()
	syn, answer := s.Flags.Has(tcpip.SYN), s.Flags.Has(tcpip.ACK)
	var claim reuse
	if t.reuse != nil {
		claim = *t.reuse
	}
	switch {
	case syn && h.asm.NewISN(s.Seq) && h.isDamagedSYN(s):
		h.restart(f.budget)
		return h
	case syn && h.asm.NewISN(s.Seq) && over:
	case !syn && t.Over && h.isForeign(s):
	case claim.isTaken(h, s):
		t.reuse = nil
		h.peer.restart(f.budget)
		h.peer.asm.Push(&reassembly.Segment{Seq: claim.isn, SYN: true})
		return h
	case syn && answer && claim.from == h.peer && s.Ack == claim.isn+1:
	case claim.isFollowedBy(h, s):
	case syn && h.asm.NewISN(s.Seq) && (claim.from != h || claim.isn != s.Seq):
		claim = reuse{from: h, isn: s.Seq, answers: answer, peer: s.Ack}
		t.reuse = &claim
		fallthrough
	default:
		if t.reuse != nil {
			t.reuse.passes(h, s, rec)
		}
		return h
	}
	if t.Conn != nil && !over {
		t.Conn.Reused = claim.attempts.Span
	}
	t.reuse = nil // it came to something
	f.all.finish(&t.connection)
	if claim.from == nil || over {
		return nil
	}
	byPeer := claim.from == h.peer
	h = f.begin(s)
	claimant := h
	if byPeer {
		claimant = h.peer
	}
	claimant.open(claim.answers, claim.peer)
	claimant.asm.Push(&reassembly.Segment{Seq: claim.isn, SYN: true})
	return h
}

// isDamagedSYN reports whether all that h has sent is SYNs with wrong checksums, and s has the right one: they had other sequence numbers than
// were sent.
func (h *half) isDamagedSYN(s *tcpip.Segment) bool {
	return h.onlySYNs() && !h.damages.sound && s.IsRight()
}

// restart forgets the octets of h, which has sent none yet.
func (h *half) restart(budget *reassembly.Budget) {
	h.asm.Close()
	h.asm.Init(budget)
}

// open notes a SYN of h. If it answers one, what the peer sends begins with what it acknowledges, even if the peer's SYN was
// not captured.
func (h *half) open(answers bool, acknowledged uint32) {
	h.Opened, h.Answers = true, answers
	if answers && !h.peer.asm.Started() {
		h.peer.asm.Push(&reassembly.Segment{Seq: acknowledged - 1, SYN: true})
	}
}

// isForeign reports whether a segment has octets that are not of the stream of h, all of which is known.
func (h *half) isForeign(s *tcpip.Segment) bool {
	at := int64(int32(s.Seq-h.asm.NextSeq())) + int64(h.asm.Ready())
	return s.Len() > 0 && (at < 0 || at > int64(h.asm.Ready()))
}

// begin follows a new TCP connection. If there are too many, another one is given up.
func (f *flows) begin(s *tcpip.Segment) *half {
	t := f.free
	if t == nil {
		t = new(pair)
	}
	*t = pair{} // a literal with the field would be made on the stack and copied, all of it
	t.flows, f.free = f, nil
	t.connection = connection{Stream: &t.tcp.Stream, carrier: t}
	f.all.add(&t.connection)
	t.tcp.Init(f.shared, s.Src, s.Dst)
	for i, tuple := range []tuple{{s.Src, s.Dst}, {s.Dst, s.Src}} {
		h := &t.halves[i]
		h.Side, h.Direction, h.pair, h.peer, h.i = &t.tcp.Sides[i], t.tcp.Framing(i), t, &t.halves[1-i], int32(i)
		h.number = f.seen.number()
		h.asm.Init(f.budget)
		f.halves[tuple] = h
	}
	f.n++
	f.recent = &t.halves[0]
	return f.recent
}

// deliver hands a segment to the reassembly of its direction and takes what is ready.
func (h *half) deliver(s *tcpip.Segment, rec *pcaps.Record) {
	if s.Window == 0 {
		h.Wire.ZeroWindows++
	}
	if s.Len() == 0 && s.Flags&(tcpip.SYN|tcpip.FIN) == 0 {
		return
	}
	if s.Flags.Has(tcpip.SYN) {
		h.open(s.Flags.Has(tcpip.ACK), s.Ack)
	}
	if s.Flags.Has(tcpip.FIN) && !h.Closed {
		h.Closed, h.FIN, h.LastAck = true, flow.At(rec.Frame, rec.Time), h.Acked
		h.HasFIN = true
	}
	t, orderly := h.pair, h.asm.Push(&reassembly.Segment{
		Seq: s.Seq, SYN: s.Flags.Has(tcpip.SYN), FIN: s.Flags.Has(tcpip.FIN),
		Data: s.Payload, Missing: s.Missing, Frame: rec.Frame, Time: rec.Time,
	})
	if !orderly && t.Conn != nil {
		h.Traffic.TCP, h.Traffic.Disorder = h.asm.Counters(), flow.At(rec.Frame, rec.Time)
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
		h.peer.Acked = h.asm.Offset(h.tracking.acked)
	}
	h.Reached = h.asm.Ready()
	for p := &h.pair.flows.piece; h.asm.Next(p); {
		if p.Hole > 0 && h.pair.Conn != nil {
			h.Traffic.TCP = h.asm.Counters()
		}
		h.pair.tcp.Receive(int(h.i), p)
	}
	h.wait()
}

// wait notes whether octets of h have to wait.
func (h *half) wait() { h.Wire.Waiting = h.asm.Held() > 0 || len(h.damages.waiting) > 0 }

// unseen is how many octets of h its peer has acknowledged that never came, if any packet of h did.
func (h *half) unseen() uint64 {
	if !h.peer.HasAcked || h.Wire.Packets == 0 {
		return 0
	}
	since, acked := h.tracking.since, h.tracking.acked
	begin, end := since, since
	if h.asm.Started() {
		end = h.asm.NextSeq()
		begin = end - uint32(h.asm.Ready())
	}
	before, beyond := int32(begin-since), int32(acked-end)
	if c := h.pair.Conn; !h.peer.Opened && (c == nil || !c.Requested) && h.Wire.Octets > 0 { // the capture may have begun between
		before = 0
	}
	if h.Closed || h.peer.Closed {
		beyond-- // the FIN counts as an octet, and may itself be what never came
	}
	return uint64(max(0, before)) + uint64(max(0, beyond))
}

// reset notes a reset by h. One that answers a SYN is a refusal, unless acknowledgements show that the capture lacks an answer before it.
func (h *half) reset(s *tcpip.Segment, rec *pcaps.Record) {
	t, peer := h.pair, h.peer
	if h.onlySYNs() && h.challenged() && s.Seq == h.tracking.acked {
		return // of the other connection
	}
	if h.asm.Push(&reassembly.Segment{Seq: s.Seq, RST: true}); !h.asm.RST() {
		return // far from what is expected: the receiver ignores it
	}
	if t.reuse != nil && t.reuse.from == h && t.Conn != nil {
		t.Conn.Reused = t.reuse.attempts.Span
	}
	if !h.Reset {
		h.Reset, h.RST, h.Bare = true, flow.At(rec.Frame, rec.Time), !s.Flags.Has(tcpip.ACK)
		h.Impostor.Reset, h.resetSeq, h.resetAt = stationOf(rec), s.Seq, rec.Time
		if !h.Closed && s.Flags.Has(tcpip.ACK) {
			h.LastAck = peer.asm.Offset(s.Ack)
		}
	} else {
		h.confirm(s, rec)
	}
	answered := peer.HasAcked || s.Flags.Has(tcpip.ACK) && peer.asm.Offset(s.Ack) > 0
	if peer.Opened && !h.Opened && !answered && !peer.asm.FIN() && t.Conn == nil && peer.Wire.Octets == 0 {
		t.tcp.Refuse(int(peer.i))
	}
	all := t.flows.all
	all.move(&t.connection, &all.over) // what the other side has sent meanwhile may still follow
}

// flow is the addresses of h.
func (h *half) tuple() tuple { return tuple{h.Addr, h.peer.Addr} }

// address is that of t, in the direction of its first half.
func (t *pair) address() address { return address{tuple: t.halves[0].tuple()} }

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
			if h.challenged() {
				t.Conn.Attempts = flow.Attempts{Span: t.Packets(), By: flow.Client, SYNs: uint64(h.tracking.syns), Answers: h.peer.Wire.Packets}
			}
		} else if spoke := h.misled(t.flows.shared); t.Conn == nil && spoke != flow.NotForeign {
			t.tcp.Mislead(i, spoke)
		} else if t.Conn == nil && h.isDeserted(t.flows.shared) {
			t.tcp.Desert()
		}
		h.tracking.fill(h.Wire)
	}
	if r := t.reuse; t.Conn != nil && r.isAttempt() {
		r.attempts.By = flow.Client
		if r.from.Addr == t.Conn.Server {
			r.attempts.By = flow.Server
		}
		t.Conn.Attempts = r.attempts
	}
	if t.Conn == nil && t.halves[0].isQuiet() && t.halves[1].isQuiet() {
		t.flows.idle++
	}
	t.tcp.End()
	for i := range t.halves {
		delete(t.flows.halves, t.halves[i].tuple())
	}
	t.flows.recent, t.flows.free = nil, t
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
