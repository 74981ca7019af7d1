// Package match pairs the messages of the two directions of a connection: requests with their responses, segments of Sends
// with each other, and late segments with the place in which they were sent.
//
//	requests := match.NewRequests(pool)
//	r := requests.Open(segment, order.Gaps(), false)
//	requests.Push(r)
//	...
//	requests.At(d, place).Answer(response)
//
// A [RequestPool] and a [PayloadPool] serve all connections of an analysis, and bound their memory. Nothing is safe for
// concurrent use.
package match

// Read and Atomic Requests, from when they are sent until they are answered, refused or given up.

import (
	"iter"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// The requests that are kept, of one direction of a connection and in all. If there are more, the oldest of the
// direction is given up. No RNIC has that many outstanding.
const (
	MaxRequests      = 256
	maxRequestsInAll = 1 << 16
)

// A Request is a Transaction of a Read or Atomic Request that waits for its response, or for older ones to be over.
type Request struct {
	record.Transaction
	MSN   uint32
	Gaps  uint32 // Order.Gaps when it came
	Place uint64 // among all requests of its direction, from 0
	Late  bool   // its response may have come before it, or be taken for that of another
	Over  bool   // it waits for older ones
}

// Answer takes a segment of the response to a request.
func (r *Request) Answer(s *record.Segment) {
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

// A RequestPool holds requests of all connections that are over, to be used again.
type RequestPool struct {
	idle []*Request
	open int // those that are not over, in all
}

// Held returns how many octets the open requests take.
func (p *RequestPool) Held() int { return p.open * requestHeld }

// requestHeld is what an open request takes.
const requestHeld = 512

// maxIdleRequests is how many requests that are over are kept to be used again.
const maxIdleRequests = 1 << 10

func (p *RequestPool) get() *Request {
	p.open++
	if n := len(p.idle); n > 0 {
		r := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return r
	}
	return new(Request)
}

func (p *RequestPool) put(r *Request) {
	p.open--
	if len(p.idle) < maxIdleRequests {
		p.idle = append(p.idle, r)
	}
}

// Requests are those of one connection. The Receiver of package rules, whose Match knows requests by their places, counts
// the same segments.
type Requests struct {
	pool   *RequestPool
	queues [2]queue // by direction of the request
}

// NewRequests returns the Requests of a new connection.
func NewRequests(pool *RequestPool) Requests { return Requests{pool: pool} }

// Reset forgets all requests, and keeps the memory.
func (q *Requests) Reset() {
	for d := range q.queues {
		q.queues[d] = queue{open: q.queues[d].open}
	}
}

// Excess returns the oldest request of a direction if there is no room for another; else nil.
func (q *Requests) Excess(d flow.Direction) *Request {
	if n := q.queues[d].n; n == MaxRequests || n > 0 && q.pool.open >= maxRequestsInAll {
		return q.Oldest(d)
	}
	return nil
}

// Open makes a Request of a segment for which IsRequest holds. gaps is how often segments may have been missed by then.
// Push or Discard has to follow.
func (q *Requests) Open(s *record.Segment, gaps uint32, late bool) *Request {
	h := &s.RDMAP
	r := q.pool.get()
	*r = Request{MSN: h.Untagged.MSN, Gaps: gaps, Place: q.queues[s.Dir].next(), Late: late}
	t := &r.Transaction
	t.Conn, t.Dir, t.Request, t.Outcome = s.Conn, s.Dir, s.Span, record.Unanswered
	var err error
	if h.Control.Opcode == rdmap.OpReadRequest {
		t.Kind, t.Name, t.ID = record.ReadTransaction, "RDMA Read", uint64(h.Untagged.MSN)
		_, err = t.Read.Decode(h.Body)
	} else {
		t.Kind = record.AtomicTransaction
		_, err = t.Atomic.Decode(h.Body)
		t.Name, t.ID = t.Atomic.AOpCode.String(), uint64(t.Atomic.RequestIdentifier)
	}
	t.Cut, t.Ahead = err != nil, s.Ahead
	return r
}

// Push puts a Request after those of its direction.
func (q *Requests) Push(r *Request) { q.queues[r.Dir].push(r) }

// Discard gives back a Request that was not pushed.
func (q *Requests) Discard(r *Request) { q.pool.put(r) }

// Release removes the requests of a direction that are over, up to the oldest that is not.
func (q *Requests) Release(d flow.Direction) {
	for r := q.Oldest(d); r != nil && r.Over; r = q.Oldest(d) {
		q.pool.put(q.queues[d].pop())
	}
}

// At returns the request of a direction in a place; nil if it is over and released, or has not come.
func (q *Requests) At(d flow.Direction, place uint64) *Request { return q.queues[d].at(place) }

// Oldest returns the oldest request of a direction; nil if there is none.
func (q *Requests) Oldest(d flow.Direction) *Request { return q.queues[d].at(q.queues[d].first) }

// All yields the requests of a direction, oldest first, those that are over but wait for older ones included.
func (q *Requests) All(d flow.Direction) iter.Seq[*Request] { return q.queues[d].all }

// A queue is the requests of one direction that are not over, oldest first, and those between them. Requests are known
// by their place among all of the direction.
type queue struct {
	first uint64     // place of the oldest
	open  []*Request // a ring whose length is a power of two
	head  int        // of the oldest in the ring
	n     int
}

// next is the place of the next request.
func (q *queue) next() uint64 { return q.first + uint64(q.n) }

// at is the request in a place; nil if it is over, or has not come.
func (q *queue) at(place uint64) *Request {
	if i := place - q.first; i < uint64(q.n) {
		return q.open[(q.head+int(i))&(len(q.open)-1)]
	}
	return nil
}

// all yields the requests, oldest first, those that are over but wait for older ones included.
func (q *queue) all(yield func(*Request) bool) {
	for i := range q.n {
		if !yield(q.at(q.first + uint64(i))) {
			return
		}
	}
}

func (q *queue) push(r *Request) {
	if q.n == len(q.open) {
		grown := make([]*Request, max(4, 2*len(q.open)))
		for i := range q.n {
			grown[i] = q.at(q.first + uint64(i))
		}
		q.open, q.head = grown, 0
	}
	q.open[(q.head+q.n)&(len(q.open)-1)] = r
	q.n++
}

// pop takes out the oldest.
func (q *queue) pop() *Request {
	r := q.open[q.head]
	q.open[q.head] = nil
	q.head = (q.head + 1) & (len(q.open) - 1)
	q.first++
	q.n--
	return r
}
