package judge

// The Verdict: who ended a connection, how, and what was left undone.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// direction is the one in which a party sends.
func direction(p record.Party) record.Direction {
	if p == record.Server {
		return record.S2C
	}
	return record.C2S
}

// closed finds out who ended the connection, and where the end began.
func (e *ending) closed() {
	n, v := e.conn, e.verdict
	v.Conn = n
	begins := func(p record.Party, at record.Span) {
		if at != (record.Span{}) && (v.By == record.Nobody || at.Frame < v.At.Frame) {
			v.By, v.At = p, at
		}
	}
	for d := range e.progress {
		begins(record.Sender(record.Direction(d)), n.FIN[d])
		begins(record.Sender(record.Direction(d)), n.RST[d])
	}
	e.closing = v.At
	switch {
	case len(v.Terminations) > 0:
		t := &v.Terminations[0].Terminate
		v.By, v.At = record.Sender(t.Dir), t.Span
	case n.End == record.EndReject:
		v.By, v.At = record.Server, e.frames[record.S2C]
	}
}

// conclude puts the Verdict into words: the cause first, then how the connection ended and what was left undone, as far
// as the cause does not tell.
func (e *ending) conclude() {
	v := e.verdict
	var texts []string
	if told := e.tell(); told != "" {
		texts = append(texts, told)
		switch t := v.Cause.Termination; {
		case v.Confidence == record.Symptom:
			texts = append(texts, "The capture does not show why.")
		case t != nil && t.Rule == nil && t.Grade != rules.Wrong:
			texts = append(texts, unseen)
		}
	}
	if !e.tellsEnd() {
		texts = append(texts, e.endText())
	}
	if left := e.leftText(); left != "" && !e.found(silence) && !e.found(breakdown) {
		texts = append(texts, left+".")
	}
	if e.longest > 0 && v.Cause == nil {
		texts = append(texts, sentence("It was slow, not stuck: for up to %s nothing came while something was outstanding.", duration(e.longest)))
	}
	if e.givenUp {
		texts = append(texts, "It was not followed to its end: there were too many connections at a time.")
	} else if e.anyLossy() && e.conn.End != record.EndNoAnswer && e.conn.Foreign == record.NotForeign {
		texts = append(texts, "The capture does not show all of it.")
	}
	v.Text = strings.Join(texts, " ")
}

// found reports whether there is a candidate with a role.
func (e *ending) found(as role) bool {
	return slices.ContainsFunc(e.story.candidates, func(c candidate) bool { return c.role == as })
}

// tellsEnd reports whether the cause, with what followed, says how the connection ended.
func (e *ending) tellsEnd() bool {
	if e.verdict.Cause == nil {
		return false
	}
	return slices.ContainsFunc(e.story.candidates, func(c candidate) bool {
		switch c.Name {
		case ObsTerminate.Name, ObsClosedEarly.Name, ObsRefused.Name, ObsNoAnswer.Name, ObsForeign.Name, ObsNoReply.Name:
			return true
		}
		return false
	})
}

// endText says how the connection ended.
func (e *ending) endText() string {
	n := e.conn
	switch {
	case n.Requested && !n.Replied:
		return e.noReplyText() + "."
	case n.Replied && !n.Requested && !e.noRequest():
		return sentence("The %s is not in the capture. %s.", wordsOf(e.conn).request, e.endedText())
	case !n.Requested && !n.Replied:
		return sentence("The %s are not in the capture. %s.", wordsOf(e.conn).both, e.endedText())
	case !n.Agreed && n.End != record.EndReject && !e.noRequest():
		return sentence("The %s led to no agreement. %s.", wordsOf(e.conn).both, e.endedText())
	case e.verdict.Cause == nil && n.Agreed && e.fpdus() == 0:
		return sentence("Established, but never used. %s.", e.endedText())
	case e.verdict.Cause == nil && e.leftText() == "" && !e.anyLossy():
		return e.endedText() + "; nothing outstanding."
	}
	return e.endedText() + "."
}

// endedText says how the TCP connection ended, and after how many messages.
func (e *ending) endedText() string {
	after := ""
	if n := e.messages(); n > 0 {
		after = " after " + plural(n, "message")
	}
	at := frames(&e.closing)
	switch by := e.closer(); {
	case by == record.Nobody && e.conn.Reused != (record.Span{}):
		return sentence("Never closed%s: a new connection took its %s in %s",
			strings.Replace(after, " after", ", after", 1), wordsOf(e.conn).place, frames(&e.conn.Reused))
	case by == record.Nobody:
		return sentence("Still open when the capture ends%s", strings.Replace(after, " after", ", after", 1))
	case e.conn.RST[direction(by)] == e.closing:
		return sentence("The %v reset the connection in %s%s", by, at, cmp.Or(e.owedText(by), after))
	default:
		return sentence("The %v closed the connection with %s in %s%s", by, closing(e.conn, by), at, cmp.Or(e.owedText(by), after))
	}
}

