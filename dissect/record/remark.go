package record

// What a layer says beside its fields: of Terminates, CRCs, Markers, and of what was not captured.

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// A Remark is what a layer says beside its fields. Not every output has room for all of it: what is empty is not shown.
type Remark struct {
	Part       int    // of View.Parts, after which it is; as many as there are if it is about all of them
	Wrong      bool   // it says what is wrong
	Text       []byte // of a Startup or Segment: a sentence below the part
	Brief      []byte // of a Startup or Message: a few words for a line; of a part that is Aside, in place of its fields
	Key, Value string // of a Message: of an object in JSON
}

// Remarks returns what the Startup, Segment or Message that was laid out last says beside its fields. They are valid until the
// next call.
func (v *View) Remarks(b Body) []Remark {
	v.remarks, v.words = v.remarks[:0], v.words[:0]
	switch b := b.(type) {
	case *Startup:
		v.startupRemarks(b)
	case *Segment:
		v.segmentRemarks(b)
	case *Message:
		if b.Opcode == rdmap.OpTerminate {
			t, ok := b.Terminate()
			v.terminateRemark(&t, ok)
		}
	}
	return v.remarks
}

func (v *View) say(part int, wrong bool, text []byte) *Remark {
	v.remarks = append(v.remarks, Remark{Part: part, Wrong: wrong, Text: text})
	return &v.remarks[len(v.remarks)-1]
}

// join returns words that last as long as the remarks.
func (v *View) join(words ...string) []byte {
	from := len(v.words)
	for _, w := range words {
		v.words = append(v.words, w...)
	}
	return v.words[from:len(v.words):len(v.words)]
}

func (v *View) startupRemarks(f *Startup) {
	own, n := len(v.Parts)-1, len(v.Parts) // the last part is not that of Private
	if f.Private != nil {
		own--
	}
	missing := int(f.MPA.PDLength) - len(f.MPA.PrivateData)
	above := f.MPA.PDLength > mpa.MaxPrivateData && f.Conn.Transport() == flow.OverTCP
	if above {
		r := v.say(own, true, v.join("PD_Length is above 512, so nobody can accept this frame; its Private Data is not looked for"))
		r.Brief = r.Text[:len("PD_Length is above 512")]
	}
	if f.Private != nil && f.Private.LittleEndian {
		v.say(n-1, false, v.join("The sender wrote them with the least significant octet first"))
	}
	if missing > 0 && !above {
		octets := quantity.Count(missing, "octet")
		v.say(n, true, v.join(octets, " of the Private Data not captured")).Brief = v.join(octets, " not captured")
	}
}

func (v *View) segmentRemarks(s *Segment) {
	f := &s.FPDU
	if f.Markers > 0 {
		v.say(0, false, fmt.Appendf(nil, "Markers: %d, which the offsets do not count", f.Markers))
	}
	if f.BadMarkers > 0 {
		v.say(0, true, fmt.Appendf(nil, "%d of the Markers do not point to the beginning of the FPDU", f.BadMarkers))
	}
	if t, ok := s.Terminate(); ok {
		v.terminateRemarks(&t)
	}
	n, overTCP := len(v.Parts), s.Conn.Transport() == flow.OverTCP
	if s.Err != nil {
		headers := n
		if overTCP && f.Missing == 0 {
			headers-- // the last part is the trailer
		}
		v.say(headers-1, true, []byte(s.Err.Error()))
	}
	missing := quantity.Count(f.Missing, "octet")
	switch {
	case overTCP && f.Missing > 0:
		v.say(n, true, v.join(missing, " of this FPDU not captured, so its CRC cannot be checked"))
	case f.Missing > 0:
		v.say(n, true, v.join(missing, " of this chunk not captured"))
	case !overTCP:
	case f.Verdict == mpa.Good:
		v.say(n, false, v.join("The CRC is good"))
	case f.Verdict == mpa.Bad: // the octets as they would stand on the wire
		v.say(n, true, fmt.Appendf(nil, "The CRC is bad: these octets have 0x%08x", bits.ReverseBytes32(f.WantCRC)))
	default:
		v.say(n, false, v.join("The CRC is not checked: CRCs are off"))
	}
}

// terminateRemark says briefly what a Terminate means. It is not ok if not even its code was captured.
func (v *View) terminateRemark(t *Terminate, ok bool) {
	part := slices.IndexFunc(v.Parts, func(p field.Part) bool { return p.Table.Name == rdmap.TerminateFields.Name })
	switch {
	case part < 0:
	case !ok:
		v.say(part, false, nil).Brief = v.join("cut before its error code")
	default:
		r := v.say(part, false, nil)
		r.Brief = v.brief(t)
		if !t.Cut {
			r.Key, r.Value = "term_reading", t.Reading.String()
		}
	}
}

