package framing

// Octets that wait until it is known how to read them.

import (
	"bytes"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
)

// parcelSize is what a parcel counts for, in octets, beside the octets in it.
const parcelSize = 64

// A backlog holds the octets of one direction that wait: for the other side's MPA frame, or until an FPDU is found among
// them. They are taken from its front.
type backlog struct {
	shared   *Shared
	octets   []byte   // those that were captured, one after the other
	parcels  []parcel // where they come from
	i, at    int      // the parcel and the octet at the front
	borrowed bool     // octets belongs to a packet
	tryAt    int      // the size at which the next search is worth the effort
	counted  int      // the size that shared.held includes
}

// A parcel is a piece of the stream: octets, or a hole.
type parcel struct {
	offset     uint64 // in the TCP stream
	hole       uint64
	frame      uint64
	time       int64
	begin, end int  // its place in the octets of the backlog
	inner      bool // it begins within its packet
	ahead      bool // Direction.isAhead when it came
}

func (p *parcel) span() flow.Span { return flow.At(p.frame, p.time) }

func (b *backlog) empty() bool { return b.i == len(b.parcels) }

// size is what counts against the limits.
func (b *backlog) size() int { return len(b.octets) - b.at + parcelSize*(len(b.parcels)-b.i) }

// offset is the place in the TCP stream of what is at the front.
func (b *backlog) offset() uint64 {
	p := &b.parcels[b.i]
	return p.offset + uint64(b.at-p.begin)
}

// end is the place in the TCP stream after the last piece.
func (b *backlog) end() uint64 {
	last := &b.parcels[len(b.parcels)-1]
	return last.offset + last.hole + uint64(last.end-last.begin)
}

// add appends a piece. Its octets are borrowed if there are no others: call own before they change.
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

// own copies borrowed octets and releases those that were taken.
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

// clear takes everything and keeps the memory.
func (b *backlog) clear() {
	*b = backlog{shared: b.shared, parcels: b.parcels[:0], counted: b.counted}
}

// free takes everything and releases the memory.
func (b *backlog) free() {
	b.shared.held -= b.counted
	*b = backlog{shared: b.shared}
}

// store makes the octets the backlog's own, because more are to come. It reports whether they are within the limits.
func (b *backlog) store() bool {
	b.own()
	n := len(b.octets) + parcelSize*len(b.parcels)
	b.shared.held += n - b.counted
	b.counted = n
	return b.size() <= MaxHeld && !b.shared.Full()
}

// take takes the next piece; there must be one. Its octets stay valid until something is added.
func (b *backlog) take(p *reassembly.Piece) (ahead bool) {
	q := &b.parcels[b.i]
	*p = reassembly.Piece{Offset: q.offset, Hole: q.hole, Frame: q.frame, Time: q.time}
	if q.hole == 0 {
		p.Offset += uint64(b.at - q.begin)
		p.Data = b.octets[b.at:q.end:q.end]
	}
	b.at = q.end
	b.i++
	return q.ahead
}

// giveBack undoes take for the last n octets of the piece taken.
func (b *backlog) giveBack(n int) {
	if n > 0 {
		b.i--
		b.at -= n
	}
}

// span is that of the packet at the front, or of the latest one if there is none.
func (b *backlog) span() flow.Span { return b.parcels[min(b.i, len(b.parcels)-1)].span() }

// pass takes all that is before octet at, holes included, and returns how many octets there and in holes there were.
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
	behind   int    // the parcel after it
}

// run is the run that begins with parcel i, which is not a hole, or with what is left of it.
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

// isBorder reports whether a TCP segment begins at a place in the TCP stream, or the backlog ends there. i is a parcel at
// or before that place, and becomes the nearest one.
func (b *backlog) isBorder(offset uint64, i *int) bool {
	for ; *i < len(b.parcels); *i++ {
		if p := &b.parcels[*i]; p.offset >= offset {
			return p.offset == offset && p.hole == 0 && !p.inner
		}
	}
	return offset == b.end()
}
