package dissect

// Full operation: the FPDUs of one direction, and how to find them again after octets that the capture does not have.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
)

// A stream is one direction in full operation.
type stream struct {
	deframer mpa.Deframer
	opts     mpa.Options
	version  uint8  // of DDP and RDMAP
	begun    Span   // of the FPDU that is not whole yet
	latest   Span   // of the latest octets, or of the MPA frame before them
	end      uint64 // offset behind the latest octets
	passed   uint64 // octets passed over while lost that were reported
	doubt    bool   // the CRC of the latest FPDU was bad: perhaps its ULPDU_Length was
	good     bool   // there was an FPDU with a good CRC
	messages assembler
}

// operate begins full operation.
func (h *half) operate(opts mpa.Options, version uint8) {
	if h.stream == nil {
		h.stream = new(stream)
	}
	s := h.stream
	*s = stream{deframer: s.deframer, opts: opts, version: version, latest: h.start.frame}
	s.deframer.Reset(opts)
	h.phase = full
}

// fpdus decodes the next piece of a stream of FPDUs.
func (e *Engine) fpdus(h *half, p *reassembly.Piece) {
	s := h.stream
	from := s.deframer.Pos()
	wasLost := s.deframer.Lost()
	if p.Data == nil {
		s.deframer.Skip(p.Hole)
		h.traffic.MissingOctets += p.Hole
	} else {
		s.latest = spanOf(p)
		s.end = p.Offset + uint64(len(p.Data))
		if wasLost && e.resumesAt(s, p.Data) {
			e.resume(h)
		}
		s.deframer.Push(p.Data)
	}
	f := &e.event.segment.FPDU
	for s.deframer.Next(f) {
		span := s.latest
		if f.Start < from {
			span.Include(s.begun)
		}
		e.segment(h, span)
	}
	if s.doubt {
		e.doubt(h)
	}
	if start, ok := s.deframer.InProgress(); ok {
		if start >= from {
			s.begun = s.latest
		} else {
			s.begun.Include(s.latest)
		}
	}
	if !wasLost && p.Data == nil && s.deframer.Lost() {
		s.messages.gap()
		e.note(h, FramingLost, p.Hole, s.latest)
	}
}

// resume goes on decoding: an FPDU begins with the next octet.
func (e *Engine) resume(h *half) {
	s := h.stream
	s.deframer.Resume()
	passed := s.deframer.Passed() - s.passed
	s.passed = s.deframer.Passed()
	h.traffic.Undecoded += passed
	e.note(h, FramingFound, passed, s.latest)
}

// resumesAt tells whether b, the octets of a TCP segment behind a gap, begins with an FPDU: senders align FPDUs to TCP
// segments where they can (RFC 5044, section 4.5). All that a header says must be right, and if CRCs are on and the
// whole FPDU is there, its CRC too.
func (e *Engine) resumesAt(s *stream, b []byte) bool {
	e.probe.deframer.ResetAt(s.opts, s.deframer.Pos())
	e.probe.deframer.Push(b)
	f := &e.probe.fpdu
	if !e.probe.deframer.Next(f) {
		const beyondAnyFPDU = 1 << 17
		e.probe.deframer.Skip(beyondAnyFPDU)
		if !e.probe.deframer.Next(f) {
			return false
		}
	}
	if f.Verdict == mpa.Bad && s.good { // a sender whose CRCs are always wrong is believed without them
		return false
	}
	return f.BadMarkers == 0 && s.plausible(&f.FPDU)
}

// plausible tells whether the headers of an FPDU are those of an RDMAP message of this stream.
func (s *stream) plausible(f *mpa.FPDU) bool {
	var h rdmap.Header
	n, err := h.Decode(f.ULPDU)
	return err == nil && n <= int(f.ULPDULength) && f.ULPDULength <= mpa.MaxULPDU && h.Check() == nil &&
		h.DV() == s.version && h.Control.RV == s.version
}

// segment takes in one FPDU and the DDP segment in it, which are in e.event.segment.
func (e *Engine) segment(h *half, span Span) {
	t, ev := h.traffic, &e.event.segment
	f := &ev.FPDU
	if h.stream.doubt && f.Verdict == mpa.Bad && !h.stream.plausible(&f.FPDU) {
		e.lose(h, f, span)
		return
	}
	h.stream.doubt = f.Verdict == mpa.Bad
	h.stream.good = h.stream.good || f.Verdict == mpa.Good
	t.FPDUs++
	t.CRC[f.Verdict]++
	t.Markers += uint64(f.Markers)
	ev.Origin = Origin{h.tcp.conn, h.direction(), span}
	ev.Ahead, ev.Late = h.start.ahead || h.ahead(), h.peer.acks && int32(h.peer.acked-h.asm.Seq(h.stream.end)) >= 0
	_, ev.Err = ev.RDMAP.Decode(f.ULPDU)
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
		e.note(h, BadMarkers, uint64(f.BadMarkers), span)
	}
	if whole {
		e.assemble(h, ev)
	}
}

// doubt looks at the FPDU in progress behind one with a bad CRC: what a wrong ULPDU_Length makes of it may be long, and
// nobody should wait for its end.
func (e *Engine) doubt(h *half) {
	s, f := h.stream, &e.probe.fpdu
	if !s.deframer.Partial(f) || len(f.ULPDU) < ddp.HeaderLen(f.ULPDU) || s.plausible(&f.FPDU) {
		return
	}
	f.End = f.Start + uint64(s.deframer.Pending())
	e.lose(h, f, s.latest)
}

// lose gives up an FPDU that cannot be one: its CRC is wrong, its headers are nonsense, and so was the CRC before it. A
// ULPDU_Length was damaged, and where FPDUs begin is not known any more.
func (e *Engine) lose(h *half, f *mpa.Deframed, span Span) {
	h.stream.doubt = false
	h.stream.deframer.Lose()
	h.traffic.Undecoded += f.End - f.Start
	h.stream.messages.gap()
	e.note(h, FramingLost, f.End-f.Start, span)
}

// leave ends a direction: what is not whole is reported.
func (e *Engine) leave(h *half) {
	h.passOver(len(h.start.carry))
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
	if left := s.deframer.Passed() - s.passed; left > 0 {
		h.traffic.Undecoded += left
		e.note(h, Undecoded, left, s.latest)
	}
	if left := uint64(s.deframer.Pending()); left > 0 {
		h.traffic.Undecoded += left
		e.unfinished(h, left)
	}
	h.stream = nil
}

// unfinished reports an FPDU whose end never came.
func (e *Engine) unfinished(h *half, octets uint64) {
	ulpdu, ok := h.stream.deframer.ULPDULength()
	if !ok {
		ulpdu = -1
	}
	e.event.note = Note{Origin: Origin{h.tcp.conn, h.direction(), h.stream.begun}, Kind: Unfinished, Octets: octets, ULPDU: ulpdu}
	e.sink.Note(&e.event.note)
}
