package dissect

// Octets that wait until it is known how to read them.

import (
	"bytes"

	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// Limits on what waits, in octets and with parcelSize for each parcel.
const (
	maxHeld      = 128 << 10 // of one direction: the longest FPDU has half of that
	maxHeldInAll = 8 << 20   // of all directions
	parcelSize   = 64
)

// A backlog is the octets of one direction that wait: for the other side's MPA frame, or until it is found where among
// them an FPDU begins. They are taken from its front.
type backlog struct {
	octets   []byte   // those that were captured, one behind the other
	parcels  []parcel // where they come from
	i, at    int      // the parcel and the octet at the front
	borrowed bool     // octets is a packet's
	tryAt    int      // the size at which it is worth the effort to look for an FPDU again
	counted  int      // the size that Engine.held includes
}

// A parcel is a piece of the stream: octets, or a hole.
type parcel struct {
	offset     uint64 // in the TCP stream
	hole       uint64
	frame      uint64
	time       int64
	begin, end int  // its place in the octets of the backlog
	inner      bool // it begins within its packet
	ahead      bool // Engine.ahead when it came
}

func (b *backlog) empty() bool { return b.i == len(b.parcels) }

// size is what counts against the limits.
func (b *backlog) size() int { return len(b.octets) - b.at + parcelSize*(len(b.parcels)-b.i) }

// offset is the place in the TCP stream of what is at the front.
func (b *backlog) offset() uint64 {
	p := &b.parcels[b.i]
	return p.offset + uint64(b.at-p.begin)
}

// add adds a piece at the end. Its octets are borrowed if there are no others: call own before they change.
func (b *backlog) add(p *reassembly.Piece, inner, ahead bool) {
	if b.empty() {
		b.clear()
	}
	begin := len(b.octets)
	switch {
	case begin == 0 && len(p.Data) > 0:
		b.octets, b.borrowed = p.Data[:len(p.Data):len(p.Data)], true
	default:
		b.own()
		begin = len(b.octets)
		b.octets = append(b.octets, p.Data...)
	}
	b.parcels = append(b.parcels, parcel{
		offset: p.Offset, hole: p.Hole, frame: p.Frame, time: p.Time, begin: begin, end: len(b.octets), inner: inner, ahead: ahead,
	})
}

// own makes octets the backlog's own and lets go of those that were taken.
func (b *backlog) own() {
	switch {
	case b.borrowed:
		b.octets, b.borrowed = bytes.Clone(b.octets[b.at:]), false
	case b.at > len(b.octets)/2:
		b.octets = b.octets[:copy(b.octets, b.octets[b.at:])]
	default:
		return
	}
	b.parcels = b.parcels[:copy(b.parcels, b.parcels[b.i:])]
	for i := range b.parcels {
		p := &b.parcels[i]
		if p.begin < b.at && p.hole == 0 {
			p.offset, p.inner = p.offset+uint64(b.at-p.begin), true
		}
		p.begin, p.end = max(p.begin-b.at, 0), p.end-b.at
	}
	b.i, b.at = 0, 0
}

// clear takes all.
func (b *backlog) clear() { *b = backlog{parcels: b.parcels[:0], counted: b.counted} }

// take takes the next piece, if there is one. Its octets stay valid until something is added.
func (b *backlog) take(p *reassembly.Piece) (ahead, ok bool) {
	if b.empty() {
		return false, false
	}
	q := &b.parcels[b.i]
	*p = reassembly.Piece{Offset: q.offset, Hole: q.hole, Frame: q.frame, Time: q.time}
	if q.hole == 0 {
		p.Offset += uint64(b.at - q.begin)
		p.Data = b.octets[b.at:q.end:q.end]
	}
	b.at = q.end
	b.i++
	return q.ahead, true
}

// span is that of the packet at the front, or of the latest one if there is none.
func (b *backlog) span() record.Span {
	p := &b.parcels[min(b.i, len(b.parcels)-1)]
	return record.At(p.frame, p.time)
}

// giveBack undoes take for the last n octets of the piece taken.
func (b *backlog) giveBack(n int) {
	if n > 0 {
		b.i--
		b.at -= n
	}
}

// pass takes all that is before octet at, holes included, and tells how many octets there and in holes there were.
func (b *backlog) pass(at int) (octets, missing uint64) {
	for ; !b.empty() && b.parcels[b.i].end <= at; b.i++ {
		missing += b.parcels[b.i].hole
	}
	at = max(at, b.at)
	octets = uint64(at - b.at)
	b.at = at
	return octets, missing
}

// A run is parcels without a hole between.
type run struct {
	from, to int    // its octets
	offset   uint64 // of the first, in the TCP stream
	behind   int    // the parcel behind
}

// run is the run that begins with parcel i, which is no hole, or with what is left of it.
func (b *backlog) run(i int) run {
	p := &b.parcels[i]
	r := run{from: max(p.begin, b.at), behind: i}
	r.offset = p.offset + uint64(r.from-p.begin)
	for ; r.behind < len(b.parcels) && b.parcels[r.behind].hole == 0; r.behind++ {
		r.to = b.parcels[r.behind].end
	}
	return r
}

// offsetOf is the place in the TCP stream of an octet of the run.
func (r *run) offsetOf(at int) uint64 { return r.offset + uint64(at-r.from) }

// border tells whether a TCP segment begins at a place in the TCP stream, or the backlog ends there. i is a parcel at or
// before that place, and becomes the nearest one.
func (b *backlog) border(offset uint64, i *int) bool {
	for ; *i < len(b.parcels); *i++ {
		if p := &b.parcels[*i]; p.offset >= offset {
			return p.offset == offset && p.hole == 0 && !p.inner
		}
	}
	last := &b.parcels[len(b.parcels)-1]
	return offset == last.offset+last.hole+uint64(last.end-last.begin)
}

// store makes the octets in the backlog of h its own, for more are to come. It is false if they have become too many.
func (e *Engine) store(h *half) bool {
	h.backlog.own()
	e.count(&h.backlog)
	return h.backlog.size() <= maxHeld && e.held <= maxHeldInAll
}

// count counts what a backlog holds.
func (e *Engine) count(b *backlog) {
	n := len(b.octets) + parcelSize*len(b.parcels)
	if b.borrowed {
		n = 0
	}
	e.held += n - b.counted
	b.counted = n
}

// free lets go of all that waits.
func (e *Engine) free(b *backlog) {
	e.held -= b.counted
	*b = backlog{}
}

// pass takes what is before octet at of the backlog: no FPDU begins there.
func (e *Engine) pass(h *half, at int) {
	octets, missing := h.backlog.pass(at)
	if h.phase == full {
		h.stream.passed += octets
		h.traffic.MissingOctets += missing
	}
}

// passAll takes all of the backlog.
func (e *Engine) passAll(h *half) {
	e.pass(h, len(h.backlog.octets))
	e.free(&h.backlog)
}

// trim keeps a backlog of a connection that is iWARP within its limit: the older half of it is passed over.
func (e *Engine) trim(h *half) {
	b := &h.backlog
	if e.store(h) {
		return
	}
	at := b.at + (len(b.octets)-b.at)/2
	if b.size() <= maxHeld || at == b.at { // the limit for all is exceeded, or there are nothing but holes
		at = len(b.octets)
	}
	e.pass(h, at)
	b.tryAt = 0
	e.store(h)
}
