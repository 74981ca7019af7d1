package fleet

// What of a packet need not travel: payload that nobody looks at.
//
// Tagged messages carry data for memory. The rules look at its length, its place, and whether the CRC around it is
// right. So other octets replace it, for which the CRC has the same outcome: filler, and 4 octets that make the CRC
// what it was. This holds for each packet alone, whatever copies of others a judge has from elsewhere. Packets whose TCP
// checksum is wrong stay as they are; so a judge need not compute it of others, and has it as it was sent.
// Octets that are not known to lie in an FPDU stay as they are.
//
// What is known of a connection at the end of a file serves the file that goes on there, as the next one of a ring
// buffer does.
//
// Judges read tagged messages that are RPC messages: those in a Reply chunk, or in a Read chunk at Position 0. These
// stay, too, and so does what may be a part of one. A judge that has to read filler says so.

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"net/netip"
	"slices"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

const (
	leastElided = 32                        // octets: of less, little would be saved
	maxFlows    = 1 << 14                   // directions of connections of which something is known, in a file, and at the ends of files
	maxPieces   = 64                        // packets that carry an FPDU
	maxWaits    = 256                       // of those that wait for an answer, of a direction
	maxAllWaits = 1 << 13                   // of all directions
	keptPieces  = 8                         // memory for so many stays with each direction
	lengthLen   = 2                         // octets of a ULPDU_Length
	crcLen      = 4                         // octets of a CRC
	bodyOff     = lengthLen + ddp.TaggedLen // octets before the payload in a tagged segment
	headLen     = bodyOff + 16              // octets of an FPDU that are looked at
	withoutCRC  = 8                         // so many FPDUs in a row with wrong CRCs, and none with a right one before, show that CRCs are off
)

// An elider replaces payload in the packets of files, which come one after the other.
type elider struct {
	flows  map[way]*elidedFlow // of this file, by sender and receiver
	latest *elidedFlow
	way    way
	ends   latest[end, *elidedFlow] // of files before
	talks  latest[path, *talk]      // likewise

	packet  []byte // the latest one
	segment *tcpip.Segment
	gaps    []gap         // of packet
	earlier tcpip.Segment // of a packet before
	filled  filling
	looked  bool // whether packet is sound
	sound   bool
	waits   int // pieces, of all flows
}

type way struct{ src, dst netip.AddrPort }

// An end is where a file ends a direction of a connection.
type end struct {
	way
	next uint32 // sequence number
}

// A placed packet is one in a packer.
type placed struct {
	in      *packer // nil for the latest packet, which is not yet in one
	part    int     // of the packer
	at, len int     // of the octets
	link    pcaps.LinkType
	origLen int
	sound   bool // payload in it can be replaced
}

// An elidedFlow is what is known of a direction of a connection.
type elidedFlow struct {
	synced bool   // FPDUs follow each other up to next
	next   uint32 // sequence number
	right  bool   // there was an FPDU with a right CRC
	wrong  int    // FPDUs with wrong CRCs since synced
	passed int    // octets of FPDUs since synced
	tagged        // up to next
	lacking
	talk  *talk     // with the other direction
	side  int       // of the sender
	waits []waiting // of which an answer may say what they are

	// The FPDU in progress:
	have, total int  // octets; total is 0 until it is known
	holed       bool // octets of it are lacking
	head        [headLen]byte
	crc         uint32 // over what is there of what it covers
	tail        [crcLen]byte
	pieces      []piece // of its payload, if it is tagged
}

// tagged is what is known of the tagged messages of a direction.
type tagged struct {
	read   bool                // a message since the latest Send may be an RPC message
	queues [2]taggedInProgress // of Writes, and of Read Responses
}

// A waiting piece is one of the octets of an STag.
type waiting struct {
	piece
	stag         uint32
	from, octets uint64 // TO
}

// A piece is a part of the payload of an FPDU.
type piece struct {
	placed
	off, len int // in the TCP payload
}

// A taggedInProgress is the latest tagged message of a queue.
type taggedInProgress struct {
	known    bool // where the next message begins is known
	inside   bool // a part of it is to come
	read     bool // it may be an RPC message
	stag     uint32
	from, to uint64 // TOs
}

