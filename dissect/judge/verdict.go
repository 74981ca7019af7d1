package judge

// The Verdict: the cause first, what followed from it, and how the connection ended.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// A writer puts a Verdict into words.
type writer struct {
	account
	ranking ranking
	blame   *blame
	ulp     *follower
	lead    string // what the text begins with if nothing failed
}

// conclude puts the Verdict into words: the cause first, then how the connection ended and what was left undone, as far
// as the cause does not tell.
func (w *writer) conclude() {
	v := w.verdict
	v.Until = w.until()
	texts := w.tell()
	only := w.conn.OnlySide()
	incomplete := w.anyLossy() && !w.broken && (only == flow.Nobody || v.Cause != nil) && w.conn.End != flow.EndNoAnswer && w.conn.Foreign == flow.NotForeign && w.conn.Mount == nil
	why := "The capture does not show why."
	if incomplete {
		why = "The capture is not complete, and may not show why."
	}
	if texts != nil {
		switch t := v.Cause.Termination; {
		case v.Confidence == record.Symptom && w.silentAlone():
			texts = append(texts, sentence("Both captures show it: nothing was lost on the way, and no answer left the %v.", v.Culprit))
		case v.Confidence == record.Symptom && LookupObservation(v.Cause.Name).role == silence && v.Cause.Name != ObsKeepAlive.Name && w.closer() != v.Culprit:
			texts = append(texts, sentence("The capture does not show why the %v does not answer.", v.Culprit))
		case v.Confidence == record.Symptom:
			texts, incomplete = append(texts, why), false
		case t != nil && t.Grade != rules.Wrong && !isExplained(t) && len(t.Situations) < 2:
			texts = append(texts, unseen+".")
		}
	}
	if only != flow.Nobody && v.Cause == nil {
		texts = append(texts, sentence("Only packets from the %v are in the capture; whether requests failed cannot be judged.", only))
	}
	if w.lead != "" && v.Cause == nil {
		texts, incomplete = append(texts, w.lead, why), false
	}
	slow, left := w.stalls.text(), w.leaves() && !w.ranking.story.found(silence) && !w.ranking.story.found(breakdown)
	if v.Cause != nil {
		slow = ""
	}
	if slow != "" && !left {
		texts = append(texts, slow)
	}
	if !w.tellsEnd() {
		texts = append(texts, w.endText())
	}
	if left {
		texts = append(texts, w.leftText()+".")
	}
	if slow != "" && left {
		texts = append(texts, slow)
	}
	if w.givenUp {
		texts = append(texts, "It was not followed to its end: there were too many connections at a time.")
	} else if incomplete {
		texts = append(texts, "The capture does not show all of it.")
	}
	v.Summary, v.Text = texts[0], strings.Join(texts, " ")
	v.Headline = cmp.Or(v.Headline, v.Summary)
}

// maxFollowed is how many sentences are told of what followed from a cause.
const maxFollowed = 3

// tell puts the cause of a failure, and what followed, into the Verdict. It returns them as sentences, none if nothing
// failed.
func (w *writer) tell() (texts []string) {
	cause := w.ranking.cause()
	if cause == nil {
		return nil
	}
	v := w.verdict
	v.Cause, v.Culprit, v.Confidence = &cause.Finding, culpritOf(cause), w.ranking.confidence(cause)
	if cause.statement.passes && w.ranking.alone(cause) {
		v.Mends = cause.Time + w.maxWait
	}
	if cause.role == breakdown && w.severed() {
		v.Culprit = flow.Nobody
	}
	v.Excused = slices.DeleteFunc(v.Excused, func(e record.Excused) bool { return e.Dir == cause.Dir && e.Deviation == cause.Deviation }) // not if it does harm
	v.Evidence = w.evidence(&cause.Finding)
	v.Advice, v.Explain = w.advice(&cause.Finding)
	v.Advice = cmp.Or(cause.statement.advice, v.Advice) + w.remarks(cause)
	if cause.Rule == rules.RuleEnhancedShort && w.conn.Traffic[cause.Dir].Undecoded > 0 {
		cause.statement = w.shortStatement(cause.Dir)
	}
	if w.isStrange(&cause.Finding) {
		cause.statement = cause.statement.and(sentence("No Send of the %v reads as %s, which the %v speaks: the two sides seem to speak different upper-layer protocols",
			flow.Sender(cause.Dir), v.ULP, flow.Sender(1-cause.Dir)))
	}
	if request := w.ranking.story.refusedWith(cause); request != nil && request.statement.name != "" {
		cause.statement = cause.statement.and("The refused message is the " + request.statement.name)
	}
	first := cause.tell()
	v.Headline = first + "."
	if t := cause.Termination; t != nil {
		v.Headline = terminateHeadline(t)
	}
	if after := cause.Time - w.conn.Begin; w.conn.Begin != 0 && after > 0 && cause.role != silence {
		first = sentence("At %s %s", quantity.Moment(after, cause.Time), uncapital(first))
	}
	texts = append(texts, first+".")
	if cause.statement.more != "" {
		texts = append(texts, cause.statement.more+".")
	}
	if followed := w.tellFollowed(cause); followed != nil {
		texts = append(texts, "What followed: "+uncapital(strings.Join(followed, ". "))+".")
	}
	return texts
}

