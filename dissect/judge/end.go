package judge

// What is to be said when time passes and when a connection ends: what was left undone, and how TCP fared.

import (
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// lingerAfter is how long a TCP connection may stay open after a Terminate.
const lingerAfter = int64(10 * time.Second)

// A twentieth of the octets sent again, and at least so many, are too many.
const (
	resentShare = 20
	resentLeast = 4 << 10 // octets: more than one or two segments
)

// An ending says how a connection ended, and what was remarkable about it.
type ending struct {
	*waiting
	*reporter
	blame  *blame
	frames *[2]record.Span // of startup
	lead   string          // what the Verdict begins with if nothing failed
}

// observeStartup says what the MPA frames came to, if not to an agreement that was used.
func (e *ending) observeStartup() {
	n := e.conn
	complete := e.complete()
	switch {
	case n.End == record.EndRefused:
		e.observe(e.origin(record.S2C, n.RST[record.S2C]), ObsRefused, e.refusedTale())
	case n.End == record.EndNoAnswer:
		e.observe(e.origin(record.C2S, record.Span{}), ObsNoAnswer, e.noAnswerTale())
	case n.Foreign == record.ForeignCut:
		e.observe(e.origin(record.C2S, record.Span{}), ObsRequestCut, e.foreignTale())
	case n.Foreign != record.NotForeign:
		e.observe(e.origin(record.C2S, record.Span{}), ObsForeign, e.foreignTale())
	case n.Requested && !n.Replied:
		request := e.frames[record.C2S]
		if t := &n.Traffic[record.S2C]; t.Octets > 0 && complete && !e.lossy(record.S2C) {
			e.observeAs(e.origin(record.S2C, request), ObsNoReply, decision, e.noReplyTale())
		} else if !e.lossy(record.S2C) && (complete || n.Latest-request.LastTime >= stallAfter) {
			e.observe(e.origin(record.C2S, request), ObsNoReply, e.noReplyTale())
		}
	case e.noRequest():
		e.observe(e.origin(record.S2C, e.frames[record.S2C]), ObsNoRequest, e.noRequestTale())
	case e.disagreed():
		e.observe(e.origin(record.S2C, e.frames[record.S2C]), ObsRevision, e.revisionsTale())
	case e.markersRefused():
		e.observe(e.origin(record.C2S, e.closing), ObsMarkers, told("The client closed the connection in %s, without an FPDU, after the "+
			"server's MPA Reply in %s asked for Markers", frames(e.conn, e.closing), frames(e.conn, e.frames[record.S2C])))
	case n.Agreed && complete && e.fpdus() == 0 && n.Traffic[record.S2C].Streaming > 0 && n.Traffic[record.C2S].Streaming == 0:
		reply := &e.frames[record.S2C]
		e.observeAs(e.origin(record.S2C, *reply), ObsNoReply, decision, told("The server sent %s before its MPA Reply in %s, where the client expects its Key, and no FPDU followed",
			plural(n.Traffic[record.S2C].Streaming, "octet"), frames(n, *reply)))
	case n.Agreed && complete && e.fpdus() == 0 && !e.lossy(record.C2S) && !e.lossy(record.S2C):
		e.observe(e.origin(record.C2S, record.Span{}), ObsUnused,
			told("%s, and no %s was sent: the connection was established and never used", e.endedText(), wordsOf(e.conn).unit))
	}
}

// markersRefused reports whether the client closed the connection at once after a Reply that asks for Markers.
func (e *ending) markersRefused() bool {
	n := e.conn
	return n.Agreed && n.Reply.M && n.Transport() == record.OverTCP && e.fpdus() == 0 && !e.anyLossy() && e.closer() == record.Client &&
		e.closing.Time-e.frames[record.S2C].LastTime < stallAfter
}

// noRequest reports whether the capture has what the client sent in the place of an MPA Request.
func (e *ending) noRequest() bool {
	n := e.conn
	t := &n.Traffic[record.C2S]
	return n.Replied && !n.Requested && n.Whole && !e.lossy(record.C2S) && t.Streaming+t.Undecoded >= mpa.FrameLen
}

// observeEnd says what is remarkable in the way the connection was closed.
func (e *ending) observeEnd() {
	n, by := e.conn, e.closer()
	d := direction(by)
	reset := by != record.Nobody && n.RST[d] == e.closing
	switch {
	case len(e.verdict.Terminations) > 0:
		e.afterTerminate()
	case by == record.Nobody && !e.severed(), n.End == record.EndRefused, n.End == record.EndReject, n.Foreign != record.NotForeign, e.disagreed(), e.anyLossy():
	case (n.Agreed || e.fpdus() > 0) && e.leftText() != "", n.Agreed && reset && e.fpdus() == 0:
		e.observe(e.origin(d, e.over()), ObsClosedEarly, e.closedEarlyTale())
		return
	}
	if e.severed() {
		e.observe(e.origin(record.C2S, e.over()), ObsReset, told("%s", capital(e.endClause())))
		return
	}
	for d, at := range n.RST {
		if d := record.Direction(d); at != (record.Span{}) && n.End != record.EndRefused {
			e.observe(e.origin(d, at), ObsReset, told("The %v %s in %s", record.Sender(d), wordsOf(e.conn).reset, frames(e.conn, at)))
			break
		}
	}
}

// observeHung says what still waits for an answer when the capture ends before the connection does. What has waited as
// long as owed says counts as unanswered.
func (e *ending) observeHung(owed int64) {
	if e.complete() || e.givenUp || e.anyHidden() {
		return
	}
	for d := range e.progress {
		t := e.oldest(record.Direction(d))
		if t == nil || t.Request.LastTime == 0 {
			continue
		}
		waited, obs := e.until()-t.Request.LastTime, ObsPending
		switch {
		case waited < stallAfter:
			continue
		case waited >= owed:
			obs = [...]*Observation{ObsUnansweredRead, ObsUnansweredAtomic, ObsUnansweredUpper}[t.Kind]
		}
		e.observe(&record.Origin{Conn: e.conn, Dir: t.Dir, Span: t.Request}, obs, told("The %v has not answered %s%s, until the capture ended",
			record.Sender(1-t.Dir), e.transactionText(t), e.waited(t)).and(e.taken(t)).seen(e.upperText(t)))
	}
}

// afterTerminate looks whether a Terminate was followed by an orderly end of the TCP connection.
func (e *ending) afterTerminate() {
	n, t := e.conn, &e.verdict.Terminations[0].Terminate
	open := n.Latest - t.LastTime
	if e.closing != (record.Span{}) {
		open = e.closing.Time - t.LastTime
	}
	if open >= lingerAfter && t.LastTime != 0 {
		e.observe(t, ObsLinger, told("The %s was still open %s after the Terminate in %s, which has to end it",
			wordsOf(e.conn).connection, duration(open), frames(t.Conn, t.Span)))
	}
	if rst := n.RST[t.Dir]; rst.Frame >= t.LastFrame && n.FIN[t.Dir] == (record.Span{}) && !e.lossy(t.Dir) {
		e.observe(e.origin(t.Dir, rst), ObsResetAfterTerminate,
			told("The %v %s in %s, after its Terminate in %s and without %s: the reset may have overtaken the Terminate",
				record.Sender(t.Dir), wordsOf(e.conn).reset, frames(e.conn, rst), frames(t.Conn, t.Span), wordsOf(e.conn).fin))
	}
}

// observeLoss says what the capture does not have.
func (e *ending) observeLoss() {
	all := e.origin(record.C2S, record.Span{})
	if e.givenUp {
		e.observe(all, ObsGivenUp, told("The connection was not followed to its end, for too many were followed at a time"))
	}
	var lacks []string
	for d := range e.conn.Traffic {
		t, who := &e.conn.Traffic[d], record.Sender(record.Direction(d))
		if e.conn.OnlySide() == record.Sender(record.Direction(1-d)) {
			lacks = append(lacks, sentence("all that the %v sent", who))
		} else if missing := max(t.MissingOctets, t.TCP.HoleOctets) + t.Unseen; missing > 0 {
			lacks = append(lacks, sentence("%s of what the %v sent", plural(missing, "octet"), who))
		}
	}
	if lacks != nil {
		e.observe(all, ObsCaptureLoss, told("The capture lacks %s", strings.Join(lacks, " and ")))
	}
}

// observeSide says what was left undone in a direction, and how TCP fared.
func (e *ending) observeSide(d record.Direction) {
	o := &e.verdict.Outstanding[d]
	e.observeUnanswered(d, record.ReadTransaction, o.Reads, ObsUnansweredRead)
	e.observeUnanswered(d, record.AtomicTransaction, o.Atomics, ObsUnansweredAtomic)
	e.observeUnanswered(d, record.UpperTransaction, o.Upper, ObsUnansweredUpper)
	if cut, ok := e.cutOff(d); ok {
		e.observe(e.origin(d, cut.span), ObsMessageCut, e.cutTale(d, cut))
	}
	t := &e.conn.Traffic[d]
	all := e.origin(d, record.Span{})
	if again := t.TCP.Retransmitted; again >= resentLeast && again > t.Octets/resentShare {
		e.observe(all, ObsRetransmissions, told("%d of %d octets of the %v were sent more than once", again, t.Octets, record.Sender(d)))
	}
	if t.Damaged > 0 {
		e.observe(all, ObsPathDamage, told("%s of the %v arrived with a wrong TCP checksum and were sent again; the receiver discarded them",
			plural(t.Damaged, "packet"), record.Sender(d)))
	}
	e.observeBlockage(d)
	if t.ZeroWindows > 0 {
		e.observe(all, ObsZeroWindow, told("The %v could receive nothing for a time: %s closed its TCP window",
			record.Sender(d), plural(t.ZeroWindows, "packet")))
	}
}

// cutOff is the message of a direction whose end never came, if the connection ended within it.
func (e *ending) cutOff(d record.Direction) (cut *cut, ok bool) {
	p := &e.progress[d]
	ends := e.complete() && !p.cut.short && len(e.verdict.Terminations) == 0 && !e.lossy(d)
	return &p.cut, ends && p.unfinished && p.cut.span != (record.Span{})
}

// observeUnanswered names what was never answered on a connection whose end the capture shows.
func (e *ending) observeUnanswered(d record.Direction, kind record.TransactionKind, n int, obs *Observation) {
	if n == 0 || !e.complete() {
		return
	}
	var asked record.Span
	if oldest := e.left[d][kind].oldest; oldest != nil {
		asked = oldest.Request
	}
	e.observe(e.origin(d, asked), obs, e.unansweredTale(d, kind))
}
