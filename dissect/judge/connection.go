package judge

// What each event adds to what is known of a connection.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/match"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A connection hands each event of a connection to those whom it concerns, and reports what they find.
type connection struct {
	a       *Judge
	conn    *flow.Conn
	verdict record.Verdict // as far as it is known

	held      int  // octets, as Judge.Held counts them
	operating bool // full operation has begun
	sides     [2]side
	who       [2]identity // by direction: its sender
	startup   startup
	coverage  coverage
	order     match.Order
	requests  match.Requests
	waiting   waiting
	stags     stags
	dialogue  dialogue
	writes    dialogue          // of Writes
	adverts   [2]advertisements // by the direction of what advertises
	deferred  [2]deferrals      // by the direction of the requests
	blame     blame
	follower  follower
	reporter
}

// A side is one direction of a connection.
type side struct {
	framing  mpa.Options    // as agreed
	missing  bool           // Markers were agreed on, and are not there
	unasked  bool           // Markers are there, and were not agreed on
	receiver rules.Receiver // of the end that the direction leads to
	payload  match.Payload  // of the Send in progress

	latest belonging // of the latest segment
}

// strange reports whether Markers are not as agreed.
func (s *side) strange() bool { return s.missing || s.unasked }

// begin begins with a connection. What c has of another is forgotten, except for its memory.
func (c *connection) begin(conn *flow.Conn) {
	c.requests.Reset()
	a, requests, tally := c.a, c.requests, c.tally[:0]
	receivers := [...]rules.Receiver{c.sides[0].receiver, c.sides[1].receiver}
	waits := [...][2][]turn{c.dialogue.memory(), c.writes.memory()}
	*c = connection{} // a literal with these fields would be made on the stack and copied, all of it
	c.a, c.conn, c.requests, c.dialogue.waits, c.writes.waits = a, conn, requests, waits[0], waits[1]
	for d := range c.sides {
		c.sides[d].receiver, c.who[d] = receivers[d], newIdentity(a.opts.Profile)
	}
	c.startup.conn, c.startup.profile, c.coverage.conn = conn, a.profile, conn
	c.stags = stags{table: &a.stags, conn: conn.ID}
	c.reporter = reporter{emit: a.found, suppress: a.opts.Suppress, finding: &a.finding, tally: tally, verdict: &c.verdict, who: &c.who, order: &c.order, come: &c.waiting.progress}
	c.waiting = waiting{coverage: &c.coverage, Order: &c.order, requests: &c.requests}
	c.blame = blame{history: &a.history, requests: &c.requests, conn: conn, who: &c.who}
}

func (c *connection) startupFrame(f *record.Startup) {
	c.private(f)
	c.who[f.Dir].private(&f.MPA, &f.Span)
	if c.conn.Transport() == flow.OverSCTP {
		c.session(&f.Origin, f.Control.FunctionCode.IsInitiate())
		c.violated(&f.Origin, f.Control.FunctionCode.String(), nil, c.startup.control(f, c.a.violations[:0]))
	} else {
		v, again := c.startup.frame(f, c.a.violations[:0])
		as := roleOf
		if c.startup.asksToo(f) {
			as = func(*rules.Violation) role { return bystander }
		}
		c.violatedAs(&f.Origin, frameName(&f.MPA), nil, v, as)
		if again {
			at := c.coverage.origin(flow.S2C, c.startup.frames[flow.S2C])
			c.violated(at, frameName(&c.conn.Reply), nil, c.startup.replyAgain(c.a.violations[:0]))
		}
	}
	if f.MPA.Reply && f.MPA.R {
		c.observe(&f.Origin, ObsRejected, rejectedStatement(c.conn, &c.startup.frames[flow.S2C], c.a.opts.ULPs))
	}
	if n := c.conn; n.Requested && n.Replied && !n.Reply.R && c.follower.Follower == nil {
		c.look()
		if c.follower.looks[flow.C2S] > 0 {
			c.recognise(nil, nil)
		}
	}
}

// session begins with the session of a connection over SCTP, of which the next event is o. What is wrong with its
// association is reported with that.
func (c *connection) session(o *record.Origin, initiate bool) {
	if c.startup.session != nil {
		return
	}
	c.startup.begin(initiate)
	for d, v := range c.startup.association {
		c.violation(&record.Origin{Conn: c.conn, Dir: d, Span: o.Span}, &v, roleOf(&v), "association", func() string {
			return sentence("The association on which the session runs, begun by the %v in %s",
				flow.Sender(d), frames(c.conn, c.conn.Association.Ends[d].Span))
		})
	}
}

