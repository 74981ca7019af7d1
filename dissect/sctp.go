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
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// An assoc is an SCTP association that is followed, be there DDP in it or not.
type assoc struct {
	ends     [2]endpoint // the sender of the first packet, and the other
	sessions map[uint16]*pair
	latest   uint64 // frame
	over     bool
}

// An endpoint is one end of an association, and what it sends.
type endpoint struct {
	flow
	assoc   *assoc
	peer    *endpoint
	tag     uint32 // Verification Tag of its packets
	tagged  bool   // that is known
	strange int    // packets in a row with another tag
	init    record.AssociationEnd
	answers bool              // init was an INIT ACK
	restart association.Init  // an INIT that came while the association was in use
	chunks  *association.Half // what it sends; nil as long as there is no DDP
	acks    association.SACK  // the highest that it has sent
	acked   bool              // it has sent one
	largest int               // octets of the largest of its packets, without common header
	held    int               // octets of fragments that Engine.held includes
	sightings
}

// strangers is how many packets in a row with another Verification Tag show that an association is a new one.
const strangers = 4

// sctpPacket takes in a packet of SCTP.
func (e *Engine) sctpPacket(rec *pcaps.Record) {
	p := &e.sctp
	if err := p.Decode(rec.LinkType, rec.Data, rec.OrigLen); err != nil {
		e.passOver(err)
		return
	}
	if p.Missing > 0 {
		e.totals.PayloadCut++
	}
	r := association.NewReader(p.Chunks, p.Missing)
	var c association.Chunk
	if !r.Next(&c) {
		return
	}
	x := e.sender(p, &c)
	if x == nil || x.repeats(e.sighting(p), rec.Time) {
		return
	}
	x.assoc.latest = rec.Frame
	x.largest = max(x.largest, p.Len())
	for ok := true; ok; ok = r.Next(&c) {
		e.sctpChunk(x, &c, rec)
	}
}

// sighting is a packet in the form in which duplicates are looked for: what its first chunk begins with, which is the TSN
// of a DATA chunk, stands for a sequence number.
func (e *Engine) sighting(p *tcpip.SCTP) *tcpip.Segment {
	s := &e.packet
	*s = tcpip.Segment{Ack: p.Tag, ID: p.ID, Payload: p.Chunks, Missing: p.Missing}
	if len(p.Chunks) >= 8 {
		s.Seq = binary.BigEndian.Uint32(p.Chunks[4:])
	}
	return s
}

// sender is the end that has sent a packet, which begins with chunk c; nil if the packet belongs to no association that
// is known, nor to a new one.
func (e *Engine) sender(p *tcpip.SCTP, c *association.Chunk) *endpoint {
	x := e.endpoints[flow{p.Src, p.Dst}]
	switch {
	case x == nil:
		return e.newAssoc(p)
	case c.Type == association.TypeInit:
		if x.assoc.over {
			return e.newAssoc(p)
		}
		return x
	case c.Type == association.TypeInitAck && x.peer.restart.Tag == p.Tag && x.tagged && x.tag != p.Tag:
		return e.restarted(p, x)
	case !x.tagged, x.tag == p.Tag:
		x.tag, x.tagged, x.strange = p.Tag, true, 0
		return x
	case reflects(c) && x.peer.tagged && x.peer.tag == p.Tag:
		return x
	}
	if x.strange++; x.strange < strangers && !x.assoc.over {
		return nil
	}
	return e.newAssoc(p)
}

// reflects tells whether a chunk may carry the tag of the packet that it answers (RFC 9260, section 8.5.1).
func reflects(c *association.Chunk) bool {
	return c.Type == association.TypeAbort || c.Type == association.TypeShutdownComplete
}

// restarted begins with the association whose INIT has come while its ports were in use, and is answered now.
func (e *Engine) restarted(p *tcpip.SCTP, old *endpoint) *endpoint {
	init := old.peer.restart
	x := e.newAssoc(p)
	x.peer.takeInit(&init, record.Span{})
	return x
}

