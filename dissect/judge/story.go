package judge

// What was found about a connection that may explain how it failed.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A role is the part that a finding can play when a connection fails. Of several, the one with the earliest role led to
// the others: a breach to a Terminate, a network that does not deliver to silence, silence to a reset.
type role uint8

const (
	bystander role = iota // explains no failure
	breach                // a side did what its peer must not accept
	decision              // a side refused, or reported an error
	blockage              // TCP did not deliver
	silence               // an answer never came
	breakdown             // the connection ended while there was work
	remnant               // it ended within this work
	blemish               // a side broke a rule that receivers pass over
	never                 // ranks after all that can be a cause
)

// A candidate is a finding that may be the cause of a failure, or a consequence of it.
type candidate struct {
	record.Finding
	role      role
	tale      tale
	before    uint64 // frame of the segment of its direction before it, if it is about one
	recovered bool   // it is a refused request, and such a one has succeeded since
	more      int    // later findings of the same name and direction
	last      uint64 // frame of the latest of them
}

// maxCandidates is how many are kept of a connection, the first ones.
const maxCandidates = 32

// A story is what may explain how a connection failed, in the order in which it was found.
type story struct {
	candidates []candidate
	answered   uint64 // the latest frame of a request that was answered
}

// add takes a finding. tell is asked only for the first of its name and direction.
func (s *story) add(f *record.Finding, as role, before uint64, tell func() tale) {
	if as == bystander {
		return
	}
	for i := range s.candidates {
		switch c := &s.candidates[i]; {
		case c.Name != f.Name || c.Dir != f.Dir:
		case c.recovered:
			*c = candidate{Finding: *f, role: as, tale: tell(), before: before}
			return
		default:
			c.more, c.last = c.more+1, max(c.last, f.LastFrame)
			return
		}
	}
	if len(s.candidates) < maxCandidates {
		s.candidates = append(s.candidates, candidate{Finding: *f, role: as, tale: tell(), before: before})
	}
}

// remark adds a sentence to what is told of a breach in a segment.
func (s *story) remark(o *record.Origin, text string) {
	for i := range s.candidates {
		if c := &s.candidates[i]; c.role == breach && c.Dir == o.Dir && c.Span == o.Span {
			c.tale = c.tale.and(text)
		}
	}
}

// succeeded takes a request of an upper layer that has succeeded: such requests are refused no more.
func (s *story) succeeded(t *record.Transaction) {
	for i := range s.candidates {
		if c := &s.candidates[i]; c.Name == ObsRefusedUpper.Name && c.Dir == 1-t.Dir && c.tale.task == t.Task {
			c.recovered = true
		}
	}
}

// roleOf is the part that the breach of a rule can play: none if it may not be a breach.
func roleOf(v *rules.Violation) role {
	switch {
	case v.Doubt != rules.Seen, v.Elsewhere:
		return bystander
	case v.Situation == rules.NoSituation && !v.Grave:
		return blemish
	}
	return breach
}

// failed reports whether there is more than breaches of rules, and requests that were refused while others were answered.
func (s *story) failed() bool {
	return slices.ContainsFunc(s.candidates, func(c candidate) bool {
		return c.role >= decision && c.role <= remnant && (c.Name != ObsRefusedUpper.Name || s.answered <= c.LastFrame)
	})
}

// found reports whether there is a candidate with a role.
func (s *story) found(as role) bool {
	return slices.ContainsFunc(s.candidates, func(c candidate) bool { return c.role == as })
}

// shows reports whether there is a breach that a Terminate is about.
func (s *story) shows(t *record.Termination) bool {
	return slices.ContainsFunc(s.candidates, func(c candidate) bool { return c.role == breach && c.isNamed(t) })
}

// isNamed reports whether a Terminate is about c, or about the message that has it.
func (c *candidate) isNamed(t *record.Termination) bool {
	k := &t.Culprit
	again := c.more > 0 && k.LastFrame == c.last
	return t.Blame != record.NoBlame && k.Dir == c.Dir && (t.Rule == c.Rule || again || k.Frame <= c.LastFrame && k.LastFrame >= c.Frame)
}

// tell says what happened, and how often.
func (c *candidate) tell() string {
	switch {
	case c.more == 1:
		return c.tale.what + sentence(", and 1 more in %s", frame(c.Conn, c.last))
	case c.more > 1:
		return c.tale.what + sentence(", and %d more until %s", c.more, frame(c.Conn, c.last))
	}
	return c.tale.what
}