// isStrange reports whether a finding is that a side breaks the rules of an upper layer which it does not seem to speak at all.
func (w *writer) isStrange(f *record.Finding) bool {
	return f.Rule != nil && f.Rule.Upper && w.ulp.isStranger(w.conn, f.Dir)
}

// tellFollowed puts what followed from a cause into the Verdict. It returns the most important of it in sentences without
// full stops.
func (w *writer) tellFollowed(cause *candidate) (texts []string) {
	for _, c := range w.ranking.followed(cause) {
		w.verdict.Consequences = append(w.verdict.Consequences, &c.Finding)
		told := c.tell()
		switch t := c.Termination; {
		case slices.ContainsFunc(w.ranking.story.candidates, func(t candidate) bool { return c.isRefusedWith(&t) }): // the Terminate is told
			continue
		case cause.Name == ObsClosedEarly.Name && c.role >= silence, cause.isLull() && c.role >= silence && c.role != breakdown: // it says what was left undone
			continue
		case c.role == breakdown && (cause.Name == ObsForgedReset.Name || cause.Name == ObsUnheardReset.Name): // it is the same reset
			continue
		case c.Name == ObsClosedEarly.Name: // what was left undone is told by itself
			told = w.endedText()
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

// tellsEnd reports whether the cause, with what followed, says how the connection ended.
func (w *writer) tellsEnd() bool {
	switch {
	case w.conn.Mount != nil:
		return true
	case w.verdict.Cause == nil:
		return false
	}
	if w.verdict.Cause.Name == ObsHalfOpen.Name && w.unknown() {
		return true
	}
	return slices.ContainsFunc(w.ranking.story.candidates, func(c candidate) bool {
		switch c.Name {
		case ObsTerminate.Name, ObsClosedEarly.Name, ObsForgedReset.Name, ObsKeepAlive.Name, ObsRefused.Name, ObsNoAnswer.Name, ObsPortsInUse.Name, ObsForeign.Name, ObsRequestCut.Name, ObsNoReply.Name, ObsRevision.Name,
			ObsNoReady.Name, ObsMarkers.Name, ObsTooFewReads.Name, ObsCRCsRefused.Name:
			return true
		}
		return false
	})
}

// endText says how the connection ended.
func (w *writer) endText() string {
	n := w.conn
	switch {
	case n.Requested && !n.Replied:
		return w.noReplyStatement().String()
	case n.Replied && !n.Requested && !w.noRequest():
		return sentence("The %s is not in the capture. %s.", wordsOf(w.conn).request, w.endedText())
	case !n.Requested && !n.Replied:
		return sentence("The %s are not in the capture. %s.", wordsOf(w.conn).both, w.endedText())
	case !n.Agreed && n.End != flow.EndReject && !w.noRequest():
		return sentence("The %s led to no agreement. %s.", wordsOf(w.conn).both, w.endedText())
	case w.verdict.Cause == nil && n.Agreed && w.fpdus() == 0:
		return sentence("Established, but never used. %s.", w.endedText())
	case w.verdict.Cause == nil && !w.leaves() && !w.agreed && !w.anyLossy():
		return w.endedText() + w.wholeText()
	}
	return w.endedText() + "."
}

// wholeText says which message is not whole, or that none is and nothing waits for an answer.
func (w *writer) wholeText() string {
	for d := range w.progress {
		if p := &w.progress[d]; p.unfinished && p.cut.span != (flow.Span{}) {
			whose := sentence("the %v's", flow.Sender(flow.Direction(d)))
			return sentence("; %s in %s is not whole.", p.cut.name(whose), frames(w.conn, p.cut.span))
		}
	}
	return "; nothing outstanding."
}

// silentAlone reports whether two captures show that the cause is the silence of one end: all that was sent has arrived.
func (w *writer) silentAlone() bool {
	o, ends := LookupObservation(w.verdict.Cause.Name), w.verdict.Ends
	return ends != nil && o != nil && o.role == silence && ends.Ways[0].Never == 0 && ends.Ways[1].Never == 0
}
