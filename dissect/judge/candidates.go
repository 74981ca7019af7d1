package judge

// What was found about a connection that may explain how it failed.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
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
	ailment               // the upper layer told of trouble, and went on
	blemish               // a side broke a rule that receivers pass over
	hindrance             // TCP delivered late: explains why something else took too long
	never                 // ranks after all that can be a cause
)

// A candidate is a finding that may be the cause of a failure, or a consequence of it.
type candidate struct {
	record.Finding
	role      role
	statement statement
	before    uint64 // frame of the segment of its direction before it, if it is about one
	recovered bool   // it is a refused request, and such a one has succeeded since
	asked     asked  // of a refused request
	more      int    // later findings of the same name and direction, and about the same kind of request
	last      uint64 // frame of the latest of them
}

// asked is what refused requests of a kind asked for. The zero value is that of no request.
type asked struct {
	task   uint64   // their Task; 0 if it is not known
	local  bool     // they were refused because of their places: that such requests succeed elsewhere shows nothing
	places []uint64 // where none has succeeded since, at most maxPlaces
	more   bool     // there were more places
}

// maxPlaces is how many places of refused requests of a kind are remembered.
const maxPlaces = 64

// askedFor is what a request asked for that was refused.
func askedFor(t *record.Transaction) asked {
	a := asked{task: t.Task}
	if p, ok := t.Upper.(ulp.Placed); ok && p.Local() {
		a.local, a.places = true, []uint64{p.Place()}
	}
	return a
}

// isLike reports whether both are of the same kind of request, refused for the same kind of reason.
func (a *asked) isLike(b asked) bool { return a.task == b.task && a.local == b.local }

// add adds what another request of the kind asked for.
func (a *asked) add(b asked) {
	for _, place := range b.places {
		switch {
		case slices.Contains(a.places, place):
		case len(a.places) < maxPlaces:
			a.places = append(a.places, place)
		default:
			a.more = true
		}
	}
}

// granted takes a request that succeeded, and reports whether nothing of what was refused is refused any more. One whose kind is not known may
// be such a request.
func (a *asked) granted(t *record.Transaction) bool {
	if a.task == 0 || t.Task == 0 {
		return true
	}
	if a.task != t.Task || !a.local {
		return a.task == t.Task
	}
	if p, ok := t.Upper.(ulp.Placed); ok {
		a.places = slices.DeleteFunc(a.places, func(place uint64) bool { return place == p.Place() })
	}
	return len(a.places) == 0 && !a.more
}

// maxCandidates is how many are kept of a connection, the first ones.
const maxCandidates = 32

// A story is what may explain how a connection failed, in the order in which it was found.
type story struct {
	candidates []candidate
	answered   uint64 // the latest frame of a request that was answered
}

// add takes a finding. tell is asked only for the first of its name and direction, and of requests of its kind.
func (s *story) add(f *record.Finding, as role, before uint64, what asked, tell func() statement) {
	if as == bystander {
		return
	}
	free := -1
	for i := range s.candidates {
		switch c := &s.candidates[i]; {
		case c.recovered:
			free = i
		case c.Name == f.Name && c.Dir == f.Dir && c.asked.isLike(what):
			c.more, c.last = c.more+1, max(c.last, f.LastFrame)
			c.asked.add(what)
			return
		}
	}
	switch {
	case free >= 0:
		s.candidates = slices.Delete(s.candidates, free, free+1)
	case len(s.candidates) == maxCandidates:
		return
	}
	s.candidates = append(s.candidates, candidate{Finding: *f, role: as, statement: tell(), before: before, asked: what})
}

// retell tells a Terminate anew, of which more is known now.
func (s *story) retell(cause *record.Termination) {
	for i := range s.candidates {
		if c := &s.candidates[i]; c.Termination == cause {
			c.statement = refusal(cause)
		}
	}
}

// remark adds a sentence to what is told of a breach in a segment.
func (s *story) remark(o *record.Origin, text string) {
	for i := range s.candidates {
		if c := &s.candidates[i]; c.role == breach && c.Dir == o.Dir && c.Span == o.Span {
			c.statement = c.statement.and(text)
		}
	}
}

// succeeded takes a request of an upper layer that has succeeded: such requests are refused no more.
func (s *story) succeeded(t *record.Transaction) {
	for i := range s.candidates {
		if c := &s.candidates[i]; c.Name == ObsRefusedUpper.Name && c.Dir == 1-t.Dir && c.asked.granted(t) {
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

// refusedWith is the request of an upper layer that a Terminate refuses; nil if there is none.
func (s *story) refusedWith(t *candidate) *candidate {
	i := slices.IndexFunc(s.candidates, func(c candidate) bool { return c.isRefusedWith(t) })
	if i < 0 {
		return nil
	}
	return &s.candidates[i]
}

// isRefusedWith reports whether c is a request that a Terminate refuses.
func (c *candidate) isRefusedWith(t *candidate) bool {
	return c.Name == ObsRefusedUpper.Name && t.Termination != nil && c.Dir == t.Dir && c.Span == t.Span
}

// tell says what happened, and how often.
func (c *candidate) tell() string {
	switch {
	case c.more == 1:
		return c.statement.what + sentence(", and 1 more in %s", frame(c.Conn, c.last))
	case c.more > 1:
		return c.statement.what + sentence(", and %d more until %s", c.more, frame(c.Conn, c.last))
	}
	return c.statement.what
}
