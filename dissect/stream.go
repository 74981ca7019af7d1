package dissect

// Full operation: the FPDUs of one direction.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A stream is one direction in full operation.
type stream struct {
	terms    terms
	settled  bool  // it is known of all terms
	untried  bool  // nothing has come that shows whether Markers are as they were agreed on
	version  uint8 // of DDP and RDMAP
	phased   bool  // Markers, if there are any, stand at multiples of 512 octets from origin
	good     bool  // there was an FPDU with a good CRC
	doubt    bool  // the CRC of the latest FPDU was bad: perhaps its ULPDU_Length was
	suspect  bool  // the FPDU in progress has a header that cannot be one
	lost     bool  // where the next FPDU begins is not known; what may be one waits in the backlog
	alone    bool  // FPDUs were found by themselves rather than behind others or behind an MPA frame
	credible int   // FPDUs since then whose header or CRC is right
	bad      int   // bad CRCs while it is not known whether CRCs are on
	deframer mpa.Deframer
	begun    record.Span // of the FPDU that is not whole yet
	heard    uint64      // what its sender had acknowledged when it began
	latest   record.Span // of the latest octets, or of the MPA frame before them
	end      uint64      // offset behind the latest octets
	origin   uint64      // place in the TCP stream of octet 0 of the FPDU stream
	start    uint64      // place in the FPDU stream at which decoding began, latest
	passed   uint64      // octets passed over since framing was lost
	messages assembler
}

// readFrom begins full operation: FPDUs begin at l.
func (h *half) readFrom(l *lock) {
	if h.stream == nil {
		h.stream = new(stream)
	}
	if h.start.frame == (record.Span{}) {
		h.early = nil // they were FPDUs
	}
	s := h.stream
	*s = stream{deframer: s.deframer, latest: h.start.frame}
	s.lock(l)
	h.phase = full
}

// lock makes the Deframer begin at l.
func (s *stream) lock(l *lock) {
	s.terms, s.origin, s.phased = l.terms, l.origin, l.phased
	s.settled = s.terms.settled()
	s.untried = s.terms.markers.from == record.Negotiated
	s.version, _ = s.terms.version()
	s.start = l.offset - l.origin
	s.deframer.ResetAt(mpa.Options{Markers: s.terms.markers.Setting == On, CRC: s.terms.crc.Setting != Off}, s.start)
}

// deframe cuts FPDUs out of the next piece. If framing is lost, rest is how many octets at its end have still to be
// looked through.
func (e *Engine) deframe(h *half, p *reassembly.Piece) (rest int) {
	s := h.stream
	from := s.deframer.Pos()
	if p.Data == nil {
		s.deframer.Skip(p.Hole)
		h.traffic.MissingOctets += p.Hole
	} else {
		if s.suspect && s.isBegun(p.Data) {
			return e.loseBegun(h, from, p)
		}
		if s.untried {
			e.tryMarkers(h, p)
		}
		s.latest = record.At(p.Frame, p.Time)
		s.end = p.Offset + uint64(len(p.Data))
		s.deframer.Push(p.Data)
	}
	f := &e.event.segment.FPDU
	for s.deframer.Next(f) {
		span := s.latest
		e.event.segment.Place = record.Place{End: s.origin + f.End, Acked: h.acknowledged()}
		if f.Start < from {
			span.Include(s.begun)
			e.event.segment.Acked = s.heard
		}
		if !e.segment(h, span, p) {
			return e.lose(h, f, from, p, span)
		}
	}
	if p.Data == nil && s.deframer.Lost() {
		e.lost(h, s.deframer.Passed(), p.Hole, s.latest)
		return 0
	}
	start, ok := s.deframer.InProgress()
	switch {
	case !ok:
		s.suspect = false
	case start >= from:
		s.begun, s.heard = s.latest, h.acknowledged()
		s.suspect = e.suspects(s)
	default:
		s.begun.Include(s.latest)
		s.suspect = s.suspect || from-start < headerRoom && e.suspects(s)
	}
	if s.suspect && (s.doubt || !s.trusted()) {
		return e.loseBegun(h, from, p)
	}
	return 0
}

// segment takes in one FPDU, which ends in p, and the DDP segment in it; they are in e.event.segment. It is false if that
// cannot be an FPDU.
func (e *Engine) segment(h *half, span record.Span, p *reassembly.Piece) bool {
	s, t, ev := h.stream, h.traffic, &e.event.segment
	f := &ev.FPDU
	if !s.settled {
		e.observe(h, f)
	}
	_, ev.Err = ev.RDMAP.Decode(f.ULPDU)
	if f.Verdict == mpa.Good {
		s.credible++
		s.good, s.doubt = true, false
	} else {
		if !e.isCredible(s, f, p) {
			return false
		}
		s.doubt = f.Verdict == mpa.Bad
	}
	t.CRC[f.Verdict]++
	t.Markers += uint64(f.Markers)
	ev.Ahead, ev.Late, ev.Blind = h.start.ahead || e.ahead(h), h.late(s.end), h.blind()
	e.decoded(h, span)
	if s.doubt && s.good {
		s.messages.doubt()
	}
	return true
}

// decoded reports the segment in e.event.segment, and the message that it ends.
func (e *Engine) decoded(h *half, span record.Span) {
	s, t, ev := h.stream, h.traffic, &e.event.segment
	f := &ev.FPDU
	t.FPDUs++
	ev.Origin = record.Origin{Conn: h.pair.conn, Dir: h.direction(), Span: span}
	if len(f.ULPDU) > rdmap.ControlOff {
		t.Segments[ev.RDMAP.Control.Opcode]++
	}
	whole := ev.Err == nil
	if whole && f.Missing == 0 {
		ev.Err = ev.RDMAP.CheckBody()
	}
	if ev.Err != nil && (f.Missing == 0 || int(f.ULPDULength) < ev.RDMAP.Header.Len()) {
		t.Malformed++
	}
	e.sink.Segment(ev)
	if f.BadMarkers > 0 {
		e.note(h, record.BadMarkers, uint64(f.BadMarkers), span)
	}
	if whole {
		e.assemble(h, ev)
	} else if f.Missing > 0 {
		s.messages.gap()
	}
}

// leave ends a direction: what is not whole is reported.
func (e *Engine) leave(h *half) {
	e.passOverEarly(h, h.start.carry, h.start.carrySpan, h.reached)
	h.start.carry = nil
	e.abandon(h)
	s := h.stream
	if s == nil {
		return
	}
	for _, a := range s.messages.places {
		if a != nil && a.active {
			e.emit(h, a, false)
		}
	}
	if s.lost {
		e.passAll(h)
		if s.passed > 0 {
			h.traffic.Undecoded += s.passed
			e.note(h, record.Undecoded, s.passed, s.latest)
		}
	} else if left := uint64(s.deframer.Pending()); left > 0 {
		h.traffic.Undecoded += left
		e.unfinished(h, left)
	}
	e.free(&h.backlog)
	h.stream = nil
}

// unfinished reports an FPDU whose end never came.
func (e *Engine) unfinished(h *half, octets uint64) {
	ulpdu, ok := h.stream.deframer.ULPDULength()
	if !ok {
		ulpdu = -1
	}
	e.event.note = record.Note{Origin: record.Origin{Conn: h.pair.conn, Dir: h.direction(), Span: h.stream.begun}, Kind: record.Unfinished, Octets: octets, ULPDU: ulpdu}
	e.sink.Note(&e.event.note)
}
