package framing

// Reading FPDUs: what is known of a stream of them, and whether what a Deframer cuts out of it can be one.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A stream is the FPDUs of a direction.
type stream struct {
	terms   Terms
	settled bool  // CRCs and Markers are known to be on or off
	untried bool  // nothing has come that shows whether Markers are as they were agreed on
	version uint8 // of DDP and RDMAP
	phased  bool  // Markers, if there are any, stand at multiples of 512 octets from origin

	deframer mpa.Deframer
	origin   uint64      // place in the TCP stream of octet 0 of the FPDU stream
	start    uint64      // place in the FPDU stream at which reading began, latest
	end      uint64      // offset in the TCP stream behind the latest octets
	latest   record.Span // of the latest octets, or of the MPA frame before them

	piece   reassembly.Piece // being read
	from    uint64           // its place in the FPDU stream
	entered bool             // there is a piece
	begun   bool             // the Deframer has it
	waited  bool             // it is the one taken from the backlog
	ahead   bool             // Known.Ahead when it came, if it waited

	started record.Span // of the FPDU that is not whole yet
	acked   uint64      // Known.Acked when that began

	good       bool   // there was an FPDU with a good CRC
	doubt      bool   // the CRC of the latest FPDU was bad: perhaps its ULPDU_Length was
	suspect    bool   // the FPDU in progress has a header that cannot be one
	unanchored bool   // FPDUs were found by themselves rather than behind others or behind an MPA frame
	credible   int    // FPDUs since then whose header or CRC is right
	bad        int    // bad CRCs while it is not known whether CRCs are on
	passed     uint64 // octets passed over since framing was lost
	before     [Queues]standing
}

// trustedAfter is how many credible FPDUs in a row show that an unanchored stream is read rightly.
const trustedAfter = 16

// wrongCRCs is how many bad CRCs, and no good one, show that CRCs are off.
const wrongCRCs = 3

// headerRoom is more octets than a DDP header needs, with ULPDU_Length and Markers.
const headerRoom = 32

// readFrom begins to read FPDUs at l.
func (d *Direction) readFrom(l *syncPoint) {
	if d.stream == nil {
		d.stream = new(stream)
	}
	s := d.stream
	*s = stream{deframer: s.deframer, latest: d.frame}
	s.lock(l)
	d.state = reading
}

// lock makes the Deframer begin at l.
func (s *stream) lock(l *syncPoint) {
	s.terms, s.origin, s.phased = l.terms, l.origin, l.phased
	s.settled = s.terms.settled()
	s.untried = s.terms.Markers.From == record.Negotiated
	s.version, _ = s.terms.Version()
	s.start = l.offset - l.origin
	s.deframer.ResetAt(mpa.Options{Markers: s.terms.Markers.Setting == On, CRC: s.terms.CRC.Setting != Off}, s.start)
}

// enter makes p, which has not waited, the piece to read.
func (s *stream) enter(p *reassembly.Piece) {
	s.piece, s.entered, s.begun, s.waited, s.ahead = *p, true, false, false, false
}

// read reads on in the piece up to the end of an FPDU, or to a note. It returns false if there is nothing more in it.
func (d *Direction) read(out *Output) bool {
	s := d.stream
	if !s.begun {
		if s.begun = true; d.beginPiece(out) {
			return true
		}
	}
	f := &out.Segment.FPDU
	if s.deframer.Next(f) {
		span := s.latest
		out.Segment.Place = record.Place{End: s.origin + f.End, Acked: d.known.Acked}
		if f.Start < s.from {
			span.Include(s.started)
			out.Segment.Acked = s.acked
		}
		if !d.accept(out) {
			d.lose(out, f, span)
			return true
		}
		out.Kind, out.Segment.Span = FPDU, span
		return true
	}
	s.entered = false
	return d.endPiece(out)
}

// beginPiece gives the piece to the Deframer. It returns true if there is a note about that.
func (d *Direction) beginPiece(out *Output) (noted bool) {
	s, p := d.stream, &d.stream.piece
	s.from = s.deframer.Pos()
	if p.Data == nil {
		s.deframer.Skip(p.Hole)
		d.missing += p.Hole
		return false
	}
	if s.suspect && s.isBegin(p.Data) {
		d.loseBegun(out)
		return true
	}
	if s.untried {
		noted = d.tryMarkers(out)
	}
	s.latest = record.At(p.Frame, p.Time)
	s.end = p.Offset + uint64(len(p.Data))
	s.deframer.Push(p.Data)
	return noted
}

