package dissect

// Where in the TCP streams something stands, and the octets that come before MPA.

import (
	"bytes"

	"github.com/iwarpkit/iwarp/dissect/record"
)

// A StreamingSink is a Sink that wants the octets which come before MPA. They are given to it before the MPA Request or
// Reply of either side that follows them in the capture; else at the end of the connection.
type StreamingSink interface {
	Sink
	Streaming(*record.Streaming)
}

// maxEarly is how many octets of a direction are kept for a StreamingSink while nobody knows whether the connection is
// iWARP. What comes behind them is not given to it.
const maxEarly = 4 << 10

// early is octets that are kept for a StreamingSink.
type early struct {
	total  int
	pieces []record.Streaming
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
	for p := range h.framing.Held() {
		e.keepEarly(h, p.Data, record.At(p.Frame, p.Time), record.Place{End: p.Offset + uint64(len(p.Data))})
	}
}

// keepEarly keeps octets that are passed over because they are none of MPA.
func (e *Engine) keepEarly(h *half, octets []byte, span record.Span, place record.Place) {
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
	k.pieces = append(k.pieces, record.Streaming{
		Origin: record.Origin{Span: span}, Place: place, Octets: bytes.Clone(octets),
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
