package filter

// What a Sieve knows of exchanges of upper layers: their requests, and what belongs to them.

import (
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
)

// Limits of what a Sieve keeps of exchanges.
const (
	maxRequests      = 16 << 20 // octets of memory for the requests of all connections
	maxIdleExchanges = 128      // those that are over and kept to be used again
)

// An exchange is a request of an upper layer that has no response yet.
type exchange struct {
	dir     record.Direction // of the request
	request Request
	memory  int    // octets that request takes
	begun   bool   // something of the request is there
	life    uint64 // tells an exchange from others in the same place
}

// A participation is that an event belongs to an exchange.
type participation struct {
	exchange *exchange // nil if it belongs to none
	life     uint64    // of the exchange
}

// of is the exchange; nil if there is none, or it is over.
func (p participation) of() *exchange {
	if p.exchange == nil || p.exchange.life != p.life {
		return nil
	}
	return p.exchange
}

// A key tells the exchanges of a connection apart.
type key struct {
	dir record.Direction // of the request
	id  uint64
}

// A joined is what the next event belongs to.
type joined struct {
	participation
	known    bool            // an exchange is named
	answered bool            // it is over
	key      key             // of the exchange
	rpc      oncrpc.Exchange // of one of RPC
	body     []byte          // the request or response that was read or written; empty if it was not
}

// Join implements analysis.Joiner.
func (s *Sieve) Join(t *record.Transaction, body []byte) {
	needs, j, k := &s.filter.needs, &s.joined, key{t.Dir, t.ID}
	if !needs.Payload && !needs.Request || j.known && j.key != k {
		return
	}
	first := !j.known
	j.known, j.key, j.body = true, k, append(j.body[:0], body[:min(len(body), maxJoined)]...)
	if x, ok := t.Upper.(*rpc.Exchange); ok {
		j.rpc = oncrpc.Exchange{Procedure: x.Procedure, Protection: x.Protection}
	}
	if first && needs.Request {
		x := s.exchange(s.flow(t.Conn), k)
		j.participation = participation{x, x.life}
	}
}

// exchange is the one with a key, which begins if there is none.
func (s *Sieve) exchange(f *flow, k key) *exchange {
	x := f.open[k]
	if x != nil {
		return x
	}
	if n := len(s.idle); n > 0 {
		x, s.idle = s.idle[n-1], s.idle[:n-1]
	} else {
		x = new(exchange)
	}
	x.dir, x.request.ID = k.dir, k.id
	if f.open == nil {
		f.open = make(map[key]*exchange)
	}
	f.open[k] = x
	return x
}

// over ends an exchange.
func (s *Sieve) over(f *flow, k key) {
	x := f.open[k]
	if x == nil {
		return
	}
	delete(f.open, k)
	s.requests -= x.memory
	x.request.Reset()
	*x = exchange{request: x.request, life: x.life + 1}
	if len(s.idle) < maxIdleExchanges {
		s.idle = append(s.idle, x)
	}
}

// left ends what was joined for the event that has passed, and the exchange with it if that is over.
func (s *Sieve) left(f *flow) {
	j := &s.joined
	if !j.known {
		return
	}
	if j.answered {
		s.over(f, j.key)
	}
	*j = joined{body: j.body[:0]}
}

// exchangeOf is the exchange that a Message belongs to; nil if it is none that is known.
func (s *Sieve) exchangeOf(m *record.Message, of *side) *exchange {
	switch {
	case m.Opcode.IsSend():
		return s.joined.of()
	case of.frame == m.LastFrame:
		return of.moving.of()
	}
	return nil
}

// belong tells s.event, a Segment or Message that goes in a direction, to which exchange it belongs.
func (s *Sieve) belong(x *exchange, d record.Direction, send bool) {
	j, e := &s.joined, &s.event
	if send && j.known {
		e.Exchange = j.rpc
		if len(j.body) > 0 {
			e.RPC = j.body
		}
	}
	if x == nil {
		return
	}
	e.Request = &x.request
	switch {
	case send && d == x.dir && !x.begun:
		s.keep(x, e)
	case !send && len(j.body) > 0: // the request, with the last of its octets that were read
		s.alone.Reset()
		s.alone.RPC = j.body
		s.keep(x, &s.alone)
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

// requestOf is the request that a transaction belongs to, or is; nil if there is none that is known.
func (s *Sieve) requestOf(t *record.Transaction) *Request {
	x := s.joined.of()
	if t.Kind == record.UpperTransaction {
		x = s.flow(t.Conn).open[key{t.Dir, t.ID}]
	}
	if x == nil {
		return nil
	}
	return &x.request
}

// end takes in that a transaction is over. If the next event ends it, that is still of its exchange.
func (s *Sieve) end(t *record.Transaction) {
	s.ended = *t
	if t.Kind != record.UpperTransaction {
		return
	}
	k := key{t.Dir, t.ID}
	if j := &s.joined; j.known && j.key == k {
		j.answered = true
	} else {
		s.over(s.flow(t.Conn), k)
	}
}

// ends tells whether a Message ends the transaction that is over since latest.
func (s *Sieve) ends(m *record.Message) bool {
	t := &s.ended
	if t.Conn == nil || t.Conn != m.Conn || t.Dir == m.Dir || t.Response.LastFrame != m.LastFrame {
		return false
	}
	switch t.Kind {
	case record.ReadTransaction:
		return m.Opcode == rdmap.OpReadResponse
	case record.AtomicTransaction:
		return m.Opcode == rdmap.OpAtomicResponse
	}
	return m.Opcode.IsSend()
}
