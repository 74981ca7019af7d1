package rpc

// The memory that the Calls of one side offer (RFC 8166, section 3.4.3).

import (
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// Limits of the memory of one side.
const (
	maxRegions = 1 << 14 // segments of open Calls
	maxSameTag = 256     // segments of one STag that a search looks at
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

	doubt  rules.Doubt // whether these octets were read from it, rather than others
	early  bool        // operations before the Call may have used it
	shared bool        // another open Call offers octets of it too, for one answer may have been missed: which of them is used is not known
	moving bool        // its latest Move has not ended
	xid    uint32      // of the Call

	next, prev *region // live ones with the same STag: the one before it, and the one after it
}

// used is whether what was read from r, or written, is all that was.
func (r *region) used() rules.Doubt { return unless(!r.early && !r.shared) }

// unless returns no doubt if what a rule rests on is known, and otherwise that messages which decide it may be missing.
func unless(known bool) rules.Doubt {
	if known {
		return rules.Seen
	}
	return rules.Lost
}

// contains returns how many octets from offset on lie within r; 0 if offset does not.
func (r *region) contains(offset uint64) uint64 { return contained(&r.Segment, offset) }

func contained(s *rpcrdma.Segment, offset uint64) uint64 {
	if d := offset - s.Offset; d < uint64(s.Length) {
		return uint64(s.Length) - d
	}
	return 0
}

// A memory has the regions of one side.
type memory struct {
	live    index[*region] // those that may be used: the latest of each STag
	dead    deadRegions
	regions int // live ones
	hidden  int // segments of open Calls that are not followed, because there are too many
}

func (m *memory) reset() {
	m.live.reset()
	m.dead.reset()
	*m = memory{live: m.live, dead: m.dead}
}

// offer adds a region of a Call. It returns false if there are too many.
func (m *memory) offer(r *region) bool {
	if m.regions >= maxRegions {
		return false
	}
	m.regions++
	first := m.live.get(r.Handle)
	if r.next = first; first != nil {
		first.prev = r
		r.share()
	}
	m.live.set(r.Handle, r)
	return true
}

// share marks a region, and older ones with the same STag and octets.
func (r *region) share() {
	steps := 0
	for o := r.next; o != nil && steps < maxSameTag; o = o.next {
		if steps++; o.write == r.write && (o.contains(r.Offset) > 0 || r.contains(o.Offset) > 0) {
			o.shared, r.shared = true, true
		}
	}
}

// retire makes a live region that has ended a dead one.
func (m *memory) retire(r *region) {
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

// find returns the region of an STag that contains offset and may be written, or read. If several Calls offer it, it prefers
// one whose other chunks are being moved, else the oldest. sure is false if a region that is not followed may match.
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
