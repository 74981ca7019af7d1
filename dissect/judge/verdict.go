package judge

// The Verdict: who ended a connection, how, and what was left undone.

import (
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
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
	if e.severed() {
		v.By = record.Nobody
	} else {
		e.closing = v.At
	}
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
	texts := e.tell()
	if texts != nil {
		switch t := v.Cause.Termination; {
		case v.Confidence == record.Symptom && e.silentAlone():
			texts = append(texts, sentence("Both captures show it: nothing was lost on the way, and no answer left the %v.", v.Culprit))
		case v.Confidence == record.Symptom && LookupObservation(v.Cause.Name).role == silence && e.closer() != v.Culprit:
			texts = append(texts, sentence("The capture does not show why the %v does not answer.", v.Culprit))
		case v.Confidence == record.Symptom:
			texts = append(texts, "The capture does not show why.")
		case t != nil && t.Grade != rules.Wrong && !isExplained(t) && len(t.Situations) < 2:
			texts = append(texts, unseen+".")
		}
	}
	only := e.conn.OnlySide()
	if only != record.Nobody && v.Cause == nil {
		texts = append(texts, sentence("Only packets from the %v are in the capture; whether requests failed cannot be judged.", only))
	}
	if e.lead != "" && v.Cause == nil {
		texts = append(texts, e.lead, "The capture does not show why.")
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
	} else if e.anyLossy() && (only == record.Nobody || v.Cause != nil) && e.conn.End != record.EndNoAnswer && e.conn.Foreign == record.NotForeign {
		texts = append(texts, "The capture does not show all of it.")
	}
	v.Summary, v.Text = texts[0], strings.Join(texts, " ")
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
		case ObsTerminate.Name, ObsClosedEarly.Name, ObsRefused.Name, ObsNoAnswer.Name, ObsForeign.Name, ObsRequestCut.Name, ObsNoReply.Name, ObsRevision.Name,
			ObsMarkers.Name:
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
		return e.noReplyTale().String()
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
	switch by := e.closer(); {
	case e.severed():
		return capital(e.endClause()) + after
	case by == record.Nobody && e.conn.Reused != (record.Span{}):
		return sentence("Never closed%s: a new connection took its %s in %s",
			strings.Replace(after, " after", ", after", 1), wordsOf(e.conn).place, frames(e.conn, e.conn.Reused))
	case by == record.Nobody:
		return sentence("Still open when the capture ends%s", strings.Replace(after, " after", ", after", 1))
	default:
		return e.closedText(by) + after
	}
}

// closedText says who closed or reset the connection.
func (e *ending) closedText(by record.Party) string {
	at := frames(e.conn, e.closing)
	switch {
	case e.unknown():
		return sentence("The %v reset the connection in %s (without ACK, as a TCP does that has no such connection)", by, at)
	case e.conn.RST[direction(by)] == e.closing:
		return sentence("The %v reset the connection in %s", by, at)
	}
	return sentence("The %v closed the connection with %s in %s", by, closing(e.conn, by), at)
}

// closedEarlyTale says who ended the connection, and what was left undone.
func (e *ending) closedEarlyTale() tale {
	by := e.closer()
	t := told("%s", e.closedText(by))
	if e.severed() {
		t = told("%s", capital(e.endClause()))
	}
	var undone []string
	for d := range e.progress {
		d, whose := record.Direction(d), "its"
		if record.Sender(d) != by {
			whose = sentence("the %v's", record.Sender(d))
		}
		for kind := range record.NumTransactionKinds {
			if n, _ := e.requestsLeft(d, kind); n > 0 {
				undone = append(undone, e.undoneText(whose, d, kind))
			}
		}
		if cut, ok := e.cutOff(d); ok {
			undone = append(undone, sentence("only %s of %s in %s had come", cut.came(), cut.name(whose), frames(e.conn, cut.span)))
		}
	}
	switch {
	case undone != nil:
		t.what += " while " + strings.Join(undone, " and ")
	case e.fpdus() == 0:
		t.what += " as soon as it was established"
	}
	switch silent := e.closing.Time - e.progress[direction(by)].latest.LastTime; {
	case !e.unknown():
	case silent < lingerAfter: // no host starts so fast
		return t.and("Perhaps its connection was already aborted, something on the way changed an address or a port, or a firewall sent the reset in its name")
	default:
		return t.and("Perhaps its connection was already aborted, its host was started anew, something on the way changed an address or a port, or a firewall sent the reset in its name")
	}
	return t
}

// undoneText says that requests waited for an answer: "its RDMA Read in frame 7 (MSN 1) waited for an answer".
func (e *ending) undoneText(whose string, d record.Direction, kind record.TransactionKind) string {
	l := &e.left[d][kind]
	if n, _ := e.requestsLeft(d, kind); n == 1 && l.oldest != nil && !l.unknown {
		return sentence("%s %s in %s (%s) waited for an answer", whose, l.oldest.Name, frames(e.conn, l.oldest.Request), e.idText(l.oldest))
	}
	text := e.manyText(d, kind) + " waited for an answer"
	if l.oldest != nil {
		text += sentence(", the first of them since %s (%s)", frames(e.conn, l.oldest.Request), e.idText(l.oldest))
	}
	return text
}

