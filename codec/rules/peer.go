package rules

import (
	"bytes"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// A Peer is an implementation whose behaviour is known: an RNIC, or an upper layer above one. Package peers lists them.
type Peer struct {
	Name       string // as its users call it
	Title      string // what it is, within a sentence
	Deviations []Deviation
	Remarks    []Remark

	// Of upper layers:
	Private Signature

	// Of RNICs:
	Answers     Answers
	Terminate   Style // how it writes Terminates
	MPAReserved uint8 // bits of Res in its MPA frames that it uses
}

// Answers holds what a Peer does in each Situation.
type Answers [NumSituations]Answer

// A Deviation is a breach of some rules that a Peer is known for. A [Profile] for the Peer excuses it.
type Deviation struct {
	Why    string // a sentence without a full stop
	Remedy string // what avoids it, a sentence; empty if nothing is known
	Rules  []*Rule
}

// A Remark is what a Peer does in some respect, or what somebody who looks for a cause has to know about it there.
type Remark struct {
	About []string // the Peer itself, a term, message, field, status or rule, or the name of an observation: "Marker", "markers-refused"
	Notes []string // sentences without their subject, which is the Peer, and without full stops
}

// A Signature describes the Private Data that an upper layer gives to MPA.
type Signature struct {
	Reply  bool   // in the Reply, else in the Request
	Len    int    // octets of the whole; 0 if unknown
	Octets []byte // they begin with these
}

// Fits reports whether the Private Data of an upper layer, in a Request or a Reply, match the signature.
func (s *Signature) Fits(private []byte, reply bool) bool {
	return s.Len > 0 && len(private) == s.Len && reply == s.Reply && bytes.HasPrefix(private, s.Octets)
}

// Called is what p is called within a sentence: "the Linux NFS client".
func (p *Peer) Called() string {
	called, _, _ := strings.Cut(p.Title, ",")
	return called
}

// On returns the notes of the Remarks about something; nil if there are none.
func (p *Peer) On(about string) (notes []string) {
	for _, r := range p.Remarks {
		if slices.Contains(r.About, about) {
			notes = append(notes, r.Notes...)
		}
	}
	return notes
}

// Answer returns what p does in a Situation: Unknown if p is nil. It fills in the codes if p does as the RFCs say.
func (p *Peer) Answer(s Situation) Answer {
	if p == nil {
		return Answer{}
	}
	return p.Answers[s].In(s)
}

// Deviation returns the one of p that breaks r; nil if there is none.
func (p *Peer) Deviation(r *Rule) *Deviation {
	if p == nil {
		return nil
	}
	if i := slices.IndexFunc(p.Deviations, func(h Deviation) bool { return slices.Contains(h.Rules, r) }); i >= 0 {
		return &p.Deviations[i]
	}
	return nil
}

// A Style is how an RNIC writes Terminates where it deviates from RFC 5040, section 4.8. The zero value follows the
// RFC.
type Style struct {
	Swapped        bool  // in the bit order of [rdmap.Terminate.AppendSwapped]
	PayloadLength  bool  // the DDP Segment Length counts the payload of a segment only, and is 0 for a Read Request
	RebuildsRead   bool  // RDMARDSZ replaces the MSN in the enclosed header of a Read Request
	Bare           Codes // codes that enclose no headers
	BlamesReceiver bool  // the segment is also enclosed where the receiver's own buffer is invalid
}

// HdrCt returns the header control bits of a Terminate for a Situation.
func (s *Style) HdrCt(of Situation) HdrCt {
	if of == ReceiveSGE && s.BlamesReceiver {
		return MD
	}
	return Situations[of].HdrCt
}

// Append appends t, given as the RFCs want it, to dst in the style, and changes t to what was appended.
func (s *Style) Append(dst []byte, t *rdmap.Terminate) ([]byte, error) {
	if s.Bare.Contains(t.Code) {
		*t = rdmap.Terminate{Code: t.Code}
	}
	if t.HasHeader && s.PayloadLength {
		t.SegmentLength -= uint16(t.Header.Len())
		if t.Header.Control.Opcode == rdmap.OpReadRequest {
			t.SegmentLength = 0
		}
	}
	if t.HasReadRequest && s.RebuildsRead {
		t.Header.Untagged.MSN = t.ReadRequest.RDMARDSZ
	}
	if s.Swapped {
		return t.AppendSwapped(dst)
	}
	return t.AppendBinary(dst)
}

// Decode decodes a Terminate header, which b must hold exactly, in the bit order in which it makes sense, and returns
// that order. If both make sense, it is that of the style.
func (s *Style) Decode(t *rdmap.Terminate, b []byte) rdmap.Reading {
	reading := rdmap.ReadingOf(b, len(b))
	if reading == rdmap.ReadingSwapped || reading == rdmap.ReadingAmbiguous && s.Swapped {
		t.DecodeSwapped(b)
		return rdmap.ReadingSwapped
	}
	t.Decode(b)
	return reading
}
