package rpc

// Memory that may not be used any more, by which late operations are known.

import "github.com/iwarpkit/iwarp/codec/rpcrdma"

// maxDead is how many segments of Calls that are over are remembered.
const maxDead = 1 << 10

// A dead region is what is remembered of one.
type dead struct {
	rpcrdma.Segment
	ended
	xid    uint32 // of the Call
	before uint64 // which one with the same STag ended before it, counted from 1; 0 if none did
}

// ended is how the use of a region ended.
type ended struct {
	frame  uint64 // of the Reply, or of the Send that invalidated the STag; 0 while it may be used
	killed bool   // by invalidation
	gaps   uint32 // then, of the side whose memory it is
}

// A graveyard is the latest dead regions of one side, which are counted from 1.
type graveyard struct {
	ring  []dead // it grows to maxDead
	n     uint64
	byTag index[uint64] // the latest one of each STag
}

func (g *graveyard) reset() {
	g.byTag.reset()
	*g = graveyard{ring: g.ring[:0], byTag: g.byTag}
}

// add takes a region that has ended.
func (g *graveyard) add(r *region) {
	if len(g.ring) < maxDead {
		g.ring = append(g.ring, dead{})
	} else if oldest := &g.ring[g.n%maxDead]; g.byTag.get(oldest.Handle) == g.n+1-maxDead {
		g.byTag.remove(oldest.Handle)
	}
	g.ring[g.n%maxDead] = dead{r.Segment, r.ended, r.xid, g.byTag.get(r.Handle)}
	g.n++
	g.byTag.set(r.Handle, g.n)
}

// find finds the latest dead region of an STag in which offset lies.
func (g *graveyard) find(stag uint32, offset uint64) *dead {
	number := g.byTag.get(stag)
	for range maxSameTag {
		if number == 0 || number+maxDead <= g.n {
			return nil
		}
		d := &g.ring[(number-1)%maxDead]
		if contained(&d.Segment, offset) > 0 {
			return d
		}
		number = d.before
	}
	return nil
}