// pack has a packer add the next packet, with the segment s, and replaces payload in it, and in packets before it.
func (e *elider) pack(in *packer, rec *pcaps.Record, turn int64, s *tcpip.Segment) {
	e.packet, e.segment, e.gaps, e.looked = rec.Data, s, e.gaps[:0], false
	if len(s.Payload) > 0 {
		e.take(s)
	}
	whole := false // it is looked at again
	if e.latest != nil {
		for range e.latest.fresh {
			whole = true
		}
	}
	sound := whole && e.isSound()
	if at := in.add(rec, turn, e.gaps, whole); whole {
		at.sound = sound
		for p := range e.latest.fresh {
			p.placed = at
		}
	}
}

// fresh are the pieces in the latest packet that wait.
func (f *elidedFlow) fresh(yield func(*piece) bool) {
	if n := len(f.pieces); n > 0 && f.pieces[n-1].in == nil && !yield(&f.pieces[n-1]) {
		return
	}
	for i := len(f.waits) - 1; i >= 0 && f.waits[i].in == nil && yield(&f.waits[i].piece); i-- {
	}
}

func (e *elider) take(s *tcpip.Segment) {
	f, off := e.flow(end{way{s.Src, s.Dst}, s.Seq}), 0
	switch {
	case bytes.HasPrefix(s.Payload, []byte("MPA ID Re")) && len(s.Payload) >= mpa.FrameLen:
		f.begin(true)
		off = min(len(s.Payload), mpa.FrameLen+int(binary.BigEndian.Uint16(s.Payload[mpa.FrameLen-2:])))
		_, rpc := rpcprivate.Find(s.Payload[mpa.FrameLen:off])
		*f.talk = talk{rpc: rpc || isRPCPort(&e.way)}
	case f.synced && s.Seq == f.next:
	case f.synced && int32(s.Seq-f.next) < 0: // it was sent again
		return
	default:
		off = e.lose(f)
	}
	f.next = s.Seq + uint32(len(s.Payload))
	for f.synced = s.Missing == 0; f.synced && off < len(s.Payload); {
		off = e.feed(f, s.Payload, off)
	}
}

// begin begins a stream of FPDUs: at its start, or somewhere.
func (f *elidedFlow) begin(start bool) {
	now := elidedFlow{talk: f.talk, side: f.side, waits: f.waits, pieces: f.pieces[:0], tagged: tagged{read: !start}}
	if !start {
		now.right, now.lacking = f.right, f.lacking
		if now.clean = 0; f.passed > 0 {
			now.before = f.tagged
		}
	}
	for i := range now.queues {
		now.queues[i].known = start
	}
	*f = now
}

// endFile keeps what is known at the end of a file.
func (e *elider) endFile() {
	for way, f := range e.flows {
		f.talk.offers = [2]offers{}
		if !f.synced {
			continue
		}
		f.pieces, f.waits, f.talk = nil, nil, nil // packets are sent
		e.ends.put(end{way, f.next}, f)
	}
	e.flows, e.latest, e.waits = nil, nil, 0
}

// flow returns what is known of a direction; if it is new in this file, what was known where a file before ended.
func (e *elider) flow(at end) *elidedFlow {
	if e.latest != nil && e.way == at.way {
		return e.latest
	}
	f := e.flows[at.way]
	if f == nil {
		if e.flows == nil || len(e.flows) >= maxFlows {
			e.flows, e.waits = make(map[way]*elidedFlow), 0
		}
		f = new(elidedFlow)
		if known := e.ends.get(at); known != nil {
			*f = *known // which serves again if the file has grown
		}
		f.talk, f.side = e.talk(&at.way)
		e.flows[at.way] = f
	}
	e.way, e.latest = at.way, f
	return f
}

// feed takes the payload of a segment from octet off on, up to the end of an FPDU. It returns where that is.
func (e *elider) feed(f *elidedFlow, payload []byte, off int) int {
	if f.have < lengthLen {
		if f.have == 0 {
			f.lacks = e.segment.Seq + uint32(off) - f.ended
		}
		f.head[f.have] = payload[off]
		if f.have++; f.have == lengthLen {
			f.total = mpa.FPDULen(int(binary.BigEndian.Uint16(f.head[:])))
			f.crc = crc32.Checksum(f.head[:lengthLen], castagnoli)
		}
		return off + 1
	}
	b := payload[off:min(len(payload), off+f.total-f.have)]
	if before := f.have; before < len(f.head) {
		copy(f.head[before:], b)
		if whole := min(len(f.head), f.total); before < whole && before+len(b) >= whole {
			if _, ok := headerOf(f.head[:]); !ok {
				f.synced = false
				return len(payload)
			}
		}
	}
	covered := b[:max(0, min(len(b), f.total-crcLen-f.have))]
	f.crc = crc32.Update(f.crc, castagnoli, covered)
	copy(f.tail[max(0, f.have-(f.total-crcLen)):], b[len(covered):])
	body := lengthLen + int(binary.BigEndian.Uint16(f.head[:]))
	if from, to := max(f.have, bodyOff), min(f.have+len(b), body); to-from >= leastElided && len(f.pieces) < maxPieces {
		f.pieces = append(f.pieces, piece{off: off + from - f.have, len: to - from})
	}
	off += len(b)
	if f.have += len(b); f.have == f.total {
		f.ended = e.segment.Seq + uint32(off)
		e.end(f, payload[max(0, off-f.total):off])
	}
	return off
}