// operate begins full operation: both MPA frames were seen.
func (c *connection) operate() {
	c.operating, c.blame.begun = true, c.a.history.latest
	g := &c.conn.Agreement
	markers := [2]bool{g.MarkersFromInit, g.MarkersFromResp}
	c.verdict.Limit = [2]int{g.InitORD, g.RespORD}
	for d := range c.sides {
		s := &c.sides[d]
		s.framing = mpa.Options{Markers: markers[d], CRC: g.CRC}
		s.receiver.Reset(rules.Conditions{
			Version: int(g.DDPVersion), IRD: c.verdict.Limit[d], Profile: c.a.profile,
		})
	}
	c.writes.midstream = !c.conn.Requested || !c.conn.Replied
	if c.dialogue.midstream = c.writes.midstream; c.dialogue.midstream { // what may come first is not known
		c.startup.mpa.Gap(true)
		c.startup.mpa.Gap(false)
	}
	for d, seen := range [2]bool{flow.C2S: c.conn.Requested, flow.S2C: c.conn.Replied} {
		if !seen || !c.conn.Agreed { // the capture may have nothing of this direction, or not its begin, or that cannot be read yet
			c.gap(flow.Direction(d))
			c.look()
		}
	}
}

func (c *connection) segment(s *record.Segment) {
	if !c.operating {
		c.operate()
	}
	d := s.Dir
	side, p := &c.sides[d], &c.waiting.progress[d]
	if p.latest == (flow.Span{}) && c.conn.Traffic[d].Midstream { // its begin is not there
		c.gap(d)
	}
	if s.Time-c.waiting.latest.LastTime >= stallAfter {
		if stall := c.waiting.stall(s); stall != "" {
			c.observe(&s.Origin, ObsStall, stated("%s", stall))
		}
	}
	if s.LastFrame > c.waiting.latest.LastFrame {
		c.waiting.latest = s.Span
		c.a.now = max(c.a.now, s.LastTime) // nobody else may say so
	}
	c.waiting.pass(s)
	if p.opcode == rdmap.OpReadResponse {
		p.responded = s.LastTime
	}
	terminates := s.RDMAP.Control.Opcode == rdmap.OpTerminate
	if !terminates {
		c.dialogue.lastSegment = max(c.dialogue.lastSegment, s.LastTime)
	}
	v := c.carried(s, side, c.a.violations[:0])
	if !readable(s) {
		c.unreadable(s, v)
		return
	}
	if s.Ahead || c.order.Ahead[d] {
		c.outrun(s)
	}
	if c.coverage.astray[1-d] { // responses to what comes here may be among what cannot be read
		side.receiver.SentGap()
	}
	n := int(s.FPDU.ULPDULength)
	if !c.startup.mpa.Begun(d == flow.C2S) {
		v = c.startup.segment(s, v)
	}
	if v = side.receiver.Segment(&s.RDMAP, n, v); terminates {
		v = c.blame.asMeant(s, v)
	}
	when := c.order.Arrival(s)
	if when != match.AnsweredBefore {
		c.sides[1-d].receiver.Sent(&s.RDMAP, n)
	}
	if when != match.InOrder {
		side.receiver.SentGap()
		c.sides[1-d].receiver.SentGap()
	}
	c.blame.segment(s)
	if c.blame.sought[1-d] != nil {
		c.found(s)
	}
	c.breaks(s, v)
	p.unfinished = !s.RDMAP.L()
	c.operation(s, when)
}

// breaks reports what is wrong with a segment.
func (c *connection) breaks(s *record.Segment, v []rules.Violation) {
	if len(v) == 0 {
		return
	}
	c.misstated(s)
	c.violated(&s.Origin, s.RDMAP.Control.Opcode.String(), s, v)
	c.blame.violated(s, c.misframed(s), v)
	if c.conn.Traffic[s.Dir].Spoiled.In(s.Span) > 0 { // what follows it may follow something else
		c.gap(s.Dir)
	}
}

