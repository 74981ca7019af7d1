package judge

// Why a connection failed: what was found about it, ranked by causality.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/quantity"
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

// roleOf is the part that the breach of a rule can play: none if it may be no breach.
func roleOf(v *rules.Violation) role {
	switch {
	case v.Doubt != rules.Seen:
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

// cause finds why the connection failed; nil if it did not.
func (e *ending) cause() *candidate {
	failed := e.story.failed()
	var cause *candidate
	first := never
	for i := range e.story.candidates {
		c := &e.story.candidates[i]
		if r := e.rank(c, failed); r < first || r == first && r != never && earlier(c, cause) {
			first, cause = r, c
		}
	}
	return cause
}

// earlier reports whether a comes before b: what two captures show of the path first.
func earlier(a, b *candidate) bool {
	if a.onPath() != b.onPath() {
		return a.onPath()
	}
	return cmp.Or(cmp.Compare(a.Frame, b.Frame), cmp.Compare(a.role, b.role)) < 0
}

// rank is the role in which a candidate may be the cause. failed says that the connection has failed; if it has not, only
// what a peer must not accept, and nobody is known for, is a cause.
func (e *ending) rank(c *candidate, failed bool) role {
	switch c.role {
	case breach:
		p := &e.conn.Traffic[c.Dir].Pending
		switch {
		case c.onPath():
			return bystander // before all others
		case isBlocked(p) && c.Frame >= p.Oldest.Frame:
			return never // it has not arrived
		case e.names(c):
			return bystander
		case e.unasked(c), e.decides(c):
			return never
		case !failed && c.Severity == rules.Error:
			return breach
		case failed && (!e.accepted(&c.Finding) || e.spoils(c)):
			return breach
		}
		return never
	case blemish:
		switch {
		case e.explains(c):
			return bystander
		case failed && c.Severity == rules.Error && e.hits(c), !failed && e.provoked(c):
			return breach
		}
		return never
	case decision:
		return e.rankDecision(c, failed)
	case silence:
		if e.nested(c) || e.complete() && e.waitedFor(&c.Span) < e.patience(record.Sender(1-c.Dir)) {
			return remnant // the end is not for the lack of an answer
		}
	case remnant:
		if e.incomplete(c) {
			return silence
		}
	}
	return c.role
}

// nested reports whether a request of an upper layer waited for the other side because that waited itself: for the answer to a later Read
// or Atomic.
func (e *ending) nested(c *candidate) bool {
	return c.Name == ObsUnansweredUpper.Name && slices.ContainsFunc(e.story.candidates, func(f candidate) bool {
		return (f.Name == ObsUnansweredRead.Name || f.Name == ObsUnansweredAtomic.Name) && f.Dir != c.Dir && f.Frame > c.Frame
	})
}

// rankDecision is the rank of a decision. A Terminate that names its segment explains more than any breach that it does
// not name, one that does not and follows a long silence is a consequence of that. A refused request is a cause while no such
// request has succeeded since; if the connection has failed, only if none at all was answered since.
func (e *ending) rankDecision(c *candidate, failed bool) role {
	switch t := c.Termination; {
	case c.Name == ObsRefusedUpper.Name && (c.recovered || failed && e.accepted(&c.Finding)):
		return never
	case t == nil:
	case t.Blame == record.BlameByHeader, t.Blame == record.BlameByRequest, t.Blame == record.BlameByReply:
		return bystander
	case e.waitedBefore(c.Time):
		return remnant
	}
	return decision
}

// names reports whether a Terminate is about a breach, or about the message that has it.
func (e *ending) names(c *candidate) bool {
	return slices.ContainsFunc(e.verdict.Terminations, c.isNamed)
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

// spoils reports whether a grave breach, or a response with a wrong ID, is in the direction of an answer that never came, after its request.
func (e *ending) spoils(c *candidate) bool {
	grave := c.Name == ObsStrayAnswer.Name || c.Rule != nil && c.Rule.Grave
	return grave && slices.ContainsFunc(e.story.candidates, func(f candidate) bool {
		return f.role == silence && f.Dir != c.Dir && f.LastFrame < c.Frame
	})
}

// decides reports whether a breach is in the message with which its own sender refuses something.
func (e *ending) decides(c *candidate) bool {
	return slices.ContainsFunc(e.story.candidates, func(f candidate) bool {
		return f.role == decision && f.Name == ObsRejected.Name && f.Dir == c.Dir && f.Span == c.Span
	})
}

// explains reports whether a Terminate encloses the header of the segment with a warning, and nothing else explains it.
func (e *ending) explains(c *candidate) bool {
	return c.Severity == rules.Warning && slices.ContainsFunc(e.verdict.Terminations, func(t *record.Termination) bool {
		return t.Blame == record.BlameByHeader && t.Culprit.Dir == c.Dir && t.Culprit.Span == c.Span && !isExplained(t)
	})
}

// unasked reports whether a grave breach may answer a message that never came: what the other side sent next does not follow on what it
// had sent before.
func (e *ending) unasked(c *candidate) bool {
	return c.Rule != nil && c.Rule.Grave && slices.ContainsFunc(e.story.candidates, func(f candidate) bool {
		return f.role == breach && f.Dir != c.Dir && f.Rule != nil && f.Rule.Successive && f.before < c.Frame && c.Frame < f.Frame
	})
}

// accepted reports whether the receiver went on after something that was found: it answered a later request.
func (e *ending) accepted(f *record.Finding) bool { return e.story.answered > f.LastFrame }

// hits reports whether a breach is in what failed: the segment that a Terminate is about, or the request that was not
// answered.
func (e *ending) hits(c *candidate) bool {
	return slices.ContainsFunc(e.story.candidates, func(f candidate) bool {
		at := f.Span
		if f.Termination != nil {
			at = f.Termination.Culprit.Span
		}
		return f.role != c.role && f.Dir == c.Dir && at.Frame <= c.LastFrame && at.LastFrame >= c.Frame ||
			f.Termination != nil && f.Dir != c.Dir && at.Frame <= c.LastFrame && at.LastFrame >= c.Frame
	})
}

// provoked reports whether the receiver of a breach reset the connection as the next thing that it did. Habits count only if it
// did nothing else at all.
func (e *ending) provoked(c *candidate) bool {
	peer := 1 - c.Dir
	said := e.progress[peer].latest.LastFrame
	return (c.Severity == rules.Error && said < c.Frame || c.Habit != nil && said == 0) &&
		e.conn.RST[peer] == e.closing && c.Frame < e.closing.Frame
}

// waitedFor is how long, at the end of the connection or the capture, something had waited.
func (e *ending) waitedFor(s *record.Span) int64 {
	if e.complete() {
		return e.over().Time - s.LastTime
	}
	return e.until() - s.LastTime
}

// patience is how long a side must have left the other waiting for that to be why the connection ended: longer if it ended
// the connection itself.
func (e *ending) patience(silent record.Party) int64 {
	if e.closer() == silent {
		return lingerAfter
	}
	return stallAfter
}

// incomplete reports whether the other side gave up waiting for the rest of a message.
func (e *ending) incomplete(c *candidate) bool {
	return e.closer() == record.Sender(1-c.Dir) && e.waitedFor(&c.Span) >= stallAfter
}

// waitedBefore reports whether a request had waited long when something happened.
func (e *ending) waitedBefore(time int64) bool {
	return slices.ContainsFunc(e.story.candidates, func(c candidate) bool {
		return c.role == silence && time-c.LastTime >= stallAfter
	})
}

// maxFollowed is how many sentences are told of what followed from a cause.
const maxFollowed = 3

// tell puts the cause of a failure, and what followed, into the Verdict. It returns them as sentences, none if nothing
// failed.
func (e *ending) tell() (texts []string) {
	cause := e.cause()
	if cause == nil {
		return nil
	}
	v := e.verdict
	v.Cause, v.Culprit, v.Confidence = &cause.Finding, culpritOf(cause), e.confidence(cause)
	if cause.role == breakdown && e.severed() {
		v.Culprit = record.Nobody
	}
	v.Evidence = e.evidence(&cause.Finding)
	v.Advice, v.Explain = e.advice(&cause.Finding)
	if cause.Rule == rules.RuleEnhancedShort && e.conn.Traffic[cause.Dir].Undecoded > 0 {
		cause.tale = e.shortTale(cause.Dir)
	}
	first := cause.tell()
	if after := cause.Time - e.conn.Begin; e.conn.Begin != 0 && after > 0 && cause.role != silence {
		first = sentence("At %s %s", quantity.Moment(after), uncapital(first))
	}
	texts = append(texts, first+".")
	if cause.tale.more != "" {
		texts = append(texts, cause.tale.more+".")
	}
	if followed := e.tellFollowed(cause); followed != nil {
		texts = append(texts, "What followed: "+uncapital(strings.Join(followed, ". "))+".")
	}
	return texts
}

// tellFollowed puts what followed from a cause into the Verdict. It returns the most important of it in sentences without
// full stops.
func (e *ending) tellFollowed(cause *candidate) (texts []string) {
	for _, c := range e.followed(cause) {
		e.verdict.Consequences = append(e.verdict.Consequences, &c.Finding)
		told := c.tell()
		switch t := c.Termination; {
		case cause.Name == ObsClosedEarly.Name && c.role >= silence: // it says what was left undone
			continue
		case c.role == breakdown && (cause.Name == ObsForgedReset.Name || cause.Name == ObsUnheardReset.Name): // it is the same reset
			continue
		case c.Name == ObsClosedEarly.Name: // what was left undone is told by itself
			told = e.endedText()
		case t != nil && t.Blame == record.BlameByPosition && t.Culprit.LastFrame < cause.Frame: // it is about the cause
			told = endedBy(t).what
		}
		if len(texts) < maxFollowed {
			texts = append(texts, capital(told))
		} else if c.role == breakdown { // how it ended is always told
			texts[maxFollowed-1] = capital(told)
		}
	}
	return texts
}

// followed are the consequences of a cause, in their order.
func (e *ending) followed(cause *candidate) (all []*candidate) {
	for i := range e.story.candidates {
		c := &e.story.candidates[i]
		later := c.LastFrame >= cause.Frame || c.role >= silence
		if c != cause && c.role != blemish && later && e.rank(c, true) != never {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(e.rank(a, true), e.rank(b, true)), cmp.Compare(a.Frame, b.Frame))
	})
	return all
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

// culpritOf is whose doing, or silence, a cause is.
func culpritOf(c *candidate) record.Party {
	t := c.Termination
	switch {
	case c.onPath():
		return record.Nobody
	case c.role == silence:
		return record.Sender(1 - c.Dir)
	case c.role == blockage && c.Name != ObsWindowClosed.Name, c.Name == ObsUnreachable.Name:
		return record.Nobody // the network, or the other side
	case t != nil && t.Blame != record.NoBlame && !ownSink(t):
		return record.Sender(t.Culprit.Dir)
	}
	return record.Sender(c.Dir)
}

// confidence is how well a cause is known.
func (e *ending) confidence(c *candidate) record.Confidence {
	t := c.Termination
	switch {
	case c.onPath(), c.role == breach && (e.names(c) || !e.story.failed()):
		return record.Shown
	case c.role == breach, c.role == blemish, t != nil && t.Blame == record.BlameByPosition:
		return record.Likely
	case c.role == decision && (t == nil || t.Blame != record.NoBlame):
		return record.Shown
	case c.Name == ObsBlackHole.Name:
		return record.Likely
	}
	return record.Symptom
}