// headerOf decodes what is there of the header of an FPDU, and reports whether it may be one. Its Body has only the beginning.
func headerOf(fpdu []byte) (h rdmap.Segment, ok bool) {
	if len(fpdu) < lengthLen {
		return h, false
	}
	_, err := h.Decode(fpdu[lengthLen:min(len(fpdu), lengthLen+int(binary.BigEndian.Uint16(fpdu)))])
	return h, err == nil && h.Header.Check() == nil && (h.DV() == ddp.Version || h.DV() == ddp.VersionRDMAC) && h.Control.RV == h.DV()
}

// end takes the FPDU that has come, which ends with octets of the latest packet. If it has holes, enough is known of it.
func (e *elider) end(f *elidedFlow, latest []byte) {
	h, _ := headerOf(f.head[:])
	right := !f.holed && f.crc == binary.LittleEndian.Uint32(f.tail[:])
	f.right = f.right || right
	switch {
	case right:
		f.wrong = 0
	case !f.holed:
		f.wrong++
	}
	sure := right || f.holed || !f.right && f.wrong > withoutCRC && f.passed >= mpa.MarkerSpacing // else there may be a Marker in it
	f.passed += f.total
	f.meet(right)
	ulpdu := int(binary.BigEndian.Uint16(f.head[:]))
	switch of := f.passes(&h, ulpdu); {
	case !sure:
	case of == data:
		for i := range f.pieces {
			e.replace(&f.pieces[i])
		}
	case of == unknown:
		e.wait(f, &h.Tagged, ulpdu-ddp.TaggedLen)
	case h.Control.Opcode.IsSend() && len(latest) < f.total:
		f.talk.sends = true
	case len(latest) == f.total && ulpdu >= ddp.UntaggedLen:
		e.hear(f, &h, latest[lengthLen+ddp.UntaggedLen:lengthLen+ulpdu])
	}
	f.have, f.total, f.holed, f.found = 0, 0, false, false
	if f.pieces = f.pieces[:0]; cap(f.pieces) > keptPieces {
		f.pieces = nil
	}
}

// passes takes the segment of an FPDU. It says what its payload is, as far as that is known.
func (f *elidedFlow) passes(s *rdmap.Segment, ulpdu int) use {
	i := queueOf(s.Control.Opcode)
	switch {
	case !s.T:
		f.read = false
		return message
	case i < 0:
		return message
	}
	h := &s.Tagged
	if f.goesOn(i, h) {
		f.tagged = f.before
		f.queues[i].to = h.TO
	}
	q, read, end := &f.queues[i], f.read, h.TO+uint64(ulpdu-ddp.TaggedLen)
	switch within := q.inside && q.stag == h.STag; {
	case within && h.TO == q.to:
		q.to, q.inside, q.known = end, !h.L, true
	case within && q.from <= h.TO && end <= q.to: // it was sent again
	case q.inside || !q.known: // where it begins is not known
		f.read = true
		*q = taggedInProgress{known: q.known || h.L, inside: !h.L, read: true, stag: h.STag, from: h.TO, to: end}
	default:
		f.read = f.read || beginsRPC(s.Body)
		*q = taggedInProgress{known: true, inside: !h.L, read: f.read || len(s.Body) < headLen-bodyOff, stag: h.STag, from: h.TO, to: end}
	}
	f.spans(ulpdu)
	if !q.read || f.talk.isOther() {
		return data
	}
	_, of := f.talk.offers[1-f.side].find(h.STag, h.TO, end-h.TO)
	if of == data {
		q.read, f.read = false, read
	}
	return of
}

