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

// all yields the requests, oldest first, those that are over but wait for older ones included.
func (q *queue) all(yield func(*request) bool) {
	for i := range q.n {
		if !yield(q.at(q.first + uint64(i))) {
			return
		}
	}
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

// A requestPool holds requests of all connections that are over, to be used again.
type requestPool struct {
	idle []*request
	open int // those that are not over, in all
}

// maxIdleRequests is how many requests that are over are kept to be used again.
const maxIdleRequests = 1 << 10

func (p *requestPool) get() *request {
	p.open++
	if n := len(p.idle); n > 0 {
		r := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return r
	}
	return new(request)
}

func (p *requestPool) put(r *request) {
	p.open--
	if len(p.idle) < maxIdleRequests {
		p.idle = append(p.idle, r)
	}
}

// requests are those of one connection.
type requests struct {
	pool   *requestPool
	queues [2]queue // by direction of the request
}

// excess is the oldest request of a direction if there is no room for another; else nil.
func (q *requests) excess(d record.Direction) *request {
	if n := q.queues[d].n; n == maxRequests || n > 0 && q.pool.open >= maxRequestsInAll {
		return q.queues[d].at(q.queues[d].first)
	}
	return nil
}

// open makes a request of a segment. The Receiver, whose Match knows requests by their places, counts the same segments.
// gaps is how often segments may have been missed by then. The request has to be pushed, or put back into the pool.
func (q *requests) open(s *record.Segment, gaps uint32, late bool) *request {
	h := &s.RDMAP
	r := q.pool.get()
	*r = request{msn: h.Untagged.MSN, gaps: gaps, place: q.queues[s.Dir].next(), late: late}
	t := &r.Transaction
	t.Conn, t.Dir, t.Request, t.Outcome = s.Conn, s.Dir, s.Span, record.Unanswered
	if h.Control.Opcode == rdmap.OpReadRequest {
		t.Kind, t.Name, t.ID = record.ReadTransaction, "RDMA Read", uint64(h.Untagged.MSN)
		t.Read.Decode(h.Body)
	} else {
		t.Kind = record.AtomicTransaction
		t.Atomic.Decode(h.Body)
		t.Name, t.ID = t.Atomic.AOpCode.String(), uint64(t.Atomic.RequestIdentifier)
	}
	return r
}

// answer takes a segment of the response to a request.
func (r *request) answer(s *record.Segment) {
	t := &r.Transaction
	t.Response.Include(s.Span)
	if t.Kind == record.ReadTransaction {
		t.Octets += uint64(s.RDMAP.PayloadLen(int(s.FPDU.ULPDULength)))
		return
	}
	var a rdmap.AtomicResponse
	a.Decode(s.RDMAP.Body)
	t.Original = a.OriginalRemoteDataValue
}

// release removes the requests of a direction that are over, up to the oldest that is not.
func (q *requests) release(d record.Direction) {
	for q.queues[d].n > 0 && q.queues[d].at(q.queues[d].first).over {
		q.pool.put(q.queues[d].pop())
	}
}
