package conform

// Whether the messages of a case fit into the Receives of the peer.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

// tooLong is the situation in which a message meets with a Receive that is too small for it.
const tooLong = "send-too-long"

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
			if r, ok := a.(*scenario.Refusal); ok && r.Situation == tooLong {
				return true
			}
		}
	}
	return false
}

// longestSend is the length of the longest message that a side sends into a Receive.
func longestSend(c *scenario.Conn, side scenario.Side) (longest uint64) {
	for _, step := range c.Steps {
		if m, ok := step.Do.(*scenario.Message); ok && step.Side == side && m.Opcode.IsSend() {
			longest = max(longest, uint64(m.Payload.Len()))
		}
	}
	return longest
}