// wait keeps pieces of octets of an STag that may be a part of an RPC message.
func (e *elider) wait(f *elidedFlow, h *ddp.Tagged, octets int) {
	if n := len(f.waits) / 2; len(f.waits)+len(f.pieces) > maxWaits {
		f.waits = slices.Delete(f.waits, 0, n)
		e.waits -= n
	}
	if e.waits+len(f.pieces) > maxAllWaits {
		return
	}
	for _, p := range f.pieces {
		f.waits = append(f.waits, waiting{p, h.STag, h.TO, uint64(octets)})
	}
	e.waits += len(f.pieces)
}

// hear takes the payload of an untagged segment. An answer says what has come before it.
func (e *elider) hear(f *elidedFlow, h *rdmap.Segment, body []byte) {
	length := len(body)
	if !h.L() {
		length++ // at least
	}
	switch {
	case h.Control.Opcode == rdmap.OpReadRequest:
		var r rdmap.ReadRequest
		if _, err := r.Decode(body); err == nil {
			f.talk.read(f.side, &r)
		}
	case h.Control.Opcode.IsSend() && h.Untagged.MO == 0:
		f.talk.sends = true
		if xid, ok := f.talk.hear(f.side, body, length); ok {
			e.settle(f)
			f.talk.end(xid)
		}
	}
}

// settle replaces pieces that wait and turn out to be data.
func (e *elider) settle(f *elidedFlow) {
	left := f.waits[:0]
	for i := range f.waits {
		w := &f.waits[i]
		if w.in != nil && w.in.parts != w.part { // it was sent
			continue
		}
		switch _, of := f.talk.offers[1-f.side].find(w.stag, w.from, w.octets); of {
		case data:
			e.replace(&w.piece)
		case unknown:
			left = append(left, *w)
		}
	}
	e.waits -= len(f.waits) - len(left)
	f.waits = left
}

// beginsRPC reports whether octets may begin an RPC message: an XID, perhaps after a record mark that is not to be there, and then a Call of
// version 2, or a Reply.
func beginsRPC(b []byte) bool {
	word := func(at int) uint32 { return binary.BigEndian.Uint32(b[at:]) }
	begins := func(at int) bool {
		return len(b) >= at+8 && (word(at) == 0 && word(at+4) == oncrpc.Version || word(at) == 1 && word(at+4) <= 1)
	}
	return begins(4) || begins(8)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// replace puts filler in the place of a piece, unless it was sent.
func (e *elider) replace(p *piece) {
	if p.in == nil {
		if e.isSound() {
			g := e.fill(e.segment, e.packet, p)
			at, _ := slices.BinarySearchFunc(e.gaps, g.at, func(o gap, at int) int { return cmp.Compare(o.at, at) })
			e.gaps = slices.Insert(e.gaps, at, g)
		}
		return
	}
	if !p.sound || p.in.parts != p.part {
		return
	}
	packet := p.in.raw[p.at : p.at+p.placed.len]
	if e.earlier.Decode(p.link, packet, p.origLen) == nil { // as it was before
		g := e.fill(&e.earlier, packet, p)
		p.in.gaps = append(p.in.gaps, gap{p.at + g.at, g.len, g.len})
	}
}

// isSound reports whether the latest packet, before payload in it was replaced, was not damaged, as far as that is known.
func (e *elider) isSound() bool {
	if !e.looked {
		e.looked, e.sound = true, e.segment.IsReplaceable()
	}
	return e.sound
}

var filler = bytes.Repeat([]byte("iwarp-fleet: payload that nobody looks at. "), 1<<16/40) // no octet can begin a DDP header

// A filling is what is known of the first octets of filler.
type filling struct {
	len int
	crc uint32
}

// fill adapts a packet to filler in the place of a piece, up to the last octets, which contribute to a CRC what was there: so it need not be
// written.
func (e *elider) fill(s *tcpip.Segment, packet []byte, p *piece) gap {
	n := p.len - crcLen
	b := s.Payload[p.off : p.off+p.len]
	if e.filled.len != n {
		e.filled = filling{n, crc32.Checksum(filler[:n], castagnoli)}
	}
	last := b[n:]
	binary.LittleEndian.PutUint32(last, crc32.Checksum(b[:n], castagnoli)^e.filled.crc^binary.LittleEndian.Uint32(last))
	return gap{at: s.PayloadOff(packet) + p.off, len: n}
}

// hasFiller reports whether payload was replaced.
func hasFiller(b []byte) bool { return bytes.Contains(b, filler[:leastElided-crcLen]) }
