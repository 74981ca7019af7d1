package dissect

// Following SCTP associations: which packet belongs to which. Multihoming is not followed: of an association those packets
// count that have the addresses of the first.

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/association"
	"github.com/iwarpkit/iwarp/dissect/session"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// associations are the SCTP associations that are followed.
type associations struct {
	all       *connections
	shared    *session.Shared
	seen      *sightings
	endpoints map[tuple]*endpoint // nil until the first packet
	n         uint64              // associations up to now

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
	tuple
	association.End
	assoc   *assoc
	peer    *endpoint
	tag     uint32           // Verification Tag of its packets
	tagged  bool             // that is known
	strange int              // packets in a row with another tag
	restart association.Init // an INIT that came while the association was in use
	held    int              // octets of fragments that session.Shared counts
	number  uint32           // in associations.seen
}

// newTagAfter is how many packets in a row with another Verification Tag show that an association is a new one.
const newTagAfter = 4

// receive takes a packet.
func (l *associations) receive(p *tcpip.SCTP, rec *pcaps.Record) {
	r := association.NewReader(p.Chunks, p.Missing)
	var c association.Chunk
	if !r.Next(&c) {
		return
	}
	x := l.sender(p, &c)
	if x == nil || l.seen.repeats(x.number, l.sighting(p), rec.Time, false) {
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
	x := l.endpoints[tuple{p.Src, p.Dst}]
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
	if x.strange++; x.strange < newTagAfter && !x.assoc.over {
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
	if old := l.endpoints[tuple{p.Src, p.Dst}]; old != nil {
		l.end(old.assoc)
	} else if len(l.endpoints) >= 2*l.all.max {
		l.thinOut()
	}
	if l.endpoints == nil {
		l.endpoints = make(map[tuple]*endpoint)
	}
	a := &assoc{}
	for i, tuple := range []tuple{{p.Src, p.Dst}, {p.Dst, p.Src}} {
		x := &a.ends[i]
		x.tuple, x.assoc, x.peer, x.number = tuple, a, &a.ends[1-i], l.seen.number()
		l.endpoints[tuple] = x
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
		delete(l.endpoints, x.tuple)
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