// shortTale says that more octets follow an MPA frame than its PD_Length states.
func (e *ending) shortTale(d record.Direction) tale {
	f := &e.conn.Request
	if d == record.S2C {
		f = &e.conn.Reply
	}
	return told("The %v's %s in %s states a wrong length of its Private Data: PD_Length %d, but %s follow", record.Sender(d), frameName(f),
		frames(e.conn, e.frames[d]), f.PDLength, plural(uint64(f.PDLength)+e.conn.Traffic[d].Undecoded, "octet"))
}

func (e *ending) refusedTale() tale {
	return told("The server refused the connection in %s: nobody listens on port %d, or a firewall rejects it (%s)",
		frames(e.conn, e.conn.RST[record.S2C]), e.conn.Server.Port(), wordsOf(e.conn).refusal)
}

// endClause says who closed or reset the connection, as the end of a sentence.
func (e *ending) endClause() string {
	how := "closed"
	switch {
	case e.severed():
		return "something between the ends reset both at once in " + frames(e.conn, e.over())
	case e.conn.RST[direction(e.closer())] == e.closing:
		how = "reset"
	}
	return sentence("the %v %s the connection in %s", e.closer(), how, frames(e.conn, e.closing))
}

func (e *ending) foreignTale() tale {
	n := e.conn
	switch n.Foreign {
	case record.ForeignCut:
		return told("The client sent only a part of its MPA Request, and %s", e.endClause())
	case record.ForeignSilence:
		return told("The client sent no MPA Request to port %d, nor anything else, and%s %s", n.Server.Port(),
			later(n.Earliest, e.over().Time), e.endClause())
	}
	return told("The client spoke %v to port %d in place of MPA, and %s without an answer", n.Foreign, n.Server.Port(), e.endClause())
}

// maxReason is how many octets of Private Data with a reason in words are shown.
const maxReason = 48

// isPrintable reports whether octets may be words in ASCII.
func isPrintable(b []byte) bool {
	return len(b) >= 4 && !slices.ContainsFunc(b, func(c byte) bool { return c < ' ' || c > '~' })
}

// rejectedTale says that the server rejected the connection, and what its Reply says of the reason. layers are the upper layers that may
// have written its Private Data.
func rejectedTale(c *record.Conn, reply *record.Span, layers []*ulp.Layer) tale {
	t := told("The server rejected the connection with its MPA Reply in %s", frames(c, *reply))
	var asked, offered mpa.Enhanced
	c.Request.Enhanced(&asked)
	if c.Reply.Enhanced(&offered) && offered.IRD|offered.ORD != 0 && asked.ORD > offered.IRD && asked.ORD != mpa.NotNegotiated {
		t.what += sentence(": the client asked for ORD %d, and the server's IRD is %d", asked.ORD, offered.IRD)
		return t
	}
	if n := c.Reply.ULPPrivateDataLen(); n > 0 {
		t.what += sentence(", which has %s of Private Data", plural(uint64(n), "octet"))
		if data := c.Reply.ULPPrivateData(); len(data) <= maxReason && isPrintable(data) {
			t.what += sentence(": %q", data)
		}
		t.what += reasonNamed(c, layers)
	}
	switch {
	case c.Transport() != record.OverTCP:
	case c.Request.M:
		t.what += ", after the client's MPA Request asked for Markers"
		t.more = "Not every RNIC can send them"
	case c.Request.Rev != c.Reply.Rev:
		t.what += sentence("; its Rev is %d, and that of the MPA Request %d", c.Reply.Rev, c.Request.Rev)
	}
	return t
}

// reasonNamed is why the Private Data of a Reply say that it rejects, if they are those of an upper layer: ": STS 0x4, Invalid HSQSIZE".
func reasonNamed(c *record.Conn, layers []*ulp.Layer) string {
	for _, l := range layers {
		if l.Private == nil {
			continue
		}
		if p, ok := l.Private(c, &c.Reply); ok && p.Reason != nil {
			v, _ := p.Reason.Get(p.Part.Octets)
			text := sentence(": %s %#x", p.Reason.Label, v)
			if slices.Contains(slices.Collect(p.Reason.Known), v) {
				text += ", " + p.Reason.Names(v)
			}
			return text
		}
	}
	return ""
}

func (e *ending) noRequestTale() tale {
	return told("The MPA Reply in %s answers no MPA Request: what the client had sent does not begin with its Key",
		frames(e.conn, e.frames[record.S2C]))
}

