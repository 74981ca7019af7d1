package dissect

// What the chunks of an SCTP association say: how it begins and ends, and which DDP Stream Sessions run on its streams.

import (
	"maps"
	"slices"

	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect/association"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/session"
)

// A ddpSession is a DDP Stream Session on a pair of streams of an association.
type ddpSession struct {
	connection
	sctp  session.SCTP
	assoc *assoc
	first *endpoint // side 0
	id    uint16    // Stream Identifier
}

// side is the side of t that an end of its association is.
func (t *ddpSession) side(x *endpoint) int {
	if x == t.first {
		return 0
	}
	return 1
}

// address is that of t, in the direction of its first side.
func (t *ddpSession) address() address { return address{t.first.tuple, flow.OverSCTP, t.id} }

// finish decodes what waits, reports the end, and forgets the stream.
func (t *ddpSession) finish() {
	if !t.Over {
		t.sctp.Settle()
	}
	t.sctp.End()
	if t.assoc.sessions[t.id] == t {
		delete(t.assoc.sessions, t.id)
	}
}

// chunk takes a chunk that x has sent.
func (l *associations) chunk(x *endpoint, c *association.Chunk, at association.Place) {
	switch c.Type {
	case association.TypeData:
		l.data(x, c, at)
	case association.TypeInit, association.TypeInitAck:
		var i association.Init
		if i.Decode(c) {
			x.begins(&i, c.Type == association.TypeInitAck, at)
		}
	case association.TypeSACK:
		var s association.SACK
		if s.Decode(c) {
			x.Acknowledge(s)
		}
	case association.TypeAbort:
		l.abort(x, at)
	case association.TypeShutdown, association.TypeShutdownAck:
		if tsn, ok := association.ShutdownTSN(c); ok {
			x.Acknowledge(association.SACK{Cumulative: tsn, Highest: tsn})
		}
		for _, t := range x.assoc.sessions {
			t.sctp.Shutdown(t.side(x), at)
		}
	case association.TypeShutdownComplete:
		x.assoc.over = true
	}
}

// begins takes an INIT, or an INIT ACK. An INIT that comes while the association is in use may begin another one, or
// come from anybody: it waits for its answer.
func (x *endpoint) begins(i *association.Init, answers bool, at association.Place) {
	switch {
	case x.Init.Tag == i.Tag: // sent again
	case x.Chunks == nil && x.peer.Chunks == nil:
		x.Answers = answers
		x.init(i, at)
	case !answers:
		x.restart = *i
	}
}

func (x *endpoint) init(i *association.Init, at association.Place) {
	x.Init, x.At = *i, at
	x.peer.tag, x.peer.tagged = i.Tag, true
}

func (l *associations) data(x *endpoint, c *association.Chunk, at association.Place) {
	var d association.Data
	if !d.Decode(c) {
		return
	}
	a, ours := x.assoc, isDDP(d.PPID)
	switch {
	case !ours && a.sessions == nil:
		return
	case a.sessions == nil:
		a.sessions = make(map[uint16]*ddpSession)
	}
	if x.Chunks == nil {
		x.Chunks = new(association.Half)
		if x.IsBegun() {
			x.Chunks.Expect(x.Init.TSN)
		}
	}
	m := &l.message
	fresh := x.Chunks.Push(&d, at, m)
	l.countFragments(x)
	t := a.sessions[d.Stream]
	switch {
	case fresh && ours:
		l.arrive(x, t, m, at)
	case t == nil:
	case fresh && t.Conn != nil && !t.Over:
		t.Include(at.Frame, at.Time)
		t.sctp.Foreign(t.side(x), m)
	case !fresh && ours:
		t.sctp.Count(t.side(x), len(d.UserData)+d.Missing, at, false)
	}
}

// isDDP reports whether a chunk with a Payload Protocol Identifier is the adaptation layer's.
func isDDP(ppid uint32) bool { return ppid == sctp.PPIDSegment || ppid == sctp.PPIDControl }

// countFragments counts what waits for other fragments. If that is too much, it is given up.
func (l *associations) countFragments(x *endpoint) {
	held := x.Chunks.Held()
	l.shared.Hold(held - x.held)
	if x.held = held; l.shared.Full() {
		x.Chunks.DropFragments()
		l.shared.Hold(-held)
		x.held = 0
	}
}

// arrive takes a user message of DDP, which belongs to the session t or begins one.
func (l *associations) arrive(x *endpoint, t *ddpSession, m *association.Message, at association.Place) {
	a, ok := session.NewArrival(m, &x.End)
	if !ok {
		if t != nil {
			t.Sides[t.side(x)].Traffic.Undecoded += uint64(len(m.Data))
		}
		return
	}
	if t != nil && t.sctp.Follows(t.side(x), &a) {
		t.sctp.ReusedBy(at)
		l.all.finish(&t.connection)
		t = nil
	}
	if t == nil {
		if l.all.forgotten.has(address{x.tuple, flow.OverSCTP, m.Stream}, a.Initiates()) {
			return
		}
		t = l.newSession(x, m.Stream)
	}
	i := t.side(x)
	t.sctp.Count(i, len(m.Data)+m.Missing, at, true)
	if !t.Over {
		l.all.use(&t.connection)
	}
	t.sctp.Receive(i, &a)
	l.all.sort(&t.connection)
}

// newSession begins a session on a pair of streams.
func (l *associations) newSession(x *endpoint, id uint16) *ddpSession {
	t := &ddpSession{assoc: x.assoc, first: x, id: id}
	t.connection = connection{Stream: &t.sctp.Stream, carrier: t}
	l.all.add(&t.connection)
	t.sctp.Init(l.shared, x.src, x.dst, id, [2]*association.End{&x.End, &x.peer.End})
	x.assoc.sessions[id] = t
	return t
}

// abort ends all sessions at once. An ABORT that answers an INIT which was meant for DDP is a refusal.
func (l *associations) abort(x *endpoint, at association.Place) {
	a := x.assoc
	if x.refuses() {
		a.sessions = make(map[uint16]*ddpSession)
		t := l.newSession(x.peer, 0)
		t.Include(x.peer.At.Frame, x.peer.At.Time)
		t.sctp.Refuse(0)
	}
	a.over = true
	for _, id := range slices.Sorted(maps.Keys(a.sessions)) {
		t := a.sessions[id]
		t.sctp.Abort(t.side(x), at)
		l.all.move(&t.connection, &l.all.over)
	}
}

// refuses reports whether an ABORT of x answers an INIT that was meant for DDP.
func (x *endpoint) refuses() bool {
	i := &x.peer.Init
	asked := x.peer.IsBegun() && !x.peer.Answers && i.Indicated && i.Indication == sctp.AdaptationDDP
	return asked && !x.IsBegun() && x.assoc.sessions == nil && !x.assoc.over
}
