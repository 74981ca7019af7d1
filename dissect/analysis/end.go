package analysis

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

// end reports what can be said only now, and the Verdict.
func (c *connection) end() {
	c.closed()
	for d := range c.sides {
		if c.unseen(record.Direction(d)) {
			c.missed(record.Direction(d))
		}
	}
	c.hung()
	for d := range c.sides {
		c.leave(record.Direction(d))
	}
	if c.follower != nil {
		for d, n := range c.follower.End() {
			c.verdict.Outstanding[d].Upper = n
		}
	}
	for d := range c.sides {
		for kind := range c.sides[d].left {
			o := &c.verdict.Outstanding[d]
			o.AtLeast = o.AtLeast || c.sides[d].left[kind].unknown
		}
	}
	c.observeStartup()
	c.judgeSession()
	c.observeEnd()
	for d := range c.sides {
		c.observeSide(record.Direction(d))
	}
	c.observeLoss()
	c.conclude()
}

// leave ends the requests of a direction that were not answered.
func (c *connection) leave(d record.Direction) {
	o := &c.verdict.Outstanding[d]
	for q := &c.sides[d].requests; q.n > 0; {
		kind := q.at(q.first).Kind
		switch {
		case c.giveUp(d) != record.Unanswered:
		case kind == record.ReadTransaction:
			o.Reads++
		default:
			o.Atomics++
		}
	}
}

// origin is all of the connection, seen from the end that sends in direction d.
func (c *connection) origin(d record.Direction, s record.Span) *record.Origin {
	if s == (record.Span{}) {
		s = c.conn.Span
	}
	return &record.Origin{Conn: c.conn, Dir: d, Span: s}
}

// observeStartup says what the MPA frames came to, if not to an agreement that was used.
func (c *connection) observeStartup() {
	n := c.conn
	complete := c.complete()
	switch {
	case n.End == record.EndRefused:
		c.observe(c.origin(record.S2C, n.RST[record.S2C]), ObsRefused, "%s", c.refusedText())
	case n.Requested && !n.Replied:
		request := c.frames[record.C2S]
		if !c.lossy(record.S2C) && (complete || n.Latest-request.LastTime >= stallAfter) {
			c.observe(c.origin(record.C2S, request), ObsNoReply, "%s", c.noReplyText())
		}
	case c.noRequest():
		c.observe(c.origin(record.S2C, c.frames[record.S2C]), ObsNoRequest, "%s", c.noRequestText())
	case c.disagreed():
		c.observe(c.origin(record.S2C, c.frames[record.S2C]), ObsRevision, "%s %s %s",
			c.revisionsText(), c.endedText(), c.revisionsWhy())
	case n.Agreed && complete && c.fpdus() == 0 && !c.lossy(record.C2S) && !c.lossy(record.S2C):
		c.observe(c.origin(record.C2S, record.Span{}), ObsUnused,
			"The connection was established and never used: no %s was sent. %s", c.words().unit, c.endedText())
	}
}

// noRequest tells whether the capture has what the client sent in the place of an MPA Request.
func (c *connection) noRequest() bool {
	n := c.conn
	t := &n.Traffic[record.C2S]
	return n.Replied && !n.Requested && n.Whole && !c.lossy(record.C2S) && t.Streaming+t.Undecoded >= mpa.FrameLen
}

// fpdus is how many FPDUs there were.
func (c *connection) fpdus() uint64 { return c.conn.Traffic[0].FPDUs + c.conn.Traffic[1].FPDUs }

// unseen tells whether the last octets of a direction, or all, are missing in the capture: the other side has
// acknowledged them, or none of its packets is there.
func (c *connection) unseen(d record.Direction) bool {
	return c.conn.Traffic[d].Unseen > 0 || c.absent(d)
}

// absent tells whether the capture has none of the packets that a side must have sent, for the connection has come as far
// as it has. Over SCTP packets are counted from the Accept on.
func (c *connection) absent(d record.Direction) bool {
	if c.conn.Traffic[d].Packets > 0 {
		return false
	}
	a := c.conn.Association
	return a == nil || a.Ends[d].Span == (record.Span{}) || c.conn.Traffic[1-d].FPDUs > 0
}

// lossy tells whether octets of a direction are missing in the capture, or were not decoded for others are.
func (c *connection) lossy(d record.Direction) bool {
	t := &c.conn.Traffic[d]
	return t.MissingOctets > 0 || t.TCP.HoleOctets > 0 || c.unseen(d) || c.sides[d].lost || c.givenUp
}