// unreadable takes a segment whose headers cannot be read. v is what is wrong with its FPDU.
func (c *connection) unreadable(s *record.Segment, v []rules.Violation) {
	c.blame.violated(s, c.misframed(s), v)
	if c.misstated(s) {
		v = v[:0] // what was taken for the CRC is none
	}
	c.violated(&s.Origin, wordsOf(c.conn).unit, nil, v)
	c.gap(s.Dir)
}

// misstated reports that what is wrong with a segment is a length: its own ULPDU_Length, for another FPDU begins in it, or
// the PD_Length of its sender's MPA frame, for both are in one packet, and neither CRC nor header is that of an FPDU. ok is
// false if neither is.
func (c *connection) misstated(s *record.Segment) (ok bool) {
	frame := &c.startup.frames[s.Dir]
	switch {
	case s.Inner > 0:
		c.observe(&s.Origin, ObsShortFPDU, shortFPDUStatement(&s.Origin, &s.RDMAP.Header, s.Inner, int(s.FPDU.ULPDULength)))
	case s.Frame == frame.LastFrame && c.conn.Transport() == flow.OverTCP && s.FPDU.Verdict != mpa.Good && (s.Err != nil || s.RDMAP.Check() != nil):
		c.observe(&record.Origin{Conn: c.conn, Dir: s.Dir, Span: *frame}, ObsPrivateData, c.startup.misstatedStatement(s.Dir))
	default:
		return false
	}
	return true
}

// carried judges what carries a segment: its FPDU, or over SCTP its chunk.
func (c *connection) carried(s *record.Segment, side *side, v []rules.Violation) []rules.Violation {
	if c.conn.Transport() == flow.OverSCTP {
		c.session(&s.Origin, false)
		return c.startup.session.Segment(s.Dir == flow.C2S, &s.RDMAP, int(s.FPDU.ULPDULength), &s.Chunk.DDPChunk, v)
	}
	if side.strange() && s.FPDU.Start == 0 {
		v = rules.CheckMarkers(mpa.Options{Markers: side.missing, CRC: side.framing.CRC}, v) // what was agreed on may have come late
	}
	return rules.CheckFPDU(&s.FPDU, side.framing, v)
}

// misframed reports whether the error of a segment is one of its FPDU.
func (c *connection) misframed(s *record.Segment) bool {
	return s.FPDU.Verdict == mpa.Bad || c.sides[s.Dir].strange() && s.FPDU.Start == 0
}

// readable reports whether the headers of a segment can be believed: they were captured, and the CRC is not wrong, or where
// there is none, no Marker. Nothing else counts in a segment whose CRC is wrong (RFC 5044, section 8).
func readable(s *record.Segment) bool {
	f, headers := &s.FPDU, s.HeaderLen()
	cut := len(f.ULPDU) < headers && int(f.ULPDULength) >= headers
	return f.Verdict != mpa.Bad && !cut && (f.BadMarkers == 0 || f.Verdict == mpa.Good)
}

// outrun takes a segment whose sender has, or had until now, acknowledged octets of the other side that have not come.
func (c *connection) outrun(s *record.Segment) {
	if s.Ahead && !c.coverage.absent(1-s.Dir) {
		c.sides[s.Dir].receiver.SentGap()
	}
	if c.order.Outrun(s) {
		c.missed(1 - s.Dir)
	}
}

// operation takes what a segment does.
func (c *connection) operation(s *record.Segment, when match.Arrival) {
	h := &s.RDMAP.Header
	o, n := h.Control.Opcode, int(s.FPDU.ULPDULength)-h.Len()
	switch {
	case s.RDMAP.BeginsRequest():
		c.named(s, c.stags.request(s))
		c.request(s, when)
		c.a.hold(c)
	case n < 0:
	case o == rdmap.OpWrite && h.T:
		c.named(s, c.stags.write(s, n))
		c.tagged(s, nil)
	case o == rdmap.OpReadResponse && h.T, o == rdmap.OpAtomicResponse && !h.T:
		c.response(s)
	case o.ConsumesReceive() && !h.T && h.Untagged.QN == rdmap.QNSend:
		if h.Untagged.MO == 0 {
			c.named(s, c.stags.send(s, n))
		}
		if c.follower.Follower != nil || c.follower.looks[s.Dir] > 0 || c.a.opts.Payload {
			c.sides[s.Dir].payload.Add(&c.a.payloads, s)
		}
		if c.follower.Follower == nil && h.Untagged.MO == 0 {
			c.adverts[s.Dir].send(s)
		}
	}
}

