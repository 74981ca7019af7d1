package dissect

// How TCP fares: what waits for an acknowledgement, who takes in nothing, and whether anybody answers.

import (
	"slices"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/session"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A tracking follows the sequence numbers of one direction, whatever reassembly makes of them.
type tracking struct {
	next, acked    uint32 // sequence numbers behind the latest octet that was sent, and that was acknowledged
	sends, isAcked bool   // these are known
	syns           uint64
	oldest         [4]unacked // of those that were not acknowledged; the first is the oldest, if it is known
	n              int
	again          int
	last           record.Span
	heard          record.Span // the latest acknowledgement
	passed         int
}

// An unacked packet has octets that the other side has not acknowledged.
type unacked struct {
	end   uint32 // sequence number behind it
	len   uint32
	frame uint64
	time  int64
}

// track takes a segment of h.
func (h *half) track(s *tcpip.Segment, rec *pcaps.Record) {
	t, w := &h.tracking, h.Wire
	w.Latest = record.At(rec.Frame, rec.Time)
	h.peer.Wire.KeepAlives = 0
	if s.Flags&tcpip.RST != 0 {
		return
	}
	switch {
	case s.Flags&tcpip.SYN != 0:
		t.syns++
	case s.Window != 0:
		if w.Closed.Frame != 0 {
			w.Closed = record.Span{}
		}
	case w.Closed.Frame == 0:
		w.Closed = w.Latest
	}
	if s.Flags&tcpip.ACK != 0 {
		if !h.Reset && !h.peer.Reset {
			h.peer.tracking.heard = w.Latest
		}
		h.peer.tracking.acknowledge(s.Ack)
	}
	switch {
	case s.Seq == t.next-1 && s.Len() <= 1 && t.sends && s.Flags&(tcpip.SYN|tcpip.FIN) == 0:
		w.KeepAlives++
	case s.Len() > 0:
		if !t.sends {
			w.Spoke = foreign(s.Payload)
			if !h.peer.tracking.sends && h.pair.Conn == nil {
				h.pair.flows.foreign[w.Spoke]++
			}
		}
		t.send(s.Seq+uint32(s.Len()), s.Len(), rec)
	}
}

// send takes a packet with n octets of payload, and the sequence number behind it.
func (t *tracking) send(end uint32, n int, rec *pcaps.Record) {
	if t.isAcked && int32(end-t.acked) <= 0 {
		return // a stray one
	}
	repeats := t.sends && int32(end-t.next) <= 0
	if repeats {
		t.again, t.last = t.again+1, record.At(rec.Frame, rec.Time)
	} else {
		t.next, t.sends = end, true
	}
	if t.n < len(t.oldest) && (!repeats || t.n == 0) {
		t.oldest[t.n] = unacked{end, uint32(n), rec.Frame, rec.Time}
		t.n++
	}
}

// acknowledge takes an acknowledgement by the other side.
func (t *tracking) acknowledge(seq uint32) {
	if t.isAcked && int32(seq-t.acked) <= 0 {
		return // an earlier one may come late
	}
	t.acked, t.isAcked, t.again = seq, true, 0
	left := 0
	for i := range t.n {
		if p := &t.oldest[i]; int32(seq-p.end) >= 0 {
			t.passed = max(t.passed, int(p.len))
		} else {
			t.oldest[left] = *p
			left++
		}
	}
	t.n = left
}

// pending is what was not acknowledged. Without any acknowledgement the other side may not have been captured.
func (t *tracking) pending() record.Pending {
	if !t.sends || !t.isAcked || int32(t.next-t.acked) <= 0 {
		return record.Pending{Passed: t.passed}
	}
	p := record.Pending{Octets: uint64(t.next - t.acked), Again: t.again, Last: t.last, Passed: t.passed, Heard: t.heard}
	if t.n > 0 {
		oldest := &t.oldest[0]
		p.Oldest, p.Len = record.At(oldest.frame, oldest.time), int(oldest.len)
		p.Hole = int32(oldest.end-oldest.len-t.acked) > 0
	}
	return p
}

// misled is what h has sent in place of an MPA Request, if its peer has ended that without a word. Other protocols, and silence, count
// only on ports where RDMA is served.
func (h *half) misled(shared *session.Shared) record.Foreign {
	peer, spoke := h.peer, h.Wire.Spoke
	if peer.tracking.sends || peer.lacks() || !peer.Closed && !peer.Reset {
		return record.NotForeign
	}
	if !h.tracking.sends && !h.lacks() && h.Opened && peer.Answers && peer.endedBefore(h) {
		spoke = record.ForeignSilence
	}
	isMPA := spoke == record.ForeignCut || spoke == record.ForeignKey
	if !isMPA && !slices.Contains(shared.Ports, peer.Addr.Port()) {
		return record.NotForeign
	}
	return spoke
}

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

// unanswered reports whether h has sent SYNs, more than one or one that an ICMP error is about, and nobody has answered, or
// only with SYNs of their own, which h does not acknowledge.
func (h *half) unanswered() bool {
	again := h.tracking.syns > 1 || h.Wire.ICMP.Kind != record.NoICMP
	return again && !h.Answers && h.onlySYNs() && (h.peer.Wire.Packets == 0 || h.peer.Answers && h.peer.onlySYNs())
}

// onlySYNs reports whether all that h has sent is a SYN, again and again.
func (h *half) onlySYNs() bool { return h.tracking.syns > 0 && h.tracking.syns == h.Wire.Packets }
