package fleet

// What the Sends of a connection say of tagged messages. The chunks of RPC-over-RDMA name the memory into which data goes, or an RPC message: so
// it is known of a segment what it has, wherever packets are lacking.

import (
	"cmp"
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

const maxOffers = 64 // of a side, the latest ones

// A talk is what is known of both directions of a connection.
type talk struct {
	offers [2]offers // by the sides
	rpc    bool      // there was RPC-over-RDMA, or may be
	other  bool      // there was a Send of something else
	sends  bool      // there was a Send
	fpdus  int
}

// silent is how many FPDUs show that there are no Sends, and so no RPC.
const silent = 64

// isOther reports whether a connection does not carry RPC-over-RDMA, as far as is known.
func (t *talk) isOther() bool { return !t.rpc && (t.other || !t.sends && t.fpdus > silent) }

// isRPCPort reports whether there may be RPC-over-RDMA that is wrong.
func isRPCPort(w *way) bool { return w.src.Port() == rpcrdma.Port || w.dst.Port() == rpcrdma.Port }

// talk returns what is known of a connection, also from files before, and the side of a sender.
func (e *elider) talk(w *way) (t *talk, side int) {
	of := pathOf(w.src, w.dst)
	if t = e.talks.get(of); t == nil {
		t = &talk{rpc: isRPCPort(w)}
	}
	if e.talks.put(of, t); of[0] != w.src {
		side = 1
	}
	return t, side
}

// A latest has the values that were put into it last, at least maxFlows of them: those that are being put, and as many before them.
type latest[K, V comparable] [2]map[K]V

func (l *latest[K, V]) get(key K) V { return cmp.Or(l[0][key], l[1][key]) }

func (l *latest[K, V]) put(key K, value V) {
	if l[0] == nil || len(l[0]) >= maxFlows {
		l[0], l[1] = make(map[K]V), l[0]
	}
	l[0][key] = value
}

// A use is what memory is offered for.
type use uint8

const (
	unknown use = iota
	data
	message // an RPC message, or a part of it
)

// An offer is memory of a side for a Call.
type offer struct {
	stag uint32
	xid  uint32
	from uint64 // TO
	len  uint64
	use
}

// offers are the latest ones of a side.
type offers struct {
	all  []offer
	next int // the oldest, of maxOffers
}

func (o *offers) add(one offer) {
	if len(o.all) < maxOffers {
		o.all = append(o.all, one)
		return
	}
	o.all[o.next] = one
	o.next = (o.next + 1) % maxOffers
}

// find finds out what octets were offered for: for data if all of them were, and none of them for a message.
func (o *offers) find(stag uint32, from, octets uint64) (xid uint32, of use) {
	for i := range o.all {
		one := &o.all[i]
		if one.stag != stag || from-one.from >= one.len && one.from-from >= octets {
			continue
		}
		if one.use == message {
			return one.xid, message
		}
		if at := from - one.from; at < one.len && octets <= one.len-at {
			xid, of = one.xid, data
		}
	}
	return xid, of
}

// hear takes what is there of a Send of a side, of length octets. answers is the Call that it answers, if ok.
func (t *talk) hear(side int, send []byte, length int) (answers uint32, ok bool) {
	const version = 4
	d, ok := rpcrdma.Recognize(send, length)
	if !ok {
		wrong := len(send) >= version+4 && binary.BigEndian.Uint32(send[version:])-1 < rpcrdma.Vers2 // RPC-over-RDMA, perhaps
		t.other = t.other || !wrong
		return 0, false
	}
	t.rpc = true
	var m rpcrdma.Message
	if m.Decode(send, length, d); m.Role == rpcrdma.RoleNone {
		return 0, false
	}
	if m.Role == rpcrdma.Responder {
		side = 1 - side
	}
	t.offers[side].take(&m)
	return m.XID, m.Role == rpcrdma.Responder
}

// take takes what a Call offers, or an answer says that it has offered.
func (o *offers) take(m *rpcrdma.Message) {
	add := func(s rpcrdma.Segment, of use) {
		if s.Length > 0 {
			o.add(offer{s.Handle, m.XID, s.Offset, uint64(s.Length), of})
		}
	}
	read := data
	if m.HasBody() {
		read = message
	}
	for s := range m.ReadSegments() {
		add(s.Segment, read)
	}
	for c := range m.Writes.Chunks() {
		for s := range c.Segments() {
			add(s, data)
		}
	}
	for s := range m.Reply.Segments() {
		add(s, message)
	}
}

// end ends the offers for a Call.
func (t *talk) end(xid uint32) {
	for i := range t.offers {
		for k := range t.offers[i].all {
			if one := &t.offers[i].all[k]; one.xid == xid {
				*one = offer{}
			}
		}
	}
}

// read takes a Read Request of a side: what comes has what the other side has offered.
func (t *talk) read(side int, r *rdmap.ReadRequest) {
	if xid, of := t.offers[1-side].find(r.SrcSTag, r.SrcTO, uint64(r.RDMARDSZ)); of != unknown {
		t.offers[side].add(offer{r.SinkSTag, xid, r.SinkTO, uint64(r.RDMARDSZ), of})
	}
}