// named reports that a segment names an STag that it must not name; u is nil if it may.
func (c *connection) named(s *record.Segment, u *stagUse) {
	if u == nil {
		return
	}
	obs := ObsSTagInvalidated
	if s.RDMAP.Control.Opcode.HasInvalidateSTag() {
		obs = ObsInvalidatedAgain
	}
	c.observe(&s.Origin, obs, u.misuse(s))
}

func (c *connection) message(m *record.Message) {
	if !m.Complete {
		c.waiting.progress[m.Dir].giveUp(m)
	}
	c.writes.write(m)
	switch {
	case m.BadCRCs > 0:
		if j := c.sides[m.Dir].payload.Of(m); j != nil {
			j.Drop(&c.a.payloads)
		}
		c.story.remark(&m.Origin, c.blame.doubtful(m, &c.stags))
	case m.Opcode == rdmap.OpTerminate:
		c.terminate(m)
		if c.follower.Follower != nil {
			c.follower.Terminate(m)
		}
	case m.Opcode.ConsumesReceive():
		if c.follower.Follower == nil { // which knows more of turns
			c.dialogue.send(m)
		}
		c.send(m)
	}
}

// terminate reports what a Terminate says, and what is wrong with it. It refuses the request that it is about.
func (c *connection) terminate(m *record.Message) {
	cause, k, v := c.blame.terminate(m, &c.stags)
	if cause == nil {
		if len(c.verdict.Terminations) == 0 && m.First.Untagged.QN == rdmap.QNTerminate && m.ULPDU >= ddp.UntaggedLen+rdmap.TerminateLen {
			c.observe(&m.Origin, ObsTerminate, stated("The %v ended the connection with a Terminate in %s; its code was not captured", flow.Sender(m.Dir), frames(m.Conn, m.Span)))
		}
		return
	}
	c.verdict.Terminations = append(c.verdict.Terminations, cause)
	for i := range v {
		c.violation(&m.Origin, &v[i], bystander, "Terminate", func() string {
			return sentence("The Terminate in %s from the %v%s", frames(m.Conn, m.Span), flow.Sender(m.Dir), about(cause, cause.Subject()))
		})
	}
	reply := &c.startup.frames[flow.S2C]
	switch {
	case k != nil:
		cause.Advertised = c.advertised(k)
	case m.Dir == flow.C2S && ofStartup(cause.Code) && *reply != (flow.Span{}):
		cause.Blame, cause.Message = record.BlameByReply, "MPA Reply in "+frames(c.conn, *reply)
		cause.Culprit = record.Origin{Conn: c.conn, Dir: flow.S2C, Span: *reply}
	}
	f := c.finding
	*f = record.Finding{
		Origin: m.Origin, Severity: ObsTerminate.Severity, ID: ObsTerminate.ID, Name: ObsTerminate.Name,
		Seen: codeName(cause.Code), Termination: cause,
	}
	c.report(f, ObsTerminate.role, func() statement { return refusal(cause) }, func() string { return c.blame.text(cause, c.story.shows(cause)) })
	if k != nil && k.request != nil && !k.request.Over {
		k.request.Response = m.Span
		c.finish(k.request, record.Refused)
	}
}

// found completes what is known of a Terminate that came within a segment: after the header that it encloses, and before the end.
func (c *connection) found(s *record.Segment) {
	cause, k := c.blame.found(s)
	if k == nil {
		return
	}
	k.describe(cause, &c.stags)
	c.blame.judge(k, cause)
	cause.Advertised = c.advertised(k)
	c.story.retell(cause)
}

// gap says that segments of a direction were missed here.
func (c *connection) gap(d flow.Direction) {
	side := &c.sides[d]
	side.receiver.Gap()
	c.sides[1-d].receiver.SentGap()
	side.payload.Gap()
	c.missed(d)
}

// missed says that segments of a direction may have been missed.
func (c *connection) missed(d flow.Direction) {
	c.order.Missed(d, c.waiting.latest.LastFrame)
	c.stags.gap(d)
	c.blame.gapped = true
	c.startup.mpa.Gap(d == flow.C2S)
	if c.follower.Follower != nil {
		c.follower.Gap(d)
	}
}

