package dissect

// Following SCTP associations: which packet belongs to which, and what its chunks say. Multihoming is not followed: of an
// association those packets count that have the addresses of the first.

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect/association"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/session"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// associations are the SCTP associations that are followed.
type associations struct {
	all       *connections
	shared    *session.Shared
	endpoints map[flow]*endpoint // nil until the first packet
	n         uint64             // associations up to now

	packet  tcpip.Segment // these are used again and again
	message association.Message
}

// An assoc is an association, be there DDP in it or not.
type assoc struct {
	ends     [2]endpoint // the sender of the first packet, and the other
	sessions map[uint16]*ddpSession
	latest   uint64 // frame
	over     bool
}

// An endpoint is one end of an association, and what it sends.
type endpoint struct {
	flow
	association.End
	assoc   *assoc
	peer    *endpoint
	tag     uint32           // Verification Tag of its packets
	tagged  bool             // that is known
	strange int              // packets in a row with another tag
	restart association.Init // an INIT that came while the association was in use
	held    int              // octets of fragments that session.Shared counts
	sightings
}

// A ddpSession is a DDP Stream Session on a pair of streams of an association.
type ddpSession struct {
	connection
	sctp  session.SCTP
	assoc *assoc
	first *endpoint // side 0
	id    uint16    // Stream Identifier
}

// strangers is how many packets in a row with another Verification Tag show that an association is a new one.
const strangers = 4

// receive takes in a packet.
func (l *associations) receive(p *tcpip.SCTP, rec *pcaps.Record) {
	r := association.NewReader(p.Chunks, p.Missing)
	var c association.Chunk
	if !r.Next(&c) {
		return
	}
	x := l.sender(p, &c)
	if x == nil || x.repeats(l.sighting(p), rec.Time) {
		return
	}
	x.assoc.latest = rec.Frame
	x.Largest = max(x.Largest, p.Len())
	at := association.Place{Frame: rec.Frame, Time: rec.Time}
	for ok := true; ok; ok = r.Next(&c) {
		l.chunk(x, &c, at)
	}
}

// sighting is a packet in the form in which duplicates are looked for: what its first chunk begins with, which is the TSN
// of a DATA chunk, stands for a sequence number.
func (l *associations) sighting(p *tcpip.SCTP) *tcpip.Segment {
	s := &l.packet
	*s = tcpip.Segment{Ack: p.Tag, ID: p.ID, Payload: p.Chunks, Missing: p.Missing}
	if len(p.Chunks) >= 8 {
		s.Seq = binary.BigEndian.Uint32(p.Chunks[4:])
	}
	return s
}

// sender is the end that has sent a packet, which begins with chunk c; nil if the packet belongs to no association that
// is known, nor to a new one.
func (l *associations) sender(p *tcpip.SCTP, c *association.Chunk) *endpoint {
	x := l.endpoints[flow{p.Src, p.Dst}]
	switch {
	case x == nil:
		return l.begin(p)
	case c.Type == association.TypeInit:
		if x.assoc.over {
			return l.begin(p)
		}
		return x
	case c.Type == association.TypeInitAck && x.peer.restart.Tag == p.Tag && x.tagged && x.tag != p.Tag:
		return l.restarted(p, x)
	case !x.tagged, x.tag == p.Tag:
		x.tag, x.tagged, x.strange = p.Tag, true, 0
		return x
	case reflects(c) && x.peer.tagged && x.peer.tag == p.Tag:
		return x
	}
	if x.strange++; x.strange < strangers && !x.assoc.over {
		return nil
	}
	return l.begin(p)
}

// reflects reports whether a chunk may carry the tag of the packet that it answers (RFC 9260, section 8.5.1).
func reflects(c *association.Chunk) bool {
	return c.Type == association.TypeAbort || c.Type == association.TypeShutdownComplete
}

// restarted begins with the association whose INIT has come while its ports were in use, and is answered now.
func (l *associations) restarted(p *tcpip.SCTP, old *endpoint) *endpoint {
	init := old.peer.restart
	x := l.begin(p)
	x.peer.init(&init, association.Place{})
	return x
}

// begin follows the association of a packet, and ends the one that had its addresses and ports.
func (l *associations) begin(p *tcpip.SCTP) *endpoint {
	if old := l.endpoints[flow{p.Src, p.Dst}]; old != nil {
		l.end(old.assoc)
	} else if len(l.endpoints) >= 2*l.all.max {
		l.thinOut()
	}
	if l.endpoints == nil {
		l.endpoints = make(map[flow]*endpoint)
	}
	a := &assoc{}
	for i, flow := range []flow{{p.Src, p.Dst}, {p.Dst, p.Src}} {
		x := &a.ends[i]
		x.flow, x.assoc, x.peer = flow, a, &a.ends[1-i]
		l.endpoints[flow] = x
	}
	first := &a.ends[0]
	if p.Tag != 0 { // it is 0 with an INIT only
		first.tag, first.tagged = p.Tag, true
	}
	l.n++
	return first
}

// end ends the sessions of an association and forgets it.
func (l *associations) end(a *assoc) {
	for _, id := range slices.Sorted(maps.Keys(a.sessions)) {
		if t := a.sessions[id]; t != nil {
			l.all.finish(&t.connection)
		}
	}
	for i := range a.ends {
		x := &a.ends[i]
		l.shared.Hold(-x.held)
		delete(l.endpoints, x.flow)
	}
}

// thinOut forgets a quarter of the associations: those that are over first, then those without DDP, each the idlest
// first.
func (l *associations) thinOut() {
	var all []*assoc
	for _, x := range l.endpoints {
		if x == &x.assoc.ends[0] {
			all = append(all, x.assoc)
		}
	}
	rank := func(a *assoc) int {
		switch {
		case a.over:
			return 0
		case a.sessions == nil:
			return 1
		}
		return 2
	}
	slices.SortFunc(all, func(a, b *assoc) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.latest, b.latest))
	})
	for _, a := range all[:(len(all)+3)/4] {
		l.end(a)
	}
}

// clear forgets all associations, the sessions of which have ended.
func (l *associations) clear() {
	for _, x := range l.endpoints {
		l.shared.Hold(-x.held)
	}
	clear(l.endpoints)
}

// chunk takes in a chunk that x has sent.
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

// begins takes in an INIT, or an INIT ACK. An INIT that comes while the association is in use may begin another one, or
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

// data takes in a DATA chunk.
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

// arrive takes in a user message of DDP, which belongs to the session t or begins one.
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
		if l.all.given.has(lane{x.flow, record.OverSCTP, m.Stream}, a.Initiates()) {
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

// side is the side of t that an end of its association is.
func (t *ddpSession) side(x *endpoint) int {
	if x == t.first {
		return 0
	}
	return 1
}

// lane is the address of t, in the direction of its first side.
func (t *ddpSession) lane() lane { return lane{t.first.flow, record.OverSCTP, t.id} }

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
