package analysis

// What is known of one connection, and what each event adds to it.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A connection is what is known of one connection.
type connection struct {
	a    *Analyser
	conn *record.Conn

	operating bool // full operation has begun
	begun     int  // history.latest then
	startup   rules.Startup
	session   *rules.Session // over SCTP, in the place of startup; nil over TCP
	frames    [2]record.Span // of the MPA Request and Reply, or of what does the same over SCTP, by direction
	sides     [2]side        // by direction
	latest    record.Span    // the latest segment

	tally      []count        // findings by rule
	verdict    record.Verdict // as far as it is known
	advertises bool           // the follower tells which STags are advertised
	follower   Follower
	looks      [2]int      // Sends of each direction that upper layers may still look at
	givenUp    bool        // the Engine has given the connection up
	closing    record.Span // the first FIN or reset; zero if there was none
}

// A side is one direction of a connection.
type side struct {
	framing  mpa.Options    // as agreed
	markers  bool           // Markers are not so
	receiver rules.Receiver // of the end that the direction leads to
	requests queue          // sent in this direction and not over
	payload  payload        // of the Send in progress

	latest     record.Span                      // the latest segment
	late       bool                             // that came late
	unfinished bool                             // that was not the last one of its message
	cut        cut                              // the message that it belongs to, if that was given up
	lost       bool                             // where its FPDUs begin was not known for a time
	astray     bool                             // it still is not
	ahead      bool                             // its sender has acknowledged octets of the other side that have not come
	orphans    int                              // responses while ahead that answer no request which has come
	missedAt   uint64                           // the latest frame when segments were missed last
	gaps       uint32                           // how often segments may have been missed
	sends      uint32                           // Sends, and gaps that may hide some: what may have advertised STags
	writing    bool                             // an RDMA Write is in progress
	stag       uint32                           // that it goes to
	past       int                              // number of the latest segment in the history
	fault      *fault                           // the first error that a Terminate may be about
	cause      *record.Cause                    // of its Terminate
	left       [record.NumTransactionKinds]left // of the transactions whose requests it carries, by Kind
}

// A cut is a message whose end never came.
type cut struct {
	opcode   rdmap.Opcode
	segments int // 0 for a part of an FPDU
	span     record.Span
	octets   uint64
}

// A fault is a segment in which an error was found.
type fault struct {
	record.Origin
	violation rules.Violation
	opcode    rdmap.Opcode
	framing   bool   // it is one of the FPDU: its content was not looked at
	header    []byte // octets of the segment, its DDP header first
	ulpdu     int
}

// reset makes c ready for another connection and keeps its memory.
func (c *connection) reset() {
	for d := range c.sides {
		s := &c.sides[d]
		s.payload.drop(c.a)
		*s = side{receiver: s.receiver, requests: queue{open: s.requests.open}}
	}
	*c = connection{a: c.a, sides: c.sides, tally: c.tally[:0]}
}

func (c *connection) startupFrame(f *record.Startup) {
	if c.conn.Transport() == record.OverSCTP {
		c.control(f)
	} else {
		c.mpaFrame(f)
	}
	if f.MPA.Reply && f.MPA.R {
		c.observe(&f.Origin, ObsRejected, "%s", c.rejectedText())
	}
	if n := c.conn; n.Requested && n.Replied && !n.Reply.R && c.follower == nil {
		c.recogniseByFrames()
	}
}

// mpaFrame judges an MPA Request or Reply.
func (c *connection) mpaFrame(f *record.Startup) {
	c.frames[f.Dir] = f.Span
	c.startup.Profile = c.a.opts.Profile
	displaced := !f.MPA.Reply && f.Late && c.conn.Replied
	if displaced { // the capture has the Reply before it, the network had not
		c.startup = rules.Startup{Profile: c.a.opts.Profile}
	}
	if v := c.startup.Frame(&f.MPA, c.a.violations[:0]); len(v) > 0 {
		c.violated(&f.Origin, frameName(&f.MPA), nil, v)
	}
	if displaced {
		c.replyAgain()
	}
}

// replyAgain judges the Reply by the Request that the capture has behind it. What is wrong with it by itself has been
// reported.
func (c *connection) replyAgain() {
	alone := rules.Startup{Profile: c.a.opts.Profile}
	reported := len(alone.Frame(&c.conn.Reply, nil))
	v := c.startup.Frame(&c.conn.Reply, c.a.violations[:0])
	if len(v) > reported {
		c.violated(c.origin(record.S2C, c.frames[record.S2C]), frameName(&c.conn.Reply), nil, v[reported:])
	}
}

func frameName(f *mpa.Frame) string {
	if f.Reply {
		return "MPA Reply"
	}
	return "MPA Request"
}

// operate begins full operation: both MPA frames were seen.
func (c *connection) operate() {
	c.operating, c.begun = true, c.a.history.latest
	g := &c.conn.Agreement
	markers := [2]bool{g.MarkersFromInit, g.MarkersFromResp}
	c.verdict.Limit = [2]int{g.InitORD, g.RespORD}
	for d := range c.sides {
		s := &c.sides[d]
		s.framing = mpa.Options{Markers: markers[d], CRC: g.CRC}
		s.receiver.Reset(rules.Conditions{
			Version: int(g.DDPVersion), IRD: c.verdict.Limit[d], Profile: c.a.opts.Profile,
		})
	}
	if !c.conn.Requested || !c.conn.Replied { // what may come first is not known
		c.startup.Gap(true)
		c.startup.Gap(false)
	}
	for d, seen := range [2]bool{record.C2S: c.conn.Requested, record.S2C: c.conn.Replied} {
		if !seen { // the capture may have nothing of this direction, or not its begin
			c.gap(record.Direction(d))
			c.look()
		}
	}
}