func (c *connection) note(n *record.Note) {
	v := &c.coverage
	switch n.Kind {
	case record.FramingLost:
		if !c.operating { // the first segment is among what is missing
			c.operate()
		}
		if n.Whole {
			v.broken = true
			c.observe(&n.Origin, ObsMisframed, stated("What the %v sent in %s is not an FPDU, although one has to begin there", flow.Sender(n.Dir), frames(c.conn, n.Span)))
		}
		v.lost[n.Dir], v.astray[n.Dir] = true, true
		c.gap(n.Dir)
	case record.FramingFound:
		v.astray[n.Dir] = false
		c.gap(n.Dir) // what answers requests that came in the meantime, too
	case record.Unfinished:
		p := &c.waiting.progress[n.Dir]
		p.unfinished, p.latest = true, n.Span
		p.cut = cut{span: n.Span, octets: n.Octets, short: n.Inner > 0}
		if n.FPDU == nil {
			break
		}
		p.cut.stated = int(n.Octets) + n.Due
		if n.Inner > 0 {
			c.observe(&n.Origin, ObsShortFPDU, shortFPDUStatement(&n.Origin, n.Begun, n.Inner, int(n.FPDU.ULPDULength)))
		}
		c.violated(&n.Origin, wordsOf(c.conn).unit, nil, rules.CheckFPDU(n.FPDU, c.sides[n.Dir].framing, c.a.violations[:0]))
	case record.MarkersMissing:
		c.sides[n.Dir].missing = true
	case record.MarkersUnasked:
		c.sides[n.Dir].unasked = true
	case record.GivenUp:
		v.givenUp = true
	case record.ChunksMissing:
		c.session(&n.Origin, false)
		if !c.operating {
			c.operate()
		}
		v.lost[n.Dir] = true
		c.startup.session.Gap(n.Dir == flow.C2S)
		c.gap(n.Dir)
	case record.ForeignChunk:
		c.session(&n.Origin, false)
		c.violated(&n.Origin, "DATA chunk", nil, c.startup.session.Foreign(n.PPID, c.a.violations[:0]))
	}
}

// end reports what can be said only now, and the Verdict.
func (c *connection) end() {
	c.waiting.now, c.waiting.ended = c.a.now, true
	e := ending{account: account{&c.waiting, &c.verdict, &c.startup.frames, int64(c.a.opts.MaxWait)}, reporter: &c.reporter}
	e.closed()
	for d := range c.sides {
		if d := flow.Direction(d); c.coverage.unseen(d) || c.coverage.none(d) {
			c.missed(d)
		}
	}
	if c.a.opts.Ends != nil {
		c.verdict.Ends = c.a.opts.Ends(c.conn)
		e.observePath()
	}
	e.observeImpostors()
	e.observeHung()
	c.writes.lastSegment = c.dialogue.lastSegment
	for _, l := range [...]*dialogue{&c.dialogue, &c.writes} {
		l.settle()
		e.observeSilence(l)
	}
	e.observeKeepAlive(c.a)
	e.observeConclusion()
	c.abandon()
	c.observeControlled(&e)
	for d := range c.deferred {
		e.observeDeferred(&c.deferred[d])
	}
	e.observeStartup()
	c.judgeSession(&e)
	c.judgeSTag(&e)
	e.observeLull()
	e.observeEnd(&c.dialogue)
	for d := range c.sides {
		e.observeSide(flow.Direction(d))
	}
	e.observeLoss()
	for d := range c.who {
		c.verdict.Peers[d] = c.who[d].grounds
	}
	w := writer{e.account, ranking{&c.waiting, &c.story, c.verdict.Terminations}, &c.blame, &c.follower, e.lead}
	w.conclude()
	c.a.judged.Verdict = &c.verdict
}

// judgeSession judges how a session over SCTP ended, if the capture has its end and all before it.
func (c *connection) judgeSession(e *ending) {
	if c.startup.session == nil || !e.complete() || e.wasReset() || e.anyLossy() {
		return
	}
	at := e.over()
	o := e.origin(direction(max(e.closer(), flow.Client)), at)
	for _, v := range c.startup.session.End(c.a.violations[:0]) {
		c.violation(o, &v, roleOf(&v), "session", func() string { return sentence("The session that is over in %s", frames(c.conn, at)) })
	}
}
