// Package framing finds the FPDUs (RFC 5044) in the octets of one direction of a TCP connection: where the MPA frames say
// that they begin, among octets that nothing is known of, and again behind a hole or a damaged ULPDU_Length.
//
// A [Direction] takes the pieces of the reassembled stream and gives FPDUs, and notes about what it could not read:
//
//	d.Push(&piece, &known)
//	for d.Next(&out) {
//		use(&out)
//	}
//
// It knows nothing of the other direction but what its caller says in [Known].
package framing

import (
	"iter"

	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// Limits on what waits, in octets, with a surcharge for each piece.
const (
	MaxHeld      = 128 << 10 // of one direction: the longest FPDU has half of that
	MaxHeldInAll = 8 << 20   // of all that share a Shared

	// maxListened limits the octets of a direction among which FPDUs are looked for, if the connection is not known to be
	// iWARP. If there are none among them, it is something else.
	maxListened = 128 << 10

	// patience is how many pieces wait for the other side's MPA frame before it counts as lost. A capture may show the two
	// directions out of order.
	patience = 32
)

// Shared is what Directions share that are not used at the same time: the limit on what waits, and memory. The zero value
// is ready for use.
type Shared struct {
	held  int
	trial trial
}

// Hold counts n octets more, or fewer, against [MaxHeldInAll].
func (s *Shared) Hold(n int) { s.held += n }

// Full reports whether more octets wait than may.
func (s *Shared) Full() bool { return s.held > MaxHeldInAll }

// Known is what the caller knows about a direction at the moment.
type Known struct {
	Acked    uint64 // octets of the other direction that the sender has acknowledged
	Received uint64 // octets of this direction that the other side has acknowledged
	Ahead    bool   // the sender has acknowledged octets of the other direction that have not come
	Blind    bool   // the sender has acknowledged no octet behind the other side's MPA frame
	Terms    Terms  // ignored once FPDUs were found
	Unknown  bool   // the connection is not known to be iWARP; ignored once FPDUs were found
}

// A Kind says what an Output is.
type Kind uint8

// The kinds of Output.
const (
	FPDU         Kind = iota // Segment is the next FPDU
	Note                     // Note is about octets that are not decoded, or Markers
	Synchronised             // FPDUs were found although an MPA frame is missing: Note is LockedOn; see Direction.Terms
	Overflow                 // too much waits for the other side's MPA frame: call Abandon
)

// An Output is what a Direction has found. Conn and Dir of Segment and Note are left to the caller.
type Output struct {
	Kind    Kind
	Segment record.Segment // Err is why its headers cannot be decoded; RDMAP's body is not checked
	Note    record.Note

	Doubtful   bool // of an FPDU: its CRC is bad, and CRCs of this direction were good before
	Unanchored bool // of Synchronised: FPDUs may have been missed before those that were found
	CRC        bool // it showed whether CRCs are on, in this direction and the other
	Learned    bool // it showed something else of Direction.Terms
}

// state is what becomes of the octets of a Direction.
type state uint8

const (
	off     state = iota // they are ignored
	passive              // FPDUs are looked for among them, for an MPA frame may have been missed
	gaveUp               // passive synchronisation found nothing
	waiting              // they wait: this side's MPA frame was seen, the other's was not
	reading              // they are FPDUs
	lost                 // FPDUs are looked for among them, behind others
)

// A Direction reads the FPDUs of one direction. Octets are ignored until Listen or Await.
type Direction struct {
	shared   *Shared
	state    state
	known    Known
	backlog  backlog
	due      bool        // a search may find something
	forced   bool        // whatever waits
	last     bool        // nothing will follow
	listened int         // octets since Listen
	begin    uint64      // place in the TCP stream of the octet behind the MPA frame
	frame    record.Span // of the MPA frame
	stream   *stream     // once FPDUs were found

	undecoded, missing uint64
}

// Init makes d ready for a new stream.
func (d *Direction) Init(s *Shared) { *d = Direction{shared: s, backlog: backlog{shared: s}} }

// Listen begins passive synchronisation, if neither that nor reading has begun: an MPA frame may have been missed.
func (d *Direction) Listen() {
	if d.state == off {
		d.state = passive
	}
}

// Listened returns how many octets were pushed since Listen, without any FPDU found.
func (d *Direction) Listened() int { return d.listened }

// Await lets the octets wait that follow an MPA frame, which ends at an offset of the TCP stream. Begin says how they are
// to be read.
func (d *Direction) Await(offset uint64, frame record.Span) {
	d.Discard()
	d.state, d.begin, d.frame = waiting, offset, frame
}

// Begin begins to read FPDUs behind the MPA frame.
func (d *Direction) Begin(t *Terms, k *Known) {
	d.known = *k
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

// IsWaiting reports whether octets wait, or would wait, for the other side's MPA frame.
func (d *Direction) IsWaiting() bool { return d.state == waiting }

// IsReading reports whether FPDUs were found.
func (d *Direction) IsReading() bool { return d.state >= reading }

// Held yields the captured octets that wait.
func (d *Direction) Held() iter.Seq[*reassembly.Piece] {
	return func(yield func(*reassembly.Piece) bool) {
		var p reassembly.Piece
		for b := d.backlog; ; {
			if _, ok := b.take(&p); !ok || !yield(&p) {
				return
			}
		}
	}
}

// Front returns the offset in the TCP stream of the first octet that waits, if there is one.
func (d *Direction) Front() (offset uint64, ok bool) {
	if d.backlog.empty() {
		return 0, false
	}
	return d.backlog.offset(), true
}

// Terms returns how FPDUs are read.
func (d *Direction) Terms() *Terms { return &d.stream.terms }

// SetCRC says whether CRCs are on, if FPDUs are read already.
func (d *Direction) SetCRC(on Term) {
	if s := d.stream; s != nil {
		s.terms.CRC = on
		s.deframer.SetCRC(on.Setting == On)
	}
}

// Undecoded returns how many captured octets were passed over behind the first FPDU.
func (d *Direction) Undecoded() uint64 { return d.undecoded }

// Missing returns how many octets behind the begin of FPDUs the capture does not have.
func (d *Direction) Missing() uint64 { return d.missing }

// Push gives the next piece of the TCP stream. Call Next until it returns false before the octets of p change.
func (d *Direction) Push(p *reassembly.Piece, k *Known) {
	d.known = *k
	switch d.state {
	case off:
		return
	case reading:
		d.stream.enter(p)
		return
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
	d.backlog.add(p, false, k.Ahead)
	d.due = true
}

// Search looks for FPDUs in what waits, since the caller knows more than before. last says that nothing will follow. Call
// Next afterwards.
func (d *Direction) Search(k *Known, last bool) {
	d.known, d.last = *k, last
	if d.state == gaveUp {
		d.state = passive
	}
	d.due = d.state != reading
	d.forced = d.due
}

// Next sets out to what was found next. It returns false when more octets are needed. The octets of a Segment are valid
// until the next call.
func (d *Direction) Next(out *Output) bool {
	out.CRC, out.Learned = false, false
	for {
		switch {
		case d.state == reading && d.stream.entered:
			if d.read(out) {
				return true
			}
		case d.state == reading:
			if !d.takeWaiting() {
				return false
			}
		case d.due:
			if d.search(out) {
				return true
			}
		default:
			return false
		}
	}
}

// takeWaiting goes on with the next piece that waits.
func (d *Direction) takeWaiting() bool {
	s := d.stream
	var ok bool
	if s.ahead, ok = d.backlog.take(&s.piece); ok {
		s.entered, s.begun, s.waited = true, false, true
		return true
	}
	if d.backlog.parcels != nil {
		d.backlog.free()
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
		var ok bool
		if out.Note.ULPDU, ok = s.deframer.ULPDULength(); !ok {
			out.Note.ULPDU = -1
		}
		return octets > 0
	}
	return false
}

// note makes out a note.
func (out *Output) note(kind record.NoteKind, octets uint64, span record.Span) {
	out.Kind, out.Note = Note, record.Note{Origin: record.Origin{Span: span}, Kind: kind, Octets: octets}
}
