package pending

// Memory that requests advertise, and the data read from it and written to it.

import (
	"fmt"
	"math/bits"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
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
		t.unfollowed = t.unfollowed || n >= MaxRegions
		return
	}
	t.advertised[r.Dir] = true
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
	if read.Kind != record.ReadTransaction || read.Cut {
		return
	}
	x := use{read.Read.SrcSTag, read.Read.SrcTO, uint64(read.Read.RDMARDSZ)}
	if g := t.either(1-read.Dir, x.stag, x.to); g != nil {
		t.join(g.request)
	}
	t.check(&record.Origin{Conn: read.Conn, Dir: read.Dir, Span: read.Request}, x, read.Ahead)
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
	n := uint64(h.PayloadLen(int(s.FPDU.ULPDULength)))
	if g := t.either(owner, stag, to); g != nil {
		g.request.Octets += n
		t.join(g.request)
		if t.Moved != nil && g.contains(to) {
			t.Moved(g.request, to-g.TO, h.Body)
		}
	}
	if read == nil {
		t.check(&s.Origin, use{stag, to, n}, s.Ahead)
	}
}

// A use is memory that an RDMA Read or Write uses.
type use struct {
	stag      uint32
	to, count uint64
}

// A trace is where the latest segment of a direction ended.
type trace struct {
	known bool
	stray bool // it used memory that was not advertised
	stag  uint32
	next  uint64 // TO after it
}

func (x use) String() string {
	return fmt.Sprintf("%d octets of STag 0x%08x at TO %#x", x.count, x.stag, x.to)
}

// check reports that an RDMA Read or Write uses memory that no open request advertises. Nothing is known if a request may have been
// missed, or more came than are followed.
func (t *Table[T]) check(o *record.Origin, x use, ahead bool) {
	latest, d := t.traces[o.Dir], 1-o.Dir
	goesOn := latest.known && latest.next == x.to && latest.stag == x.stag
	t.traces[o.Dir] = trace{}
	if x.count == 0 || ahead || t.gaps != [2]uint32{} || t.unfollowed || !t.advertised[d] {
		return
	}
	stray := !t.permits(d, x)
	if t.traces[o.Dir] = (trace{true, stray, x.stag, x.to + x.count}); !stray || goesOn && latest.stray {
		return // a message is reported once
	}
	begin := x.to
	if goesOn {
		begin-- // where the segment before ended
	}
	g := t.either(d, x.stag, begin)
	name := record.Unadvertised
	if g != nil && g.contains(begin) {
		name = record.BeyondAdvertised
	}
	t.Reporter.Finding(&record.Finding{Origin: *o, Name: name, Seen: x.String(), Expected: t.meant(d, x, g)})
}

// permits reports whether requests of a direction advertise all octets of x together.
func (t *Table[T]) permits(d flow.Direction, x use) bool {
	for _, stag := range []uint32{x.stag, bits.ReverseBytes32(x.stag)} {
		g := t.regions[stag]
		for range maxSharing {
			if g == nil {
				break
			}
			if g.request.Dir == d && g.contains(x.to) && g.contains(x.to+x.count-1) {
				return true
			}
			g = g.older
		}
		if g != nil {
			return true // there are too many to tell
		}
		if !t.EitherOrder {
			break
		}
	}
	return false
}

// meant describes the memory that x may have been meant for: with its STag, which is g, or with one that differs in the key alone.
func (t *Table[T]) meant(d flow.Direction, x use, g *region[T]) string {
	if g != nil {
		return fmt.Sprintf("%d octets at TO %#x, as the %s advertises", g.Length, g.TO, g.request.where())
	}
	for stag := range ulp.SameIndex(x.stag) {
		if g := t.regions[stag]; g != nil && g.request.Dir == d {
			return fmt.Sprintf("STag 0x%08x of the %s, which differs in its key alone", g.STag, g.request.where())
		}
	}
	return "memory that an open request advertises"
}

// where names a request and its frames.
func (r *Request[T]) where() string {
	return r.Name + " in " + r.Conn.Frames.Text(r.Transaction.Request)
}

// either is owner, which also tries the STag in reverse octet order if EitherOrder is set.
func (t *Table[T]) either(d flow.Direction, stag uint32, to uint64) *region[T] {
	g := t.owner(d, stag, to)
	if g == nil && t.EitherOrder {
		g = t.owner(d, bits.ReverseBytes32(stag), to)
	}
	return g
}

// owner returns the region of a direction with an STag. If there are several, it prefers one that contains the octet at to, else the latest.
func (t *Table[T]) owner(d flow.Direction, stag uint32, to uint64) (latest *region[T]) {
	g := t.regions[stag]
	for range maxSharing {
		if g == nil {
			break
		}
		if g.request.Dir == d {
			if g.contains(to) {
				return g
			}
			if latest == nil {
				latest = g
			}
		}
		g = g.older
	}
	return latest
}