// endPiece looks at the FPDU that is in progress at the end of the piece. It returns true if framing is lost.
func (d *Direction) endPiece(out *Output) bool {
	s := d.stream
	if s.piece.Data == nil && s.deframer.Lost() {
		d.lost(out, s.deframer.Passed(), s.piece.Hole, s.latest, 0)
		return true
	}
	start, ok := s.deframer.InProgress()
	switch {
	case !ok:
		s.suspect = false
	case start >= s.from:
		s.started, s.acked = s.latest, d.known.Acked
		s.suspect = d.suspects()
	default:
		s.started.Include(s.latest)
		s.suspect = s.suspect || s.from-start < headerRoom && d.suspects()
	}
	if s.suspect && (s.doubt || !s.isTrusted()) {
		d.loseBegun(out)
		return true
	}
	return false
}

// accept decodes the DDP segment in an FPDU and fills in the Segment. It returns false if that cannot be an FPDU.
func (d *Direction) accept(out *Output) bool {
	s, ev := d.stream, &out.Segment
	f := &ev.FPDU
	if !s.settled {
		s.observe(out)
	}
	_, ev.Err = ev.RDMAP.Decode(f.ULPDU)
	if f.Verdict == mpa.Good {
		s.credible++
		s.good, s.doubt = true, false
	} else {
		if !s.isCredible(ev) {
			return false
		}
		s.doubt = f.Verdict == mpa.Bad
	}
	if ev.Err == nil {
		h := &ev.RDMAP.Header
		s.before[QueueOf(h)] = standingOf(h, uint64(max(0, int(f.ULPDULength)-h.Len())))
	}
	k := &d.known
	ev.Ahead, ev.Late, ev.Blind = s.ahead || k.Ahead, k.Received >= s.end && k.Received > 0, k.Blind
	out.Doubtful = s.doubt && s.good
	return true
}

// observe learns from an FPDU what its stream has not shown yet.
func (s *stream) observe(out *Output) {
	f := &out.Segment.FPDU
	if s.terms.CRC.Setting == Unset && f.Verdict != mpa.Unchecked {
		if f.Verdict == mpa.Good {
			s.terms.CRC, out.CRC = Term{On, record.Inferred}, true
		} else if s.bad++; s.bad == wrongCRCs {
			s.terms.CRC, out.CRC = Term{Off, record.Inferred}, true
			s.deframer.SetCRC(false)
		}
		if f.Verdict == mpa.Bad {
			f.Verdict, f.WantCRC = mpa.Unchecked, 0
		}
	}
	if s.terms.Markers.Setting == Unset && s.credible > 0 && f.End-s.start > mpa.MarkerSpacing {
		s.terms.Markers.Set(Off, record.Inferred)
		out.Learned = true
	}
	s.settled = s.terms.settled()
}

// isCredible reports whether an FPDU is one, rather than what a wrong ULPDU_Length makes of other octets.
func (s *stream) isCredible(ev *record.Segment) bool {
	h, f, p := &ev.RDMAP.Header, &ev.FPDU, &s.piece
	headerCut := f.Missing > 0 && len(f.ULPDU) < h.Len()
	switch {
	case headerCut || plausible(h, f.ULPDULength, s.version):
		s.credible++
		return true
	case f.Verdict == mpa.Bad:
		return !s.doubt
	}
	end := min(f.End-(p.Offset-s.origin), uint64(len(p.Data)))
	return s.isTrusted() && !s.contradicts(p.Data[end:])
}

// isTrusted reports whether it is beyond doubt that FPDUs are found where they are.
func (s *stream) isTrusted() bool { return !s.unanchored || s.credible >= trustedAfter }

// contradicts reports whether b, what comes next, cannot be an FPDU.
func (s *stream) contradicts(b []byte) bool {
	b = b[min(len(b), s.leading()):]
	return len(b) >= wordLen && !beginsFPDU(b)
}

// leading is the length of the Marker at the place that the Deframer has reached: 4 or 0.
func (s *stream) leading() int {
	if s.terms.Markers.Setting == On && s.deframer.Pos()%mpa.MarkerSpacing == 0 {
		return mpa.MarkerLen
	}
	return 0
}

// suspects looks at the header of the FPDU in progress, unless CRCs will show whether it was one. It reports whether that
// cannot be one, so that nobody should wait for its end, which a wrong ULPDU_Length may have put far away.
func (d *Direction) suspects() bool {
	s, f := d.stream, &d.shared.trial.fpdu
	if s.terms.CRC.Setting == On && !s.doubt {
		return false
	}
	if !s.deframer.Partial(f) || len(f.ULPDU) < ddp.HeaderLen(f.ULPDU) {
		return false
	}
	var h rdmap.Header
	h.Decode(f.ULPDU)
	return !plausible(&h, f.ULPDULength, s.version)
}

// isBegin reports whether b, the begin of a TCP segment, begins with an FPDU, as far as its header shows.
func (s *stream) isBegin(b []byte) bool {
	b = b[min(len(b), s.leading()):]
	var h rdmap.Header
	if len(b) < wordLen || !beginsFPDU(b) {
		return false
	}
	_, err := h.Decode(b[2:])
	return err == nil && plausible(&h, uint16(word(b)>>16), s.version)
}