// swapping is who writes Terminates in the swapped order.
var swapping = peers.Swapping()

// terminateRemarks says what a Terminate means, in both orders of its bits.
func (v *View) terminateRemarks(t *Terminate) {
	for i := range v.Parts {
		switch v.Parts[i].Table.Name {
		case rdmap.TerminateFields.Name:
			v.say(i, false, v.errorOf(&t.RFC.Code))
			if form := t.RFC.Form(); form != rdmap.WellFormed && !t.Cut {
				v.say(i, false, v.join("By the RFC, M, D and R do not fit what follows: ", form.String()))
			}
		case rdmap.MeantFields.Name:
			v.say(i, false, v.errorOf(&t.Swapped.Code))
			v.say(i, false, v.join("These are the same 4 octets in the bit order of ", swapping, ", which is not the RFC's."))
			switch {
			case t.Cut:
			case t.Reading == rdmap.ReadingSwapped:
				v.say(i, false, v.join("Only this order agrees with the registered errors and with the length: it is what the sender meant."))
			case t.Reading == rdmap.ReadingAmbiguous:
				v.say(i, false, v.join("Both orders make sense; this message alone does not show which one the sender used."))
			}
		}
	}
}

func (v *View) errorOf(c *rdmap.Code) []byte {
	from := len(v.words)
	v.words = c.AppendNamed(append(v.words, "Error: "...))
	return v.words[from:len(v.words):len(v.words)]
}

// brief is the error of a Terminate, and the type of the message that it is about.
func (v *View) brief(t *Terminate) []byte {
	from := len(v.words)
	b := t.Meant().Code.AppendNamed(v.words)
	switch t.Reading {
	case rdmap.ReadingSwapped:
		b = append(b, " (bits swapped"...)
		if t.Swapped.Code != t.RFC.Code {
			b = t.RFC.Code.AppendDigits(append(b, "; the RFC reads "...))
		}
		b = append(b, ')')
	case rdmap.ReadingAmbiguous:
		b = t.Swapped.Code.AppendNamed(append(b, ", or with bits swapped "...))
	}
	if meant := t.Meant(); meant.HasHeader {
		b = append(append(b, "; about "...), meant.Header.Control.Opcode.String()...)
	}
	v.words = b
	return b[from:len(b):len(b)]
}

// A Terminate is a Terminate header in both orders of the bits of its first 4 octets: that of the RFC, and the swapped one.
type Terminate struct {
	RFC, Swapped rdmap.Terminate
	Cut          bool // the capture does not have all of it
	// Reading says which order makes sense. For a Terminate that was cut it is ReadingAmbiguous if the swapped order may, else
	// ReadingRFC.
	Reading rdmap.Reading
}

// Meant is the header in the order in which its sender meant it, or else that of the RFC.
func (t *Terminate) Meant() *rdmap.Terminate {
	if t.Reading == rdmap.ReadingSwapped {
		return &t.Swapped
	}
	return &t.RFC
}

// Terminate reads the header of a Terminate. It returns false for any other message, and if its error code was not captured.
func (m *Message) Terminate() (t Terminate, ok bool) {
	return readTerminate(&m.First, m.ULPDU-len(m.Header)+len(m.First.Body))
}

// Terminate reads the header of a Terminate. It returns false for any other segment, and if the error code was not captured.
func (s *Segment) Terminate() (t Terminate, ok bool) {
	return readTerminate(&s.RDMAP, int(s.FPDU.ULPDULength)-len(s.FPDU.ULPDU)+len(s.RDMAP.Body))
}

// readTerminate reads a Terminate whose header has length octets.
func readTerminate(s *rdmap.Segment, length int) (t Terminate, ok bool) {
	b := s.Body
	if s.Control.Opcode != rdmap.OpTerminate || s.T || s.Untagged.MO != 0 || len(b) < rdmap.TerminateLen {
		return t, false
	}
	t.RFC.Decode(b)
	t.Swapped.DecodeSwapped(b)
	t.Cut, t.Reading = len(b) < length, rdmap.ReadingOf(b, length)
	if t.Cut && t.Reading == rdmap.ReadingSwapped {
		t.Reading = rdmap.ReadingAmbiguous
	}
	return t, true
}
