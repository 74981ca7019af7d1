package conform

// Whether the messages of a case fit into the Receives of the peer.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// unfit says why a case cannot be run against the peer: it has a message that is longer than the peer's Receives, and
// does not expect its refusal. It is empty if all messages fit.
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

// refusesLength reports whether a connection expects the refusal of a message that is too long.
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

// longestSend returns the length of the longest message that a side sends into a Receive.
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
			begun = sentWith(begun, do, &longest)
		case *scenario.FPDU:
			begun = sentWith(begun, &do.Segment, &longest)
		}
	}
	return longest
}

// sentWith returns how many octets of a message in progress are sent after segment s, if begun were sent before it; 0
// if s is the last one.
func sentWith(begun uint64, s *scenario.Segment, longest *uint64) uint64 {
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
