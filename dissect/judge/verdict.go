package judge

// The Verdict: who ended a connection, how, and what was left undone.

import (
	"strings"

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
	case len(v.Causes) > 0:
		t := &v.Causes[0].Terminate
		v.By, v.At = record.Sender(t.Dir), t.Span
	case n.End == record.EndReject:
		v.By, v.At = record.Server, e.frames[record.S2C]
	}
}

// conclude puts the Verdict into words.
func (e *ending) conclude() {
	v := e.verdict
	texts := []string{e.endText()}
	if left := e.leftText(); left != "" {
		texts = append(texts, left)
	}
	if first := e.firstErrorText(); first != "" {
		texts = append(texts, first)
	}
	if e.givenUp {
		texts = append(texts, "It was not followed to its end: there were too many connections at a time.")
	} else if e.lossy(record.C2S) || e.lossy(record.S2C) {
		texts = append(texts, "The capture does not show all of it.")
	}
	v.Text = strings.Join(texts, " ")
}

// endText says how the connection ended.
func (e *ending) endText() string {
	n := e.conn
	switch {
	case n.End == record.EndRefused:
		return e.refusedText()
	case n.Requested && !n.Replied:
		return e.noReplyText()
	case e.noRequest():
		return e.noRequestText() + " " + e.endedText()
	case n.Replied && !n.Requested:
		return sentence("The %s is not in the capture. ", wordsOf(e.conn).request) + e.endedText()
	case n.End == record.EndReject:
		return rejectedText(e.conn, &e.frames[record.S2C]) + " " + e.endedText()
	case !n.Requested && !n.Replied:
		return sentence("The %s are not in the capture. ", wordsOf(e.conn).both) + e.endedText()
	case !n.Agreed:
		return sentence("The %s led to no agreement. ", wordsOf(e.conn).both) + e.endedText()
	case len(e.verdict.Causes) > 0:
		return e.terminatesText()
	case e.disagreed():
		return e.revisionsText() + " " + e.endedText()
	case e.fpdus() == 0:
		return "Established, but never used. " + e.endedText()
	case e.leftText() == "" && !e.lossy(record.C2S) && !e.lossy(record.S2C):
		return strings.TrimSuffix(e.endedText(), ".") + "; nothing outstanding."
	}
	return e.endedText()
}

// firstErrorText says what the first error was and what followed from it; empty if there was none, or none but those of
// Terminates and what these tell of.
func (e *ending) firstErrorText() string {
	first := e.verdict.FirstError
	if first == nil {
		return ""
	}
	for _, cause := range e.verdict.Causes {
		t := &cause.Terminate
		if t.Dir == first.Dir && t.Frame == first.Frame || cause.Rule != nil && cause.Rule.Name == first.Name {
			return ""
		}
	}
	text := sentence("The first error was in %s, from the %v: %s, expected %s (%s)",
		frames(&first.Span), record.Sender(first.Dir), first.Seen, first.Expected, first.Name)
	switch by := e.closer(); {
	case e.latest.LastFrame > first.LastFrame:
		return text + "; the connection went on."
	case by == record.Sender(1-first.Dir):
		return text + sentence("; the %v ended the connection%s.", by, later(first.LastTime, e.closing.Time))
	}
	return text + "."
}

// terminatesText says what the Terminates say, the earlier first.
func (e *ending) terminatesText() string {
	causes := e.verdict.Causes
	text := e.blame.text(causes[0])
	if len(causes) > 1 {
		t := &causes[1].Terminate
		code := codeName(causes[1].Code)
		text += sentence(" The %v sent a Terminate too (%s, %s).", record.Sender(t.Dir), code, frames(&t.Span))
	}
	if by := e.closer(); by != record.Nobody && e.closing.Frame < causes[0].Terminate.Frame {
		text += sentence(" The %v had ended its side of the %s before, in %s.", by, wordsOf(e.conn).connection, frames(&e.closing))
	}
	return text
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
		return sentence("Never closed%s: a new connection took its %s in %s.",
			strings.Replace(after, " after", ", after", 1), wordsOf(e.conn).place, frames(&e.conn.Reused))
	case by == record.Nobody:
		return sentence("Still open when the capture ends%s.", strings.Replace(after, " after", ", after", 1))
	case e.conn.RST[direction(by)] == e.closing:
		return sentence("Reset by the %v in %s%s.", by, at, after)
	case e.conn.Agreed && len(e.verdict.Causes) == 0 && e.leftText() != "" && !e.lossy(direction(by)):
		return sentence("Closed by the %v with %s, without a Terminate, in %s%s.", by, closing(e.conn, by), at, after)
	default:
		return sentence("Closed by the %v with %s in %s%s.", by, closing(e.conn, by), at, after)
	}
}

func (e *ending) refusedText() string {
	return sentence("Refused: nobody listens on port %d, for %s.", e.conn.Server.Port(), wordsOf(e.conn).refusal)
}

func rejectedText(c *record.Conn, reply *record.Span) string {
	text := sentence("The server rejected the connection in %s", frames(reply))
	if n := c.Reply.ULPPrivateDataLen(); n > 0 {
		text += sentence(", with %s of Private Data", plural(uint64(n), "octet"))
	}
	return text + "."
}

func (e *ending) noRequestText() string {
	return sentence("The MPA Reply in %s answers no MPA Request: what the client had sent does not begin with its Key.",
		frames(&e.frames[record.S2C]))
}

func (e *ending) noReplyText() string {
	request := &e.frames[record.C2S]
	text := sentence("The %s in %s was never answered", wordsOf(e.conn).request, frames(request))
	if e.lossy(record.S2C) {
		text = sentence("The answer to the %s in %s is not in the capture", wordsOf(e.conn).request, frames(request))
	}
	how := "closed"
	by := e.closer()
	if by == record.Nobody {
		return text + sentence("; the capture ends%s.", later(request.LastTime, e.conn.Latest))
	}
	if e.conn.RST[direction(by)] == e.closing {
		how = "reset"
	}
	return text + sentence("; the %v %s the connection%s.", by, how, later(request.LastTime, e.closing.Time))
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
	return strings.Join(texts, " ")
}

func (e *ending) cutText(d record.Direction, cut *cut) string {
	what := "an FPDU"
	if cut.segments > 0 {
		what = "the " + cut.opcode.String()
	}
	came := plural(cut.octets, "octet")
	return sentence("Of %s of the %v in %s only %s came.", what, record.Sender(d), frames(&cut.span), came)
}