// owedText says that a side ended the connection although it owed answers; empty if it did not.
func (e *ending) owedText(by record.Party) string {
	o := &e.verdict.Outstanding[1-direction(by)]
	n := uint64(o.Reads + o.Atomics + o.Upper)
	if n == 0 {
		return ""
	}
	was := "were"
	if n == 1 {
		was = "was"
	}
	return sentence(" while %s of the %v %s outstanding", plural(n, "request"), record.Sender(1-direction(by)), was)
}

// shortText says that more octets follow an MPA frame than its PD_Length states.
func (e *ending) shortText(d record.Direction) string {
	f := &e.conn.Request
	if d == record.S2C {
		f = &e.conn.Reply
	}
	return sentence("The %v's %s in %s states a wrong length of its Private Data: PD_Length %d, but %s follow", record.Sender(d), frameName(f),
		frames(&e.frames[d]), f.PDLength, plural(uint64(f.PDLength)+e.conn.Traffic[d].Undecoded, "octet"))
}

func (e *ending) refusedText() string {
	return sentence("The server refused the connection in %s: nobody listens on port %d, or a firewall rejects it (%s)",
		frames(&e.conn.RST[record.S2C]), e.conn.Server.Port(), wordsOf(e.conn).refusal)
}

func (e *ending) foreignText() string {
	n, how := e.conn, "closed"
	if e.wasReset() {
		how = "reset"
	}
	return sentence("The client spoke %v to port %d, where RDMA is served, and the %v %s the connection in %s without an answer",
		n.Foreign, n.Server.Port(), e.closer(), how, frames(&e.closing))
}

func rejectedText(c *record.Conn, reply *record.Span) string {
	text := sentence("The server rejected the connection with its MPA Reply in %s", frames(reply))
	if n := c.Reply.ULPPrivateDataLen(); n > 0 {
		text += sentence(", which has %s of Private Data", plural(uint64(n), "octet"))
	}
	return text
}

func (e *ending) noRequestText() string {
	return sentence("The MPA Reply in %s answers no MPA Request: what the client had sent does not begin with its Key",
		frames(&e.frames[record.S2C]))
}

func (e *ending) noReplyText() string {
	request := &e.frames[record.C2S]
	text := sentence("The server never answered the %s in %s", wordsOf(e.conn).request, frames(request))
	if e.lossy(record.S2C) {
		text = sentence("The answer to the %s in %s is not in the capture", wordsOf(e.conn).request, frames(request))
	}
	how := "closed"
	by := e.closer()
	if by == record.Nobody {
		return text + sentence("; the capture ends%s", later(request.LastTime, e.conn.Latest))
	}
	if e.conn.RST[direction(by)] == e.closing {
		how = "reset"
	}
	return text + sentence("; the %v %s the connection%s, in %s", by, how, later(request.LastTime, e.closing.Time), frames(&e.closing))
}

// leftText says what was left undone; empty if nothing was.
func (e *ending) leftText() string {
	var texts []string
	for d := range e.progress {
		d := record.Direction(d)
		o := &e.verdict.Outstanding[d]
		for kind, n := range []int{record.ReadTransaction: o.Reads, record.AtomicTransaction: o.Atomics, record.UpperTransaction: o.Upper} {
			if n > 0 {
				texts = append(texts, e.unansweredText(e.verdict, d, record.TransactionKind(kind)))
			}
		}
		if cut, ok := e.cutOff(d); ok {
			texts = append(texts, e.cutText(d, cut))
		}
	}
	return strings.Join(texts, ". ")
}

func (e *ending) cutText(d record.Direction, cut *cut) string {
	what := "an FPDU"
	if cut.segments > 0 {
		what = "the " + cut.opcode.String()
	}
	came := plural(cut.octets, "octet")
	if e.incomplete(&candidate{Finding: record.Finding{Origin: *e.origin(d, cut.span)}}) {
		return sentence("The %v never completed %s in %s: only %s came", record.Sender(d), what, frames(&cut.span), came)
	}
	return sentence("Of %s of the %v in %s only %s came", what, record.Sender(d), frames(&cut.span), came)
}
