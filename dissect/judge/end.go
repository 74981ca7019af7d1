package judge

// What is to be said when time passes and when a connection ends: what was left undone, and how TCP fared.

import (
	"cmp"
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// lingerAfter is how long a TCP connection may stay open after a Terminate.
const lingerAfter = int64(10 * time.Second)

// A twentieth of the octets sent again, and at least so many, are too many.
const (
	resentShare = 20
	resentLeast = 4 << 10 // octets: more than one or two segments

	delayingShare = 3 // so many explain why something took too long
)

// An ending finds what was remarkable about how a connection ended.
type ending struct {
	account
	*reporter
	lead string // what the Verdict begins with if nothing failed
}

// closed finds out who ended the connection, and where the end began.
func (e *ending) closed() {
	n, v := e.conn, e.reporter.verdict
	v.Conn = n
	begins := func(p flow.Party, at flow.Span) {
		if at != (flow.Span{}) && (v.By == flow.Nobody || at.Frame < v.At.Frame) {
			v.By, v.At = p, at
		}
	}
	for d := range e.progress {
		begins(flow.Sender(flow.Direction(d)), n.FIN[d])
		begins(flow.Sender(flow.Direction(d)), n.RST[d])
	}
	if e.severed() {
		v.By = flow.Nobody
	} else {
		e.closing = v.At
	}
	switch {
	case len(v.Terminations) > 0:
		t := &v.Terminations[0].Terminate
		v.By, v.At = flow.Sender(t.Dir), t.Span
	case n.End == flow.EndReject:
		v.By, v.At = flow.Server, e.frames[flow.S2C]
	}
}

// observeStartup says what the MPA frames came to, if not to an agreement that was used.
func (e *ending) observeStartup() {
	n := e.conn
	complete := e.complete()
	switch {
	case n.Mount != nil:
		e.observe(e.origin(flow.S2C, n.Mount.Reply), ObsRefusedUpper, mountStatement(n))
	case n.End == flow.EndRefused && !e.forged(flow.S2C):
		e.observe(e.origin(flow.S2C, n.RST[flow.S2C]), ObsRefused, e.refusedStatement())
	case n.End == flow.EndNoAnswer && n.Attempts.By != flow.Nobody:
		e.observe(e.origin(flow.S2C, n.Traffic[flow.S2C].Latest), ObsPortsInUse, e.challengedStatement())
	case n.End == flow.EndNoAnswer:
		e.observe(e.origin(flow.C2S, flow.Span{}), ObsNoAnswer, e.noAnswerStatement())
	case n.Foreign == flow.ForeignSilence && e.over().Time-n.Earliest < stallAfter:
		e.observe(e.origin(flow.S2C, e.over()), ObsClosedEarly, e.closedAtOnceStatement())
	case n.Foreign == flow.ForeignCut:
		e.observe(e.origin(flow.C2S, flow.Span{}), ObsRequestCut, e.foreignStatement())
	case n.Foreign != flow.NotForeign:
		e.observe(e.origin(flow.C2S, flow.Span{}), ObsForeign, e.foreignStatement())
	case n.Requested && !n.Replied && e.closer() == flow.Server && e.closing.Frame < e.frames[flow.C2S].Frame && !e.anyLossy():
		e.observeLateRequest()
	case e.leavesUnanswered():
		e.observe(e.origin(flow.C2S, e.over()), ObsClosedEarly, e.leavesUnansweredStatement())
	case e.repliedLate():
		e.observeAs(e.origin(flow.S2C, e.frames[flow.S2C]), ObsNoReply, decision, e.repliedLateStatement())
	case n.Requested && !n.Replied:
		request := e.frames[flow.C2S]
		if t := &n.Traffic[flow.S2C]; t.Octets > 0 && complete && !e.lossy(flow.S2C) {
			e.observeAs(e.origin(flow.S2C, request), ObsNoReply, decision, e.noReplyStatement())
		} else if least := max(stallAfter, request.LastTime-n.Earliest); !e.lossy(flow.S2C) && (complete || n.Latest-request.LastTime >= least) { // the way may be slow
			e.observe(e.origin(flow.C2S, request), ObsNoReply, e.noReplyStatement())
		}
	case e.noRequest():
		e.observe(e.origin(flow.S2C, e.frames[flow.S2C]), ObsNoRequest, e.noRequestStatement())
	case e.disagreed():
		e.observe(e.origin(flow.S2C, e.frames[flow.S2C]), ObsRevision, e.revisionsStatement())
	case e.markersRefused():
		e.observe(e.origin(flow.C2S, e.closing), ObsMarkers, e.markersRefusedStatement())
	case e.readsRefused():
		e.observe(e.origin(flow.S2C, e.frames[flow.S2C]), ObsTooFewReads, e.readsRefusedStatement())
	case e.crcsRefused():
		e.observe(e.origin(flow.S2C, e.frames[flow.S2C]), ObsCRCsRefused, e.crcsRefusedStatement())
	case e.owesReady():
		e.observe(e.origin(flow.S2C, e.frames[flow.S2C]), ObsNoReady, e.notReadyStatement())
	case n.Agreed && complete && e.fpdus() == 0 && n.Traffic[flow.S2C].Streaming > 0 && n.Traffic[flow.C2S].Streaming == 0:
		reply := &e.frames[flow.S2C]
		e.observeAs(e.origin(flow.S2C, *reply), ObsNoReply, decision, stated("The server sent %s before its MPA Reply in %s, where the client expects its Key, and no FPDU followed",
			quantity.Count(n.Traffic[flow.S2C].Streaming, "octet"), frames(n, *reply)))
	case n.Agreed && complete && e.fpdus() == 0 && !e.lossy(flow.C2S) && !e.lossy(flow.S2C):
		e.observe(e.origin(flow.C2S, flow.Span{}), ObsUnused,
			stated("%s, and no %s was sent: the connection was established and never used", e.endedText(), wordsOf(e.conn).unit))
	}
}

// observeEnd says what is remarkable in the way the connection was closed.
func (e *ending) observeEnd(l *dialogue) {
	n, by := e.conn, e.closer()
	d := direction(by)
	reset := by != flow.Nobody && n.RST[d] == e.closing
	switch {
	case len(e.reporter.verdict.Terminations) > 0:
		e.afterTerminate()
	case by == flow.Nobody && !e.severed(), n.End == flow.EndRefused, n.End == flow.EndReject, n.Foreign != flow.NotForeign, e.disagreed(), e.leavesUnanswered(), e.repliedLate(), e.markersRefused(), e.readsRefused(), e.crcsRefused(), e.anyHoled():
	case (n.Agreed || e.fpdus() > 0) && e.leaves(), e.discarded() != nil, n.Agreed && reset && e.fpdus() == 0:
		e.observe(e.origin(d, e.over()), ObsClosedEarly, e.closedEarlyStatement())
		return
	case e.abandons(l):
		e.observe(e.origin(d, e.over()), ObsClosedEarly, stated("%s, %s after its Send in %s (MSN %d): the %v had not answered that, after it had answered %s",
			e.closedText(), duration(e.waitedFor(&l.latest[l.opener].Span)), frames(n, l.latest[l.opener].Span), l.latest[l.opener].msn, flow.Sender(1-l.opener), l.eachBefore()))
		return
	case reset && e.repels(l):
		at, why := &e.progress[1-d].latest, "an RNIC that refuses a message may do so"
		if e.unknown() {
			why = e.unknownText()
		}
		e.observe(e.origin(d, e.over()), ObsClosedEarly, stated("%s right after the %v's %v in %s, without a Terminate", e.closedText(), flow.Sender(1-d),
			e.progress[1-d].opcode, frames(n, *at)).and(why))
		return
	}
	if e.severed() {
		e.observe(e.origin(flow.C2S, e.over()), ObsReset, stated("%s", capital(e.endClause())))
		return
	}
	for d, at := range n.RST {
		if d := flow.Direction(d); at != (flow.Span{}) && n.End != flow.EndRefused {
			e.observe(e.origin(d, at), ObsReset, stated("The %v %s in %s", flow.Sender(d), wordsOf(e.conn).reset, frames(e.conn, at)))
			break
		}
	}
}

// observeLull says that nothing came for seconds, and that the other side's TCP then did not know the connection any more: it had ended it
// meanwhile, and nothing of that came. The sender's TCP may have tried in vain where the capture cannot see it, as when the link of its host is down.
func (e *ending) observeLull() {
	l := &e.stalls.last
	if l.LastTime-l.Time < interruptedLeast || !e.unknown() || !e.leaves() || e.closing.Frame < l.LastFrame || e.closing.Time-l.LastTime >= stallAfter ||
		e.anyLossy() || e.anyHidden() || isAskew(e.conn) {
		return
	}
	e.observeAs(e.origin(flow.C2S, l.Span), ObsInterrupted, blockage, stated("%s, and then the %v did not know the connection any more",
		l.says, e.closer()).and("Its end had not come: the link was down meanwhile, or a host stood still or was restarted"))
}

// isLull reports whether a candidate is from observeLull.
func (c *candidate) isLull() bool { return c.Name == ObsInterrupted.Name && c.role == blockage }

// abandons reports whether the side that ended the connection was waiting for the answer to its Send in a long dialogue, and not for long.
// The other side had begun to work on that, so it was not a last Send that needs no answer.
func (e *ending) abandons(l *dialogue) bool {
	const least = 33 // Sends
	begun := e.progress[1-l.opener].latest.Frame > l.latest[l.opener].LastFrame
	return e.follower == nil && begun && l.turns >= least && l.unanswered(true) && e.closer() == flow.Sender(l.opener) &&
		!e.anyHidden() && !isAskew(e.conn) && e.waitedFor(&l.latest[l.opener].Span) < silentAfter
}

// repels reports whether the side that reset the connection did so as soon as a message came that does not end anything: a Write, of which
// its program learns nothing, unless both take turns with Writes; or a Send in a dialogue in which it had answered each before, or where
// its TCP, of which the capture has no octets, has no such connection.
func (e *ending) repels(l *dialogue) bool {
	by := direction(e.closer())
	own, other := &e.progress[by], &e.progress[1-by]
	if e.follower != nil || other.latest.Frame < own.latest.LastFrame || other.latest.LastFrame > e.closing.Frame || e.closing.Time-other.latest.LastTime >= stallAfter ||
		e.conn.FIN != [2]flow.Span{} {
		return false
	}
	if other.opcode == rdmap.OpWrite {
		return own.latest != flow.Span{} && own.opcode != rdmap.OpWrite
	}
	hasNone := e.unknown() && e.conn.Traffic[by].Octets == 0
	return l.opener == 1-by && l.latest[l.opener].Span == other.latest && (hasNone || l.unanswered(l.turns > 1))
}

// observeHung says what still waits for an answer when the capture ends before the connection does. What has waited as
// long as maxWait says counts as unanswered.
func (e *ending) observeHung() {
	if e.complete() || e.givenUp || e.anyHidden() || isAskew(e.conn) {
		return
	}
	for d := range e.progress {
		e.observeUnfinished(flow.Direction(d))
		t := e.oldest(flow.Direction(d))
		if t == nil || t.Request.LastTime == 0 {
			continue
		}
		waited, obs := e.until()-t.Request.LastTime, ObsPending
		switch {
		case waited < stallAfter:
			continue
		case waited >= e.maxWait:
			obs = [...]*Observation{ObsUnansweredRead, ObsUnansweredAtomic, ObsUnansweredUpper}[t.Kind]
		}
		e.observe(&record.Origin{Conn: e.conn, Dir: t.Dir, Span: t.Request}, obs, stated("The %v has not answered %s%s, until the capture ended",
			flow.Sender(1-t.Dir), e.transactionText(t), e.waited(t)).and(e.taken(t)).unanswered(t, e.upperText(t)))
	}
}

// observeUnfinished says which message a side has begun and not gone on with for as long as maxWait says.
func (e *ending) observeUnfinished(d flow.Direction) {
	p := &e.progress[d]
	idle := e.until() - p.latest.LastTime
	if p.unfinished && p.cut.span != (flow.Span{}) && !p.cut.short && p.latest.LastTime != 0 && idle >= e.maxWait && !e.lossy(d) && len(e.reporter.verdict.Terminations) == 0 {
		e.observe(e.origin(d, p.cut.span), ObsMessageCut, stated("The %v has not completed %s in %s: %s came, and nothing more for %s, until the capture ended",
			flow.Sender(d), p.cut.name("its"), frames(e.conn, p.cut.span), p.cut.came(), duration(idle)).and(e.acknowledged(d)))
	}
}

// afterTerminate checks whether a Terminate was followed by an orderly end of the TCP connection.
func (e *ending) afterTerminate() {
	n, t := e.conn, &e.reporter.verdict.Terminations[0].Terminate
	open := n.Latest - t.LastTime
	if e.closing != (flow.Span{}) {
		open = e.closing.Time - t.LastTime
	}
	if open >= lingerAfter && t.LastTime != 0 {
		e.observe(t, ObsLinger, stated("The %s was still open %s after the Terminate in %s, which has to end it",
			wordsOf(e.conn).connection, duration(open), frames(t.Conn, t.Span)))
	}
	if rst := n.RST[t.Dir]; rst.Frame >= t.LastFrame && n.FIN[t.Dir] == (flow.Span{}) && !e.lossy(t.Dir) {
		e.observe(e.origin(t.Dir, rst), ObsResetAfterTerminate,
			stated("The %v %s in %s, after its Terminate in %s and without %s: the reset may have overtaken the Terminate",
				flow.Sender(t.Dir), wordsOf(e.conn).reset, frames(e.conn, rst), frames(t.Conn, t.Span), wordsOf(e.conn).fin))
	}
}

// observeLoss says what the capture does not have.
func (e *ending) observeLoss() {
	all := e.origin(flow.C2S, flow.Span{})
	if e.givenUp {
		e.observe(all, ObsGivenUp, stated("The connection was not followed to its end, because too many were followed at a time"))
	}
	var lacks []string
	why := ""
	for d := range e.conn.Traffic {
		t, who := &e.conn.Traffic[d], flow.Sender(flow.Direction(d))
		if t.TCP.Cut > 0 {
			why = ": packets were captured in part. The CRCs of their FPDUs, and what stands in the missing octets, are not checked"
		}
		if e.conn.OnlySide() == flow.Sender(flow.Direction(1-d)) {
			lacks = append(lacks, sentence("all that the %v sent", who))
		} else if missing := max(t.MissingOctets, t.TCP.HoleOctets) + t.Unseen; missing > 0 {
			lacks = append(lacks, sentence("%s of what the %v sent", quantity.Count(missing, "octet"), who))
		}
	}
	if lacks != nil {
		e.observe(all, ObsCaptureLoss, stated("The capture lacks %s%s", strings.Join(lacks, " and "), why))
	}
}

// observeSide says what was left undone in a direction, and how TCP fared.
func (e *ending) observeSide(d flow.Direction) {
	o := &e.reporter.verdict.Outstanding[d]
	e.observeUnanswered(d, record.ReadTransaction, o.Reads, ObsUnansweredRead)
	e.observeUnanswered(d, record.AtomicTransaction, o.Atomics, ObsUnansweredAtomic)
	e.observeUnanswered(d, record.UpperTransaction, o.Upper, ObsUnansweredUpper)
	if cut, ok := e.cutOff(d); ok {
		e.observe(e.origin(d, cut.span), ObsMessageCut, e.cutStatement(d, cut))
	}
	t := &e.conn.Traffic[d]
	all := e.origin(d, flow.Span{})
	e.observeRetransmissions(d)
	if t.TCP.LostBefore > 0 {
		e.observe(all, ObsLostBefore, stated("%d octets of the %v came late, behind later ones: they were lost before the capture point and sent again",
			t.TCP.LostBefore, flow.Sender(d)))
	}
	if t.Damaged > 0 {
		e.observe(all, ObsPathDamage, stated("%s of the %v arrived with a wrong TCP checksum and were sent again; the receiver discarded them",
			quantity.Count(t.Damaged, "packet"), flow.Sender(d)))
	}
	if a := &t.Altered; a.First > 0 {
		e.observe(e.origin(d, a.Again), ObsAltered, stated("Something altered what the %v sent: %s repeats %s with other octets, and both have right TCP checksums",
			flow.Sender(d), frames(e.conn, a.Again), frame(e.conn, a.First)).and("the capture does not show which of the two the "+flow.Sender(1-d).String()+" took"))
	}
	if at := cmp.Or(t.Spoiled.First, e.spoiled[d]); at > 0 {
		e.observe(e.origin(d, flow.At(at, 0)), ObsSpoiled, e.spoiledStatement(d, at))
	}
	e.observeBlockage(d)
	if t.ZeroWindows > 0 {
		e.observe(all, ObsZeroWindow, stated("The %v could receive nothing for a time: %s closed its TCP window",
			flow.Sender(d), quantity.Count(t.ZeroWindows, "packet")))
	}
}

// observeRetransmissions says how much of a direction was sent again, and how long TCP waited before that.
func (e *ending) observeRetransmissions(d flow.Direction) {
	t, all := &e.conn.Traffic[d], e.origin(d, flow.Span{})
	again, waits := t.TCP.Retransmitted, &t.Resent
	switch {
	case isInterrupted(waits):
		e.observe(e.origin(d, waits.From), ObsInterrupted, stated("The %v sent octets in %s that were not acknowledged, and sent them again only %s later, in %s: nothing passed in between",
			flow.Sender(d), frames(e.conn, waits.From), duration(waits.Silent), frames(e.conn, waits.To)).
			and(sentence("TCP tries again within seconds, so the link of the %v was down, its host stood still, or the capture has a gap", flow.Sender(d))))
	case delivered(e.conn, d) > max(t.Octets/delayingShare, resentLeast-1):
		e.observeAs(all, ObsRetransmissions, hindrance, stated("Much of what the %v sent was lost on the way: %s", flow.Sender(d), e.againText(d)))
	case waits.Time >= stallAfter && !isBlocked(e.conn, d):
		e.observeAs(all, ObsRetransmissions, hindrance, stated("The %v waited for acknowledgements for %s in all, and its TCP sent octets again %s: these, or the acknowledgements, were lost on the way",
			flow.Sender(d), duration(waits.Time), quantity.Count(waits.Waits, "time")).
			and(sentence("The longest time without a packet was between %s and %s", frames(e.conn, waits.From), frames(e.conn, waits.To))))
	case again > t.Octets/resentShare && again >= resentLeast:
		e.observe(all, ObsRetransmissions, stated("%s", e.againText(d)))
	}
}

// delivered is how many octets of a direction were sent again, without those that were sent again in vain to the end: they are told of as blocked.
func delivered(c *flow.Conn, d flow.Direction) uint64 {
	t := &c.Traffic[d]
	if p := t.Pending; p != nil && isBlocked(c, d) {
		return t.TCP.Retransmitted - min(t.TCP.Retransmitted, uint64(p.Again)*uint64(p.Len))
	}
	return t.TCP.Retransmitted
}

func (e *ending) againText(d flow.Direction) string {
	t := &e.conn.Traffic[d]
	return sentence("%d of %d octets of the %v were sent more than once", t.TCP.Retransmitted, t.Octets, flow.Sender(d))
}

// isInterrupted reports whether no packet came for so long, before octets were sent again, that the capture lacks what TCP tried in between,
// or TCP could try nothing.
func isInterrupted(waits *flow.Resent) bool {
	const times = 4 // the time of all other waits: TCP doubles them
	return waits.Silent >= interruptedLeast && waits.Silent >= times*(waits.Time-waits.Silent)
}

// interruptedLeast is how long nothing has to pass at least. TCP tries three times or more in that (RFC 6298, sections 2.1 and 5.5).
const interruptedLeast = int64(7 * time.Second)

// spoiledStatement says that the capture has other octets than the receiver got, from a frame on.
func (e *ending) spoiledStatement(d flow.Direction, at uint64) statement {
	t := stated("The capture has other octets than the %v got in %s from the %v: their TCP checksum is wrong, and they were acknowledged and not sent again",
		flow.Sender(1-d), frame(e.conn, at), flow.Sender(d))
	if n := e.conn.Traffic[d].Spoiled.Left; n > 1 {
		t = t.and(sentence("So it is in %d frames", n))
	}
	return t
}

// observeUnanswered names what was never answered on a connection whose end the capture shows.
func (e *ending) observeUnanswered(d flow.Direction, kind record.TransactionKind, n int, obs *Observation) {
	if n == 0 || e.agreed || !e.complete() {
		return
	}
	var asked flow.Span
	if oldest := e.left[d][kind].oldest; oldest != nil {
		asked = oldest.Request
	}
	e.observe(e.origin(d, asked), obs, e.unansweredStatement(d, kind))
}