// noReplyTale says that the MPA Request was not answered, and who ended the connection when.
func (e *ending) noReplyTale() tale {
	request := &e.frames[record.C2S]
	text, how, by := "", "closed", e.closer()
	switch what := wordsOf(e.conn).request; {
	case e.lossy(record.S2C):
		text = sentence("The answer to the %s in %s is not in the capture", what, frames(e.conn, *request))
	case !slices.Contains([]record.Foreign{record.NotForeign, record.ForeignKey, record.ForeignCut}, e.conn.Traffic[record.S2C].Spoke):
		text = sentence("The server answered the %s in %s with %v", what, frames(e.conn, *request), e.conn.Traffic[record.S2C].Spoke)
	case e.conn.Traffic[record.S2C].Octets > 0:
		text = sentence("The server answered the %s in %s with %s that are no MPA Reply", what, frames(e.conn, *request),
			plural(e.conn.Traffic[record.S2C].Octets, "octet"))
	case by == record.Nobody && !e.severed():
		return told("The server had not answered the %s in %s when the capture ended%s", what, frames(e.conn, *request), later(request.LastTime, e.conn.Latest))
	default:
		text = sentence("The server never answered the %s in %s", what, frames(e.conn, *request))
	}
	switch {
	case e.severed():
		return told("%s, and %s", text, e.endClause())
	case by == record.Nobody:
		return told("%s", text)
	}
	if e.conn.RST[direction(by)] == e.closing {
		how = "reset"
	}
	if by == record.Client {
		how = "the client " + how
	}
	t := told("%s, and %s the connection%s, in %s", text, how, later(request.LastTime, e.closing.Time), frames(e.conn, e.closing))
	if by == record.Server && e.conn.Transport() == record.OverTCP {
		return t.and(e.unacceptableText())
	}
	return t
}

// tcpPorts are ports of protocols over TCP whose RDMA service has another.
var tcpPorts = map[uint16]string{
	2049: "NFS over TCP, and NFS over RDMA listens on 20049",
	445:  "SMB over TCP, and SMB Direct listens on 5445",
}

// unacceptableText says what a server that closes without a Reply may not like; empty if nothing is known.
func (e *ending) unacceptableText() string {
	port := e.conn.Server.Port()
	switch other, ok := tcpPorts[port]; {
	case ok:
		return sentence("port %d is that of %s", port, other)
	case e.conn.Request.Rev >= mpa.Rev2:
		return sentence("the Request has Rev %d: a Responder that knows only Rev 1 closes in this way (RFC 6581, section 10)", e.conn.Request.Rev)
	}
	return ""
}

// leftText says what was left undone; empty if nothing was.
func (e *ending) leftText() string {
	var texts []string
	for d := range e.progress {
		d := record.Direction(d)
		for kind := range record.NumTransactionKinds {
			if n, _ := e.requestsLeft(d, kind); n > 0 {
				texts = append(texts, e.unansweredTale(d, kind).what)
			}
		}
		if cut, ok := e.cutOff(d); ok {
			texts = append(texts, e.cutTale(d, cut).what)
		}
	}
	return strings.Join(texts, ". ")
}

func (e *ending) cutTale(d record.Direction, cut *cut) tale {
	if e.incomplete(&candidate{Finding: record.Finding{Origin: *e.origin(d, cut.span)}}) {
		return told("The %v never completed %s in %s: only %s came", record.Sender(d), cut.name("its"), frames(e.conn, cut.span), cut.came())
	}
	return told("Of %s in %s only %s came", cut.name(sentence("the %v's", record.Sender(d))), frames(e.conn, cut.span), cut.came())
}

// shortFPDUTale says that fewer octets of an FPDU came than its ULPDU_Length states. h is its header; nil if that did not come.
func shortFPDUTale(o *record.Origin, h *rdmap.Header, came, ulpdu int) tale {
	if came < mpa.FPDULen(ddp.TaggedLen) {
		return told("The %v sent %s in %s that are no FPDU: the next FPDU begins after them, with a good CRC", record.Sender(o.Dir),
			plural(uint64(came), "octet"), frame(o.Conn, o.Frame))
	}
	of := ""
	if h != nil && 2+h.Len() <= came { // it stands behind ULPDU_Length
		of = sentence(", of a %v (%s),", h.Control.Opcode, target(&rdmap.Segment{Header: *h}))
	}
	return told("The %v's FPDU in %s%s is wrong: ULPDU_Length %d makes an FPDU of %s, and only %d came before the next FPDU, whose CRC is right",
		record.Sender(o.Dir), frames(o.Conn, o.Span), of, ulpdu, plural(uint64(mpa.FPDULen(ulpdu)), "octet"), came)
}

// came is how much of it has come: "20 of 40 octets".
func (c *cut) came() string {
	if c.stated > 0 {
		return sentence("%d of %s", c.octets, plural(uint64(c.stated), "octet"))
	}
	return plural(c.octets, "octet")
}

// name is what was cut off: "its Write".
func (c *cut) name(whose string) string {
	if c.segments > 0 {
		return sentence("%s %v", whose, c.opcode)
	}
	return whose + " FPDU"
}
