package analysis

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
func (c *connection) closed() {
	n, v := c.conn, &c.verdict
	v.Conn = n
	begins := func(p record.Party, at record.Span) {
		if at != (record.Span{}) && (v.By == record.Nobody || at.Frame < v.At.Frame) {
			v.By, v.At = p, at
		}
	}
	for d := range c.sides {
		begins(record.Sender(record.Direction(d)), n.FIN[d])
		begins(record.Sender(record.Direction(d)), n.RST[d])
	}
	c.closing = v.At
	switch {
	case len(v.Causes) > 0:
		t := &v.Causes[0].Terminate
		v.By, v.At = record.Sender(t.Dir), t.Span
	case n.End == record.EndReject:
		v.By, v.At = record.Server, c.frames[record.S2C]
	}
}

// conclude completes the Verdict and reports it.
func (c *connection) conclude() {
	v := &c.verdict
	if c.operating {
		for d := range c.sides {
			v.MaxOutstanding[d] = c.sides[d].receiver.MaxOutstanding()
		}
	} else {
		v.Limit = [2]int{-1, -1}
	}
	texts := []string{c.endText()}
	if left := c.leftText(); left != "" {
		texts = append(texts, left)
	}
	if first := c.firstErrorText(); first != "" {
		texts = append(texts, first)
	}
	if c.givenUp {
		texts = append(texts, "It was not followed to its end: there were too many connections at a time.")
	} else if c.lossy(record.C2S) || c.lossy(record.S2C) {
		texts = append(texts, "The capture does not show all of it.")
	}
	v.Text = strings.Join(texts, " ")
	verdict := *v
	c.a.sink.Verdict(&verdict)
}

// endText says how the connection ended.
func (c *connection) endText() string {
	n := c.conn
	switch {
	case n.End == record.EndRefused:
		return c.refusedText()
	case n.Requested && !n.Replied:
		return c.noReplyText()
	case c.noRequest():
		return c.noRequestText() + " " + c.endedText()
	case n.Replied && !n.Requested:
		return sentence("The %s is not in the capture. ", c.words().request) + c.endedText()
	case n.End == record.EndReject:
		return c.rejectedText() + " " + c.endedText()
	case !n.Requested && !n.Replied:
		return sentence("The %s are not in the capture. ", c.words().both) + c.endedText()
	case !n.Agreed:
		return sentence("The %s led to no agreement. ", c.words().both) + c.endedText()
	case len(c.verdict.Causes) > 0:
		return c.terminatesText()
	case c.disagreed():
		return c.revisionsText() + " " + c.endedText()
	case c.fpdus() == 0:
		return "Established, but never used. " + c.endedText()
	case c.leftText() == "" && !c.lossy(record.C2S) && !c.lossy(record.S2C):
		return strings.TrimSuffix(c.endedText(), ".") + "; nothing outstanding."
	}
	return c.endedText()
}

// firstErrorText says what the first error was and what followed from it; empty if there was none, or none but those of
// Terminates and what these tell of.
func (c *connection) firstErrorText() string {
	e := c.verdict.FirstError
	if e == nil {
		return ""
	}
	for _, cause := range c.verdict.Causes {
		t := &cause.Terminate
		if t.Dir == e.Dir && t.Frame == e.Frame || cause.Rule != nil && cause.Rule.Name == e.Name {
			return ""
		}
	}
	text := sentence("The first error was in %s, from the %v: %s, expected %s (%s)",
		frames(&e.Span), record.Sender(e.Dir), e.Seen, e.Expected, e.Name)
	switch by := c.closer(); {
	case c.latest.LastFrame > e.LastFrame:
		return text + "; the connection went on."
	case by == record.Sender(1-e.Dir):
		return text + sentence("; the %v ended the connection%s.", by, later(e.LastTime, c.closing.Time))
	}
	return text + "."
}

// terminatesText says what the Terminates say, the earlier first.
func (c *connection) terminatesText() string {
	causes := c.verdict.Causes
	text := c.terminateText(causes[0])
	if len(causes) > 1 {
		t := &causes[1].Terminate
		code := codeName(causes[1].Code)
		text += sentence(" The %v sent a Terminate too (%s, %s).", record.Sender(t.Dir), code, frames(&t.Span))
	}
	if by := c.closer(); by != record.Nobody && c.closing.Frame < causes[0].Terminate.Frame {
		text += sentence(" The %v had ended its side of the %s before, in %s.", by, c.words().connection, frames(&c.closing))
	}
	return text
}

