package tcpip

import "encoding/binary"

// Kinds of TCP options (RFC 9293, section 3.1; RFC 7323, section 3.2).
const (
	optionEnd        = 0
	optionNop        = 1
	optionTimestamps = 8
	timestampsLen    = 10
)

// TSval is the time at which the segment was sent, by the clock of its sender, as the Timestamps option has it
// (RFC 7323, section 3.2); ok is false if there is no such option, or it was not captured.
func (s *Segment) TSval() (v uint32, ok bool) {
	for b := s.Options; len(b) > 0 && b[0] != optionEnd; {
		if b[0] == optionNop {
			b = b[1:]
			continue
		}
		if len(b) < 2 || b[1] < 2 || int(b[1]) > len(b) {
			return 0, false
		}
		if b[0] == optionTimestamps && b[1] == timestampsLen {
			return binary.BigEndian.Uint32(b[2:]), true
		}
		b = b[b[1]:]
	}
	return 0, false
}
