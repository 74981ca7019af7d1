package rpc

// Open Calls: a table per side, and the memory that they use.

import (
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/recency"
)

// maxOpen limits the open Calls of a side. One more ends the oldest.
const maxOpen = 1 << 12

// A call is an open Call: an Exchange, and the state needed to follow it.
type call struct {
	record.Transaction
	progress
	x        Exchange
	law      rpcrules.Call
	segments []Segment
	regions  []*region // of each of segments; nil if it has no octets or is not followed
}

// origin is the sender of the Call, and its frames.
func (c *call) origin() *record.Origin {
	return &record.Origin{Conn: c.Conn, Dir: c.Dir, Span: c.Request}
}

// progress is the state of a call apart from its Exchange.
type progress struct {
	name *name // nil if the Call could not be read

	hash      uint64      // of its message without the credits
	seq       uint64      // its number among the Calls of its side
	msn       uint32      // of its last Send
	gaps      [2]uint32   // of the stream, when it came
	unmatched uint32      // of the stream, when it came
	room      int         // for segments
	hidden    int         // segments that are not followed
	unread    uint64      // octets of Read chunks not read yet
	moved     bool        // one of its chunks is being moved
	inline    []byte      // its octets in Sends, until the Read chunks have been read
	doubt     rules.Doubt // whether it is that of this Call what was read as its message
	denied    bool        // the Reply is an error of RPC itself
	joined    bool        // the Call was put together, or cannot be

	order recency.Place[call] // among the open Calls of its side, in the order in which they came
}

// A table has the open Calls of one side.
type table struct {
	byXID    index[*call]
	open     recency.List[call]
	n        int
	next     uint64 // seq of the next Call
	answered uint64 // highest seq of the answered Calls, plus 1
	over     closed
	awaited  answers
}

func (t *table) reset() {
	t.byXID.reset()
	*t = table{byXID: t.byXID}
}

func (t *table) add(c *call) {
	c.seq = t.next
	t.next++
	t.byXID.set(c.x.XID, c)
	t.open.Use(c, &c.order)
	t.n++
}

func (t *table) remove(c *call) {
	t.byXID.remove(c.x.XID)
	c.order.Leave()
	t.n--
}

// maxClosed is how many ended Calls a side remembers.
const maxClosed = 64

// closed remembers the latest Calls that ended.
type closed struct {
	calls   [maxClosed]ending
	n       int
	refused bool // one was refused, even if it has been forgotten since
}

// An ending is how a Call ended.
type ending struct {
	xid     uint32
	hash    uint64
	frame   uint64 // of the answer
	refused bool   // by an RDMA_ERROR
}

func (c *closed) add(e ending) {
	c.calls[c.n%maxClosed] = e
	c.n++
	c.refused = c.refused || e.refused
}

// find returns the latest ending of an XID.
func (c *closed) find(xid uint32) (e ending, ok bool) {
	for i := c.n - 1; i >= max(0, c.n-maxClosed); i-- {
		if e := c.calls[i%maxClosed]; e.xid == xid {
			return e, true
		}
	}
	return ending{}, false
}

// A pool keeps calls for reuse, and counts the memory of those in use.
type pool struct {
	bufs  *buffers
	idle  []*call // ready for reuse
	spent []*call // ended since the latest segment or message
	lists int     // octets of the chunk lists of open Calls
}

// take returns an empty call.
func (p *pool) take() *call {
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return c
	}
	return new(call)
}

// Limits of the calls that a pool keeps for reuse.
const (
	maxIdleCalls    = 128
	maxIdleSegments = 32 // of one
)

// give returns c to the pool; its regions must be gone. Its Transaction stays valid for the Reporter until recycle.
func (p *pool) give(c *call) {
	p.bufs.give(c.inline)
	p.lists -= c.law.Len()
	p.spent = append(p.spent, c)
}

// recycle empties the calls that were given back.
func (p *pool) recycle() {
	for i, c := range p.spent {
		p.spent[i] = nil
		if len(p.idle) >= maxIdleCalls {
			continue
		}
		if c.segments = c.segments[:0]; cap(c.segments) > maxIdleSegments {
			c.segments = nil
		}
		if c.law.Len() > maxIdleSegments*rpcrdma.SegmentLen {
			c.law = rpcrules.Call{}
		}
		c.law.Empty()
		c.x.empty()
		c.Transaction, c.progress, c.regions = record.Transaction{}, progress{}, c.regions[:0]
		p.idle = append(p.idle, c)
	}
	p.spent = p.spent[:0]
}

// Limits of the chunk lists kept, in octets: of one Call, and of all open Calls.
const (
	maxLists      = 1 << 15
	maxListsInAll = 1 << 22
)

// keep copies the header of a Call.
func (p *pool) keep(c *call, h *rpcrdma.Message, parts int, fault *rpcrules.Fault) {
	p.lists -= c.law.Len()
	c.law.Keep(h, parts, fault, min(maxLists, maxListsInAll-p.lists))
	p.lists += c.law.Len()
}
