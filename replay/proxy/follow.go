package proxy

// Following a connection, to know what the filters of the Rules select.

import (
	"io"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A follower reads both directions of a connection as they were sent. It is what says which Rules select something.
type follower struct {
	mu     sync.Mutex
	proxy  *Proxy
	engine *dissect.Engine
	held   int // octets that the Engine has
	conn   *pcaps.StreamConn
	sieves []*filter.Sieve // by Rule
	from   Side            // of what is being read
	hits   []bool          // by Rule
	lays   bool            // upper is wanted
	upper  []placed
	view   record.View
}

// A placed is a header of an upper layer, and where it begins in the payload of a Send.
type placed struct {
	table  *field.Table
	at     int
	octets []byte
}

// newFollower returns a follower of a connection. lays asks for the headers of upper layers.
func newFollower(c *Conn, lays bool) *follower {
	p, client, server := c.proxy, c.RemoteAddr(Client), c.LocalAddr(Client)
	rules := p.config.Rules
	f := &follower{proxy: p, hits: make([]bool, len(rules)), lays: lays}
	payload := lays
	for i, r := range rules {
		f.sieves = append(f.sieves, filter.NewSieve(r.on, record.SinkFunc(func(r *record.Record) { f.selected(i, r) })))
		payload = payload || r.on.Needs().Payload
	}
	o := judge.Options{ULPs: all.Layers(), Payload: payload}
	f.engine = dissect.NewEngine(record.SinkFunc(f.record), dissect.Options{Analysis: &o, Ports: all.Ports(), First: int(c.Serial)})
	begun := false
	stream := pcaps.NewStreamWriter(io.Discard, pcaps.StreamOptions{Each: func(p *pcaps.Record) {
		if !begun {
			begun = true
			for _, s := range f.sieves {
				s.Start(p.Time)
			}
		}
		f.engine.Packet(p)
	}})
	if f.conn, _ = stream.Open(addrPortOf(client), addrPortOf(server), time.Now().UnixNano()); f.conn != nil { // the addresses are of IP
		p.followers.Add(1)
	}
	return f
}

func addrPortOf(a net.Addr) netip.AddrPort {
	if tcp, ok := a.(*net.TCPAddr); ok {
		return tcp.AddrPort()
	}
	return netip.AddrPort{}
}

// take reads octets that a side has sent: an MPA frame, an FPDU, or others. It returns which Rules select them, and the headers of upper
// layers; both are valid until the next call. over says that Rules select nothing from now on, because there is no memory for more.
func (f *follower) take(from Side, octets []byte) (hits []bool, upper []placed, over bool) {
	clear(f.hits)
	f.upper, f.from = f.upper[:0], from
	if f.conn != nil {
		_ = f.conn.Send(pcaps.Side(from), octets, time.Now().UnixNano()) // nothing is written
		over = f.charge(f.engine.Held())
	}
	return f.hits, f.upper, over
}

// charge counts the octets that the Engine has among those of all connections. If these are too many, and it has more than its share, it
// is given up.
func (f *follower) charge(held int) (over bool) {
	all := f.proxy.followed.Add(int64(held - f.held))
	f.held = held
	if most := int64(f.proxy.config.Memory); all <= most || int64(held) <= most/max(1, f.proxy.followers.Load()) {
		return false
	}
	f.close()
	return true
}

// close frees the memory of a follower, which selects nothing any more.
func (f *follower) close() {
	if f.conn != nil {
		f.proxy.followed.Add(int64(-f.held))
		f.proxy.followers.Add(-1)
		f.conn, f.engine, f.sieves, f.held = nil, nil, nil, 0
		clear(f.hits)
	}
}

// record takes what the Engine has found.
func (f *follower) record(r *record.Record) {
	if f.lays && r.Upper != nil && Side(r.Dir) == f.from {
		f.lay(r.Upper.Body)
	}
	for _, s := range f.sieves {
		s.Record(r)
	}
}

// lay keeps the headers of a message of an upper layer that stand in the message itself.
func (f *follower) lay(b record.Body) {
	for _, l := range f.view.Lay(b) {
		if l.Name != "" {
			continue
		}
		for _, p := range l.Parts {
			f.upper = append(f.upper, placed{p.Table, p.Off, append([]byte(nil), p.Octets...)})
		}
	}
}

// selected takes what the filter of a Rule has passed.
func (f *follower) selected(rule int, r *record.Record) {
	switch r.Kind {
	case record.KindStartup, record.KindSegment, record.KindMessage:
		f.hits[rule] = f.hits[rule] || Side(r.Dir) == f.from
	}
}
