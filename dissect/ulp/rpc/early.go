package rpc

// RDMA Reads and Writes, and answers, that stand before their Call. A capture may be out of order, and where octets of one
// direction are missing, that direction lags behind the other for a while.

import (
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

const (
	maxEarly     = 64  // operations and answers of one side that are remembered
	maxDisplaced = 256 // frames by which a Call may come after them
)

// early has the latest operations of one side on memory that no open Call offered, though one that was not seen may have.
type early struct {
	strays [maxEarly]stray
	frames [maxEarly]uint64
	n      int
}

// add adds an operation, or a segment that continues the latest one.
func (e *early) add(x stray, frame uint64) {
	if e.n > 0 {
		last := &e.strays[(e.n-1)%maxEarly]
		if last.write && x.write && last.stag == x.stag && last.at+last.octets == x.at {
			last.octets += x.octets
			return
		}
	}
	e.strays[e.n%maxEarly], e.frames[e.n%maxEarly] = x, frame
	e.n++
}

// overlaps reports whether one of the operations may have used a region of a Call that came in a frame.
func (e *early) overlaps(r *region, frame uint64) bool {
	for i := range min(e.n, maxEarly) {
		if e.frames[i]+maxDisplaced >= frame && e.strays[i].mayUse(r) {
			return true
		}
	}
	return false
}

// mayUse reports whether the operation may have used a region.
func (x *stray) mayUse(r *region) bool {
	return x.write == r.write && x.stag == r.Handle && (r.contains(x.at) > 0 || r.Offset-x.at < x.octets)
}

// usedEarly reports whether operations that came before a Call may have used a region of it.
func (t *transfers) usedEarly(c *call, r *region) bool {
	e := t.sides[1-c.Dir].early
	t.stream.explain(c.Dir, func(d *deferred) bool {
		return d.move.octets > 0 && d.Frame+maxDisplaced >= c.Request.Frame && d.move.mayUse(r)
	})
	return e != nil && e.overlaps(r, c.Request.Frame)
}

// remember keeps an operation on memory that no open Call offers.
func (t *transfers) remember(o *record.Origin, x stray) {
	side := &t.sides[o.Dir]
	if side.early == nil {
		side.early = new(early)
	}
	side.early.add(x, o.Frame)
}

// An answer is a Reply or RDMA_ERROR whose Call was not seen yet.
type answer struct {
	Half
	xid     uint32
	result  string
	refuses bool // it is an RDMA_ERROR
	failed  bool // result is an error
	reply   oncrpc.Reply
}

// answers are the latest of them.
type answers struct {
	ring []answer // nil until there is one
	n    int
}

// add adds a Reply or RDMA_ERROR. How long a Reply is that has chunks is not known without its Call.
func (a *answers) add(h *rpcrdma.Message, p *payload) {
	one := answer{Half: p.half(h), xid: h.XID, refuses: h.Form == rpcrdma.FormError}
	if !h.HasChunks() {
		one.Len = one.Inline
	}
	r := &one.reply
	if one.refuses {
		one.result, one.failed = h.ErrorName(), true
	} else if _, err := r.Decode(p.octets); err == nil && h.Form == rpcrdma.FormInline {
		one.result, one.failed = r.Stat(), !r.Succeeded()
		r.Verf = oncrpc.OpaqueAuth{} // its octets do not last
	}
	if a.ring == nil {
		a.ring = make([]answer, maxEarly)
	}
	a.ring[a.n%maxEarly] = one
	a.n++
}

// claim ends a Call whose answer has come already, if that stands at frame or later in the capture.
func (f *follower) claim(c *call, frame uint64) {
	a := &f.sides[c.Dir].calls.awaited
	for i := range min(a.n, maxEarly) {
		one := &a.ring[i]
		if one.xid != c.x.XID || one.Frame < frame || one.Frame == 0 {
			continue
		}
		c.x.Reply, c.Response, c.Outcome, c.x.Result = one.Half, one.Span, record.Answered, one.result
		if one.refuses {
			c.Outcome = record.Refused
		}
		switch {
		case one.refuses:
			c.Status = one.result
		case one.failed:
			c.Status = one.result + versionsOf(&one.reply)
			c.x.denied(&one.reply)
		}
		*one = answer{}
		f.stream.explain(c.Dir, func(d *deferred) bool { return d.move.octets == 0 && d.xid == c.x.XID })
		f.close(c, c.Request.LastFrame)
		return
	}
}

// overtaken ends the latest Call of a side if its answer stands before it in the capture, which a gap makes possible.
func (f *follower) overtaken(d flow.Direction) {
	if c := f.sides[d].calls.open.Latest(); c != nil && c.Request != (flow.Span{}) {
		f.claim(c, c.Request.LastFrame-min(c.Request.LastFrame, maxDisplaced))
	}
}