// newAssoc begins with the association of a packet, and ends the one that had its addresses and ports.
func (e *Engine) newAssoc(p *tcpip.SCTP) *endpoint {
	if old := e.endpoints[flow{p.Src, p.Dst}]; old != nil {
		e.endAssoc(old.assoc)
	} else if len(e.endpoints) >= 2*e.maxConns {
		e.thinOut()
	}
	if e.endpoints == nil {
		e.endpoints = make(map[flow]*endpoint)
	}
	a := &assoc{}
	first, second := &a.ends[0], &a.ends[1]
	first.flow, second.flow = flow{p.Src, p.Dst}, flow{p.Dst, p.Src}
	first.peer, second.peer = second, first
	for i := range a.ends {
		x := &a.ends[i]
		x.assoc = a
		e.endpoints[x.flow] = x
	}
	if p.Tag != 0 { // it is 0 with an INIT only
		first.tag, first.tagged = p.Tag, true
	}
	e.totals.SCTP++
	return first
}

// endAssoc ends the connections of an association and forgets it.
func (e *Engine) endAssoc(a *assoc) {
	for _, stream := range slices.Sorted(maps.Keys(a.sessions)) {
		if t := a.sessions[stream]; t != nil {
			e.finish(t)
		}
	}
	for i := range a.ends {
		x := &a.ends[i]
		e.framing.Hold(-x.held)
		delete(e.endpoints, x.flow)
	}
}

// thinOut forgets a quarter of the associations: those that are over first, then those without DDP, each the idlest
// first.
func (e *Engine) thinOut() {
	var all []*assoc
	for _, x := range e.endpoints {
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
		e.endAssoc(a)
	}
}

// sctpChunk takes in a chunk that x has sent.
func (e *Engine) sctpChunk(x *endpoint, c *association.Chunk, rec *pcaps.Record) {
	switch c.Type {
	case association.TypeData:
		e.data(x, c, rec)
	case association.TypeInit, association.TypeInitAck:
		var i association.Init
		if i.Decode(c) {
			x.begins(&i, c.Type == association.TypeInitAck, record.At(rec.Frame, rec.Time))
		}
	case association.TypeSACK:
		var s association.SACK
		if s.Decode(c) {
			x.acknowledge(s)
		}
	case association.TypeAbort:
		e.abort(x, rec)
	case association.TypeShutdown, association.TypeShutdownAck:
		if tsn, ok := association.ShutdownTSN(c); ok {
			x.acknowledge(association.SACK{Cumulative: tsn, Highest: tsn})
		}
		e.shutdown(x, rec)
	case association.TypeShutdownComplete:
		x.assoc.over = true
	}
}

// begins takes in an INIT, or an INIT ACK. An INIT that comes while the association is in use may begin another one, or
// come from anybody: it waits for its answer.
func (x *endpoint) begins(i *association.Init, answers bool, at record.Span) {
	switch {
	case x.init.Tag == i.Tag: // sent again
	case x.chunks == nil && x.peer.chunks == nil:
		x.answers = answers
		x.takeInit(i, at)
	case !answers:
		x.restart = *i
	}
}

func (x *endpoint) takeInit(i *association.Init, at record.Span) {
	x.init = record.AssociationEnd{Span: at, Init: *i}
	x.peer.tag, x.peer.tagged = i.Tag, true
}

// acknowledge takes in what x has received.
func (x *endpoint) acknowledge(s association.SACK) {
	switch {
	case !x.acked:
		x.acks, x.acked = s, true
		return
	case int32(s.Cumulative-x.acks.Cumulative) > 0:
		x.acks.Cumulative = s.Cumulative
	}
	if int32(s.Highest-x.acks.Highest) > 0 {
		x.acks.Highest = s.Highest
	}
}

// has tells whether x has acknowledged all up to a TSN of the other end.
func (x *endpoint) has(tsn uint32) bool { return x.acked && int32(x.acks.Cumulative-tsn) >= 0 }

