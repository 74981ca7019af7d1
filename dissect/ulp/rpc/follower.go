package rpc

// Following one connection.

import (
	"hash/maphash"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// maxSend is the length in octets of the longest Send that is believed: no threshold comes near it.
const maxSend = 1 << 30

// A follower follows one connection for a ULP.
type follower struct {
	layer    *layer
	opts     *Options
	conn     *record.Conn
	reporter ulp.Reporter

	dialect   rpcrdma.Dialect
	law       rpcrules.Stream
	eligible  rpcrules.Eligibility
	sides     [2]side // by the direction in which a side sends
	pulls     map[*record.Transaction]pull
	unmatched uint32 // how often it is not known what was read, or whether
	nfs       nfsUse

	idle    []*call   // to be used again
	spent   []*call   // that are over since the latest segment or message came
	regions []*region // to be used again
	lists   int       // octets of the chunk lists of open Calls
	bufs    buffers
	seed    maphash.Seed

	packet     Packet          // the message that is being received
	raw        []byte          // that message
	current    *record.Message // that carries it; nil between Sends
	violations []rules.Violation
	operations oncrpc.Operations
	finding    record.Finding
	upper      record.Upper
	message    Message
	builder    builder // of message
	replyBody  []byte  // the Reply that is being taken in, if a Reply chunk has it
	whole      builder // of what is in one chunk
}

// A side is what is known of one end of a connection.
type side struct {
	begun    bool
	msn      uint32 // that its next Send has to have
	gaps     uint32 // how often messages of it may have been missed
	calls    table
	memory   memory // that its Calls offer
	sequence sequence
	props    rpcrules.Call // its latest message that is no RPC message; an error may answer it
	hasProps bool
	strayed  stray // where an RDMA Write that was reported goes on
	early    *early
}

func newFollower(l *layer) *follower {
	return &follower{layer: l, opts: &l.opts, pulls: make(map[*record.Transaction]pull), seed: maphash.MakeSeed()}
}

// Begin implements ulp.Follower.
func (f *follower) Begin(r ulp.Reporter) {
	f.reporter = r
	f.bufs.limit = f.opts.MaxConnection
	c := rpcrules.Conditions{
		Midstream: !f.conn.Requested || !f.conn.Replied,
		Cut:       privateCut(&f.conn.Request) || privateCut(&f.conn.Reply),
	}
	c.Private[rpcrules.Client] = f.privateData(record.C2S, &f.conn.Request)
	c.Private[rpcrules.Server] = f.privateData(record.S2C, &f.conn.Reply)
	f.law.Reset(c)
	if c.Midstream {
		f.sides[record.C2S].gaps, f.sides[record.S2C].gaps = 1, 1
	}
}

// privateCut reports whether Private Data was not captured as a whole.
func privateCut(frame *mpa.Frame) bool { return len(frame.PrivateData) < int(frame.PDLength) }

// privateData is what a side puts into its MPA frame for RPC-over-RDMA; nil if there is nothing that counts.
func (f *follower) privateData(d record.Direction, frame *mpa.Frame) *rpcrdma.PrivateData {
	private := frame.ULPPrivateData()
	if len(private) == 0 || privateCut(frame) {
		return nil
	}
	o := record.Origin{Conn: f.conn, Dir: d} // of the MPA frame
	f.foundAll(&o, rpcrules.CheckPrivateData(private, f.violations[:0]))
	off, ok := rpcrdma.FindPrivateData(private)
	if !ok {
		return nil
	}
	p := new(rpcrdma.PrivateData)
	p.Decode(private[off:])
	return p
}

// Gap implements ulp.Follower.
func (f *follower) Gap(d record.Direction) {
	f.overtaken(1 - d)
	side := &f.sides[d]
	side.gaps++
	side.hasProps = false
	side.sequence.drop(f)
	f.law.Missed(rpcrules.Side(d))
}

// Send implements ulp.Follower.
func (f *follower) Send(m *record.Message, payload []byte) {
	f.recycle()
	if !m.Opcode.IsSend() {
		return
	}
	f.count(m)
	if !m.Complete || m.Len > maxSend {
		f.Gap(m.Dir)
		return
	}
	if m.Len == 0 && m.First.Untagged.MSN == 1 && m.Dir == record.C2S && f.readyToReceive() {
		return
	}
	h, n := &f.packet.Message, int(m.Len)
	f.raw, f.current = payload, m
	f.packet.Octets = payload[:min(len(payload), n)]
	h.Decode(payload[:min(len(payload), n)], n, f.dialect.Of(payload, n))
	fate, v := f.law.Message(rpcrules.Side(m.Dir), h, f.violations[:0])
	if fate.Fault == nil && h.Dialect != rpcrdma.DialectUnknown && h.Form != rpcrdma.FormError {
		f.dialect = h.Dialect
	}
	f.foundAll(&m.Origin, v)
	f.take(m, h, fate)
	f.current = nil
}

// count takes the MSN of a Send: others may have been missed.
func (f *follower) count(m *record.Message) {
	side, msn := &f.sides[m.Dir], m.First.Untagged.MSN
	if !side.begun {
		side.begun, side.msn = true, 1
		if msn == 2 && m.Dir == record.C2S && f.readyToReceive() {
			side.msn = 2 // the indication came before the connection was recognised
		}
	}
	if msn != side.msn {
		f.Gap(m.Dir)
	}
	side.msn = msn + 1
}

// readyToReceive reports whether the first Send of the client may be an indication that it is ready (RFC 6581).
func (f *follower) readyToReceive() bool {
	var request, reply mpa.Enhanced
	return f.conn.Request.Enhanced(&request) && f.conn.Reply.Enhanced(&reply) && request.A && reply.B
}

// take takes a message whose fate is known.
func (f *follower) take(m *record.Message, h *rpcrdma.Message, fate rpcrules.Fate) {
	side := &f.sides[m.Dir]
	switch {
	case fate.Cut:
		side.sequence.drop(f)
		side.gaps++ // it may have been a Call
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

// asCall reports whether a message at fault takes the place of a Call: if it does not tell its direction, that is what a
// client sends (RFC 8166, section 4.5.1, knows no other).
func (f *follower) asCall(m *record.Message, h *rpcrdma.Message, fault *rpcrules.Fault) bool {
	if h.Form == rpcrdma.FormProperties || len(fault.Codes(h.Dialect)) == 0 {
		return false
	}
	return h.Role == rpcrdma.Requester || h.Role == rpcrdma.RoleNone && m.Dir == record.C2S
}

// invalidate takes that a message invalidates an STag, if it does. c is the Call that it answers, nil if that is not
// known.
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
	f.foundAll(&m.Origin, f.law.Invalidated(rpcrules.Side(m.Dir), h, stag, law, f.violations[:0]))
	owner := &f.sides[1-m.Dir]
	for r := owner.memory.live.get(stag); r != nil; {
		next := r.next
		r.ended = ended{m.LastFrame, true, owner.gaps}
		owner.memory.bury(r)
		r = next
	}
}

// Terminate implements ulp.Follower. The Calls whose messages or memory it blames are refused.
func (f *follower) Terminate(m *record.Message) {
	f.recycle()
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

// blamed is the Call that a Terminate of direction d is about; nil if it is not known.
func (f *follower) blamed(d record.Direction, t *rdmap.Terminate) *call {
	h := &t.Header
	var r *region
	switch {
	case t.HasReadRequest:
		r, _ = f.sides[d].memory.find(t.ReadRequest.SrcSTag, t.ReadRequest.SrcTO, false)
	case h.T:
		r, _ = f.sides[d].memory.find(h.Tagged.STag, h.Tagged.TO, true)
	case h.Untagged.QN == rdmap.QNSend:
		for c := f.sides[1-d].calls.newest; c != nil; c = c.older {
			if c.msn == h.Untagged.MSN {
				return c
			}
		}
	}
	if r == nil {
		return nil
	}
	return r.call
}

// End implements ulp.Follower.
func (f *follower) End() (outstanding [2]int) {
	o := record.Origin{Conn: f.conn, Span: f.conn.Span}
	for d := range f.sides {
		o.Dir = record.Direction(d)
		if f.conn.End == record.EndFIN && f.sides[d].gaps == 0 {
			f.foundAll(&o, f.law.End(rpcrules.Side(d), f.violations[:0]))
		}
		outstanding[d] = f.giveUpAll(record.Direction(d))
	}
	f.reset()
	f.layer.over(f)
	return outstanding
}

// Oldest is the oldest Call of a direction that was not answered yet, and how many there are; nil if there is none.
func (f *follower) Oldest(d record.Direction) (t *record.Transaction, count int) {
	for c := f.sides[d].calls.newest; c != nil; c = c.older {
		if f.fate(c) == record.Unanswered {
			t = &c.Transaction
			count++
		}
	}
	return t, count
}

// giveUpAll ends all Calls of a side that are open, and returns how many have no answer for sure.
func (f *follower) giveUpAll(d record.Direction) (unanswered int) {
	calls := &f.sides[d].calls
	for calls.oldest != nil {
		c := calls.oldest
		if c.seq < calls.answered && f.sides[1-d].gaps == c.gaps[1-d] {
			f.foundAll(f.origin(c), c.law.Unrefused(f.violations[:0]))
		}
		f.giveUp(c)
		if c.Outcome == record.Unanswered {
			unanswered++
		}
		f.close(c, f.conn.LastFrame)
		f.recycle()
	}
	return unanswered
}

// reset makes f ready for another connection and keeps memory.
func (f *follower) reset() {
	for d := range f.sides {
		s := &f.sides[d]
		s.sequence.drop(f)
		s.calls.reset()
		s.memory.reset()
		*s = side{calls: s.calls, memory: s.memory, sequence: sequence{}}
	}
	clear(f.pulls)
	f.bufs.used, f.lists = 0, 0
	f.packet.Message, f.raw = rpcrdma.Message{}, nil
	f.conn, f.reporter = nil, nil
	f.dialect, f.nfs, f.unmatched = 0, nfsUse{}, 0
}
