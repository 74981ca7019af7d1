package rpc

// The memory that the Calls of one side offer: which segment an STag and a TO belong to (RFC 8166, section 3.4.3).

import "github.com/iwarpkit/iwarp/codec/rpcrdma"

// Limits of what is known of the memory of one side.
const (
	maxRegions = 1 << 14 // segments of open Calls
	maxDead    = 1 << 10 // segments of Calls that are over, by which late operations are known
	maxSameTag = 256     // segments of one STag that are looked at
)

// A region is a segment of an open Call, or of one that is over.
type region struct {
	rpcrdma.Segment
	call  *call // nil once the Call is over
	place int   // in call.segments
	write bool  // it is to be written, not read
	cover coverage
	data  []byte // what is kept of it
	keep  int    // octets that may be kept

	early  bool   // what was moved before the Call came may have been moved here
	moving bool   // the latest of its Moves has not ended
	xid    uint32 // of the Call
	ended  uint64 // frame of the Reply, or of the Send that invalidated the STag; 0 while it may be used
	killed bool   // ended by invalidation
	gaps   uint32 // of the side whose memory it is, when it ended
	listed bool   // it is in a list

	next, prev *region // with the same STag
}

// contains says how many octets from offset on lie within r; 0 if offset does not.
func (r *region) contains(offset uint64) uint64 {
	if d := offset - r.Offset; d < uint64(r.Length) {
		return uint64(r.Length) - d
	}
	return 0
}

// A memory is the regions of one side.
type memory struct {
	live, dead map[uint32]*region // by STag, the latest first
	ring       []*region          // the dead, by age
	oldest     int                // in ring
	regions    int                // live ones
	hidden     int                // segments of open Calls that are not among them, for there are too many
}

func (m *memory) reset() {
	clear(m.live)
	clear(m.dead)
	*m = memory{live: m.live, dead: m.dead, ring: m.ring[:0]}
}

// offer adds a region of a Call. It is false if there are too many.
func (m *memory) offer(r *region) bool {
	if m.regions >= maxRegions {
		return false
	}
	if m.live == nil {
		m.live, m.dead = make(map[uint32]*region), make(map[uint32]*region)
	}
	m.regions++
	link(m.live, r)
	return true
}

// bury makes a live region a dead one. It returns the region that this pushes out, if its Call is over too.
func (m *memory) bury(r *region) (out *region) {
	m.regions--
	unlink(m.live, r)
	if len(m.ring) < maxDead {
		m.ring = append(m.ring, r)
	} else {
		out = m.ring[m.oldest]
		unlink(m.dead, out)
		m.ring[m.oldest] = r
		m.oldest = (m.oldest + 1) % maxDead
	}
	link(m.dead, r)
	if out != nil && out.call != nil {
		return nil
	}
	return out
}

func link(list map[uint32]*region, r *region) {
	first := list[r.Handle]
	r.next, r.prev, r.listed = first, nil, true
	if first != nil {
		first.prev = r
	}
	list[r.Handle] = r
}

func unlink(list map[uint32]*region, r *region) {
	switch {
	case r.prev != nil:
		r.prev.next = r.next
	case r.next != nil:
		list[r.Handle] = r.next
	default:
		delete(list, r.Handle)
	}
	if r.next != nil {
		r.next.prev = r.prev
	}
	r.next, r.prev, r.listed = nil, nil, false
}

// find finds the region of an STag in which offset lies and that is to be written, or read. If several Calls offer it,
// it is that of one whose other chunks are being moved, else of the oldest. sure is false if there may be one that was
// not looked at.
func (m *memory) find(stag uint32, offset uint64, write bool) (found *region, sure bool) {
	if r := m.live[stag]; r != nil && r.next == nil { // the usual case
		if r.write == write && r.contains(offset) > 0 {
			return r, true
		}
		return nil, m.hidden == 0
	}
	return m.search(stag, offset, write)
}

func (m *memory) search(stag uint32, offset uint64, write bool) (found *region, sure bool) {
	steps := 0
	for r := m.live[stag]; r != nil; r = r.next {
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

// findDead finds the latest region of a Call that is over, or whose STag was invalidated.
func (m *memory) findDead(stag uint32, offset uint64) *region {
	steps := 0
	for r := m.dead[stag]; r != nil; r = r.next {
		if steps++; steps > maxSameTag {
			return nil
		}
		if r.contains(offset) > 0 {
			return r
		}
	}
	return nil
}
