package conform

// Whether the messages of a case fit into the Receives of the peer.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// unfit is why a case cannot be asked of the peer: it has a message that is longer than the peer's Receives, and not to see
// it refused. It is empty if all fit.
func (s *Setup) unfit(made *scenario.Scenario) string {
	size := uint64(s.Peer.Offer.ReceiveSize)
	if size == 0 {
		return ""
	}
	longest := uint64(0)
	for _, c := range made.Conns {
		if !refusesLength(c) {
			longest = max(longest, longestSend(c, s.Side))
		}
	}
	if longest <= size {
		return ""
	}
	return fmt.Sprintf("it has messages of up to %d octets, and the Receives of the peer have %d", longest, size)
}

// refusesLength tells whether a connection asks for the refusal of a message that is too long.
func refusesLength(c *scenario.Conn) bool {
	for _, step := range c.Steps {
		for _, a := range scenario.Alternatives(step.Do) {
			if r, ok := a.(*scenario.Refusal); ok && r.Situation == rules.SendTooLong {
				return true
			}
		}
	}
	return false
}

// longestSend is the length of the longest message that a side sends into a Receive.
func longestSend(c *scenario.Conn, side scenario.Side) (longest uint64) {
	var begun uint64 // octets of a message that is sent in segments
	for _, step := range c.Steps {
		if step.Side != side {
			continue
		}
		switch do := step.Do.(type) {
		case *scenario.Message:
			if do.Opcode.IsSend() {
				longest = max(longest, uint64(do.Payload.Len()))
			}
		case *scenario.Segment:
			begun = behind(begun, do, &longest)
		case *scenario.FPDU:
			begun = behind(begun, &do.Segment, &longest)
		}
	}
	return longest
}

// behind is how many octets of a message have been sent with a segment, which may be the last one, and so many before.
func behind(begun uint64, s *scenario.Segment, longest *uint64) uint64 {
	if s.Raw || !s.Opcode.IsSend() {
		return begun
	}
	begun += uint64(s.Payload.Len())
	*longest = max(*longest, begun)
	if l, said := s.Fields.Lookup("L"); said && l.Number == 0 {
		return begun
	}
	return 0
}
