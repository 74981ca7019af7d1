package framing

// Reading FPDUs: what is known of a stream of them, and whether what a Deframer cuts out of it can be one.

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A stream is the FPDUs of a direction.
type stream struct {
	terms    Terms
	version  uint8 // of DDP and RDMAP
	deframer mpa.Deframer
	origin   uint64            // place in the TCP stream of octet 0 of the FPDU stream
	start    uint64            // place in the FPDU stream at which reading began, latest
	end      uint64            // offset in the TCP stream after the latest octets
	latest   flow.Span         // of the latest octets, or of the MPA frame before them
	piece    *reassembly.Piece // to be read, if entered
	from     uint64            // place of the piece in the FPDU stream
	started  flow.Span         // of the FPDU that is not whole yet
	acked    uint64            // Progress.Acked when that began
	passed   uint64            // octets passed over since framing was lost
	credible int               // FPDUs since framing was found, whose header or CRC is right
	bad      int               // bad CRCs while it is not known whether CRCs are on
	before   [Queues]uint32    // STag or MSN of the latest segment of a queue
	seen     [Queues]bool      // there was one

	entered bool // there is a piece to read
	begun   bool // the Deframer has it
	waited  bool // it was taken from the backlog
	ahead   bool // isAhead when it came, if it waited

	untried    bool // nothing has come that shows whether Markers are as they were agreed on
	phased     bool // Markers, if there are any, stand at multiples of 512 octets from origin
	good       bool // there was an FPDU with a good CRC
	doubt      bool // the CRC of the latest FPDU was bad: perhaps its ULPDU_Length was
	suspect    bool // the FPDU in progress has a header that cannot be one
	misframed  bool // no FPDU stood where one had to: those that follow need not begin at multiples of four octets
	unanchored bool // FPDUs were found by themselves rather than after others or after an MPA frame
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
	s.version, _ = s.terms.Version()
	s.start = l.offset - l.origin
	s.untried = s.start == 0 && s.terms.Markers.From == flow.Negotiated
	s.deframer.ResetAt(mpa.Options{Markers: s.terms.Markers.Setting == On, CRC: s.terms.CRC.Setting != Off}, s.start)
}

// observe learns from an FPDU whether CRCs are on.
func (s *stream) observe(out *Output) {
	f := &out.Segment.FPDU
	switch f.Verdict {
	case mpa.Good:
		s.terms.CRC, out.CRC = Term{On, flow.Inferred}, true
	case mpa.Bad:
		if s.bad++; s.bad == wrongCRCs {
			s.terms.CRC, out.CRC = Term{Off, flow.Inferred}, true
			s.deframer.SetCRC(false)
		}
		f.Verdict, f.WantCRC = mpa.Unchecked, 0
	}
}

// remember remembers a segment as the latest of its queue.
func (s *stream) remember(h *rdmap.Header) {
	q := QueueOf(h)
	if s.seen[q] = true; h.T {
		s.before[q] = h.Tagged.STag
	} else {
		s.before[q] = h.Untagged.MSN
	}
}

// isCredible reports whether an FPDU is one, rather than what a wrong ULPDU_Length makes of other octets.
func (s *stream) isCredible(ev *record.Segment) bool {
	h, f, p := &ev.RDMAP.Header, &ev.FPDU, s.piece
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
	return len(b) >= wordLen && !beginsFPDU(b) && (s.terms.Markers.Setting == On || !fills(b))
}

// fills reports whether b consists of FPDUs without Markers, by their lengths: their headers may be wrong.
func fills(b []byte) bool {
	for len(b) >= wordLen {
		n := mpa.FPDULen(int(word(b) >> 16))
		if n > len(b) {
			return false
		}
		b = b[n:]
	}
	return len(b) == 0
}

// revise takes back what was inferred of Markers, for what comes next contradicts it, and so little was read that it may
// have been wrong.
func (d *Direction) revise() {
	if s := d.stream; s.terms.Markers.From == flow.Inferred && !s.good && s.credible < trustedAfter {
		s.terms.Markers, s.phased = Term{}, d.begin > 0 && s.origin == d.begin
	}
}

// leading is the length of the Marker at the place that the Deframer has reached: 4 or 0.
func (s *stream) leading() int {
	if s.terms.Markers.Setting == On && s.deframer.Pos()%mpa.MarkerSpacing == 0 {
		return mpa.MarkerLen
	}
	return 0
}

// suspects looks at the header of the FPDU in progress, unless CRCs will show whether it was one. It reports whether that
// cannot be one, so that it is not worth waiting for its end, which a wrong ULPDU_Length may have put far away.
func (d *Direction) suspects() bool {
	s, f := d.stream, &d.backlog.shared.trial.fpdu
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

// isNear reports whether a segment has the STag of the latest of its queue, or an MSN not far from that.
func (s *stream) isNear(queue int, h *rdmap.Header) bool {
	const far = 1 << 16
	before := s.before[queue]
	return s.seen[queue] && (h.T && h.Tagged.STag == before || !h.T && h.Untagged.MSN-before < far)
}

// isBegin reports whether b, the start of a TCP segment, begins with an FPDU, as far as its header shows. The payload of a long
// FPDU may look like one, so the segment has to be near others, or an FPDU has to end where the TCP segment does.
func (s *stream) isBegin(b []byte) bool {
	b = b[min(len(b), s.leading()):]
	var h rdmap.Header
	if len(b) < wordLen || !beginsFPDU(b) {
		return false
	}
	if _, err := h.Decode(b[2:]); err != nil || !plausible(&h, uint16(word(b)>>16), s.version) {
		return false
	}
	for rest := b; len(rest) >= wordLen && beginsFPDU(rest); {
		n := mpa.FPDULen(int(word(rest) >> 16))
		if n == len(rest) {
			return true
		}
		rest = rest[min(n, len(rest)):]
	}
	return s.isNear(QueueOf(&h), &h)
}

// maxInner is how many octets are looked into for one FPDU within another.
const maxInner = 1 << 20

// inner finds the first whole FPDU with a good CRC after the ULPDU_Length of b, the octets of an FPDU without Markers. It
// returns how many octets stand before it; 0 if there is none.
func inner(b []byte) int {
	for at, effort := 2, 0; at+wordLen <= len(b) && effort < maxInner; at++ {
		if !beginsFPDU(b[at:]) || !isHeader(b[at:]) {
			continue
		}
		n := mpa.FPDULen(int(word(b[at:]) >> 16))
		if at+n > len(b) {
			continue
		}
		crc := at + n - 4
		if mpa.CRC(b[at:crc]) == binary.LittleEndian.Uint32(b[crc:]) {
			return at
		}
		effort += n
	}
	return 0
}

// begun is inner, with the header of the FPDU before; nil if that is not whole.
func begun(b []byte) (n int, h *rdmap.Header) {
	if n = inner(b); n > wordLen {
		h = new(rdmap.Header)
		if _, err := h.Decode(b[2:n]); err != nil {
			h = nil
		}
	}
	return n, h
}

// innerOf is the same of an FPDU that was cut out of the stream.
func innerOf(f *mpa.Deframed) int {
	b := binary.BigEndian.AppendUint16(nil, f.ULPDULength)
	b = append(append(b, f.ULPDU...), f.PAD...)
	return inner(binary.LittleEndian.AppendUint32(b, f.CRC))
}
