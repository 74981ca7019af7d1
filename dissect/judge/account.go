package judge

// What became of a connection, in words: how it was refused, rejected or not answered, how it ended, and what was left undone.

import (
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// direction is the one in which a party sends.
func direction(p flow.Party) flow.Direction {
	if p == flow.Server {
		return flow.S2C
	}
	return flow.C2S
}

// An account says how a connection ended. It finds nothing: it asks what waits, and the Verdict as far as it is made.
type account struct {
	*waiting
	verdict *record.Verdict
	frames  *[2]flow.Span // of startup
	maxWait int64         // how long a request waits until it counts as unanswered
}

// endedText says how the TCP connection ended, and after how many messages.
func (a *account) endedText() string {
	after := func(word string) string {
		n := a.messages()
		if n == 0 {
			return ""
		}
		return word + quantity.Count(n, "message")
	}
	switch {
	case a.severed(), a.closer() != flow.Nobody:
		return a.closedText() + after(" after ")
	case a.conn.Reused != (flow.Span{}):
		return sentence("Never closed%s: a new connection took its %s in %s",
			after(", after "), wordsOf(a.conn).place, frames(a.conn, a.conn.Reused))
	}
	return sentence("Still open when the capture ends%s", after(", after "))
}

// closedText says who closed or reset the connection.
func (a *account) closedText() string {
	by, at := a.closer(), frames(a.conn, a.closing)
	switch {
	case a.severed():
		return capital(a.endClause())
	case a.unknown():
		return sentence("The %v reset the connection in %s (without ACK, as a TCP without that connection does)", by, at)
	case a.conn.RST[direction(by)] == a.closing:
		return sentence("The %v reset the connection in %s", by, at)
	}
	return sentence("The %v closed the connection with %s in %s", by, closing(a.conn, by), at)
}

// closedEarlyStatement says who ended the connection, and what was left undone.
func (a *account) closedEarlyStatement() statement {
	by := a.closer()
	t := stated("%s", a.closedText())
	var undone []string
	for d := range a.progress {
		d, whose := flow.Direction(d), "its"
		if flow.Sender(d) != by {
			whose = sentence("the %v's", flow.Sender(d))
		}
		for kind := range record.NumTransactionKinds {
			if n, _ := a.requestsLeft(d, kind); n > 0 {
				undone = append(undone, a.undoneText(whose, d, kind))
			}
		}
		if cut, ok := a.cutOff(d); ok {
			undone = append(undone, sentence("only %s of %s in %s had come", cut.came(), cut.name(whose), frames(a.conn, cut.span)))
		}
	}
	if p := a.discarded(); p != nil && undone == nil {
		t.what += sentence(" while the %v was still sending: nothing acknowledged the %s from %s on, and a reset answered them",
			flow.Sender(1-direction(by)), quantity.Count(p.Octets, "octet"), frames(a.conn, p.Oldest))
	}
	t.passes = a.crossed()
	switch {
	case undone != nil && a.allAfter(a.closing.Frame):
		t.what += "; after that " + strings.Join(undone, " and ")
	case undone != nil:
		t.what += " while " + strings.Join(undone, " and ")
	case a.fpdus() == 0 && a.closing.Time-a.frames[flow.S2C].LastTime >= stallAfter:
		t.what += sentence(" %s after it was established, without an FPDU", duration(a.closing.Time-a.frames[flow.S2C].LastTime))
	case a.fpdus() == 0:
		t.what += " as soon as it was established"
	}
	if other := a.stationText(direction(by)); other != "" && !a.severed() {
		return t.and(other)
	}
	if syn := a.conn.Reused; syn != (flow.Span{}) && a.unknown() {
		return t.and(sentence("Its host was restarted, or has lost the connection: in %s it began another one with the same ports", frames(a.conn, syn)))
	}
	if a.unknown() {
		return t.and(a.unknownText())
	}
	return t
}

// unknownText says why a TCP may not know the connection that it reset.
func (a *account) unknownText() string {
	restarted := " its host was restarted,"
	if a.closing.Time-a.progress[direction(a.closer())].latest.LastTime < lingerAfter { // no host starts so fast
		restarted = ""
	}
	return "Perhaps its connection was already aborted," + restarted +
		" something on the way changed an address or a port, or a firewall sent the reset in its name"
}

// crossed reports whether the server closed a connection that had long been idle, and the client asked for something before it knew: behind
// the FIN, or before it with octets that the server never acknowledged.
func (a *account) crossed() bool {
	idle, after := a.closing.Time-a.progress[flow.S2C].latest.LastTime, a.closing.Frame
	if p := a.conn.Traffic[flow.C2S].Pending; p != nil && !p.FIN && p.Oldest != (flow.Span{}) {
		after = min(after, p.Oldest.Frame)
	}
	return a.conn.FIN[flow.S2C] == a.closing && a.closer() == flow.Server && idle >= lingerAfter && a.allAfter(after)
}

// allAfter reports whether all requests that were not answered came after a frame.
func (a *account) allAfter(frame uint64) bool {
	for d := range a.left {
		for kind := range a.left[d] {
			if l := &a.left[d][kind]; l.unknown || l.oldest != nil && l.oldest.Request.Frame < frame {
				return false
			}
		}
		if _, ok := a.cutOff(flow.Direction(d)); ok {
			return false
		}
	}
	return true
}

// undoneText says that requests waited for an answer: "its RDMA Read in frame 7 (MSN 1) waited for an answer".
func (a *account) undoneText(whose string, d flow.Direction, kind record.TransactionKind) string {
	l := &a.left[d][kind]
	if n, _ := a.requestsLeft(d, kind); n == 1 && l.oldest != nil && !l.unknown {
		return sentence("%s %s in %s (%s) waited for an answer", whose, l.oldest.Name, frames(a.conn, l.oldest.Request), a.idText(l.oldest))
	}
	text := a.manyText(d, kind) + " waited for an answer"
	if l.oldest != nil {
		text += sentence(", the first of them since %s (%s)", frames(a.conn, l.oldest.Request), a.idText(l.oldest))
	}
	return text
}

// endClause says who closed or reset the connection, as the end of a sentence.
func (a *account) endClause() string {
	if a.severed() {
		return "something between the ends reset both at once in " + frames(a.conn, a.over())
	}
	return sentence("the %v %s the connection in %s", a.closer(), a.endVerb(), frames(a.conn, a.closing))
}

// endVerb is what the side that ended the connection did: it "closed" or "reset" it.
func (a *account) endVerb() string {
	if a.conn.RST[direction(a.closer())] == a.closing {
		return "reset"
	}
	return "closed"
}

func (a *account) refusedStatement() statement {
	return stated("The server refused the connection in %s: nobody listens on port %d, or a firewall rejects it (%s)",
		frames(a.conn, a.conn.RST[flow.S2C]), a.conn.Server.Port(), wordsOf(a.conn).refusal)
}

func (a *account) noAnswerStatement() statement {
	n := a.conn
	switch back, reset := &n.Traffic[flow.S2C], &n.RST[flow.C2S]; {
	case back.Packets == 1 && *reset == n.Traffic[flow.C2S].Latest:
		t := stated("The server %v answered the client's SYN in %s only in %s, %s later, and the client, which had given up, reset the connection in %s",
			n.Server, frame(n, n.Frame), frames(n, back.Latest), duration(back.Latest.LastTime-n.Earliest), frames(n, *reset))
		t.advice = "See what kept the SYN or its answer: a queue or a route on the way, or the server's host. A ping shows how long packets take."
		return t
	case back.Packets > 0 && *reset != (flow.Span{}):
		t := stated("The client's host answered the SYN with ACK of the server %v with a reset, and the client sent its SYN again, until %s: the TCP that the answer reaches has not sent the SYN",
			n.Server, frames(n, n.Traffic[flow.C2S].Latest))
		t.advice = "Perhaps an RNIC opened the connection, and what the server sends reaches the host's own TCP in its place: see the filters of the RNIC and whether " +
			"the port mapper (iwpmd) runs on both hosts. Or two hosts have the client's address (arping -D), or a firewall on the client resets the connection."
		return t
	case back.Packets > 0:
		return stated("The client never answered the SYN with ACK of the server %v, which came %s until %s: it does not reach the client",
			n.Server, quantity.Count(back.Packets, "time"), frames(n, back.Latest))
	}
	return stated("The server %v never answered the client's SYN in %s, which came %s in %s",
		n.Server, frame(n, n.Frame), quantity.Count(n.Traffic[flow.C2S].Packets, "time"), duration(n.Latest-n.Earliest))
}

func (a *account) challengedStatement() statement {
	n := a.conn
	return stated("The server %v answered the client's SYN in %s with an ACK of another connection with the same ports, %s until %s: it still has that one, which the client has lost",
		n.Server, frame(n, n.Frame), quantity.Count(n.Attempts.Answers, "time"), frames(n, n.Traffic[flow.S2C].Latest))
}

// attemptsStatement tells of SYNs of a direction for another connection with the ports of one that is open.
func (a *account) attemptsStatement(d flow.Direction) statement {
	s, answer := &a.conn.Attempts, "answered for this connection, which it still has"
	if s.Answers == 0 {
		answer = "did not answer: perhaps it still has this connection"
	}
	return stated("The %v has lost this connection, and failed to begin another with the same ports: it sent its SYN %s, in %s, and the %v %s",
		flow.Sender(d), quantity.Count(s.SYNs, "time"), frames(a.conn, s.Span), flow.Sender(1-d), answer)
}

func (a *account) foreignStatement() statement {
	n := a.conn
	switch n.Foreign {
	case flow.ForeignCut:
		return stated("The client sent only a part of its MPA Request, and %s", a.endClause())
	case flow.ForeignSilence:
		return stated("The client sent no MPA Request to port %d, nor anything else, and%s %s", n.Server.Port(),
			later(n.Earliest, a.over().Time), a.endClause())
	}
	t := stated("The client spoke %v to port %d in place of MPA, and %s without an answer", n.Foreign, n.Server.Port(), a.endClause())
	t.advice = foreignAdvice[n.Foreign]
	return t
}

// foreignAdvice says how what speaks a protocol over TCP uses RDMA.
var foreignAdvice = map[flow.Foreign]string{
	flow.ForeignNFS:      "Mount NFS with the options proto=rdma,port=20049, or use the port where the server has NFS over TCP, 2049.",
	flow.ForeignSMB:      "Mount SMB with the option rdma, or use the port where the server has SMB over TCP, 445.",
	flow.ForeignNVMe:     "Connect the host with the transport rdma (nvme connect -t rdma), or to a port that the target has for tcp.",
	flow.ForeignISCSI:    "Let the initiator log in with the transport iser (iscsiadm -I iser), or to a portal that the target has for iSCSI over TCP.",
	flow.ForeignPerftest: perftestAdvice,
}

// perftestAdvice is about a side whose program begins on TCP.
const perftestAdvice = "The programs of perftest exchange their parameters over plain TCP unless they use rdma_cm, and iWARP needs that: start both sides with -R."

// maxReason is how many octets of Private Data with a reason in words are shown.
const maxReason = 48

// isPrintable reports whether octets may be words in ASCII.
func isPrintable(b []byte) bool {
	return len(b) >= 4 && !slices.ContainsFunc(b, func(c byte) bool { return c < ' ' || c > '~' })
}

// rejectedStatement says that the server rejected the connection, and what its Reply says of the reason. layers are the upper layers that may
// have written its Private Data.
func rejectedStatement(c *flow.Conn, reply *flow.Span, layers []*ulp.Layer) statement {
	t := stated("The server rejected the connection with its MPA Reply in %s", frames(c, *reply))
	if asked, offered, ok := enhanced(c); ok && offered.IRD|offered.ORD != 0 && asked.ORD > offered.IRD && asked.ORD != mpa.NotNegotiated {
		t.what += sentence(": the client asked for ORD %d, and the server's IRD is %d", asked.ORD, offered.IRD)
		return t
	}
	if n := c.Reply.ULPPrivateDataLen(); n > 0 {
		t.what += sentence(", which has %s of Private Data", quantity.Count(uint64(n), "octet"))
		if data := c.Reply.ULPPrivateData(); len(data) <= maxReason && isPrintable(data) {
			t.what += sentence(": %q", data)
		}
		why, advice := reasonNamed(c, layers)
		t.what += why
		t.advice = advice
	}
	switch {
	case c.Transport() != flow.OverTCP:
	case c.Request.M:
		t.what += ", after the client's MPA Request asked for Markers"
		t.more = "Not every RNIC can send them"
	case c.Requested && c.Request.Rev != c.Reply.Rev:
		t.what += sentence("; its Rev is %d, and that of the MPA Request %d", c.Reply.Rev, c.Request.Rev)
	case c.Requested && c.Request.C && !c.Reply.C:
		t.what += ", after the client's MPA Request asked for CRCs, for which the Reply does not ask"
		t.about = "CRC32c"
	}
	return t
}

// reasonNamed is why the Private Data of a Reply say that it rejects, if they are those of an upper layer: ": STS 0x4, Invalid HSQSIZE"; and what
// that advises.
func reasonNamed(c *flow.Conn, layers []*ulp.Layer) (text, advice string) {
	for _, l := range layers {
		if l.Private == nil {
			continue
		}
		if p, ok := l.Private(c, &c.Reply); ok && p.Reason != nil {
			v := p.Reason.Number(p.Part.Octets)
			text = sentence(": %s %#x", p.Reason.Label, v)
			if slices.Contains(slices.Collect(p.Reason.Known), v) {
				text += ", " + p.Reason.Names(v)
			}
			return text, p.Advice
		}
	}
	return "", ""
}

// noRequest reports whether the capture has what the client sent in the place of an MPA Request.
func (a *account) noRequest() bool {
	n := a.conn
	t := &n.Traffic[flow.C2S]
	return n.Replied && !n.Requested && n.Whole && !a.lossy(flow.C2S) && t.Streaming+t.Undecoded >= mpa.FrameLen
}

func (a *account) noRequestStatement() statement {
	return stated("The MPA Reply in %s answers no MPA Request: what the client had sent does not begin with its Key",
		frames(a.conn, a.frames[flow.S2C]))
}

// noReplyStatement says that the MPA Request was not answered, and who ended the connection when.
func (a *account) noReplyStatement() statement {
	request := &a.frames[flow.C2S]
	text, by := "", a.closer()
	if a.bothAsk() {
		return a.bothAskStatement()
	}
	switch what := wordsOf(a.conn).request; {
	case a.lossy(flow.S2C):
		text = sentence("The answer to the %s in %s is not in the capture", what, frames(a.conn, *request))
	case !slices.Contains([]flow.Foreign{flow.NotForeign, flow.ForeignKey, flow.ForeignCut}, a.conn.Traffic[flow.S2C].Spoke):
		text = sentence("The server answered the %s in %s with %v", what, frames(a.conn, *request), a.conn.Traffic[flow.S2C].Spoke)
	case a.conn.Traffic[flow.S2C].Spoke == flow.ForeignCut:
		text = sentence("The server sent only a part of its MPA Reply to the %s in %s, %s", what, frames(a.conn, *request),
			quantity.Count(a.conn.Traffic[flow.S2C].Octets, "octet"))
	case a.conn.Traffic[flow.S2C].Octets > 0:
		text = sentence("The server answered the %s in %s with %s that are not an MPA Reply", what, frames(a.conn, *request),
			quantity.Count(a.conn.Traffic[flow.S2C].Octets, "octet"))
	case by == flow.Nobody && !a.severed():
		return stated("The server had not answered the %s in %s when the capture ended%s", what, frames(a.conn, *request), later(request.LastTime, a.conn.Latest))
	default:
		text = sentence("The server never answered the %s in %s", what, frames(a.conn, *request))
	}
	switch {
	case a.severed():
		return stated("%s, and %s", text, a.endClause())
	case by == flow.Nobody:
		return stated("%s", text)
	}
	how := a.endVerb()
	if by == flow.Client {
		how = "the client " + how
	}
	t := stated("%s, and %s the connection%s, in %s", text, how, later(request.LastTime, a.closing.Time), frames(a.conn, a.closing))
	if a.conn.Traffic[flow.S2C].Spoke == flow.ForeignPerftest {
		t.advice = perftestAdvice
	}
	if by == flow.Server && a.conn.Transport() == flow.OverTCP && a.conn.Traffic[flow.S2C].Octets == 0 {
		return t.and(a.unacceptableText())
	}
	return t
}

// tcpPorts are ports of protocols over TCP whose RDMA service has another.
var tcpPorts = map[uint16]string{
	2049: "NFS over TCP, and NFS over RDMA listens on 20049",
	445:  "SMB over TCP, and SMB Direct listens on 5445",
}

// unacceptableText says what a server that closes without a Reply may not like; empty if nothing is known.
func (a *account) unacceptableText() string {
	port := a.conn.Server.Port()
	switch other, ok := tcpPorts[port]; {
	case ok:
		return sentence("port %d is that of %s", port, other)
	case a.conn.Request.Rev >= mpa.Rev2:
		return sentence("a Responder that does not know Rev %d closes in this way (RFC 6581, section 10), and so does one whose program gives up", a.conn.Request.Rev)
	}
	return ""
}

// shortStatement says that more octets follow an MPA frame than its PD_Length states.
func (a *account) shortStatement(d flow.Direction) statement {
	f := frameOf(a.conn, d)
	return stated("The %v's %s in %s states a wrong length of its Private Data: PD_Length %d, but %s follow", flow.Sender(d), frameName(f),
		frames(a.conn, a.frames[d]), f.PDLength, quantity.Count(uint64(f.PDLength)+a.conn.Traffic[d].Undecoded, "octet"))
}

// discarded is what the side that closed the connection did not take any more of the other one, which went on, and answered with a reset; nil if
// there is nothing. An upper layer knows better what was left undone, and a Terminate says it.
func (a *account) discarded() *flow.Pending {
	by := a.closer()
	if by == flow.Nobody || a.follower != nil || a.agreed || len(a.verdict.Terminations) > 0 {
		return nil
	}
	d := direction(by)
	p, n := a.conn.Traffic[1-d].Pending, a.conn
	if a.fpdus() == 0 || p == nil || p.Octets == 0 || p.Oldest == (flow.Span{}) || n.FIN[d] != a.closing || n.FIN[1-d] != (flow.Span{}) || n.RST[d].Frame < p.Oldest.Frame {
		return nil
	}
	if p.Octets == uint64(p.Len) && n.Traffic[1-d].Said.LastTime-a.closing.Time < crossingWithin {
		return nil // one packet may cross the FIN, as the last message of a program that closes, too
	}
	return p
}

// crossingWithin is how long after a FIN a packet may be captured that was sent before its sender had that.
const crossingWithin = int64(10 * time.Millisecond)

// leaves reports whether something was left undone, without the words of leftText.
func (a *account) leaves() bool {
	if a.agreed {
		return false
	}
	for d := range a.progress {
		for kind := range record.NumTransactionKinds {
			if n, _ := a.requestsLeft(flow.Direction(d), kind); n > 0 {
				return true
			}
		}
		if _, ok := a.cutOff(flow.Direction(d)); ok {
			return true
		}
	}
	return false
}

// leftText says what was left undone; empty if nothing was.
func (a *account) leftText() string {
	var texts []string
	for d := range a.progress {
		d := flow.Direction(d)
		for kind := range record.NumTransactionKinds {
			if n, _ := a.requestsLeft(d, kind); n > 0 {
				texts = append(texts, a.unansweredStatement(d, kind).what)
			}
		}
		if cut, ok := a.cutOff(d); ok {
			texts = append(texts, a.cutStatement(d, cut).what)
		}
	}
	return strings.Join(texts, ". ")
}

// unansweredStatement says how many transactions of a kind were not answered, and which the first of them is.
func (a *account) unansweredStatement(d flow.Direction, kind record.TransactionKind) statement {
	l, never := &a.left[d][kind], "never answered"
	if !a.complete() {
		never = "has not yet answered"
	}
	n, _ := a.requestsLeft(d, kind)
	switch one := n == 1 && l.oldest != nil && !l.unknown; {
	case one && kind == record.ReadTransaction && l.oldest.Octets > 0 && isBlocked(a.conn, 1-d):
		return stated("The %v's Read Response to %s never got through", flow.Sender(1-d), a.transactionText(l.oldest))
	case one:
		return stated("The %v %s %s%s", flow.Sender(1-d), never, a.transactionText(l.oldest), a.waited(l.oldest)).and(a.taken(l.oldest)).unanswered(l.oldest, a.upperText(l.oldest))
	}
	t := stated("The %v %s %s", flow.Sender(1-d), never, a.manyText(d, kind))
	if l.oldest != nil {
		t.what += sentence(", the first of them the %s in %s (%s)%s", l.oldest.Name, frames(a.conn, l.oldest.Request), a.idText(l.oldest), a.waited(l.oldest))
		t = t.unanswered(l.oldest, a.upperText(l.oldest))
	}
	return t
}

// manyText counts what was not answered: "at least 30 RDMA Reads of the client".
func (a *account) manyText(d flow.Direction, kind record.TransactionKind) string {
	n, thing := a.requestsLeft(d, kind)
	text := sentence("%s of the %v", quantity.Count(uint64(n), thing), flow.Sender(d))
	if a.left[d][kind].unknown {
		return "at least " + text
	}
	return text
}

// requestsLeft is how many transactions of a kind were not answered, and what one is called.
func (a *account) requestsLeft(d flow.Direction, kind record.TransactionKind) (n int, thing string) {
	o := &a.verdict.Outstanding[d]
	switch {
	case kind == record.ReadTransaction:
		return o.Reads, "RDMA Read"
	case kind == record.AtomicTransaction:
		return o.Atomics, "Atomic Request"
	case a.verdict.ULP != "":
		return o.Upper, a.verdict.ULP + " request"
	}
	return o.Upper, "request"
}

// cutOff is the message of a direction whose end never came, if the connection ended within it.
func (a *account) cutOff(d flow.Direction) (cut *cut, ok bool) {
	p := &a.progress[d]
	ends := a.complete() && !a.agreed && !p.cut.short && len(a.verdict.Terminations) == 0 && !a.holed(d)
	return &p.cut, ends && p.unfinished && p.cut.span != (flow.Span{})
}

func (a *account) cutStatement(d flow.Direction, cut *cut) statement {
	if a.incomplete(d, &cut.span) {
		return stated("The %v never completed %s in %s: only %s came", flow.Sender(d), cut.name("its"), frames(a.conn, cut.span), cut.came())
	}
	return stated("Of %s in %s only %s came", cut.name(sentence("the %v's", flow.Sender(d))), frames(a.conn, cut.span), cut.came())
}

// shortFPDUStatement says that fewer octets of an FPDU came than its ULPDU_Length states. h is its header; nil if that did not come.
func shortFPDUStatement(o *record.Origin, h *rdmap.Header, came, ulpdu int) statement {
	if came < mpa.FPDULen(ddp.TaggedLen) {
		return stated("The %v sent %s in %s that are not an FPDU: the next FPDU begins after them, with a good CRC", flow.Sender(o.Dir),
			quantity.Count(uint64(came), "octet"), frame(o.Conn, o.Frame))
	}
	of := ""
	if key := int(binary.BigEndian.Uint16([]byte(mpa.RequestKey))); ulpdu == key && h != nil && !h.T && h.Control.Opcode == rdmap.OpWrite {
		return stated("The %v sent another MPA frame in %s, where an FPDU has to begin", flow.Sender(o.Dir), frame(o.Conn, o.Frame))
	}
	if h != nil && 2+h.Len() <= came { // it comes after ULPDU_Length
		of = sentence(", of a %v (%s),", h.Control.Opcode, target(&rdmap.Segment{Header: *h}))
	}
	return stated("The %v's FPDU in %s%s is wrong: ULPDU_Length %d makes an FPDU of %s, and only %d came before the next FPDU, whose CRC is right",
		flow.Sender(o.Dir), frames(o.Conn, o.Span), of, ulpdu, quantity.Count(uint64(mpa.FPDULen(ulpdu)), "octet"), came)
}

// came is how much of it has come: "20 of 40 octets".
func (c *cut) came() string {
	if c.stated > 0 {
		return sentence("%d of %s", c.octets, quantity.Count(uint64(c.stated), "octet"))
	}
	return quantity.Count(c.octets, "octet")
}

// name is what was cut off: "its Write".
func (c *cut) name(whose string) string {
	if c.segments > 0 {
		return sentence("%s %v", whose, c.opcode)
	}
	return whose + " FPDU"
}
