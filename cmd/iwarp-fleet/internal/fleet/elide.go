package fleet

// What of a packet need not travel: payload that nobody looks at.
//
// Tagged messages carry data for memory. The rules look at its length, its place, and whether the CRC around it is
// right. So other octets replace it, for which CRC and TCP checksum have the same outcome: filler, and 4 octets that
// make the CRC what it was. This holds for each packet alone, whatever copies of others a judge has from elsewhere.
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

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

const (
	leastElided = 32                        // octets: of less, little would be saved
	maxFlows    = 1 << 14                   // directions of connections of which something is known, in a file, and at the ends of files
	maxPieces   = 64                        // packets that carry an FPDU
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
	ends   [2]map[end]*elidedFlow // of files before: of the latest, and of those before them

	packet  []byte // the latest one
	segment *tcpip.Segment
	gaps    []gap         // of packet
	earlier tcpip.Segment // of a packet before
	filled  filling
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
}

// An elidedFlow is what is known of a direction of a connection.
type elidedFlow struct {
	synced bool                // FPDUs follow each other up to next
	next   uint32              // sequence number
	right  bool                // there was an FPDU with a right CRC
	wrong  int                 // FPDUs with wrong CRCs since synced
	passed int                 // octets of FPDUs since synced
	read   bool                // a message since the latest Send is read
	queues [2]taggedInProgress // of Writes, and of Read Responses

	// The FPDU in progress:
	have, total int // octets; total is 0 until it is known
	head        [headLen]byte
	crc         uint32 // over what is there of what it covers
	tail        [crcLen]byte
	pieces      []piece // of its payload, if it is tagged
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
	e.packet, e.segment, e.gaps = rec.Data, s, e.gaps[:0]
	if len(s.Payload) > 0 {
		e.take(s)
	}
	var waiting *piece
	if e.latest != nil && len(e.latest.pieces) > 0 {
		waiting = &e.latest.pieces[len(e.latest.pieces)-1]
	}
	whole := waiting != nil && waiting.in == nil // it is looked at again
	if at := in.add(rec, turn, e.gaps, whole); whole {
		waiting.placed = at
	}
}

func (e *elider) take(s *tcpip.Segment) {
	f, off := e.flow(end{way{s.Src, s.Dst}, s.Seq}), 0
	switch {
	case bytes.HasPrefix(s.Payload, []byte("MPA ID Re")) && len(s.Payload) >= mpa.FrameLen:
		f.begin(true)
		off = min(len(s.Payload), mpa.FrameLen+int(binary.BigEndian.Uint16(s.Payload[mpa.FrameLen-2:])))
	case f.synced && s.Seq == f.next:
	case f.synced && int32(s.Seq-f.next) < 0: // it was sent again
		return
	default:
		f.begin(false)
	}
	f.next = s.Seq + uint32(len(s.Payload))
	for f.synced = s.Missing == 0; f.synced && off < len(s.Payload); {
		off = e.feed(f, s.Payload, off)
	}
}

// begin begins a stream of FPDUs: at its start, or somewhere.
func (f *elidedFlow) begin(start bool) {
	*f = elidedFlow{right: f.right && !start, pieces: f.pieces[:0], read: !start}
	for i := range f.queues {
		f.queues[i].known = start
	}
}

// endFile keeps what is known at the end of a file.
func (e *elider) endFile() {
	for way, f := range e.flows {
		if !f.synced {
			continue
		}
		if len(e.ends[0]) >= maxFlows {
			e.ends[0], e.ends[1] = nil, e.ends[0]
		}
		if e.ends[0] == nil {
			e.ends[0] = make(map[end]*elidedFlow)
		}
		f.pieces = nil // they are sent
		e.ends[0][end{way, f.next}] = f
	}
	e.flows, e.latest = nil, nil
}

// flow returns what is known of a direction; if it is new in this file, what was known where a file before ended.
func (e *elider) flow(at end) *elidedFlow {
	if e.latest != nil && e.way == at.way {
		return e.latest
	}
	f := e.flows[at.way]
	if f == nil {
		if e.flows == nil || len(e.flows) >= maxFlows {
			e.flows = make(map[way]*elidedFlow)
		}
		f = new(elidedFlow)
		if known := cmp.Or(e.ends[0][at], e.ends[1][at]); known != nil {
			*f = *known // which serves again if the file has grown
		}
		e.flows[at.way] = f
	}
	e.way, e.latest = at.way, f
	return f
}