// data takes in a DATA chunk.
func (e *Engine) data(x *endpoint, c *association.Chunk, rec *pcaps.Record) {
	var d association.Data
	if !d.Decode(c) {
		return
	}
	a, ours := x.assoc, isDDP(d.PPID)
	switch {
	case !ours && a.sessions == nil:
		return
	case a.sessions == nil:
		a.sessions = make(map[uint16]*pair)
	}
	if x.chunks == nil {
		x.chunks = new(association.Half)
		if x.init.Span != (record.Span{}) {
			x.chunks.Expect(x.init.TSN)
		}
	}
	m := &e.message
	fresh := x.chunks.Push(&d, association.Place{Frame: rec.Frame, Time: rec.Time}, m)
	e.countFragments(x)
	t := a.sessions[d.Stream]
	switch {
	case fresh && ours:
		e.arrive(x, t, m, rec)
	case t == nil:
	case fresh && t.conn != nil && !t.retired:
		t.include(rec)
		e.foreign(t.half(x), m)
	case !fresh && ours:
		t.half(x).count(&d, rec, false)
	}
}

// isDDP tells whether a chunk with a Payload Protocol Identifier is the adaptation layer's.
func isDDP(ppid uint32) bool { return ppid == sctp.PPIDSegment || ppid == sctp.PPIDControl }

// countFragments counts what waits for other fragments. If that is too much, it is given up.
func (e *Engine) countFragments(x *endpoint) {
	held := x.chunks.Held()
	e.framing.Hold(held - x.held)
	if x.held = held; e.framing.Full() {
		x.chunks.DropFragments()
		e.framing.Hold(-held)
		x.held = 0
	}
}

// foreign reports a chunk that is none of DDP on a stream of a DDP Stream Session.
func (e *Engine) foreign(h *half, m *association.Message) {
	e.event.Note = record.Note{
		Origin: record.Origin{Span: spanOfMessage(m)}, Kind: record.ForeignChunk, Octets: uint64(len(m.Data) + m.Missing), PPID: m.PPID,
	}
	e.give(h, &e.event.Note)
}

// spanOfMessage is the packets that carried a user message.
func spanOfMessage(m *association.Message) record.Span {
	return record.Span{Frame: m.First.Frame, LastFrame: m.Last.Frame, Time: m.First.Time, LastTime: m.Last.Time}
}

// refuses tells whether an ABORT of x answers an INIT that was meant for DDP.
func (x *endpoint) refuses() bool {
	i := &x.peer.init
	asked := i.Span != (record.Span{}) && !x.peer.answers && i.Indicated && i.Indication == sctp.AdaptationDDP
	return asked && x.init.Span == (record.Span{}) && x.assoc.sessions == nil && !x.assoc.over
}

// refused reports an association that x has refused as a connection.
func (e *Engine) refused(x *endpoint) {
	x.assoc.sessions = make(map[uint16]*pair)
	t := e.newSession(x.peer, 0)
	t.include(&pcaps.Record{Frame: x.peer.init.Frame, Time: x.peer.init.Time})
	e.recognise(&t.halves[0]).End = record.EndRefused
}

// abort ends all sessions at once.
func (e *Engine) abort(x *endpoint, rec *pcaps.Record) {
	if x.refuses() {
		e.refused(x)
	}
	x.assoc.over = true
	for _, t := range x.assoc.sessions {
		if t.retired || t.reset {
			continue
		}
		t.include(rec)
		t.half(x).rstAt = record.At(rec.Frame, rec.Time)
		t.reset = true
	}
	for _, stream := range slices.Sorted(maps.Keys(x.assoc.sessions)) {
		x.assoc.sessions[stream].move(&e.over)
	}
}

// shutdown ends all sessions that are still open, in good order.
func (e *Engine) shutdown(x *endpoint, rec *pcaps.Record) {
	for _, t := range x.assoc.sessions {
		h := t.half(x)
		if t.retired || t.reset || h.fin || h.peer.fin && !h.peer.shut {
			continue
		}
		t.include(rec)
		h.fin, h.shut, h.finAt = true, true, record.At(rec.Frame, rec.Time)
		if t.conn != nil {
			t.conn.Association.Shutdown[h.direction()] = true
		}
	}
}
