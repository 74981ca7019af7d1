package judge

// What an upper layer makes of the end of its connection.

import (
	"time"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// observeConclusion asks the upper layer what went wrong that no single message shows.
func (e *ending) observeConclusion() {
	l, ok := e.follower.(ulp.Concluding)
	if !ok || e.anyHidden() {
		return
	}
	end := ulp.Ending{By: e.closer(), At: e.until(), MaxWait: time.Duration(e.maxWait), Whole: e.whole()}
	if e.complete() {
		end.Span, end.At = e.over(), e.over().Time
	}
	terminated := len(e.reporter.verdict.Terminations) > 0 // which says why a session was dropped
	if c, ok := l.Conclude(&end); ok && !(terminated && c.Name == record.SessionDropped) {
		t := stated("%s", c.Says)
		t.advice = c.Advice
		e.observe(&c.Origin, LookupObservation(c.Name), t)
	}
}
