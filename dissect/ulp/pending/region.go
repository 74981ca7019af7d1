package pending

// Memory that requests advertise, and the data read from it and written to it.

import (
	"math/bits"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// Limits of advertised memory.
const (
	MaxRegions = 32 // regions of one request
	maxSharing = 64 // regions with the same STag that a search looks at
)

// A Region is memory that a request advertises to the receiver.
type Region struct {
	STag   uint32
	TO     uint64 // of its first octet
	Length uint64 // octets
}

func (g *Region) contains(to uint64) bool { return to-g.TO < g.Length }

// A region is a Region of a request that waits.
type region[T any] struct {
	Region
	request      *Request[T]
	next         *region[T] // of the request
	older, newer *region[T] // with the same STag
}

// Advertise says that a request advertises memory. It ignores empty regions, and those in excess of MaxRegions. It tells the
// Reporter, unless the octet order of STags is not known.
func (t *Table[T]) Advertise(r *Request[T], g Region) {
	if !t.EitherOrder {
		t.Reporter.Advertise(1-r.Dir, g.STag)
	}
	n := 0
	for other := r.regions; other != nil; other = other.next {
		n++
	}
	if n >= MaxRegions || g.Length == 0 {
		return
	}
	added := t.freeRegions
	if added == nil {
		added = new(region[T])
		t.held += regionHeld
	} else {
		t.freeRegions = added.next
	}
	*added = region[T]{Region: g, request: r, next: r.regions, older: t.regions[g.STag]}
	r.regions = added
	if added.older != nil {
		added.older.newer = added
	}
	if t.regions == nil {
		t.regions = make(map[uint32]*region[T])
	}
	t.regions[g.STag] = added
}

// withdraw forgets what a request advertised.
func (t *Table[T]) withdraw(r *Request[T]) {
	for g := r.regions; g != nil; {
		switch {
		case g.newer != nil:
			g.newer.older = g.older
		case g.older != nil:
			t.regions[g.STag] = g.older
		default:
			delete(t.regions, g.STag)
		}
		if g.older != nil {
			g.older.newer = g.newer
		}
		next := g.next
		g.next, t.freeRegions = t.freeRegions, g
		g = next
	}
	r.regions = nil
}

// Request implements ulp.Follower.
func (t *Table[T]) Request(read *record.Transaction) {
	t.Next()
	if r := t.either(1-read.Dir, read.Read.SrcSTag, read.Read.SrcTO); r != nil && read.Kind == record.ReadTransaction {
		t.join(r)
	}
}

// Tagged implements ulp.Follower: it counts the octets for the request that advertised the memory. That belongs to the
// receiver of a Write, and to the sender of a Read Response.
func (t *Table[T]) Tagged(s *record.Segment, read *record.Transaction) {
	t.Next()
	h := &s.RDMAP
	owner, stag, to := 1-s.Dir, h.Tagged.STag, h.Tagged.TO
	switch {
	case read != nil:
		owner, stag, to = s.Dir, read.Read.SrcSTag, to-read.Read.SinkTO+read.Read.SrcTO
	case h.Control.Opcode != rdmap.OpWrite:
		return
	}
	if r := t.either(owner, stag, to); r != nil {
		r.Octets += uint64(h.PayloadLen(int(s.FPDU.ULPDULength)))
		t.join(r)
	}
}

// either is owner, which also tries the STag in reverse octet order if EitherOrder is set.
func (t *Table[T]) either(d record.Direction, stag uint32, to uint64) (latest *Request[T]) {
	r := t.owner(d, stag, to)
	if r == nil && t.EitherOrder {
		r = t.owner(d, bits.ReverseBytes32(stag), to)
	}
	return r
}

// owner returns the request of a direction that advertised the octet at to. Of several that use the STag it prefers the one
// whose region contains it, else the latest.
func (t *Table[T]) owner(d record.Direction, stag uint32, to uint64) (latest *Request[T]) {
	g := t.regions[stag]
	for range maxSharing {
		if g == nil {
			break
		}
		if g.request.Dir == d {
			if g.contains(to) {
				return g.request
			}
			if latest == nil {
				latest = g.request
			}
		}
		g = g.older
	}
	return latest
}
