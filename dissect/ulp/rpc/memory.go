package rpc

// The memory that the Calls of one side offer: which segment an STag and a TO belong to (RFC 8166, section 3.4.3).

import "github.com/iwarpkit/iwarp/codec/rpcrdma"

// Limits of what is known of the memory of one side.
const (
	maxRegions = 1 << 14 // segments of open Calls
	maxSameTag = 256     // segments of one STag that are looked at
)

// A region is a segment of an open Call.
type region struct {
	rpcrdma.Segment
	ended
	call  *call
	place int  // in call.segments
	write bool // it is to be written, not read
	cover coverage
	data  []byte // what is kept of it
	keep  int    // octets that may be kept

	early  bool   // what was moved before the Call came may have been moved here
	moving bool   // the latest of its Moves has not ended
	xid    uint32 // of the Call

	next, prev *region // with the same STag, if it may be used: the one before it, and the one behind it
}

// contains says how many octets from offset on lie within r; 0 if offset does not.
func (r *region) contains(offset uint64) uint64 { return contained(&r.Segment, offset) }

func contained(s *rpcrdma.Segment, offset uint64) uint64 {
	if d := offset - s.Offset; d < uint64(s.Length) {
		return uint64(s.Length) - d
	}
	return 0
}

// A memory is the regions of one side.
type memory struct {
	live    index[*region] // those that may be used: the latest one of each STag
	dead    graveyard
	regions int // live ones
	hidden  int // segments of open Calls that are not among them, for there are too many
}

func (m *memory) reset() {
	m.live.reset()
	m.dead.reset()
	*m = memory{live: m.live, dead: m.dead}
}

// offer adds a region of a Call. It is false if there are too many.
func (m *memory) offer(r *region) bool {
	if m.regions >= maxRegions {
		return false
	}
	m.regions++
	first := m.live.get(r.Handle)
	if r.next = first; first != nil {
		first.prev = r
	}
	m.live.set(r.Handle, r)
	return true
}

// bury makes a live region, which has ended, a dead one.
func (m *memory) bury(r *region) {
	m.regions--
	switch {
	case r.prev != nil:
		r.prev.next = r.next
	case r.next != nil:
		m.live.set(r.Handle, r.next)
	default:
		m.live.remove(r.Handle)
	}
	if r.next != nil {
		r.next.prev = r.prev
	}
	r.next, r.prev = nil, nil
	m.dead.add(r)
}

// find finds the region of an STag in which offset lies and that is to be written, or read. If several Calls offer it,
// it is that of one whose other chunks are being moved, else of the oldest. sure is false if there may be one that was
// not looked at.
func (m *memory) find(stag uint32, offset uint64, write bool) (found *region, sure bool) {
	if r := m.live.get(stag); r != nil && r.next == nil { // the usual case
		if r.write == write && r.contains(offset) > 0 {
			return r, true
		}
		return nil, m.hidden == 0
	}
	return m.search(stag, offset, write)
}

func (m *memory) search(stag uint32, offset uint64, write bool) (found *region, sure bool) {
	steps := 0
	for r := m.live.get(stag); r != nil; r = r.next {
		if steps++; steps > maxSameTag {
			return found, found != nil
		}
		if r.write != write || r.contains(offset) == 0 {
			continue
		}
		if found == nil || r.call.moved || !found.call.moved {
			found = r
		}
	}
	return found, found != nil || m.hidden == 0
}