func (c *connection) segment(s *record.Segment) {
	if !c.operating {
		c.operate()
	}
	d := s.Dir
	side := &c.sides[d]
	if side.latest == (record.Span{}) && c.conn.Traffic[d].Midstream { // its begin is not there
		c.gap(d)
	}
	c.stall(s)
	if s.LastFrame > c.latest.LastFrame {
		c.latest = s.Span
		c.a.now = max(c.a.now, s.LastTime)
	}
	side.latest, side.late = s.Span, s.Late
	v := c.carried(s, c.a.violations[:0])
	if !readable(s) {
		c.violated(&s.Origin, c.words().unit, nil, v)
		c.blame(s, v)
		c.gap(d)
		return
	}
	if s.Ahead || side.ahead {
		c.outrun(s)
	}
	n := int(s.FPDU.ULPDULength)
	if d == record.C2S && before(&s.Span, &c.frames[record.S2C]) && !s.Ahead {
		v = c.startup.Early(true, &s.RDMAP, v)
	}
	if d == record.S2C && s.Blind {
		v = c.startup.Unasked(&s.RDMAP, v)
	}
	v = c.startup.Segment(d == record.C2S, &s.RDMAP, n, v)
	v = side.receiver.Segment(&s.RDMAP, n, v)
	when := c.when(s)
	if when != answeredBefore {
		c.sides[1-d].receiver.Sent(&s.RDMAP, n)
	}
	if when != inOrder {
		side.receiver.SentGap()
		c.sides[1-d].receiver.SentGap()
	}
	if len(v) > 0 {
		c.violated(&s.Origin, s.RDMAP.Control.Opcode.String(), s, v)
		c.blame(s, v)
	}
	side.past = c.a.history.add(s, side.past)
	side.unfinished = !s.RDMAP.L()
	c.operation(s, when)
}

// carried judges what carries a segment: its FPDU, or over SCTP its chunk.
func (c *connection) carried(s *record.Segment, v []rules.Violation) []rules.Violation {
	if c.conn.Transport() == record.OverSCTP {
		return c.chunk(s, v)
	}
	side := &c.sides[s.Dir]
	if side.markers && s.FPDU.Start == 0 {
		v = rules.CheckMarkers(side.framing, v)
	}
	return rules.CheckFPDU(&s.FPDU, side.framing, v)
}

// readable tells whether the headers of a segment can be believed: they were captured, and the CRC is not wrong. Of a
// segment whose CRC is wrong nothing else counts (RFC 5044, section 8).
func readable(s *record.Segment) bool {
	headers := s.RDMAP.Header.Len()
	cut := len(s.FPDU.ULPDU) < headers && int(s.FPDU.ULPDULength) >= headers
	return s.FPDU.Verdict != mpa.Bad && !cut
}

// operation takes in what a segment does.
func (c *connection) operation(s *record.Segment, when order) {
	h := &s.RDMAP.Header
	o := h.Control.Opcode
	short := int(s.FPDU.ULPDULength) < h.Len()
	switch {
	case isRequest(h):
		c.request(s, when)
	case short:
	case o == rdmap.OpWrite && h.T:
		c.write(s)
		c.tagged(s, nil)
	case o == rdmap.OpReadResponse && h.T, o == rdmap.OpAtomicResponse && !h.T:
		c.response(s)
	case isSend(o) && !h.T && h.Untagged.QN == rdmap.QNSend:
		c.sides[s.Dir].payload.add(c, s)
		if h.Untagged.MO == 0 {
			c.begunSend(s)
		}
	}
}

// isSend tells whether an opcode is that of a Send type or of Immediate Data.
func isSend(o rdmap.Opcode) bool {
	return o >= rdmap.OpSend && o <= rdmap.OpSendSEInvalidate || o == rdmap.OpImmediate || o == rdmap.OpImmediateSE
}

func (c *connection) message(m *record.Message) {
	side := &c.sides[m.Dir]
	if !m.Complete && side.unfinished && m.LastFrame == side.latest.LastFrame {
		side.cut = cut{m.Opcode, m.Segments, m.Span, m.Len}
	}
	switch {
	case m.BadCRCs > 0:
		if j := side.payload.of(m); j != nil {
			j.drop(c.a)
		}
	case m.Opcode == rdmap.OpTerminate:
		c.terminate(m)
		if c.follower != nil {
			c.follower.Terminate(m)
		}
	case isSend(m.Opcode):
		c.send(m)
	}
}

// gap says that segments of a direction were missed here.
func (c *connection) gap(d record.Direction) {
	side := &c.sides[d]
	side.receiver.Gap()
	c.sides[1-d].receiver.SentGap()
	side.payload.gap()
	c.missed(d)
}

func (c *connection) note(n *record.Note) {
	switch n.Kind {
	case record.FramingLost:
		if !c.operating { // the first segment is among what is missing
			c.operate()
		}
		c.sides[n.Dir].lost, c.sides[n.Dir].astray = true, true
		c.gap(n.Dir)
	case record.FramingFound:
		c.sides[n.Dir].astray = false
		c.missed(n.Dir) // what answers requests that came in the meantime, too
	case record.Unfinished:
		side := &c.sides[n.Dir]
		side.unfinished, side.latest = true, n.Span
		side.cut = cut{span: n.Span, octets: n.Octets}
	case record.MarkersMissing, record.MarkersUnasked:
		c.sides[n.Dir].markers = true
	case record.GivenUp:
		c.givenUp = true
	case record.ChunksMissing:
		c.chunksMissing(n)
	case record.ForeignChunk:
		c.foreign(n)
	}
}
