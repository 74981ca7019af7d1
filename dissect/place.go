package dissect

// Where in the TCP streams something stands, and the octets that come before MPA.

import "bytes"

// A Place is where in the stream of its TCP direction something ends, and how much of the other direction its sender had
// acknowledged when it sent the begin of it. Both count octets from the first one behind the SYN, or the first that was
// captured; a FIN counts as one octet. Over SCTP it is zero.
type Place struct {
	End   uint64
	Acked uint64
}

// A StreamingSink is a Sink that wants the octets which come before MPA. They are given to it before the MPA Request or
// Reply of either side that follows them in the capture; else at the end of the connection.
type StreamingSink interface {
	Sink
	Streaming(*Streaming)
}

// A Streaming event is octets of a connection that is not in MPA: what comes before an MPA Request or Reply, between a
// rejection and the next Request, in place of them, or behind a Request that is never answered.
type Streaming struct {
	Origin
	Place
	Octets []byte
}

// maxEarly is how many octets of a direction are kept for a StreamingSink while nobody knows whether the connection is
// iWARP. What comes behind them is not given to it.
const maxEarly = 4 << 10

// early is octets that are kept for a StreamingSink.
type early struct {
	total  int
	pieces []Streaming
}

// acknowledged is how much of its peer's stream h has acknowledged.
func (h *half) acknowledged() uint64 {
	if !h.acks {
		return 0
	}
	return h.peer.offset(h.acked)
}

// offset is the place in the stream of h of what has a sequence number, which is near the latest octets; 0 if it is before
// the begin.
func (h *half) offset(seq uint32) uint64 {
	if !h.asm.Started() {
		return 0
	}
	ahead := int32(seq - h.asm.Seq(h.reached))
	return uint64(max(0, int64(h.reached)+int64(ahead)))
}

// keepUnanswered keeps octets that wait for the other side's MPA frame, which is not coming.
func (e *Engine) keepUnanswered(h *half) {
	b := &h.backlog
	for i := b.i; i < len(b.parcels); i++ {
		p := &b.parcels[i]
		octets := b.octets[max(p.begin, b.at):p.end]
		e.keepEarly(h, octets, Span{p.frame, p.frame, p.time, p.time}, Place{End: p.offset + uint64(p.end-p.begin)})
	}
}

// keepEarly keeps octets that are passed over because they are none of MPA.
func (e *Engine) keepEarly(h *half, octets []byte, span Span, place Place) {
	if e.streaming == nil || len(octets) == 0 {
		return
	}
	if h.early == nil {
		h.early = new(early)
	}
	k := h.early
	if octets = octets[:min(len(octets), maxEarly-k.total)]; len(octets) == 0 {
		return
	}
	k.total += len(octets)
	k.pieces = append(k.pieces, Streaming{
		Origin: Origin{Span: span}, Place: place, Octets: bytes.Clone(octets),
	})
}

// giveEarly gives the octets that were kept of both directions to the sink.
func (e *Engine) giveEarly(t *pair) {
	if e.streaming == nil || t.conn == nil {
		return
	}
	for i := range t.halves {
		h := &t.halves[i]
		if h.early == nil {
			continue
		}
		for j := range h.early.pieces {
			s := &h.early.pieces[j]
			s.Conn, s.Dir = t.conn, h.direction()
			e.streaming.Streaming(s)
		}
		h.early = nil
	}
}
