package rpc

// Following one connection.

import (
	"hash/maphash"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// maxSend is the length in octets of the longest plausible Send; no inline threshold comes near it.
const maxSend = 1 << 30

// A follower follows one connection. It knows the Calls and Replies; its parts know the memory and the RPC messages.
type follower struct {
	layer *layer
	opts  *Options
	names *names
	conn  *flow.Conn
	seed  maphash.Seed

	stream    stream
	out       reports
	bufs      buffers
	pool      pool
	transfers transfers
	reader    reader
	law       rpcrules.Stream
	sides     [2]side // by the direction in which a side sends

	packet    Packet          // the message being handled
	raw       []byte          // its octets
	current   *record.Message // its Send; nil between Sends
	upper     record.Upper
	replyBody []byte // the RPC message of a Reply, if it is in a Reply chunk
	wasRead   wasRead
}

// A stream is the state of a connection that all parts of its follower share.
type stream struct {
	dialect   rpcrdma.Dialect
	gaps      [2]uint32     // how often messages of each side may have been missed
	unmatched uint32        // how often it was not known what was read, or whether
	midstream bool          // the capture lacks the beginning
	lossy     [2]bool       // messages of each side are missing, not only those before the first in the capture
	cut       [2]bool       // headers of each side were captured only in part
	deferred  [2][]deferred // by the direction of the Calls
}

// hide says that a header of a side was captured only in part.
func (s *stream) hide(d flow.Direction) {
	s.gaps[d]++
	s.cut[d] = true
}

// A side is the state of one end of a connection.
type side struct {
	begun    bool
	msn      uint32 // expected of its next Send
	calls    table
	sequence sequence
	props    rpcrules.Call // its latest message without RPC; an error may answer it
	hasProps bool
}

func newFollower(l *layer) *follower {
	f := &follower{layer: l, opts: &l.opts, names: &l.names, seed: maphash.MakeSeed()}
	f.bufs.limit = l.opts.MaxConnection
	f.pool.bufs = &f.bufs
	f.transfers = transfers{
		opts: f.opts, stream: &f.stream, out: &f.out, bufs: &f.bufs, reads: make(map[*record.Transaction]pendingRead),
	}
	f.reader = reader{opts: f.opts, stream: &f.stream, out: &f.out, law: &f.law, names: f.names}
	return f
}

// Begin implements ulp.Follower.
func (f *follower) Begin(r ulp.Reporter) {
	f.out.Reporter = r
	f.reader.port = f.conn.Server.Port()
	c := rpcrules.Conditions{
		Midstream: !f.conn.Requested || !f.conn.Replied,
		Cut:       privateCut(&f.conn.Request) || privateCut(&f.conn.Reply),
	}
	c.Private[rpcrules.Client] = f.privateData(flow.C2S, &f.conn.Request)
	c.Private[rpcrules.Server] = f.privateData(flow.S2C, &f.conn.Reply)
	f.law.Reset(c)
	if c.Midstream {
		f.stream.gaps, f.stream.midstream = [2]uint32{1, 1}, true
	}
}

// privateCut reports whether Private Data was captured only in part.
func privateCut(frame *mpa.Frame) bool { return len(frame.PrivateData) < int(frame.PDLength) }

// privateData returns the Private Data of RPC-over-RDMA in the MPA frame of a side; nil if there is none.
func (f *follower) privateData(d flow.Direction, frame *mpa.Frame) *rpcprivate.Data {
	private := frame.ULPPrivateData()
	if len(private) == 0 || privateCut(frame) {
		return nil
	}
	o := record.Origin{Conn: f.conn, Dir: d} // the MPA frame
	f.out.foundAll(&o, rpcrules.CheckPrivateData(private, f.out.scratch[:0]))
	return rpcprivate.Read(private)
}

// What takes memory, in octets: a follower, a Call, a segment of one with its region, a deferred with its texts, and a slot of an
// index.
const (
	followerHeld = 10 << 10
	callHeld     = 1 << 10
	segmentHeld  = 512
	deferredHeld = 512
	slotHeld     = 16
)

// Held implements ulp.Follower.
func (f *follower) Held() int {
	n := followerHeld + f.pool.lists + f.bufs.used + f.bufs.spare + len(f.pool.idle)*callHeld
	for i := range f.sides {
		calls, memory := &f.sides[i].calls, &f.transfers.sides[i].memory
		n += calls.n*callHeld + memory.regions*segmentHeld + len(f.stream.deferred[i])*deferredHeld + (len(calls.byXID.slots)+len(memory.live.slots))*slotHeld
	}
	return n
}

// Gap implements ulp.Follower. The MSN of the next Send of the direction shows whether one was missed.
func (f *follower) Gap(d flow.Direction) {
	f.overtaken(1 - d)
	f.stream.gaps[d]++
	f.stream.lossy[d] = f.stream.lossy[d] || f.sides[d].begun || !f.stream.midstream
	f.sides[d].hasProps = false
	f.reader.recalls = recalls{}
	f.law.Missed(rpcrules.Side(d))
}

// missed says that a Send of a direction is not here.
func (f *follower) missed(d flow.Direction) {
	f.Gap(d)
	f.sides[d].sequence.miss()
	f.sides[d].sequence.drop(&f.bufs)
	f.law.Broken(rpcrules.Side(d))
}

// Send implements ulp.Follower.
func (f *follower) Send(m *record.Message, payload []byte) {
	f.pool.recycle()
	if !m.Opcode.IsSend() {
		return
	}
	f.count(m)
	if !m.Complete || m.Len > maxSend {
		f.missed(m.Dir)
		return
	}
	if m.Len == 0 && m.First.Untagged.MSN == 1 && m.Dir == flow.C2S && f.readyToReceive() {
		return
	}
	h, n := &f.packet.Message, int(m.Len)
	f.raw, f.current = payload, m
	f.packet.Octets = payload[:min(len(payload), n)]
	h.Decode(payload[:min(len(payload), n)], n, f.stream.dialect.Of(payload, n))
	fate, v := f.law.Message(rpcrules.Side(m.Dir), h, f.out.scratch[:0])
	if fate.Fault == nil && h.Dialect != rpcrdma.DialectUnknown && h.Form != rpcrdma.FormError {
		f.stream.dialect = h.Dialect
	}
	f.out.foundAll(&m.Origin, v)
	f.dispatch(m, h, fate)
	f.current = nil
}

// count compares the MSN of a Send with the expected one, to notice missed Sends.
func (f *follower) count(m *record.Message) {
	side, msn := &f.sides[m.Dir], m.First.Untagged.MSN
	if !side.begun {
		side.msn = 1
		if msn == 2 && m.Dir == flow.C2S && f.readyToReceive() {
			side.msn = 2 // the indication came before the connection was recognised
		}
	}
	if msn != side.msn {
		f.missed(m.Dir)
	}
	side.begun, side.msn = true, msn+1
}

// readyToReceive reports whether the first Send of the client may be a Ready to Receive indication (RFC 6581), as far as the
// MPA frames tell that were captured.
func (f *follower) readyToReceive() bool {
	var request, reply mpa.Enhanced
	return (!f.conn.Requested || hidesEnhanced(&f.conn.Request) || f.conn.Request.Enhanced(&request) && request.A) &&
		(!f.conn.Replied || hidesEnhanced(&f.conn.Reply) || f.conn.Reply.Enhanced(&reply) && reply.B)
}

// hidesEnhanced reports whether a frame has an Enhanced word that was not captured.
func hidesEnhanced(f *mpa.Frame) bool {
	return f.S && f.PDLength >= mpa.EnhancedLen && len(f.PrivateData) < mpa.EnhancedLen
}

// dispatch handles a message according to its fate.
func (f *follower) dispatch(m *record.Message, h *rpcrdma.Message, fate rpcrules.Fate) {
	side := &f.sides[m.Dir]
	switch {
	case fate.Cut && len(f.raw) >= 4 && f.stream.dialect <= rpcrdma.DialectVersion1:
		f.cut(m, h)
	case fate.Cut:
		side.sequence.miss()
		side.sequence.drop(&f.bufs)
		f.stream.hide(m.Dir) // it may have been a Call
		side.hasProps = false
		f.invalidate(m, h, nil)
		f.report(m, h, nil)
	case fate.Use == rpcrules.Part, fate.Use == rpcrules.Whole:
		f.payload(m, h, fate)
	case h.Form == rpcrdma.FormError && h.Err == nil:
		f.refused(m, h)
	case fate.Fault != nil && f.asCall(m, h, fate.Fault):
		f.faulty(m, h, fate.Fault, fate.Ends)
	case fate.Fault != nil && h.Role == rpcrdma.Responder && h.Err == nil:
		f.badReply(m, h)
	default:
		if h.Form == rpcrdma.FormProperties || h.Form == rpcrdma.FormGrant {
			side.props.Keep(h, 1, fate.Fault, maxLists)
			side.hasProps = true
		}
		f.invalidate(m, h, nil)
		f.report(m, h, nil)
	}
}

// cut handles a message of version 1 of whose header only the XID was captured: an answer if a Call with that is open, else a Call.
func (f *follower) cut(m *record.Message, h *rpcrdma.Message) {
	f.sides[m.Dir].hasProps = false
	p := &payload{Span: m.Span, parts: 1}
	if c := f.sides[1-m.Dir].calls.byXID.get(h.XID); c != nil {
		f.stream.hide(m.Dir) // it may be a Call with the same XID, and the other one still open
		f.stream.hide(1 - m.Dir)
		f.answered(c, m, h, p)
		f.invalidate(m, h, c)
		f.report(m, h, c)
		f.close(c, m.LastFrame)
		return
	}
	f.stream.hide(m.Dir) // what it offers is not known
	c, _ := f.begin(m, h)
	c.law.Lose()
	c.joined, c.x.ChunksCut = true, true
	f.describe(c, m, h, p)
	f.invalidate(m, h, nil)
	f.report(m, h, c)
}

// asCall reports whether a faulty message takes the place of a Call. If it does not state its direction, that is what a
// client sends (RFC 8166, section 4.5.1), unless its XID is that of an open Call of the server.
func (f *follower) asCall(m *record.Message, h *rpcrdma.Message, fault *rpcrules.Fault) bool {
	if h.Form == rpcrdma.FormProperties || len(fault.Codes(h.Dialect)) == 0 {
		return false
	}
	return h.Role == rpcrdma.Requester || h.Role == rpcrdma.RoleNone && m.Dir == flow.C2S && f.sides[flow.S2C].calls.byXID.get(h.XID) == nil
}

// invalidate handles the STag that a message invalidates, if it does. c is the Call that it answers, nil if not known.
func (f *follower) invalidate(m *record.Message, h *rpcrdma.Message, c *call) {
	if !m.Opcode.HasInvalidateSTag() {
		return
	}
	stag := m.First.InvalidateSTag
	var law *rpcrules.Call
	if c != nil {
		law = &c.law
		c.x.Reply.Invalidates, c.x.Reply.InvalidatedSTag = true, stag
	}
	f.out.foundAll(&m.Origin, f.law.Invalidated(rpcrules.Side(m.Dir), h, stag, law, f.out.scratch[:0]))
	f.transfers.invalidate(1-m.Dir, stag, m.LastFrame)
}

// Terminate implements ulp.Follower. It refuses the Call whose message or memory it is about.
func (f *follower) Terminate(m *record.Message) {
	f.pool.recycle()
	var t rdmap.Terminate
	if t.Decode(m.First.Body); !t.HasHeader {
		t.DecodeSwapped(m.First.Body)
	}
	if !t.HasHeader {
		return
	}
	if c := f.blamed(m.Dir, &t); c != nil {
		c.Outcome, c.Response = record.Refused, m.Span
		f.close(c, m.LastFrame)
	}
}

// blamed returns the Call that a Terminate of direction d is about; nil if not known.
func (f *follower) blamed(d flow.Direction, t *rdmap.Terminate) *call {
	h := &t.Header
	switch {
	case t.HasReadRequest:
		return f.transfers.owner(d, t.ReadRequest.SrcSTag, t.ReadRequest.SrcTO, false)
	case h.T:
		return f.transfers.owner(d, h.Tagged.STag, h.Tagged.TO, true)
	case h.Untagged.QN == rdmap.QNSend:
		for c := f.sides[1-d].calls.open.Latest(); c != nil; c = c.order.Earlier() {
			if c.msn == h.Untagged.MSN {
				return c
			}
		}
	}
	return nil
}

// Request implements ulp.Follower.
func (f *follower) Request(t *record.Transaction) {
	f.pool.recycle()
	f.transfers.request(t)
}

// Tagged implements ulp.Follower.
func (f *follower) Tagged(s *record.Segment, t *record.Transaction) {
	f.pool.recycle()
	for _, c := range f.transfers.tagged(s, t) {
		if message := f.reader.joinCall(c, &s.Origin); message != nil {
			f.wasRead.message = message
			f.out.Join(&c.Transaction, &f.wasRead)
		}
	}
}

// Done implements ulp.Follower.
func (f *follower) Done(t *record.Transaction) { f.transfers.done(t) }

// End implements ulp.Follower.
func (f *follower) End() (outstanding [2]int) {
	o := record.Origin{Conn: f.conn, Span: f.conn.Span}
	for d := range f.sides {
		o.Dir = flow.Direction(d)
		if f.conn.End == flow.EndFIN && f.stream.gaps[d] == 0 {
			f.out.foundAll(&o, f.law.End(rpcrules.Side(d), f.out.scratch[:0]))
		}
		outstanding[d] = f.giveUpAll(flow.Direction(d))
	}
	f.reportDeferred()
	f.reset()
	f.layer.over(f)
	return outstanding
}

// fate is the outcome of a Call without an answer. It is unknown if messages of the other side may have been missed.
func (f *follower) fate(c *call) record.Outcome {
	if f.stream.gaps[1-c.Dir] != c.gaps[1-c.Dir] && !f.out.Mute(&c.Transaction) {
		return record.OutcomeUnknown
	}
	return record.Unanswered
}

// Oldest implements ulp.Follower.
func (f *follower) Oldest(d flow.Direction) (t *record.Transaction, count int) {
	for c := f.sides[d].calls.open.Latest(); c != nil; c = c.order.Earlier() {
		if f.fate(c) == record.Unanswered {
			t = &c.Transaction
			count++
		}
	}
	return t, count
}

// giveUpAll ends all open Calls of a side, and returns how many certainly have no answer.
func (f *follower) giveUpAll(d flow.Direction) (unanswered int) {
	calls := &f.sides[d].calls
	for c := calls.open.Idlest(); c != nil; c = calls.open.Idlest() {
		if c.seq < calls.answered && f.stream.gaps[1-d] == c.gaps[1-d] {
			f.out.foundAll(c.origin(), c.law.Unrefused(f.out.scratch[:0]))
		}
		c.Outcome = f.fate(c)
		if c.Outcome == record.Unanswered {
			unanswered++
		}
		f.close(c, f.conn.LastFrame)
		f.pool.recycle()
	}
	return unanswered
}

// reset prepares f for another connection, and keeps its memory.
func (f *follower) reset() {
	for d := range f.sides {
		s := &f.sides[d]
		s.sequence.drop(&f.bufs)
		s.calls.reset()
		*s = side{calls: s.calls}
	}
	f.transfers.reset()
	f.bufs.used, f.pool.lists = 0, 0
	f.packet.Message, f.raw = rpcrdma.Message{}, nil
	f.conn, f.out.Reporter = nil, nil
	f.stream, f.reader.nfs, f.reader.session, f.reader.recalls, f.reader.lapses = stream{}, nfsUse{}, sessionStatus{}, recalls{}, lapses{}
}
