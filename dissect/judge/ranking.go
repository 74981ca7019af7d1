package judge

// Why a connection failed: its story, ranked by causality.

import (
	"cmp"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A ranking finds the cause in a story, and what followed from it.
type ranking struct {
	*waiting
	story      *story
	terminates []*record.Termination
}

// cause finds why the connection failed; nil if it did not.
func (r *ranking) cause() *candidate {
	failed := r.story.failed()
	var cause *candidate
	first := never
	for i := range r.story.candidates {
		c := &r.story.candidates[i]
		if as := r.rank(c, failed); as < first || as == first && as != never && earlier(c, cause) {
			first, cause = as, c
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
func (r *ranking) rank(c *candidate, failed bool) role {
	switch c.role {
	case breach:
		p := r.conn.Traffic[c.Dir].Pending
		switch {
		case c.onPath(), c.Name == ObsAltered.Name && !(failed && r.accepted(&c.Finding)):
			return bystander // before all others
		case isBlocked(r.conn, c.Dir) && c.Frame >= p.Oldest.Frame:
			return never // it has not arrived
		case r.names(c):
			return bystander
		case r.unasked(c), r.decides(c):
			return never
		case !failed && (c.Severity == rules.Error || r.provoked(c)):
			return breach
		case failed && (!r.accepted(&c.Finding) || r.spoils(c)):
			return breach
		}
		return never
	case blemish:
		switch {
		case r.explains(c):
			return bystander
		case failed && c.Severity == rules.Error && r.hits(c), !failed && r.provoked(c):
			return breach
		}
		return never
	case hindrance:
		if failed && r.delays(c) {
			return blockage
		}
		return never
	case decision:
		return r.rankDecision(c, failed)
	case silence:
		if r.nested(c) || r.complete() && r.silentFor(c) < r.patience(flow.Sender(1-c.Dir)) {
			return remnant // the end is not for the lack of an answer
		}
	case remnant:
		if r.incomplete(c.Dir, &c.Span) {
			return silence
		}
	}
	return c.role
}

// silentFor is how long the other side had sent nothing of the answer, at the end. Reads are answered one after the other.
func (r *ranking) silentFor(c *candidate) int64 {
	waited := r.waitedFor(&c.Span)
	if at := r.progress[1-c.Dir].responded; c.Name == ObsUnansweredRead.Name && at > c.LastTime {
		return min(waited, r.waitedFor(&flow.Span{LastTime: at}))
	}
	return waited
}

// nested reports whether a request of an upper layer waited for the other side because that waited itself: for the answer to a later Read
// or Atomic.
func (r *ranking) nested(c *candidate) bool {
	return c.Name == ObsUnansweredUpper.Name && slices.ContainsFunc(r.story.candidates, func(f candidate) bool {
		return (f.Name == ObsUnansweredRead.Name || f.Name == ObsUnansweredAtomic.Name) && f.Dir != c.Dir && f.Frame > c.Frame
	})
}

// rankDecision is the rank of a decision. A Terminate that names its segment explains more than any breach that it does
// not name, one that does not and follows a long silence is a consequence of that. A refused request is a cause while no such
// request has succeeded since; if the connection has failed, only if none at all was answered since.
func (r *ranking) rankDecision(c *candidate, failed bool) role {
	switch t := c.Termination; {
	case c.Name == ObsRefusedUpper.Name && (c.recovered || r.lacksLater(c) || failed && r.accepted(&c.Finding)):
		return never
	case t == nil:
	case t.Blame == record.BlameByHeader, t.Blame == record.BlameByRequest, t.Blame == record.BlameByReply:
		return bystander
	case r.waitedBefore(c.Time):
		return remnant
	}
	return decision
}

// lacksLater reports whether the capture may lack a later request that succeeded.
func (r *ranking) lacksLater(c *candidate) bool {
	return r.anyHoled() && max(r.MissedAt[0], r.MissedAt[1]) >= c.LastFrame
}

// delays reports whether octets of a direction were sent again after something was asked for that never came, or came in part there: many
// octets that belong to the answer, or any after waits of half of the time. So they were if the connection ended after such waits for the other
// side.
func (r *ranking) delays(c *candidate) bool {
	t := &r.conn.Traffic[c.Dir]
	waits, many := &t.Resent, delivered(r.conn, c.Dir) > t.Octets/delayingShare
	return slices.ContainsFunc(r.story.candidates, func(f candidate) bool {
		waited := r.waitedFor(&f.Span)
		long := waited > 0 && 2*waits.After(f.Frame) >= waited
		switch f.role {
		case silence:
			return f.Dir != c.Dir && many && f.Frame < t.Disorder.Frame || long
		case remnant:
			return f.Dir == c.Dir && (many && f.Frame < t.Disorder.Frame || long)
		case breakdown:
			received := r.progress[1-c.Dir].until(&r.closing)
			silent := r.closing.Time - received.LastTime
			return received.LastTime != 0 && silent >= stallAfter && !isAskew(r.conn) && 2*waits.After(received.LastFrame) >= silent
		}
		return false
	})
}

// names reports whether a Terminate is about a breach, or about the message that has it.
func (r *ranking) names(c *candidate) bool {
	return slices.ContainsFunc(r.terminates, c.isNamed)
}

// spoils reports whether a grave breach, or a response with a wrong ID, is in the direction of an answer that never came, after its request.
func (r *ranking) spoils(c *candidate) bool {
	grave := c.Name == ObsStrayAnswer.Name || c.Rule != nil && c.Rule.Grave
	return grave && slices.ContainsFunc(r.story.candidates, func(f candidate) bool {
		return f.role == silence && f.Dir != c.Dir && f.LastFrame < c.Frame
	})
}

// decides reports whether a breach is in the message with which its own sender refuses something.
func (r *ranking) decides(c *candidate) bool {
	return slices.ContainsFunc(r.story.candidates, func(f candidate) bool {
		return f.role == decision && f.Name == ObsRejected.Name && f.Dir == c.Dir && f.Span == c.Span
	})
}

// explains reports whether a Terminate encloses the header of the segment with a warning, and nothing else explains it.
func (r *ranking) explains(c *candidate) bool {
	return c.Severity == rules.Warning && slices.ContainsFunc(r.terminates, func(t *record.Termination) bool {
		return t.Blame == record.BlameByHeader && t.Culprit.Dir == c.Dir && t.Culprit.Span == c.Span && !isExplained(t)
	})
}

// unasked reports whether a grave breach may answer a message that never came: what the other side sent next does not follow on what it
// had sent before.
func (r *ranking) unasked(c *candidate) bool {
	return c.Rule != nil && c.Rule.Grave && slices.ContainsFunc(r.story.candidates, func(f candidate) bool {
		return f.role == breach && f.Dir != c.Dir && f.Rule != nil && f.Rule.Successive && f.before < c.Frame && c.Frame < f.Frame
	})
}

// accepted reports whether the receiver went on after something that was found: it answered a later request.
func (r *ranking) accepted(f *record.Finding) bool { return r.story.answered > f.LastFrame }

// hits reports whether a breach is in what failed: the segment that a Terminate is about, or the request that was not
// answered.
func (r *ranking) hits(c *candidate) bool {
	return slices.ContainsFunc(r.story.candidates, func(f candidate) bool {
		at := f.Span
		if f.Termination != nil {
			at = f.Termination.Culprit.Span
		}
		return f.role != c.role && f.Dir == c.Dir && at.Frame <= c.LastFrame && at.LastFrame >= c.Frame ||
			f.Termination != nil && f.Dir != c.Dir && at.Frame <= c.LastFrame && at.LastFrame >= c.Frame
	})
}

// provoked reports whether the receiver of a breach reset the connection as the next thing that it did. Deviations count only if it
// did nothing else at all, warnings only if they are about what a receiver has to refuse.
func (r *ranking) provoked(c *candidate) bool {
	peer := 1 - c.Dir
	said := r.progress[peer].latest.LastFrame
	return ((c.Severity == rules.Error || c.role == breach) && said < c.Frame || c.Deviation != nil && said == 0) &&
		r.conn.RST[peer] == r.closing && c.Frame < r.closing.Frame
}

// waitedBefore reports whether a request had waited long when something happened.
func (r *ranking) waitedBefore(time int64) bool {
	return slices.ContainsFunc(r.story.candidates, func(c candidate) bool {
		return c.role == silence && time-c.LastTime >= stallAfter
	})
}

// followed are the consequences of a cause, in their order.
func (r *ranking) followed(cause *candidate) (all []*candidate) {
	for i := range r.story.candidates {
		c := &r.story.candidates[i]
		later := c.LastFrame >= cause.Frame || c.role >= silence
		if c != cause && c.role != blemish && c.role != hindrance && later && r.rank(c, true) != never {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(r.rank(a, true), r.rank(b, true)), cmp.Compare(a.Frame, b.Frame))
	})
	return all
}

// alone reports whether nothing but a cause and what it left undone is wrong.
func (r *ranking) alone(cause *candidate) bool {
	return !slices.ContainsFunc(r.story.candidates, func(c candidate) bool {
		return c.Name != cause.Name && r.rank(&c, true) < remnant
	})
}

// confidence is how well a cause is known.
func (r *ranking) confidence(c *candidate) record.Confidence {
	t := c.Termination
	switch {
	case c.onPath(), c.Name == ObsAltered.Name, c.role == breach && (r.names(c) || !r.story.failed()):
		return record.Shown
	case c.role == breach, c.role == blemish, c.Name == ObsTooFewReads.Name, c.Name == ObsCRCsRefused.Name, t != nil && t.Blame == record.BlameByPosition:
		return record.Likely
	case c.role == decision && (t == nil || t.Blame != record.NoBlame):
		return record.Shown
	case c.role == hindrance, c.Name == ObsBlackHole.Name, c.Name == ObsBadChecksum.Name:
		return record.Likely
	case c.Name == ObsNoReady.Name:
		return record.Shown
	}
	return record.Symptom
}

// culpritOf is whose doing, or silence, a cause is.
func culpritOf(c *candidate) flow.Party {
	t := c.Termination
	switch {
	case c.onPath():
		return flow.Nobody
	case c.role == hindrance, c.role == ailment, c.Name == ObsAltered.Name:
		return flow.Nobody
	case c.role == silence:
		return flow.Sender(1 - c.Dir)
	case c.role == blockage && c.Name != ObsWindowClosed.Name && c.Name != record.Starved, c.Name == ObsUnreachable.Name:
		return flow.Nobody // the network, or the other side
	case t != nil && t.Blame != record.NoBlame && !ownSink(t) && !ownReceive(t):
		return flow.Sender(t.Culprit.Dir)
	}
	return flow.Sender(c.Dir)
}