// feed takes the payload of a segment from octet off on, up to the end of an FPDU. It returns where that is.
func (e *elider) feed(f *elidedFlow, payload []byte, off int) int {
	if f.have < lengthLen {
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
		if whole := min(len(f.head), f.total); before < whole && before+len(b) >= whole && !f.isPlausible() {
			f.synced = false
			return len(payload)
		}
	}
	covered := b[:max(0, min(len(b), f.total-crcLen-f.have))]
	f.crc = crc32.Update(f.crc, castagnoli, covered)
	copy(f.tail[max(0, f.have-(f.total-crcLen)):], b[len(covered):])
	body := lengthLen + int(binary.BigEndian.Uint16(f.head[:]))
	if from, to := max(f.have, bodyOff), min(f.have+len(b), body); to-from >= leastElided && len(f.pieces) < maxPieces {
		f.pieces = append(f.pieces, piece{off: off + from - f.have, len: to - from})
	}
	if f.have += len(b); f.have == f.total {
		e.end(f)
	}
	return off + len(b)
}

// header decodes what is there of a segment. Its Body has only the beginning.
func (f *elidedFlow) header() (h rdmap.Segment, err error) {
	_, err = h.Decode(f.head[lengthLen:min(len(f.head), lengthLen+int(binary.BigEndian.Uint16(f.head[:])))])
	return h, err
}

func (f *elidedFlow) isPlausible() bool {
	h, err := f.header()
	return err == nil && h.Check() == nil && (h.DV() == ddp.Version || h.DV() == ddp.VersionRDMAC) && h.Control.RV == h.DV()
}

// end takes the FPDU that has come.
func (e *elider) end(f *elidedFlow) {
	h, _ := f.header() // it was decoded before
	right := f.crc == binary.LittleEndian.Uint32(f.tail[:])
	f.right = f.right || right
	if f.wrong++; right {
		f.wrong = 0
	}
	sure := right || !f.right && f.wrong > withoutCRC && f.passed >= mpa.MarkerSpacing // else there may be a Marker in it
	f.passed += f.total
	if f.passes(&h, binary.BigEndian.Uint16(f.head[:])) && sure {
		for i := range f.pieces {
			e.replace(&f.pieces[i])
		}
	}
	f.have, f.total = 0, 0
	if f.pieces = f.pieces[:0]; cap(f.pieces) > keptPieces {
		f.pieces = nil
	}
}

// passes takes the segment of an FPDU. It reports whether nobody looks at its payload.
func (f *elidedFlow) passes(s *rdmap.Segment, ulpdu uint16) bool {
	q := &f.queues[0]
	switch {
	case !s.T:
		f.read = false
		return false
	case s.Control.Opcode == rdmap.OpReadResponse:
		q = &f.queues[1]
	case s.Control.Opcode != rdmap.OpWrite:
		return false
	}
	h := &s.Tagged
	end := h.TO + uint64(ulpdu) - ddp.TaggedLen
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
	return !q.read
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
		e.gaps = append(e.gaps, e.fill(e.segment, e.packet, p))
		return
	}
	if p.in.parts != p.part {
		return
	}
	packet := p.in.raw[p.at : p.at+p.placed.len]
	if e.earlier.Decode(p.link, packet, p.origLen) == nil { // as it was before
		g := e.fill(&e.earlier, packet, p)
		p.in.gaps = append(p.in.gaps, gap{p.at + g.at, g.len, g.len})
	}
}

var filler = bytes.Repeat([]byte("iwarp-fleet: payload that nobody looks at. "), 1<<16/40) // no octet can begin a DDP header

// A filling is what is known of the first octets of filler.
type filling struct {
	len int
	crc uint32
	sum uint16
}

// fill adapts a packet to filler in the place of a piece, up to the last octets, which contribute to a CRC what was there: so it need not be
// written. What it fills has an even length, so that sums can be joined.
func (e *elider) fill(s *tcpip.Segment, packet []byte, p *piece) gap {
	n := (p.len - crcLen) &^ 1
	b := s.Payload[p.off : p.off+n+crcLen]
	if e.filled.len != n {
		e.filled = filling{n, crc32.Checksum(filler[:n], castagnoli), tcpip.Checksum(filler[:n])}
	}
	before, last := tcpip.Checksum(b), b[n:]
	binary.LittleEndian.PutUint32(last, crc32.Checksum(b[:n], castagnoli)^e.filled.crc^binary.LittleEndian.Uint32(last))
	sum := uint32(^e.filled.sum) + uint32(^tcpip.Checksum(last))
	s.Adapt(p.off, before, ^uint16(sum>>16+sum))
	return gap{at: s.PayloadOff(packet) + p.off, len: n}
}

// hasFiller reports whether payload was replaced.
func hasFiller(b []byte) bool { return bytes.Contains(b, filler[:leastElided-crcLen]) }
