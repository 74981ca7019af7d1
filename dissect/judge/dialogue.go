package judge

// Programs that take turns, and one that stops: no request is open, and yet an answer is missing.

import (
	"time"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A dialogue is the Sends of a connection as long as they take turns: each of one side is followed by one of the other.
type dialogue struct {
	turns  int  // Sends
	broken bool // they have not taken turns
	opener flow.Direction
	latest [2]flow.Span // Send by direction
	msn    uint32       // of the latest
	heard  int64        // time of the latest segment that was not a Terminate
}

// leastTurns is how many Sends show that a connection is a dialogue: two that were answered, and one that was not. One that was
// answered is enough if the silent side has begun to work on the other.
const leastTurns = 5

// silentAfter is how long a side must say nothing, in a dialogue, to count as silent. Programs that wait give up after five seconds or more.
const silentAfter = int64(3 * time.Second)

// send takes a Send.
func (l *dialogue) send(m *record.Message) {
	if l.turns == 0 {
		l.opener = m.Dir
	}
	turn := l.opener
	if l.turns%2 == 1 {
		turn = 1 - turn
	}
	l.broken = l.broken || m.Dir != turn || !m.Complete
	l.turns, l.latest[m.Dir], l.msn = l.turns+1, m.Span, m.First.Untagged.MSN
}

// unanswered reports whether the latest Send is one of the side that begins, and each before was answered. begun says that the
// other side has sent something else since.
func (l *dialogue) unanswered(begun bool) bool {
	return !l.broken && l.turns%2 == 1 && (l.turns >= leastTurns || begun && l.turns > 1)
}

// observeSilence says who fell silent in a dialogue. That counts as a failure if the connection ended over it, or if it lasted
// as long as a request may wait.
func (e *ending) observeSilence(l *dialogue, owed int64) {
	silent, quiet, as := 1-l.opener, e.waitedFor(&flow.Span{LastTime: l.heard}), silence
	if t := e.reporter.verdict.Terminations; t != nil {
		quiet = t[0].Terminate.Time - l.heard
	}
	traffic := &e.conn.Traffic
	begun := e.progress[silent].latest.Frame > l.latest[l.opener].LastFrame
	if !l.unanswered(begun) || isBlocked(traffic[0].Pending) || isBlocked(traffic[1].Pending) || e.follower != nil || e.anyLossy() || e.anyHidden() || e.progress[silent].unfinished || e.oldest(silent) != nil || l.heard == 0 || quiet < silentAfter {
		return
	}
	if !e.complete() && quiet < owed {
		as = bystander
	}
	at := &l.latest[l.opener]
	t := told("The %v never answered the %v's Send in %s (MSN %d) and was silent for %s, after it had answered %s",
		flow.Sender(silent), flow.Sender(l.opener), frames(e.conn, *at), l.msn, duration(quiet), eachBefore(l.turns/2))
	if as == bystander {
		e.lead = t.what + "."
	}
	e.observeAs(e.origin(l.opener, *at), ObsSilent, as, t.and(e.acknowledged(l.opener)))
}

// eachBefore names all Sends before the latest one.
func eachBefore(n int) string {
	if n == 1 {
		return "the Send before"
	}
	return sentence("each of the %d Sends before", n)
}
