package analysis

// Read and Atomic Requests, from when they are sent until they are answered, refused or given up.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// The requests that are kept, of one direction of a connection and in all. If there are more, the oldest of the
// direction is given up. No RNIC has so many outstanding.
const (
	maxRequests      = 256
	maxRequestsInAll = 1 << 16
)

// A request is a Transaction that is not over.
type request struct {
	record.Transaction
	msn   uint32
	gaps  uint32 // of both directions together, when it came
	place uint64
	over  bool
	late  bool // the response may have come before it
}

// A queue is the requests of one direction that are not over, oldest first, and those between them. Requests are known
// by their place among all of the direction.
type queue struct {
	first uint64     // place of the oldest
	open  []*request // a ring whose length is a power of two
	head  int        // of the oldest in the ring
	n     int
}

// next is the place of the next request.
func (q *queue) next() uint64 { return q.first + uint64(q.n) }

// at is the request in a place; nil if it is over, or has not come.
func (q *queue) at(place uint64) *request {
	if i := place - q.first; i < uint64(q.n) {
		return q.open[(q.head+int(i))&(len(q.open)-1)]
	}
	return nil
}

func (q *queue) push(r *request) {
	if q.n == len(q.open) {
		grown := make([]*request, max(4, 2*len(q.open)))
		for i := range q.n {
			grown[i] = q.at(q.first + uint64(i))
		}
		q.open, q.head = grown, 0
	}
	q.open[(q.head+q.n)&(len(q.open)-1)] = r
	q.n++
}

// pop takes out the oldest.
func (q *queue) pop() *request {
	r := q.open[q.head]
	q.open[q.head] = nil
	q.head = (q.head + 1) & (len(q.open) - 1)
	q.first++
	q.n--
	return r
}

// request begins a Transaction. The Receiver, whose Match knows requests by their places, counts the same segments.
func (c *connection) request(s *record.Segment, when order) {
	q := &c.sides[s.Dir].requests
	if q.n == maxRequests || q.n > 0 && c.a.requests.open >= maxRequestsInAll {
		c.finish(q.at(q.first), record.OutcomeUnknown) // its response may still come
	}
	h := &s.RDMAP
	r := c.a.newRequest()
	*r = request{msn: h.Untagged.MSN, gaps: c.gaps(), place: q.next(), late: when != inOrder}
	t := &r.Transaction
	t.Conn, t.Dir, t.Request, t.Outcome = s.Conn, s.Dir, s.Span, record.Unanswered
	if h.Control.Opcode == rdmap.OpReadRequest {
		t.Kind, t.Name, t.ID = record.ReadTransaction, "RDMA Read", uint64(h.Untagged.MSN)
		t.Read.Decode(h.Body)
		if t.Read.RDMARDSZ > 0 {
			c.a.stags.advertise(s.Conn.ID, 1-s.Dir, t.Read.SinkSTag)
			c.use(s, t.Read.SrcSTag)
		}
	} else {
		t.Kind = record.AtomicTransaction
		t.Atomic.Decode(h.Body)
		t.Name, t.ID = t.Atomic.AOpCode.String(), uint64(t.Atomic.RequestIdentifier)
		c.use(s, t.Atomic.RemoteSTag)
	}
	if c.follower != nil {
		c.follower.Request(t)
	}
	if when == answeredBefore {
		t.Outcome = record.OutcomeUnknown
		c.done(t)
		c.a.freeRequest(r)
		return
	}
	q.push(r)
}

// done reports a Transaction that is over.
func (c *connection) done(t *record.Transaction) {
	c.sides[t.Dir].left[t.Kind].take(t)
	c.a.sink.Transaction(t)
	if c.follower != nil {
		c.follower.Done(t)
	}
}

// gaps is how often segments may have been missed in either direction.
func (c *connection) gaps() uint32 { return c.sides[0].gaps + c.sides[1].gaps }

// response takes in a segment of a Read Response, or an Atomic Response.
func (c *connection) response(s *record.Segment) {
	d := 1 - s.Dir
	q := &c.sides[d].requests
	var r *request
	place, last, ok := c.sides[s.Dir].receiver.Match()
	if ok {
		r = q.at(place)
	}
	if r == nil || r.over {
		if side := &c.sides[s.Dir]; side.ahead && s.RDMAP.L() {
			side.orphans++
		}
		c.tagged(s, nil)
		return
	}
	for q.first < place && (q.at(q.first).late || q.at(q.first).gaps != c.gaps()) { // their responses were missed
		c.giveUp(d)
	}
	t := &r.Transaction
	t.Response.Include(s.Span)
	if t.Kind == record.ReadTransaction {
		t.Octets += uint64(s.RDMAP.PayloadLen(int(s.FPDU.ULPDULength)))
		c.tagged(s, t)
	} else {
		var a rdmap.AtomicResponse
		a.Decode(s.RDMAP.Body)
		t.Original = a.OriginalRemoteDataValue
	}
	if last {
		c.finish(r, record.Answered)
	}
}

// giveUp ends the oldest request of a direction, which nothing answered.
func (c *connection) giveUp(d record.Direction) record.Outcome {
	q := &c.sides[d].requests
	r, outcome := q.at(q.first), record.Unanswered
	if c.unsure(r) {
		outcome = record.OutcomeUnknown
	}
	c.finish(r, outcome)
	return outcome
}

// unsure tells whether the response of a request may have been missed.
func (c *connection) unsure(r *request) bool {
	return r.late || r.gaps != c.gaps() || c.hidden(1-r.Dir) || c.givenUp
}

// finish ends a request and reports it. It keeps its place in the queue until those before it are over.
func (c *connection) finish(r *request, o record.Outcome) {
	r.Outcome, r.over = o, true
	c.done(&r.Transaction)
	for q := &c.sides[r.Dir].requests; q.n > 0 && q.at(q.first).over; {
		c.a.freeRequest(q.pop())
	}
}

// maxIdleRequests is how many requests that are over are kept to be used again.
const maxIdleRequests = 1 << 10

func (a *Analyser) newRequest() *request {
	a.requests.open++
	idle := a.requests.idle
	if n := len(idle); n > 0 {
		a.requests.idle = idle[:n-1]
		return idle[n-1]
	}
	return new(request)
}

func (a *Analyser) freeRequest(r *request) {
	a.requests.open--
	if len(a.requests.idle) < maxIdleRequests {
		a.requests.idle = append(a.requests.idle, r)
	}
}
