package dissect

// Finding FPDUs again: behind octets that the capture does not have, and where a ULPDU_Length cannot be right.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// trustedAfter is how many credible FPDUs in a row show that a direction which was locked on to is read rightly.
const trustedAfter = 16

// seek goes on where framing was lost. inner tells that p does not begin with its packet.
func (e *Engine) seek(h *half, p *reassembly.Piece, inner bool) {
	b := &h.backlog
	if p.Data == nil && b.empty() {
		h.traffic.MissingOctets += p.Hole
		return
	}
	b.add(p, inner, e.ahead(h))
	if b.size() >= b.tryAt && e.look(h, false) {
		e.catchUp(h, false)
		return
	}
	e.trim(h)
}

// seekBehind is seek for the octets of p from octet at on.
func (e *Engine) seekBehind(h *half, p *reassembly.Piece, at int) {
	rest := *p
	rest.Offset, rest.Data = p.Offset+uint64(at), p.Data[at:]
	e.seek(h, &rest, at > 0)
}

// catchUp decodes what waits.
func (e *Engine) catchUp(h *half, last bool) {
	b := &h.backlog
	var p reassembly.Piece
	for ahead, ok := b.take(&p); ok; ahead, ok = b.take(&p) {
		h.start.ahead = ahead
		rest := e.deframe(h, &p)
		h.start.ahead = false
		if !h.stream.lost {
			continue
		}
		if b.giveBack(rest); !e.look(h, last) {
			e.trim(h)
			return
		}
	}
	e.free(b)
}

// resume goes on decoding with the FPDU that was found.
func (e *Engine) resume(h *half, l *lock) {
	s := h.stream
	e.pass(h, l.at)
	h.traffic.Undecoded += s.passed
	s.latest = h.backlog.span()
	e.note(h, record.FramingFound, s.passed, s.latest)
	s.lost, s.passed, s.alone, s.credible = false, 0, true, 0
	s.lock(l)
	learn(h.pair.conn, h.direction(), &s.terms)
}

// lose gives up an FPDU, of which all was captured or the begin; p, which begins at place from, is its latest piece. It
// returns how many octets at the end of p are to be looked through for another one.
func (e *Engine) lose(h *half, f *mpa.Deframed, from uint64, p *reassembly.Piece, span record.Span) (rest int) {
	passed := f.End - f.Start - uint64(f.Missing)
	if p.Data != nil {
		at := max(f.Start+wordLen, from)
		rest = int(from + uint64(len(p.Data)) - at)
		passed -= f.End - at
	}
	e.lost(h, passed, f.End-f.Start, span)
	return rest
}

// loseBegun gives up the FPDU in progress.
func (e *Engine) loseBegun(h *half, from uint64, p *reassembly.Piece) (rest int) {
	s, f := h.stream, &e.trial.fpdu
	s.deframer.Partial(f)
	return e.lose(h, f, from, p, s.latest)
}

// lost notes that it is not known where the next FPDU begins. passed is how many octets were given up.
func (e *Engine) lost(h *half, passed, octets uint64, span record.Span) {
	s := h.stream
	s.lost, s.doubt, s.suspect = true, false, false
	s.passed += passed
	s.messages.gap()
	e.note(h, record.FramingLost, octets, span)
}

// isCredible tells whether an FPDU, whose header is in e.event.segment, is one, rather than what a wrong ULPDU_Length
// makes of other octets. p is the piece that it ends in.
func (e *Engine) isCredible(s *stream, f *mpa.Deframed, p *reassembly.Piece) bool {
	h := &e.event.segment.RDMAP.Header
	headerCut := f.Missing > 0 && len(f.ULPDU) < h.Len()
	switch {
	case headerCut || plausible(h, f.ULPDULength, s.version):
		s.credible++
		return true
	case f.Verdict == mpa.Bad:
		return !s.doubt
	}
	end := min(f.End-(p.Offset-s.origin), uint64(len(p.Data)))
	return s.trusted() && !s.contradicted(p.Data[end:])
}

// wrongCRCs is how many bad CRCs, and no good one, show that CRCs are off.
const wrongCRCs = 3

// observe learns from an FPDU what its stream has not shown yet.
func (e *Engine) observe(h *half, f *mpa.Deframed) {
	s := h.stream
	if s.terms.crc.Setting == Unset && f.Verdict != mpa.Unchecked {
		if f.Verdict == mpa.Good {
			e.settleCRC(h.pair, term{On, record.Inferred})
		} else if s.bad++; s.bad == wrongCRCs {
			e.settleCRC(h.pair, term{Off, record.Inferred})
		}
		if f.Verdict == mpa.Bad {
			f.Verdict, f.WantCRC = mpa.Unchecked, 0
		}
	}
	if s.terms.markers.Setting == Unset && s.credible > 0 && f.End-s.start > mpa.MarkerSpacing {
		s.terms.markers.set(Off, record.Inferred)
		learn(h.pair.conn, h.direction(), &s.terms)
	}
	s.settled = s.terms.settled()
}

// settleCRC notes whether CRCs are on, which is the same in both directions.
func (e *Engine) settleCRC(t *pair, on term) {
	t.conn.Agreement.CRC, t.conn.Sources.CRC = on.Setting == On, on.from
	for i := range t.halves {
		if s := t.halves[i].stream; s != nil {
			s.terms.crc = on
			s.deframer.SetCRC(on.Setting == On)
		}
	}
}

// trusted tells whether it is beyond doubt that FPDUs are found where they are.
func (s *stream) trusted() bool { return !s.alone || s.credible >= trustedAfter }

// contradicted tells whether b, what comes next, cannot be an FPDU.
func (s *stream) contradicted(b []byte) bool {
	b = b[min(len(b), s.leading()):]
	return len(b) >= wordLen && !begins(b)
}

// leading is the length of the Marker at the place that the Deframer has reached: 4 or 0.
func (s *stream) leading() int {
	if s.terms.markers.Setting == On && s.deframer.Pos()%mpa.MarkerSpacing == 0 {
		return mpa.MarkerLen
	}
	return 0
}

// headerRoom is more octets than a DDP header needs, with ULPDU_Length and Markers.
const headerRoom = 32

// suspects looks at the header of the FPDU in progress, unless CRCs will show whether it was one. It tells whether that
// cannot be one, so that nobody should wait for its end, which a wrong ULPDU_Length may have put far away.
func (e *Engine) suspects(s *stream) bool {
	f := &e.trial.fpdu
	if s.terms.crc.Setting == On && !s.doubt {
		return false
	}
	if !s.deframer.Partial(f) || len(f.ULPDU) < ddp.HeaderLen(f.ULPDU) {
		return false
	}
	var h rdmap.Header
	h.Decode(f.ULPDU)
	return !plausible(&h, f.ULPDULength, s.version)
}

// isBegun tells whether b, the begin of a TCP segment, begins with an FPDU, as far as can be seen from its header.
func (s *stream) isBegun(b []byte) bool {
	b = b[min(len(b), s.leading()):]
	var h rdmap.Header
	if len(b) < wordLen || !begins(b) {
		return false
	}
	_, err := h.Decode(b[2:])
	return err == nil && plausible(&h, uint16(word(b)>>16), s.version)
}
