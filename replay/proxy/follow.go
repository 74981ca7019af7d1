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

// maxFollowed limits the memory of a follower, in octets.
const maxFollowed = 16 << 20

// A follower reads both directions of a connection as they were sent. It is what says which Rules select something.
type follower struct {
	mu     sync.Mutex
	engine *dissect.Engine
	stream *pcaps.StreamWriter
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

// newFollower returns a follower of a connection between two addresses. lays asks for the headers of upper layers.
func newFollower(client, server net.Addr, rules []*Rule, lays bool) *follower {
	f := &follower{hits: make([]bool, len(rules)), lays: lays}
	payload := lays
	for i, r := range rules {
		f.sieves = append(f.sieves, filter.NewSieve(r.on, record.SinkFunc(func(r *record.Record) { f.selected(i, r) })))
		payload = payload || r.on.Needs().Payload
	}
	o := judge.Options{ULPs: all.Layers(), Payload: payload}
	f.engine = dissect.NewEngine(record.SinkFunc(f.record), dissect.Options{Analysis: &o, Ports: all.Ports(), Memory: maxFollowed})
	begun := false
	f.stream = pcaps.NewStreamWriter(io.Discard, pcaps.StreamOptions{Each: func(p *pcaps.Record) {
		if !begun {
			begun = true
			for _, s := range f.sieves {
				s.Start(p.Time)
			}
		}
		f.engine.Packet(p)
	}})
	f.conn, _ = f.stream.Open(addrPortOf(client), addrPortOf(server), time.Now().UnixNano()) // nil for addresses that are none of IP
	return f
}

func addrPortOf(a net.Addr) netip.AddrPort {
	if tcp, ok := a.(*net.TCPAddr); ok {
		return tcp.AddrPort()
	}
	return netip.AddrPort{}
}

// take reads octets that a side has sent: an MPA frame, an FPDU, or others. It returns which Rules select them, and the headers of upper
// layers; both are valid until the next call.
func (f *follower) take(from Side, octets []byte) (hits []bool, upper []placed) {
	clear(f.hits)
	f.upper, f.from = f.upper[:0], from
	if f.conn != nil {
		_ = f.conn.Send(pcaps.Side(from), octets, time.Now().UnixNano()) // nothing is written
	}
	return f.hits, f.upper
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
