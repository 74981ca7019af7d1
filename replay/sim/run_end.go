package sim

// Differences in how the RNIC and the recorded peer end the connection that neither decided: if octets are left unread,
// TCP chooses between a FIN and a reset.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// noteClosed records how far the RNIC has read when it closes the connection.
func (r *run) noteClosed() {
	if r.read >= 0 || r.stream.Phase() != rnicsim.Closed {
		return
	}
	steps := r.player.Outcome().Steps
	for r.read = len(steps); r.read > 0 && steps[r.read-1].Verdict != outcome.Sent; r.read-- {
	}
}

// unread reports whether the RNIC had closed the connection before a step of the other side arrived.
func (r *run) unread(number int) bool {
	i, ok := r.steps[number]
	return ok && r.read >= 0 && i >= r.read
}

// tolerateEnd accepts an end that differs from the recorded one because of TCP.
func (r *run) tolerateEnd(c *outcome.Conn) {
	for i := range c.Steps {
		s := &c.Steps[i]
		if s.Expected == nil || s.Expected.Side != r.plan.Side {
			continue
		}
		if s.Verdict == outcome.Mismatched {
			if why := r.otherEnd(s.Expected); why != "" {
				s.Verdict, s.Reason, s.Diff = outcome.Accepted, why, nil
				forgoEnds(c, i)
			}
		}
		if s.Verdict != outcome.Exact && s.Verdict != outcome.Accepted {
			return
		}
	}
}

// otherEnd says why a FIN may stand for a recorded reset, or a reset for a FIN; empty if it may not.
func (r *run) otherEnd(s *scenario.Step) string {
	switch reached := r.ended[0]; {
	case reached == mpa.EndsFIN && s.Do == scenario.Reset{} && r.unread(s.After):
		return "a FIN: the RNIC had closed before the unread octets arrived, " +
			"and TCP resets a connection that is closed with unread octets (RFC 1122, section 4.2.2.13)"
	case reached == mpa.EndsReset && s.Do == scenario.FIN{} && s.Number == r.plan.BrokenOff:
		return "a reset: the recorded side broke off a message, and the verb for that destroys the QP"
	}
	return ""
}

// forgoEnds makes the remaining FIN or reset of the own side not applicable, if nothing else remains.
func forgoEnds(c *outcome.Conn, from int) {
	var left []*outcome.Step
	for i := from + 1; i < len(c.Steps); i++ {
		s := &c.Steps[i]
		if s.Expected == nil || s.Verdict != outcome.NotSent {
			continue
		}
		if s.Expected.Do != (scenario.FIN{}) && s.Expected.Do != (scenario.Reset{}) {
			return
		}
		left = append(left, s)
	}
	for _, s := range left {
		s.Verdict, s.Reason = outcome.NotApplicable, "the other side has reset the connection"
	}
	c.End = ""
}
