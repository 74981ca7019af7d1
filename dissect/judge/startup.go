package judge

// How a connection began: its MPA frames or session control messages, and what they allow after them.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/match"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A startup judges how a connection began.
type startup struct {
	conn    *flow.Conn
	profile *rules.Profile
	frames  [2]flow.Span // of the MPA Request and Reply, or of what does the same over SCTP, by direction
	mpa     rules.Startup
	session *rules.Session // over SCTP, in the place of mpa; nil over TCP
}

// frame judges an MPA Request or Reply. again says that the capture has the Reply before this Request, the network had
// not: the Reply is to be judged again.
func (s *startup) frame(f *record.Startup, v []rules.Violation) (_ []rules.Violation, again bool) {
	s.frames[f.Dir] = f.Span
	s.mpa.Profile = s.profile
	again = !f.MPA.Reply && f.Late && s.conn.Replied
	if again {
		s.mpa = rules.Startup{Profile: s.profile}
	}
	return s.mpa.Frame(&f.MPA, v), again
}

// asksToo reports whether a frame is an MPA Request, and the other side has sent one: each may have been the first to do so.
func (s *startup) asksToo(f *record.Startup) bool {
	return !f.MPA.Reply && !s.conn.Replied && s.frames[1-f.Dir] != flow.Span{}
}

// replyAgain judges the Reply by the Request that the capture has after it. What is wrong with it by itself has been
// reported.
func (s *startup) replyAgain(v []rules.Violation) []rules.Violation {
	alone := rules.Startup{Profile: s.profile}
	reported := len(alone.Frame(&s.conn.Reply, nil))
	v = s.mpa.Frame(&s.conn.Reply, v)
	return v[min(reported, len(v)):]
}

// segment judges whether a segment may come where it does. early says that the capture has it before the Reply.
func (s *startup) segment(seg *record.Segment, v []rules.Violation) []rules.Violation {
	n := int(seg.FPDU.ULPDULength)
	client := seg.Dir == flow.C2S
	if client && match.Before(&seg.Span, &s.frames[flow.S2C]) && !seg.Ahead {
		v = s.mpa.Early(true, &seg.RDMAP, v)
	}
	if !client && seg.Blind {
		v = s.mpa.Unasked(&seg.RDMAP, v)
	}
	return s.mpa.Segment(client, &seg.RDMAP, n, v)
}

// bothAsk reports whether both sides sent an MPA Request, as if both were the Initiator (RFC 5044, section 7.1.2).
func (a *account) bothAsk() bool {
	return a.conn.Requested && !a.conn.Replied && a.frames[flow.C2S] != (flow.Span{}) && a.frames[flow.S2C] != (flow.Span{})
}

func (a *account) bothAskStatement() statement {
	t := stated("Both sides sent an MPA Request, the client in %s and the server in %s, and neither a Reply", frames(a.conn, a.frames[flow.C2S]), frames(a.conn, a.frames[flow.S2C]))
	if a.complete() {
		t.what += ", and " + a.endClause()
	}
	t.advice = "One side has to wait for the MPA Request of the other. See which of the two programs connects, and which listens."
	return t
}

// leavesUnanswered reports whether the client ended the connection soon after its MPA Request, and before a Reply came.
func (a *account) leavesUnanswered() bool {
	n, request := a.conn, &a.frames[flow.C2S]
	silent := !n.Replied && n.Traffic[flow.S2C].Octets == 0
	first := n.LastAck[flow.C2S] == 0 // else it has acknowledged a FIN that the capture lacks, or has behind its own
	late := n.Replied && a.fpdus() == 0 && a.closing.Frame < a.frames[flow.S2C].Frame && n.Traffic[flow.S2C].Overtaken == (flow.Span{})
	return n.Requested && (silent || late) && first && a.closer() == flow.Client && request.Frame < a.closing.Frame && !a.anyLossy() &&
		a.closing.Time-request.LastTime < stallAfter
}

func (a *account) leavesUnansweredStatement() statement {
	request, reply := &a.frames[flow.C2S], &a.frames[flow.S2C]
	t := stated("%s, %s after its %s in %s and before the server answered that", capital(a.endClause()), duration(a.closing.Time-request.LastTime),
		wordsOf(a.conn).request, frames(a.conn, *request))
	if a.conn.Replied {
		t = t.and(sentence("The MPA Reply came in %s, %s later", frames(a.conn, *reply), duration(reply.LastTime-a.closing.Time)))
	}
	return t
}

