// Package framing finds the FPDUs (RFC 5044) in the octets of one direction of a TCP connection: where the MPA frames
// say that they begin, without any MPA frames, and again after a hole or a damaged ULPDU_Length.
//
// A [Direction] takes the pieces of the reassembled stream and gives FPDUs, and notes about what it could not read:
//
//	d.Push(&piece)
//	for d.Next(&out) {
//		use(&out)
//	}
//
// It asks the other direction only for its progress.
package framing

import (
	"iter"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// state is what becomes of the octets of a Direction.
type state uint8

const (
	off     state = iota // they are ignored
	passive              // FPDUs are looked for among them, for an MPA frame may have been missed
	gaveUp               // passive synchronisation found nothing
	waiting              // they wait: this side's MPA frame was seen, the other's was not
	reading              // they are FPDUs
	lost                 // FPDUs are looked for among them, after others
)

// A Direction reads the FPDUs of one direction. Octets are ignored until Listen or Await.
type Direction struct {
	Progress // of the sender; to be kept up to date by the caller, like Known
	Known

	peer     *Direction // the other direction
	state    state
	due      bool // a search may find something
	forced   bool // search even if little waits
	last     bool // nothing will follow
	backlog  backlog
	listened int       // octets since Listen
	begin    uint64    // place in the TCP stream of the octet after the MPA frame
	frame    flow.Span // of the MPA frame
	stream   *stream   // once FPDUs were found

	undecoded, missing uint64
}

// Init makes d ready for a new stream, whose other direction is peer.
func (d *Direction) Init(s *Shared, peer *Direction) {
	*d = Direction{peer: peer, backlog: backlog{shared: s}}
}

// isAhead reports whether the sender has acknowledged octets of the other side that have not come, or wait to be decoded.
func (d *Direction) isAhead() bool {
	next := d.peer.Reached
	if b := &d.peer.backlog; !b.empty() {
		next = b.offset()
	}
	if d.peer.HasFIN {
		next++ // it counts as an octet
	}
	return d.HasAcked && d.Acked > next
}

// isAlone reports whether the sender has acknowledged something, and nothing of the other side has come.
func (d *Direction) isAlone() bool { return d.HasAcked && d.peer.Reached == 0 && !d.peer.HasAcked }

// isBlind reports whether the sender has acknowledged no octet after the other side's MPA frame.
func (d *Direction) isBlind() bool {
	return d.HasAcked && d.peer.begin > 0 && d.Acked <= d.peer.begin
}

// Listen begins passive synchronisation, if neither that nor reading has begun: an MPA frame may have been missed.
func (d *Direction) Listen() {
	if d.state == off {
		d.state = passive
	}
}

// Listened returns how many octets were pushed since Listen, without any FPDU found.
func (d *Direction) Listened() int { return d.listened }

// Await makes octets wait after an MPA frame, which ends at an offset of the TCP stream, until Begin says how they are to
// be read.
func (d *Direction) Await(offset uint64, frame flow.Span) {
	d.Discard()
	d.state, d.begin, d.frame = waiting, offset, frame
}

// Begin begins to read FPDUs after the MPA frame.
func (d *Direction) Begin(t *Terms) {
	d.readFrom(&syncPoint{offset: d.begin, origin: d.begin, phased: true, terms: *t})
}

// Discard drops what waits. Octets are ignored from now on.
func (d *Direction) Discard() {
	d.backlog.free()
	d.state, d.listened = off, 0
}

// Abandon is Discard for what waits for the other side's MPA frame. It returns how many octets that is.
func (d *Direction) Abandon() (octets uint64) {
	octets, missing := d.backlog.pass(len(d.backlog.octets))
	d.missing += missing
	d.Discard()
	return octets
}

// IsOn reports whether octets are not ignored.
func (d *Direction) IsOn() bool { return d.state != off }

// FrameEnd returns the offset in the TCP stream after the latest MPA frame; 0 if there was none.
func (d *Direction) FrameEnd() uint64 { return d.begin }

// Held yields the pieces that wait.
func (d *Direction) Held() iter.Seq[*reassembly.Piece] {
	return func(yield func(*reassembly.Piece) bool) {
		var p reassembly.Piece
		for b := d.backlog; !b.empty(); {
			if b.take(&p); !yield(&p) {
				return
			}
		}
	}
}

// ReadTerms returns how FPDUs are read, once some were found.
func (d *Direction) ReadTerms() *Terms { return &d.stream.terms }

// SetCRC reports whether CRCs are on, if FPDUs are read already.
func (d *Direction) SetCRC(on Term) {
	if s := d.stream; s != nil {
		s.terms.CRC = on
		s.deframer.SetCRC(on.Setting == On)
	}
}

// Undecoded returns how many captured octets were passed over after the first FPDU.
func (d *Direction) Undecoded() uint64 { return d.undecoded }

// Missing returns how many octets after the start of FPDUs the capture does not have.
func (d *Direction) Missing() uint64 { return d.missing }

// Push gives the next piece of the TCP stream. Call Next until it returns false before p and its octets change.
func (d *Direction) Push(p *reassembly.Piece) {
	switch d.state {
	case off:
		return
	case reading:
		if !d.stream.untried || d.backlog.empty() && len(p.Data) >= firstHeader {
			d.stream.enter(p)
			return
		}
	case passive, gaveUp:
		d.listened += len(p.Data)
		if d.state == gaveUp || p.Data == nil && d.backlog.empty() {
			return
		}
	case lost:
		if p.Data == nil && d.backlog.empty() {
			d.missing += p.Hole
			return
		}
	}
	d.backlog.add(p, false, d.isAhead() || d.state == waiting && d.isAlone())
	d.due = true
}

// Check reports whether b, which is to be pushed next, consists of whole FPDUs with good CRCs. If so, Next does not compute
// these CRCs again. It may return false in cases of doubt.
func (d *Direction) Check(b []byte) bool {
	return d.state == reading && !d.stream.entered && d.backlog.parcels == nil && d.stream.deframer.Check(b)
}

// Search looks for FPDUs in what waits, since more is Known than before. last says that nothing will follow. Call
// Next afterwards.
func (d *Direction) Search(last bool) {
	d.last = last
	if d.state == gaveUp {
		d.state = passive
	}
	d.due = d.state != reading
	d.forced = d.due
}

// Next sets out to what was found next. It returns false when more octets are needed. The octets of a Segment are valid
// until the next call.
func (d *Direction) Next(out *Output) bool {
	out.CRC = false
	if d.state != reading {
		return d.due && d.search(out)
	}
	for s := d.stream; s.entered || d.backlog.parcels != nil && d.takeWaiting(); {
		if !s.begun {
			if s.begun = true; d.beginPiece(out) {
				return true
			}
		}
		if f := &out.Segment.FPDU; s.deframer.Next(f) {
			if f.End == s.from+uint64(len(s.piece.Data)) { // the piece ends with it
				s.entered, s.suspect = false, false
			}
			d.deliver(out)
			return true
		}
		if s.entered = false; d.endPiece(out) {
			return true
		}
	}
	return false
}

// takeWaiting goes on with the next piece that waits.
func (d *Direction) takeWaiting() bool {
	s, b := d.stream, &d.backlog
	switch {
	case b.empty():
		b.free()
		return false
	case s.untried && d.awaitsHeader():
		return false
	}
	s.piece = &b.shared.taken
	s.ahead = b.take(s.piece)
	s.entered, s.begun, s.waited = true, false, true
	return true
}

// enter makes p, which has not waited, the piece to read.
func (s *stream) enter(p *reassembly.Piece) {
	s.piece, s.entered, s.begun, s.waited, s.ahead = p, true, false, false, false
}

// deliver decodes the DDP segment in the FPDU that was cut out of the stream, and sets out to both. If that cannot be an
// FPDU, out is a note.
func (d *Direction) deliver(out *Output) {
	s, ev := d.stream, &out.Segment
	f := &ev.FPDU
	ev.Span, ev.End, ev.Acked = s.latest, s.origin+f.End, d.Acked
	if f.Start < s.from {
		ev.Span.Include(s.started)
		ev.Acked = s.acked
	}
	switch {
	case s.terms.CRC.Setting == Unset:
		s.observe(out)
	case f.Verdict == mpa.Bad && !s.good && s.terms.Markers.Setting == Unset: // it may lack a Marker that the CRC covers
		f.Verdict, f.WantCRC = mpa.Unchecked, 0
	}
	_, ev.Err = ev.RDMAP.Decode(f.ULPDU)
	ev.Inner = 0
	if f.Verdict == mpa.Bad && s.good && !s.doubt && s.terms.Markers.Setting != On {
		ev.Inner = innerOf(f)
	}
	switch {
	case f.Verdict == mpa.Good:
		s.credible++
		s.good, s.doubt = true, false
	case s.isCredible(ev):
		s.doubt = f.Verdict == mpa.Bad
	default:
		d.lose(out, f, ev.Span)
		return
	}
	if ev.Err == nil {
		s.remember(&ev.RDMAP.Header)
	}
	ev.Ahead, ev.Late, ev.Blind = s.ahead || d.isAhead(), d.peer.Acked >= s.end, d.isBlind()
	out.Kind, out.Doubtful = FPDU, s.doubt && s.good
}

// beginPiece gives the piece to the Deframer. It returns true if there is a note about that.
func (d *Direction) beginPiece(out *Output) (noted bool) {
	s, p := d.stream, d.stream.piece
	s.from = s.deframer.Pos()
	if p.Data == nil {
		s.untried = false
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
	s.latest = flow.At(p.Frame, p.Time)
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
		s.started, s.acked = s.latest, d.Acked
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

// Close ends the direction. It returns true if out is a note about octets that belong to no FPDU.
func (d *Direction) Close(out *Output) bool {
	defer d.backlog.free()
	s := d.stream
	switch {
	case d.state == lost:
		d.pass(len(d.backlog.octets))
		d.undecoded += s.passed
		out.note(record.Undecoded, s.passed, s.latest)
		return s.passed > 0
	case d.state == reading:
		octets := uint64(s.deframer.Pending())
		d.undecoded += octets
		out.note(record.Unfinished, octets, s.started)
		if octets == 0 {
			return false
		}
		f := new(mpa.Deframed)
		if !s.deframer.Partial(f) {
			return true
		}
		f.ULPDU, f.PAD = nil, nil
		out.Note.FPDU, out.Note.Due = f, s.deframer.Due()
		if !s.doubt && s.isTrusted() && s.terms.Markers.Setting != On && s.terms.CRC.Setting == On {
			out.Note.Inner, out.Note.Begun = begun(s.deframer.Held())
		}
		return true
	}
	return false
}
