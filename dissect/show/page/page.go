// Package page makes one HTML page of a capture: how its connections went, what each of them said and when, and what was found.
//
// A [Page] is a record.Sink. The page needs nothing beside itself: its styles and scripts are in it, and its
// Content-Security-Policy lets it load nothing and run nothing else. Whatever comes from the capture is text.
//
//	p := page.New(page.Options{Files: []string{"a.pcap"}})
//	err := dissect.NewEngine(judge.New(p, judge.Options{}), dissect.Options{}).Run(ctx, capture)
//	...
//	err = p.Write(w, engine.Totals())
//
// It holds MaxMessages messages and as many requests. Of a larger capture it has sums over time, and the messages at the begin
// and the end of each connection and around what was found.
package page

import (
	"cmp"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/dissect/stats"
)

// The limits of a page.
const (
	MaxMessages    = 100_000 // that it holds if these are all; and as many requests
	MaxConnections = 1000    // that are told apart; of more, the worst
	MaxDetailed    = 40      // that have a section of their own; of more, the worst
	MaxOctets      = 5 << 20 // of the page
)

// Options choose what a Page says of itself.
type Options struct {
	Files   []string    // names of the captures
	Filter  string      // that picked what is shown; empty for none
	Command string      // a command line that shows all messages of connection %d
	Damage  []string    // what was wrong with files that could be read in part only
	Frames  show.Frames // numbers frames; nil if there is one file
}

// A Page is a record.Sink that keeps what its page shows.
type Page struct {
	Options

	start    int64 // time of the first packet
	totals   *stats.Collector
	open     map[*record.Conn]*connection
	conns    []*connection // in the order in which they began
	seen     int           // connections
	failed   int
	messages budget
	requests budget

	describer text.Describer
	view      record.View
	label     []byte
}

// A budget counts what is held of all connections.
type budget struct {
	held  int
	thin  bool // there was too much: only what matters is held
	limit int  // of what each connection holds then
}

// New returns an empty Page.
func New(o Options) *Page {
	return &Page{Options: o, totals: stats.NewCollector(), open: make(map[*record.Conn]*connection)}
}

// Start says when the first packet of the capture was captured, in nanoseconds since 1970-01-01 UTC.
func (p *Page) Start(ns int64) { p.start = ns }

// Record implements record.Sink.
func (p *Page) Record(r *record.Record) {
	p.totals.Record(r)
	if r.Conn == nil {
		return
	}
	c := p.open[r.Conn]
	if c == nil {
		c = p.begin(r.Conn)
	}
	c.record(r)
	if r.Kind == record.KindEnd {
		if r.Verdict != nil && r.Verdict.Cause != nil {
			p.failed++
		}
		delete(p.open, r.Conn)
	}
	p.messages.fit(len(p.conns), func(limit int) (held int) {
		for _, c := range p.conns {
			c.messages.thin(limit)
			held += len(c.messages.all)
		}
		return held
	})
	p.requests.fit(len(p.conns), func(limit int) (held int) {
		for _, c := range p.conns {
			c.requests.thin(limit)
			held += len(c.requests.all)
		}
		return held
	})
}

// fit makes connections hold less if all together hold too much.
func (b *budget) fit(conns int, thin func(limit int) (held int)) {
	if b.held <= MaxMessages {
		return
	}
	b.thin = true
	b.limit = min(max(MaxMessages/4/conns, 64), 4000)
	b.held = thin(b.limit)
}

// maxIntervals is how many intervals all timelines have together.
const maxIntervals = 1 << 15

// begin adds a connection. Of too many, it forgets the best half of those that are over.
func (p *Page) begin(of *record.Conn) *connection {
	c := newConnection(p, of, p.start)
	p.open[of] = c
	p.seen++
	if p.conns = append(p.conns, c); len(p.conns) > 2*MaxConnections {
		p.rank()
		kept := p.conns[:MaxConnections]
		for _, c := range p.conns[MaxConnections:] {
			if !c.over {
				kept = append(kept, c)
				continue
			}
			p.messages.held -= len(c.messages.all)
			p.requests.held -= len(c.requests.all)
		}
		clear(p.conns[len(kept):])
		p.conns = kept
		slices.SortFunc(p.conns, byNumber)
	}
	if n := len(p.conns); n&(n-1) == 0 { // as often as their number doubles
		for _, c := range p.conns {
			c.line.Limit(maxIntervals / 2 / n)
		}
	}
	c.line.Limit(max(maxIntervals/2/len(p.conns), 16))
	return c
}

// rank sorts connections, the worst first.
func (p *Page) rank() {
	slices.SortStableFunc(p.conns, func(a, b *connection) int {
		return cmp.Or(cmp.Compare(b.rank(), a.rank()), cmp.Compare(b.octets, a.octets), byNumber(a, b))
	})
}

func byNumber(a, b *connection) int { return cmp.Compare(a.of.ID, b.of.ID) }
