package judge

// Programs that take turns, and one that stops: no request is open, and yet an answer is missing.

import (
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/match"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A dialogue is the Sends of a connection as long as they take turns: each of one side is followed by one of the other. Programs that look
// for what changes in their memory take turns with Writes.
type dialogue struct {
	writes      bool // its turns are Writes, and nothing else passes
	turns       int  // Sends
	broken      bool // they have not taken turns
	midstream   bool // those before the first one may not be in the capture
	opener      flow.Direction
	latest      [2]turn   // Send by direction
	lastSegment int64     // time of the latest segment that was not a Terminate
	waits       [2][]turn // by direction: Sends that wait for their turn, since earlier ones of the other side may still come
}

// A turn is a Send.
type turn struct {
	flow.Span
	msn uint32 // 0 of a Write
}

// maxWaits is how many Sends of a direction wait at most. Where the capture lacks the MPA frames, those of one side are recognised before
// those of the other.
const maxWaits = 32

// leastTurns is how many Sends show that a connection is a dialogue: two that were answered, and one that was not. One that was
// answered is enough if the silent side has begun to work on the other.
const leastTurns = 5

// leastWrites is how many Writes show it: they need no answer by themselves.
const leastWrites = 17

// silentAfter is how long a side must say nothing, in a dialogue, to count as silent. Programs that wait give up after five seconds or more.
const silentAfter = int64(3 * time.Second)

// send takes a Send.
func (l *dialogue) send(m *record.Message) {
	if l.broken = l.broken || !m.Complete || len(l.waits[m.Dir]) == maxWaits; l.broken {
		return
	}
	t := turn{Span: m.Span}
	if !l.writes {
		t.msn = m.First.Untagged.MSN
	}
	l.waits[m.Dir] = append(l.waits[m.Dir], t)
	for len(l.waits[0]) > 0 && len(l.waits[1]) > 0 {
		l.next()
	}
}

// write takes a message of a connection of which nothing is known but that both sides may take turns with Writes. Those without octets only
// start it up.
func (l *dialogue) write(m *record.Message) {
	switch {
	case m.Opcode != rdmap.OpWrite || l.midstream:
		l.broken = true
	case m.Len > 0:
		l.writes = true
		l.send(m)
	}
}

// unit is what its turns are called.
func (l *dialogue) unit() string {
	if l.writes {
		return "Write"
	}
	return "Send"
}

// name names a turn: "the client's Send in frame 9 (MSN 2)".
func (l *dialogue) name(t *turn, d flow.Direction, frames string) string {
	if l.writes {
		return sentence("the %v's Write in %s", flow.Sender(d), frames)
	}
	return sentence("the %v's Send in %s (MSN %d)", flow.Sender(d), frames, t.msn)
}

// memory is that of the Sends that wait, to be used again.
func (l *dialogue) memory() [2][]turn { return [2][]turn{l.waits[0][:0], l.waits[1][:0]} }

// settle takes the Sends that wait: nothing follows.
func (l *dialogue) settle() {
	for !l.broken && len(l.waits[0])+len(l.waits[1]) > 0 {
		l.next()
	}
}

// next takes the earliest of the Sends that wait.
func (l *dialogue) next() {
	d := flow.C2S
	if c, s := l.waits[flow.C2S], l.waits[flow.S2C]; len(c) == 0 || len(s) > 0 && match.Before(&s[0].Span, &c[0].Span) {
		d = flow.S2C
	}
	t := l.waits[d][0]
	l.waits[d] = slices.Delete(l.waits[d], 0, 1)
	switch {
	case l.turns == 0:
		l.opener = d
	case l.turns == 1 && l.midstream && t.msn == l.latest[l.opener].msn+1: // the first one answered what the capture does not have
		l.turns, l.opener = 0, d
	case l.turns == 1 && l.midstream:
		l.broken = t.msn != l.latest[l.opener].msn
	}
	l.broken = l.broken || (d == l.opener) != (l.turns%2 == 0)
	l.turns, l.latest[d] = l.turns+1, t
}

// waiter is the side that waits for an answer: with Sends the one that begins, with Writes the one that wrote last, for neither asks.
func (l *dialogue) waiter() flow.Direction {
	if l.writes && l.turns%2 == 0 {
		return 1 - l.opener
	}
	return l.opener
}

// patience is how long the other side must say nothing: after Writes longer, for both may have done what they had to do.
func (l *dialogue) patience() int64 {
	if l.writes {
		return lingerAfter
	}
	return silentAfter
}

// unanswered reports whether the latest Send is one of the side that begins, and each before was answered. begun says that the
// other side has sent something else since.
func (l *dialogue) unanswered(begun bool) bool {
	if l.writes {
		return !l.broken && l.turns >= leastWrites
	}
	return !l.broken && l.turns%2 == 1 && (l.turns >= leastTurns || begun && l.turns > 1)
}

// closes takes back an answer that came when the side that begins had ended the connection. It returns that, when the latest segment had come
// by then, and whether the other side had begun to answer.
func (e *ending) closes(l *dialogue) (late turn, lastSegment int64, begun bool) {
	waits := l.waiter()
	silent := 1 - waits
	last := e.progress[silent].latest
	if lastSegment = l.lastSegment; e.closer() == flow.Sender(waits) && last.Frame > e.closing.Frame {
		if l.latest[silent].Frame > e.closing.Frame {
			late, l.turns = l.latest[silent], l.turns-1
		}
		last = e.progress[silent].until(&e.closing)
		lastSegment = max(last.LastTime, e.progress[waits].latest.LastTime)
	}
	return late, lastSegment, last.Frame > l.latest[waits].LastFrame
}

// observeSilence says who fell silent in a dialogue. That counts as a failure if the connection ended over it, or if it lasted
// as long as a request may wait.
func (e *ending) observeSilence(l *dialogue) {
	waits, as := l.waiter(), silence
	silent, at := 1-waits, &l.latest[waits]
	late, lastSegment, begun := e.closes(l)
	quiet := e.waitedFor(&flow.Span{LastTime: lastSegment})
	if t := e.reporter.verdict.Terminations; t != nil {
		quiet = t[0].Terminate.Time - lastSegment
	}
	asks := e.oldest(silent)
	asking := asks != nil && !(e.complete() && asks.Request.Frame > e.closing.Frame)
	if l.writes && e.closer() != flow.Sender(waits) { // it may be idle
		return
	}
	if !l.unanswered(begun) || isBlocked(e.conn, flow.C2S) || isBlocked(e.conn, flow.S2C) || e.follower != nil || e.anyLossy() || e.anyHidden() || e.progress[silent].unfinished || asking || lastSegment == 0 || quiet < l.patience() {
		return
	}
	if !e.complete() && quiet < e.maxWait {
		as = bystander
	}
	what := l.name(at, waits, frames(e.conn, at.Span))
	t := stated("The %v never answered %s and was silent for %s, after it had answered %s", flow.Sender(silent), what, duration(quiet), l.eachBefore())
	if late != (turn{}) {
		t = stated("The %v answered %s only in %s, when the %v had ended the connection: it was silent for %s before, after it had answered %s",
			flow.Sender(silent), what, frames(e.conn, late.Span), flow.Sender(waits), duration(quiet), l.eachBefore())
	}
	if as == bystander {
		e.lead = t.what + "."
	}
	e.observeAs(e.origin(waits, at.Span), ObsSilent, as, t.and(e.acknowledged(waits)))
}

// eachBefore names all that were answered.
func (l *dialogue) eachBefore() string {
	if n := (l.turns - 1) / 2; n > 1 {
		return sentence("each of the %d %ss before", n, l.unit())
	}
	return sentence("the %s before", l.unit())
}
