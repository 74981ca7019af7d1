package rpc

// Memory that may no longer be used, by which late operations are recognised.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/dissect/flow"
)

// maxDead is how many segments of ended Calls a side remembers: memory is taken for deadBlock of them at a time.
const (
	maxDead   = 1 << 10
	deadBlock = 1 << 6
)

// A dead region is what is remembered of a region that has ended.
type dead struct {
	rpcrdma.Segment
	ended
	xid    uint32 // of the Call
	before uint32 // how many regions before it one with the same STag ended; 0 if none did
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

// deadRegions are the latest dead regions of one side.
type deadRegions struct {
	ring  [maxDead / deadBlock]*[deadBlock]dead // blocks are nil until they are needed
	n     uint64                                // regions up to now
	byTag index[uint32]                         // the place in the ring, from 1, of the latest one of each STag
}

func (g *deadRegions) reset() {
	g.byTag.reset()
	g.n = 0
}

// at returns a place in the ring.
func (g *deadRegions) at(place uint64) *dead {
	return &g.ring[place%maxDead/deadBlock][place%deadBlock]
}

// add adds a region that has ended.
func (g *deadRegions) add(r *region) {
	place := g.n % maxDead
	if block := &g.ring[place/deadBlock]; *block == nil {
		*block = new([deadBlock]dead)
	}
	d := g.at(place)
	if g.n >= maxDead && g.byTag.get(d.Handle) == uint32(place+1) {
		g.byTag.remove(d.Handle)
	}
	*d = dead{r.Segment, r.ended, r.xid, 0}
	if same := uint64(g.byTag.get(r.Handle)); same > 0 {
		d.before = uint32((place + 1 - same) % maxDead)
	}
	g.n++
	g.byTag.set(r.Handle, uint32(place+1))
}

// find returns the latest dead region of an STag that contains offset.
func (g *deadRegions) find(stag uint32, offset uint64) *dead {
	place := uint64(g.byTag.get(stag))
	if place == 0 {
		return nil
	}
	place--
	age := (g.n - 1 - place) % maxDead
	for range maxSameTag {
		d := g.at(place)
		if contained(&d.Segment, offset) > 0 {
			return d
		}
		if age += uint64(d.before); d.before == 0 || age >= maxDead {
			return nil
		}
		place -= uint64(d.before)
	}
	return nil
}
