package dissect

// How TCP fares: what waits for an acknowledgement, who takes in nothing, and whether anybody answers.

import (
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/session"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A tracking follows the packets of one direction, whatever reassembly makes of them.
type tracking struct {
	next         uint32 // sequence number after the latest octet, if sends
	acked, since uint32 // the highest acknowledgement by the other side, and the first one, if isAcked
	sends        bool
	isAcked      bool
	strange      bool       // its first octets are not those of an MPA Request
	n            uint8      // of oldest
	syns, resets uint32     // packets
	alive        uint32     // keep-alives
	keepAlives   uint32     // since the other side's latest packet that is not a reset
	again        uint32     // packets that repeated octets since something new was acknowledged
	damaged      uint32     // of these, those with a wrong checksum
	passed       uint32     // octets of payload in the largest packet that was acknowledged
	latest       moment     // of the latest packet
	closed       moment     // of the first of the packets, up to the latest one, with a window of 0
	latestACK    moment     // of the other side's latest acknowledgement before any reset
	last         moment     // of the latest packet that repeated octets
	said         moment     // of the latest packet with octets
	spoke        int64      // the latest time of a packet that shows that octets were sent
	overtaken    moment     // of the latest packet with new octets that had been acknowledged
	fin          unacked    // the FIN, as long as it is not acknowledged; its octets are none
	finAgain     uint32     // packets that repeated it
	finLast      moment     // the latest of these
	ahead        int64      // since when acknowledgements are ahead of the octets that have come; 0 if they are not
	behind       int64      // for how long they were, at most, until these octets came
	oldest       [4]unacked // packets that were not acknowledged; the first is the oldest, if it is known
}

// A moment is the place of a packet in the capture; zero for none.
type moment struct {
	frame uint64
	time  int64
}

func (m moment) span() flow.Span { return flow.At(m.frame, m.time) }

// An unacked packet has octets that the other side has not acknowledged.
type unacked struct {
	end, len uint32 // sequence number after it, octets
	at       moment
}

func (h *half) track(s *tcpip.Segment, rec *pcaps.Record) {
	t, peer := &h.tracking, h.peer
	before := max(t.latest.time, peer.tracking.latest.time)
	t.latest = moment{rec.Frame, rec.Time}
	if !s.Flags.Has(tcpip.RST) {
		peer.tracking.keepAlives = 0
	}
	switch {
	case s.Flags.Has(tcpip.RST):
		t.resets++
		if p := &peer.tracking; s.Flags.Has(tcpip.ACK) && p.isAcked && s.Ack == p.acked && !h.Reset && !peer.Reset {
			p.latestACK = t.latest
		}
		return
	case s.Flags.Has(tcpip.SYN):
		t.syns++
		h.meet(rec)
	case s.Window != 0:
		if t.closed != (moment{}) { // the other side has waited for that
			peer.tracking.spoke = max(peer.tracking.spoke, rec.Time)
		}
		t.closed = moment{}
	case t.closed == moment{}:
		t.closed = t.latest
	}
	if s.Flags.Has(tcpip.ACK) {
		if !h.Reset && !peer.Reset {
			peer.tracking.latestACK = t.latest
		} else {
			h.goOn(s, rec)
		}
		peer.acknowledge(s.Ack)
	}
	if s.Flags.Has(tcpip.FIN) {
		t.finish(s.Seq + uint32(s.Len()) + 1)
	}
	switch n := s.Len(); {
	case n <= 1 && t.isKeepAlive(s):
		t.keepAlives, t.alive = t.keepAlives+1, t.alive+1
	case n > 0:
		if !t.sends {
			h.meet(rec)
			h.speak(s)
		}
		end := s.Seq + uint32(n)
		if peer.tracking.closed == (moment{}) && t.isAgain(end) {
			h.Wire.Resent.Add(t.said.span(), t.latest.span(), rec.Time-t.spoke, rec.Time-max(before, t.spoke))
		}
		t.said, t.spoke = t.latest, max(t.spoke, rec.Time)
		t.send(end, uint32(n), t.latest)
	case t.sends && int32(s.Seq-t.next) > 0 && s.Seq-t.next < maxAhead && !s.Flags.Has(tcpip.SYN):
		t.send(s.Seq, 0, t.latest) // it was sent before this packet, and has not come here
		t.spoke = max(t.spoke, rec.Time)
	}
}

// isNew reports whether all octets of a segment, which has some, are beyond those that were sent before.
func (t *tracking) isNew(s *tcpip.Segment) bool {
	return s.Len() > 0 && t.sends && int32(s.Seq-t.next) >= 0
}

// isKeepAlive reports whether a segment begins with the octet before the next one, as a keep-alive does.
func (t *tracking) isKeepAlive(s *tcpip.Segment) bool {
	next, known := t.next, t.sends
	if !known {
		next, known = t.acked, t.isAcked && t.acked == t.since // else octets or a FIN were acknowledged that have not come
	}
	return known && s.Seq == next-1 && s.Flags&(tcpip.SYN|tcpip.FIN) == 0
}

// maxAhead is how many octets a packet can show at most that were sent and have not come.
const maxAhead = 1 << 24

// speak takes the first segment of h with payload.
func (h *half) speak(s *tcpip.Segment) {
	spoke := foreign(s.Payload)
	if spoke == flow.ForeignCut && s.Missing > 0 {
		spoke = flow.NotForeign // by the snaplen
	}
	h.Wire.Spoke, h.tracking.strange = spoke, len(s.Payload) >= len(mpa.RequestKey) && string(s.Payload[:len(mpa.RequestKey)]) != mpa.RequestKey
	if !h.peer.tracking.sends && h.pair.Conn == nil {
		h.pair.flows.foreign[h.Wire.Spoke]++
	}
}

// finish takes the sequence number after a FIN.
func (t *tracking) finish(end uint32) {
	switch {
	case t.isAcked && int32(end-t.acked) <= 0:
	case t.fin.end == end && t.fin.at != moment{}:
		t.finAgain, t.finLast = t.finAgain+1, t.latest
	default:
		t.fin, t.finAgain = unacked{end: end, at: t.latest}, 0
	}
}

// isAgain reports whether octets up to a sequence number were sent before, and were not acknowledged. Nothing is known of that where the
// capture lacks all acknowledgements.
func (t *tracking) isAgain(end uint32) bool {
	return t.sends && t.isAcked && int32(end-t.next) <= 0 && int32(end-t.acked) > 0
}

// send takes the sequence number after a packet, and its octets of payload. Without any, it shows that octets were sent.
func (t *tracking) send(end, octets uint32, at moment) {
	repeats := t.sends && int32(end-t.next) <= 0
	if t.isAcked && int32(end-t.acked) <= 0 { // a stray one, or the capture has it behind its acknowledgement
		if !repeats && octets > 0 { // what follows a FIN comes after its acknowledgement
			t.overtake(end, at)
		}
		return
	}
	t.ahead = 0
	if !t.isAcked && (!repeats || t.again == 0 && t.oldest[0].end != end) {
		t.n, t.again, t.damaged = 0, 0, 0 // what came before seems to have arrived
	}
	if repeats {
		t.again, t.last = t.again+1, at
	} else {
		t.next, t.sends = end, true
	}
	if int(t.n) < len(t.oldest) && (!repeats || t.n == 0) {
		t.oldest[t.n] = unacked{end, octets, at}
		t.n++
	}
}

// overtake takes a packet with octets that are new, and were acknowledged before it came.
func (t *tracking) overtake(end uint32, at moment) {
	t.next, t.sends, t.overtaken = end, true, at
	if t.ahead != 0 {
		t.behind = max(t.behind, at.time-t.ahead)
	}
}

// sendDamaged takes a damaged packet with octets that came another time, too.
func (t *tracking) sendDamaged(p *damaged) {
	again := t.again
	if t.send(p.end(), uint32(p.segment.Len()), moment{p.frame, p.time}); t.again > again {
		t.damaged++
	}
}

// askewAfter is by how much a packet may come later than its acknowledgement. Hosts and captures with several queues swap packets, but not by
// as much.
const askewAfter = int64(time.Second)

// acknowledge takes an acknowledgement of what h has sent.
func (h *half) acknowledge(ack uint32) {
	if h.damages.waiting != nil {
		h.settleDamaged(ack)
	}
	h.asm.Acked(ack)
	t := &h.tracking
	if t.isAcked && int32(ack-t.acked) <= 0 {
		return // an earlier one may come late
	}
	if !t.isAcked {
		t.isAcked, t.since = true, ack
	}
	t.acked, t.again, t.damaged = ack, 0, 0
	if t.ahead == 0 && (t.sends && int32(ack-t.next) > 0 || !t.sends && ack != t.since) {
		t.ahead = t.latestACK.time
	}
	h.peer.HasAcked, h.peer.Acked = true, h.asm.Offset(ack)
	if int32(ack-t.fin.end) >= 0 {
		t.fin, t.finAgain = unacked{}, 0
	}
	left := uint8(0)
	for i := range t.n {
		if p := &t.oldest[i]; int32(ack-p.end) >= 0 {
			t.passed = max(t.passed, p.len)
		} else {
			t.oldest[left] = *p
			left++
		}
	}
	t.n = left
}

// fill says in w how TCP fares at the end.
func (t *tracking) fill(w *flow.Wire) {
	w.Latest, w.Closed, w.KeepAlives, w.Resets = t.latest.span(), t.closed.span(), uint64(t.keepAlives), uint64(t.resets)
	w.Said, w.Overtaken, w.Askew, w.Passed, w.Pending = t.said.span(), t.overtaken.span(), t.behind >= askewAfter, int(t.passed), t.pending()
}

// repeatsWithoutACK is how often octets are sent again until that shows that no acknowledgement of them arrives.
const repeatsWithoutACK = 3

// pending is what was not acknowledged. Where the capture has no acknowledgement at all, that is what was sent again and again at the end.
func (t *tracking) pending() *flow.Pending {
	switch {
	case t.isAcked && int32(t.next-t.acked) <= 0 && t.finAgain >= repeatsWithoutACK:
		return &flow.Pending{FIN: true, Oldest: t.fin.at.span(), Again: int(t.finAgain), Last: t.finLast.span(), LatestACK: t.latestACK.span()}
	case !t.sends, t.isAcked && int32(t.next-t.acked) <= 0, !t.isAcked && t.again < repeatsWithoutACK:
		return nil
	case !t.isAcked:
		p := &t.oldest[0]
		return &flow.Pending{Octets: uint64(p.len), Oldest: p.at.span(), Len: int(p.len), Again: int(t.again), Damaged: int(t.damaged), Last: t.last.span()}
	}
	p := &flow.Pending{Octets: uint64(t.next - t.acked), Again: int(t.again), Damaged: int(t.damaged), Last: t.last.span(), LatestACK: t.latestACK.span()}
	if t.n > 0 {
		oldest := &t.oldest[0]
		p.Oldest, p.Len = oldest.at.span(), int(oldest.len)
		p.Hole = uint64(max(0, int32(oldest.end-oldest.len-t.acked)))
	}
	return p
}

// misled is what h has sent in place of an MPA Request, if its peer has ended that without a word. Protocols without RDMA, and silence, count
// only on ports where RDMA is served.
func (h *half) misled(shared *session.Shared) flow.Foreign {
	peer, spoke := h.peer, h.Wire.Spoke
	if peer.tracking.sends || peer.lacks() || !peer.Closed && !peer.Reset {
		return flow.NotForeign
	}
	if !h.tracking.sends && !h.lacks() && h.Opened && peer.Answers && peer.endedBefore(h) {
		spoke = flow.ForeignSilence
	}
	switch {
	case spoke == flow.ForeignCut && h.lacks():
		return flow.NotForeign
	case spoke == flow.NotForeign && h.tracking.strange && h.Opened && !h.lacks():
		spoke = flow.ForeignOther
	}
	isRDMA := spoke == flow.ForeignCut || spoke == flow.ForeignKey || spoke == flow.ForeignPerftest
	if !isRDMA && !slices.Contains(shared.Ports, peer.Addr.Port()) {
		return flow.NotForeign
	}
	return spoke
}

// isDeserted reports whether all that the capture has of a connection to a port where RDMA is served is keep-alives of h that nobody answers
// any more.
func (h *half) isDeserted(shared *session.Shared) bool {
	served := slices.Contains(shared.Ports, h.Addr.Port()) || slices.Contains(shared.Ports, h.peer.Addr.Port())
	return served && h.isQuiet() && h.peer.isQuiet() && h.tracking.keepAlives >= flow.UnansweredKeepAlives && h.peer.Wire.Packets > 0
}

// isQuiet reports whether h has sent nothing but keep-alives, which have an octet at most.
func (h *half) isQuiet() bool { return h.Wire.Octets <= uint64(h.tracking.alive) }

// lacks reports whether octets of h are known not to be in the capture.
func (h *half) lacks() bool { return h.unseen() > 0 || h.asm.Counters().HoleOctets > 0 }

// endedBefore reports whether h has closed or reset the connection, and its peer had not by then.
func (h *half) endedBefore(peer *half) bool {
	at, other := h.FIN.Frame, peer.FIN.Frame
	if !h.Closed {
		at = h.RST.Frame
	}
	if !peer.Closed {
		other = peer.RST.Frame
	}
	return at < other || !peer.Closed && !peer.Reset
}

// unanswered reports whether h has sent SYNs, and nobody has answered, or only with SYNs of their own, which h does not acknowledge, or
// with acknowledgements of another connection. One of the SYNs was repeated, or an ICMP error is about it.
func (h *half) unanswered() bool {
	again := h.tracking.syns > 1 || h.peer.tracking.syns > 1 || h.Wire.ICMP.Kind != flow.NoICMP
	answered := h.peer.Wire.Packets > 0 && !h.challenged() && !(h.peer.Answers && h.peer.onlySYNs())
	return again && !h.Answers && (h.onlySYNs() || h.disowns()) && !answered
}

// disowns reports whether all that h has sent is a SYN, more than once, and resets in answer to those of the peer that acknowledge it.
func (h *half) disowns() bool {
	t := &h.tracking
	return h.Reset && t.syns > 1 && uint64(t.syns+t.resets) == h.Wire.Packets && h.peer.Answers && h.peer.onlySYNs()
}

// onlySYNs reports whether all that h has sent is a SYN, again and again, and resets of something else.
func (h *half) onlySYNs() bool {
	return h.tracking.syns > 0 && !h.Reset && uint64(h.tracking.syns+h.tracking.resets) == h.Wire.Packets
}

// challenged reports whether all that the peer has sent is an acknowledgement, again and again, of something other than the SYN of h: it
// has another connection with these ports (RFC 5961, section 4).
func (h *half) challenged() bool {
	peer, sent := h.peer, uint32(h.asm.Ready())
	bare := peer.Wire.Octets == 0 && !peer.Closed && !peer.Reset
	return bare && h.tracking.isAcked && h.tracking.acked-(h.asm.NextSeq()-sent) > sent
}
