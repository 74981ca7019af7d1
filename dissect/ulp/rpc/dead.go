package rpc

// Memory that may no longer be used, by which late operations are recognised.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/dissect/flow"
)

// maxDead is how many segments of ended Calls a side remembers.
const maxDead = 1 << 10

// A dead region is what is remembered of a region that has ended.
type dead struct {
	rpcrdma.Segment
	ended
	xid    uint32 // of the Call
	before uint64 // number of the one with the same STag that ended before it; 0 if none did
}

// ended says how the use of a region ended.
type ended struct {
	frame  uint64 // of the Reply, or of the Send that invalidated the STag; 0 while it may be used
	killed bool   // by invalidation
	gaps   uint32 // then, of the side whose memory it is
}

// end says why nothing may use the region.
func (d *dead) end(c *flow.Conn) string {
	at := c.Frames.Text(flow.At(d.frame, 0))
	if d.killed {
		return "none: the STag was invalidated in " + at
	}
	return fmt.Sprintf("none: XID 0x%08x was answered in %s", d.xid, at)
}

// deadRegions are the latest dead regions of one side, numbered from 1.
type deadRegions struct {
	ring  []dead // it grows to maxDead
	n     uint64
	byTag index[uint64] // the latest one of each STag
}

func (g *deadRegions) reset() {
	g.byTag.reset()
	*g = deadRegions{ring: g.ring[:0], byTag: g.byTag}
}

// add adds a region that has ended.
func (g *deadRegions) add(r *region) {
	if len(g.ring) < maxDead {
		g.ring = append(g.ring, dead{})
	} else if oldest := &g.ring[g.n%maxDead]; g.byTag.get(oldest.Handle) == g.n+1-maxDead {
		g.byTag.remove(oldest.Handle)
	}
	g.ring[g.n%maxDead] = dead{r.Segment, r.ended, r.xid, g.byTag.get(r.Handle)}
	g.n++
	g.byTag.set(r.Handle, g.n)
}

// find returns the latest dead region of an STag that contains offset.
func (g *deadRegions) find(stag uint32, offset uint64) *dead {
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
