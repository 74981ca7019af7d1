package filter

// The exchanges of upper layers that a Sieve knows: their requests, and what belongs to them.

import (
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// Limits on the exchanges that a Sieve keeps.
const (
	maxSent          = 16 << 10 // octets of the payload of one Send
	maxRequests      = 16 << 20 // octets of memory for the requests of all connections
	maxIdleExchanges = 128      // finished ones that are kept for reuse
)

// An exchange is a request of an upper layer without a response yet.
type exchange struct {
	dir     flow.Direction // of the request
	request Request
	memory  int  // octets that request takes
	begun   bool // something of the request is there
}

// A key identifies an exchange of a connection.
type key struct {
	dir flow.Direction // of the request
	id  uint64
}

// exchanges are those of a connection without a response yet; nil until there is one.
type exchanges map[key]*exchange

// belong sets and returns the exchange of s.event; nil if it belongs to none that is known.
func (s *Sieve) belong(r *record.Record) *exchange {
	t := r.Exchange
	if t == nil || !s.filter.needs.Request {
		return nil
	}
	e, send := &s.event, r.Message != nil && r.Message.Opcode.IsSend()
	x := s.exchange(r.Conn, key{t.Dir, t.ID}, send || r.Segment != nil)
	if x == nil {
		return nil
	}
	e.Request = &x.request
	switch {
	case send && r.Dir == x.dir && !x.begun:
		s.keep(x, e)
	case r.Body != nil: // the request, with the last of its octets that were read
		s.alone.Reset()
		s.alone.Body = r.Body
		s.keep(x, &s.alone)
	}
	return x
}

func (s *Sieve) open(c *flow.Conn) exchanges {
	if s.conn != c {
		s.conn, s.latest = c, s.conns[c]
	}
	return s.latest
}

// exchange returns the exchange with a key. If there is none, it begins one or returns nil.
func (s *Sieve) exchange(c *flow.Conn, k key, begin bool) *exchange {
	open := s.open(c)
	x := open[k]
	if x != nil || !begin {
		return x
	}
	if n := len(s.idle); n > 0 {
		x, s.idle = s.idle[n-1], s.idle[:n-1]
	} else {
		x = new(exchange)
	}
	x.dir, x.request.ID = k.dir, k.id
	if open == nil {
		open = make(exchanges)
		s.conns[c], s.latest = open, open
	}
	open[k] = x
	return x
}

// end ends an exchange, if it is open.
func (s *Sieve) end(c *flow.Conn, k key) {
	open := s.open(c)
	x := open[k]
	if x == nil {
		return
	}
	delete(open, k)
	s.requests -= x.memory
	x.request.Reset()
	*x = exchange{request: x.request}
	if len(s.idle) < maxIdleExchanges {
		s.idle = append(s.idle, x)
	}
}

// left ends the exchanges that are over after a Record.
func (s *Sieve) left(r *record.Record) {
	for _, t := range r.Over {
		if t.Kind == record.UpperTransaction {
			s.end(t.Conn, key{t.Dir, t.ID})
		}
	}
	if r.Kind == record.KindEnd {
		for k := range s.open(r.Conn) {
			s.end(r.Conn, k)
		}
		delete(s.conns, r.Conn)
		s.conn, s.latest = nil, nil
	}
}

// keep keeps a request, or a part of it, if there is room.
func (s *Sieve) keep(x *exchange, e *Event) {
	x.begun = true
	if s.requests >= maxRequests {
		return
	}
	x.request.Add(e)
	s.requests += x.request.memory() - x.memory
	x.memory = x.request.memory()
}

// requestOf returns the request of a transaction, or that of the exchange x of its Record; nil if neither is known.
func (s *Sieve) requestOf(t *record.Transaction, x *exchange) *Request {
	if t.Kind == record.UpperTransaction {
		x = s.open(t.Conn)[key{t.Dir, t.ID}]
	}
	if x == nil {
		return nil
	}
	return &x.request
}

// maxRequest is how many octets of headers are kept of one request.
const maxRequest = 16 << 10

// A Request holds the headers of an upper layer in a request, for filters of its response and of the RDMA Reads and Writes
// that move its data. The zero value has none.
type Request struct {
	ID uint64 // what it shares with its answer: an XID

	headers []field.Part
	octets  []byte
}

// Reset empties r, and keeps memory.
func (r *Request) Reset() {
	*r = Request{headers: r.headers[:0], octets: r.octets[:0]}
}

// Add adds copies of the headers of an upper layer in e.
func (r *Request) Add(e *Event) {
	e.begin()
	for _, h := range e.layout(upper) {
		r.add(h)
	}
}

func (r *Request) add(h field.Part) {
	from := len(r.octets)
	r.octets = append(r.octets, h.Octets[:min(len(h.Octets), maxRequest-from)]...)
	h.Octets = r.octets[from:]
	r.headers = append(r.headers, h)
}

// memory returns roughly how many octets of memory r takes.
func (r *Request) memory() int {
	const part = 80
	return cap(r.octets) + part*cap(r.headers)
}
