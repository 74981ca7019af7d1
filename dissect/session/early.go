package session

// The octets that come before MPA.

import (
	"bytes"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// maxEarly is how many octets of a direction are kept, if they are wanted, while it is not known whether the connection is
// iWARP.
const maxEarly = 4 << 10

// early is octets of one direction that are kept until it is known whether the connection is iWARP.
type early struct {
	total  int
	pieces []record.Streaming
}

// keep keeps a copy of octets, as far as there is room.
func (k *early) keep(octets []byte, span flow.Span, place record.Place) {
	if octets = octets[:min(len(octets), maxEarly-k.total)]; len(octets) == 0 {
		return
	}
	k.total += len(octets)
	k.pieces = append(k.pieces, record.Streaming{
		Origin: record.Origin{Span: span}, Place: place, Octets: bytes.Clone(octets),
	})
}

// passOver counts, and keeps for whoever wants them, octets that come before MPA and end at a place.
func (s *TCP) passOver(i int, b []byte, span flow.Span, end uint64) {
	s.keepEarly(i, b, span, record.Place{End: end, Acked: s.halves[i].framing.Acked})
	s.Sides[i].Wire.Streaming += uint64(len(b))
	if other := s.startup.phases[1-i]; other == waiting || other == opaque {
		s.halves[i].unanswered += uint64(len(b))
	}
}

// keepEarly keeps octets of side i that are passed over because they are none of MPA.
func (s *TCP) keepEarly(i int, octets []byte, span flow.Span, place record.Place) {
	if !s.shared.Streaming || len(octets) == 0 {
		return
	}
	h := &s.halves[i]
	if h.early == nil {
		h.early = new(early)
	}
	h.early.keep(octets, span, place)
}

// giveEarly reports the octets that were kept of both sides.
func (s *TCP) giveEarly() {
	if s.Conn == nil {
		return
	}
	for i := range s.halves {
		h := &s.halves[i]
		if h.early == nil {
			continue
		}
		for j := range h.early.pieces {
			p := &h.early.pieces[j]
			p.Origin = s.origin(i, p.Span)
			r := s.shared.record(record.KindStreaming)
			r.Streaming = p
			s.shared.give(r, &p.Origin)
		}
		h.early = nil
	}
}