// repliedLate reports whether the server answered the MPA Request after the client had waited long and ended the connection.
func (a *account) repliedLate() bool {
	n := a.conn
	return n.Requested && n.Replied && a.fpdus() == 0 && a.closer() == flow.Client && a.closing.Frame < a.frames[flow.S2C].Frame &&
		a.closing.Time-a.frames[flow.C2S].LastTime >= stallAfter
}

func (a *account) repliedLateStatement() statement {
	request, reply := &a.frames[flow.C2S], &a.frames[flow.S2C]
	return stated("The server answered the MPA Request in %s only in %s, %s later, after the client had %s the connection in %s", frames(a.conn, *request),
		frames(a.conn, *reply), duration(reply.LastTime-request.LastTime), a.endVerb(), frames(a.conn, a.closing)).
		and(sentence("The client had waited for %s", duration(a.closing.Time-request.LastTime)))
}

// observeLateRequest says that the server ended the connection before the MPA Request came: at once, or because it came late.
func (e *ending) observeLateRequest() {
	request := &e.frames[flow.C2S]
	if e.closing.Time-e.conn.Earliest < stallAfter {
		e.observe(e.origin(flow.S2C, e.closing), ObsClosedEarly, e.closedAtOnceStatement())
		return
	}
	t := stated("The client sent its MPA Request only in %s, %s after its SYN, when the server had %s the connection in %s", frames(e.conn, *request),
		duration(request.LastTime-e.conn.Earliest), e.endVerb(), frames(e.conn, e.closing))
	t.advice = "See what the program on the client did between opening the connection and its MPA Request: servers wait some seconds for that."
	e.observe(e.origin(flow.C2S, *request), ObsForeign, t)
}

// closedAtOnceStatement says that the server ended the connection before the client could send an MPA Request.
func (a *account) closedAtOnceStatement() statement {
	return stated("%s, %s after the client's SYN and before an MPA Request came", capital(a.endClause()), duration(a.over().Time-a.conn.Earliest)).
		and("perhaps its program is about to stop or has too many connections, or a balancer or a firewall on the way has no server to pass the connection to")
}

// owesReady reports whether the client never sent the Ready to Receive (RTR) indication that the MPA frames agree on, and the server gave up
// waiting for it, or the capture shows that it waited as long as maxWait says (RFC 6581, section 9).
func (a *account) owesReady() bool {
	n := a.conn
	asked, answered, ok := enhanced(n)
	if !n.Agreed || !ok || !asked.A || !answered.A || a.anyLossy() ||
		n.Traffic[flow.C2S].FPDUs > 0 || n.Traffic[flow.C2S].Undecoded > 0 {
		return false
	}
	waited := a.waitedFor(&a.frames[flow.S2C])
	if a.complete() {
		return a.closer() == flow.Server && waited >= stallAfter
	}
	return waited >= a.maxWait
}

func (a *account) notReadyStatement() statement {
	reply := &a.frames[flow.S2C]
	how := sentence("for %s, until the capture ended", duration(a.waitedFor(reply)))
	if a.complete() {
		how = sentence("and %s, %s later", a.endClause(), duration(a.waitedFor(reply)))
	}
	return stated("The client never sent the Ready to Receive (RTR) on which the MPA Request and the Reply in %s agree, %s", frames(a.conn, *reply), how).
		and("the server may not send before that").and(readyText(a.conn))
}

// frameOf is the MPA frame of a direction.
func frameOf(c *flow.Conn, d flow.Direction) *mpa.Frame {
	if d == flow.S2C {
		return &c.Reply
	}
	return &c.Request
}

func frameName(f *mpa.Frame) string {
	if f.Reply {
		return "MPA Reply"
	}
	return "MPA Request"
}

// misstatedStatement says that octets follow an MPA frame that are none of an FPDU.
func (s *startup) misstatedStatement(d flow.Direction) statement {
	f := frameOf(s.conn, d)
	return stated("The %v's %s in %s states a wrong length of its Private Data: PD_Length is %d, and what follows in the same packet is not an FPDU",
		flow.Sender(d), frameName(f), frames(s.conn, s.frames[d]), f.PDLength)
}