// complete tells whether the capture shows the end of the connection.
func (c *connection) complete() bool { return c.over() != record.Span{} }

// over is where the TCP connection ended, as the capture shows it; zero if that goes on.
func (c *connection) over() record.Span {
	if c.closing == (record.Span{}) {
		return c.conn.Reused
	}
	return c.closing
}

// observeEnd says what is remarkable in the way the connection was closed.
func (c *connection) observeEnd() {
	n := c.conn
	if len(c.verdict.Causes) > 0 {
		c.afterTerminate()
	}
	for d, at := range n.RST {
		if d := record.Direction(d); at != (record.Span{}) && n.End != record.EndRefused {
			c.observe(c.origin(d, at), ObsReset, "The %v %s in %s.", record.Sender(d), c.words().reset, frames(&at))
			break
		}
	}
}

// afterTerminate looks whether a Terminate was followed by an orderly end of the TCP connection.
func (c *connection) afterTerminate() {
	n, t := c.conn, &c.verdict.Causes[0].Terminate
	open := n.Latest - t.LastTime
	if c.closing != (record.Span{}) {
		open = c.closing.Time - t.LastTime
	}
	if open >= lingerAfter && t.LastTime != 0 {
		c.observe(t, ObsLinger, "The %s was still open %s after the Terminate in %s. "+
			"A Terminate ends the stream, and with it the connection.", c.words().connection, duration(open), frames(&t.Span))
	}
	if rst := n.RST[t.Dir]; rst.Frame >= t.LastFrame && n.FIN[t.Dir] == (record.Span{}) && !c.lossy(t.Dir) {
		c.observe(c.origin(t.Dir, rst), ObsResetAfterTerminate,
			"The %v %s in %s, after its Terminate in %s and without %s: the reset may have overtaken the Terminate.",
			record.Sender(t.Dir), c.words().reset, frames(&rst), frames(&t.Span), c.words().fin)
	}
}

// observeLoss says what the capture does not have.
func (c *connection) observeLoss() {
	all := c.origin(record.C2S, record.Span{})
	if c.givenUp {
		c.observe(all, ObsGivenUp, "%s", ObsGivenUp.Text)
	}
	var lacks []string
	for d := range c.conn.Traffic {
		t, who := &c.conn.Traffic[d], record.Sender(record.Direction(d))
		if missing := max(t.MissingOctets, t.TCP.HoleOctets) + t.Unseen; missing > 0 {
			lacks = append(lacks, sentence("%s of what the %v sent", plural(missing, "octet"), who))
		}
	}
	if lacks != nil {
		c.observe(all, ObsCaptureLoss, "The capture lacks %s.", strings.Join(lacks, " and "))
	}
}

// observeSide says what was left undone in a direction, and how TCP fared.
func (c *connection) observeSide(d record.Direction) {
	o := &c.verdict.Outstanding[d]
	c.observeUnanswered(d, record.ReadTransaction, o.Reads, ObsUnansweredRead)
	c.observeUnanswered(d, record.AtomicTransaction, o.Atomics, ObsUnansweredAtomic)
	c.observeUnanswered(d, record.UpperTransaction, o.Upper, ObsUnansweredUpper)
	if cut, ok := c.cutOff(d); ok {
		c.observe(c.origin(d, cut.span), ObsMessageCut, "%s %s", c.cutText(d, cut), c.endedText())
	}
	t := &c.conn.Traffic[d]
	all := c.origin(d, record.Span{})
	if again := t.TCP.Retransmitted; again >= resentLeast && again > t.Octets/resentShare {
		c.observe(all, ObsRetransmissions, "%d of %d octets of the %v were sent more than once.",
			again, t.Octets, record.Sender(d))
	}
	if t.ZeroWindows > 0 {
		c.observe(all, ObsZeroWindow, "The %v could not take in anything for a time: %s closed its TCP window.",
			record.Sender(d), plural(t.ZeroWindows, "packet"))
	}
}

// cutOff is the message of a direction whose end never came, if the connection ended within it.
func (c *connection) cutOff(d record.Direction) (cut *cut, ok bool) {
	s := &c.sides[d]
	ends := c.complete() && len(c.verdict.Causes) == 0 && !c.lossy(d)
	return &s.cut, ends && s.unfinished && s.cut.span != (record.Span{})
}