// endedText says how the TCP connection ended, and after how many messages.
func (c *connection) endedText() string {
	after := ""
	if n := c.messages(); n > 0 {
		after = " after " + plural(n, "message")
	}
	at := frames(&c.closing)
	switch by := c.closer(); {
	case by == record.Nobody && c.conn.Reused != (record.Span{}):
		return sentence("Never closed%s: a new connection took its %s in %s.",
			strings.Replace(after, " after", ", after", 1), c.words().place, frames(&c.conn.Reused))
	case by == record.Nobody:
		return sentence("Still open when the capture ends%s.", strings.Replace(after, " after", ", after", 1))
	case c.conn.RST[direction(by)] == c.closing:
		return sentence("Reset by the %v in %s%s.", by, at, after)
	case c.conn.Agreed && len(c.verdict.Causes) == 0 && c.leftText() != "" && !c.lossy(direction(by)):
		return sentence("Closed by the %v with %s, without a Terminate, in %s%s.", by, c.ending(by), at, after)
	default:
		return sentence("Closed by the %v with %s in %s%s.", by, c.ending(by), at, after)
	}
}

// closer is who ended the TCP connection.
func (c *connection) closer() record.Party {
	for d := range c.sides {
		if c.closing != (record.Span{}) && (c.conn.FIN[d] == c.closing || c.conn.RST[d] == c.closing) {
			return record.Sender(record.Direction(d))
		}
	}
	return record.Nobody
}

// messages is how many complete messages there were.
func (c *connection) messages() (n uint64) {
	for d := range c.conn.Traffic {
		for _, m := range c.conn.Traffic[d].Messages {
			n += m
		}
	}
	return n
}

func (c *connection) refusedText() string {
	return sentence("Refused: nobody listens on port %d, for %s.", c.conn.Server.Port(), c.words().refusal)
}

func (c *connection) rejectedText() string {
	text := sentence("The server rejected the connection in %s", frames(&c.frames[record.S2C]))
	if n := c.conn.Reply.ULPPrivateDataLen(); n > 0 {
		text += sentence(", with %s of Private Data", plural(uint64(n), "octet"))
	}
	return text + "."
}

func (c *connection) noRequestText() string {
	return sentence("The MPA Reply in %s answers no MPA Request: what the client had sent does not begin with its Key.",
		frames(&c.frames[record.S2C]))
}

func (c *connection) noReplyText() string {
	request := &c.frames[record.C2S]
	text := sentence("The %s in %s was never answered", c.words().request, frames(request))
	if c.lossy(record.S2C) {
		text = sentence("The answer to the %s in %s is not in the capture", c.words().request, frames(request))
	}
	how := "closed"
	by := c.closer()
	if by == record.Nobody {
		return text + sentence("; the capture ends%s.", later(request.LastTime, c.conn.Latest))
	}
	if c.conn.RST[direction(by)] == c.closing {
		how = "reset"
	}
	return text + sentence("; the %v %s the connection%s.", by, how, later(request.LastTime, c.closing.Time))
}

// leftText says what was left undone; empty if nothing was.
func (c *connection) leftText() string {
	var texts []string
	for d := range c.sides {
		d := record.Direction(d)
		o := &c.verdict.Outstanding[d]
		for kind, n := range []int{record.ReadTransaction: o.Reads, record.AtomicTransaction: o.Atomics, record.UpperTransaction: o.Upper} {
			if n > 0 {
				texts = append(texts, c.unansweredText(d, record.TransactionKind(kind)))
			}
		}
		if cut, ok := c.cutOff(d); ok {
			texts = append(texts, c.cutText(d, cut))
		}
	}
	return strings.Join(texts, " ")
}

func (c *connection) cutText(d record.Direction, cut *cut) string {
	what := "an FPDU"
	if cut.segments > 0 {
		what = "the " + cut.opcode.String()
	}
	came := plural(cut.octets, "octet")
	return sentence("Of %s of the %v in %s only %s came.", what, record.Sender(d), frames(&cut.span), came)
}
