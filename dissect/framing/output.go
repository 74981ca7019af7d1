package framing

// What goes into a Direction beside octets, and what comes out of it.

import (
	"github.com/iwarpkit/iwarp/dissect/flow"
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
	taken reassembly.Piece // the one that was taken from a backlog
	trial trial
}

// Hold counts n octets more, or fewer, against [MaxHeldInAll].
func (s *Shared) Hold(n int) { s.held += n }

// Full reports whether more octets wait than may.
func (s *Shared) Full() bool { return s.held > MaxHeldInAll }

// A Progress is how far TCP has come on one side. Places count octets from the start of a side's stream.
type Progress struct {
	Acked    uint64 // place in the other side's stream that it has acknowledged; 0 if none
	Reached  uint64 // place after the octets of its own that have come
	HasAcked bool   // it has sent an acknowledgement
	HasFIN   bool   // it has sent a FIN
}

// Known is what the caller of a Direction knows of it before FPDUs are found. Later it is ignored.
type Known struct {
	Terms   Terms
	Unknown bool // the connection is not known to be iWARP
}

// A Kind says what an Output is.
type Kind uint8

// The kinds of Output.
const (
	FPDU         Kind = iota // Segment is the next FPDU
	Note                     // Note is about octets that are not decoded, or Markers
	Synchronised             // FPDUs were found although an MPA frame is missing: Note is LockedOn; see Direction.ReadTerms
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
}

// note makes out a note.
func (out *Output) note(kind record.NoteKind, octets uint64, span flow.Span) {
	out.Kind, out.Note = Note, record.Note{Origin: record.Origin{Span: span}, Kind: kind, Octets: octets}
}
