package record

// What a Terminate reports.

import "github.com/iwarpkit/iwarp/codec/rdmap"

// A Terminate is a Terminate header in both orders of the bits of its first 4 octets: that of the RFC, and the swapped one of
// Linux siw.
type Terminate struct {
	RFC, Swapped rdmap.Terminate
	Cut          bool // the capture does not have all of it
	// Reading says which order makes sense. Of a Terminate that was cut it is ReadingAmbiguous if the swapped order may, else
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
