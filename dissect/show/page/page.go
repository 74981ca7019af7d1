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
	"strings"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// The limits of a page.
const (
	MaxMessages    = 100_000 // that it holds if these are all; and as many requests
	MaxConnections = 1000    // that are told apart; of more, the worst
	MaxDetailed    = 24      // that have a section of their own; of more, the worst and the busiest
	MaxOctets      = 5 << 20 // of the page
)

// Options choose what a Page says of itself.
type Options struct {
	Files   []string // names of the captures
	Filter  string   // that picked what is shown; empty for none
	Command string   // a command line that shows all messages
	Damage  []string // what was wrong with files that could be read in part only
}

// A Page is a record.Sink that keeps what its page shows.
type Page struct {
	Options

	start     int64 // time of the first packet
	totals    totals
	open      map[*record.Conn]*connection
	conns     []*connection // in the order in which they began
	mostConns int           // more are first reduced to the worst
	messages  budget
	requests  budget
	room      int // for sections

	describer text.Describer
	view      record.View
	label     []byte
	words     []string // that messages and requests refer to
	numbers   map[string]word
	mostWords int // more are first reduced to those in use
}

// A word is the number of one in Page.words.
type word uint32

// leastWords is how many words are held without asking which are in use.
const leastWords = 1 << 16

// word returns the number of a word, which may come from the capture.
func (p *Page) word(s string) word {
	if w, ok := p.numbers[s]; ok {
		return w
	}
	w := word(len(p.words))
	p.words = append(p.words, printable.String(s))
	p.numbers[strings.Clone(s)] = w
	return w
}

// renumber forgets the words that no message and no request refers to any more.
func (p *Page) renumber() {
	old := p.words
	p.words, p.numbers = nil, make(map[string]word)
	p.word("")
	numbers := make([]word, len(old)) // new ones of old words; 0 for those not met yet
	for _, c := range p.conns {
		for w := range c.words() {
			if numbers[*w] == 0 {
				numbers[*w] = p.word(old[*w])
			}
			*w = numbers[*w]
		}
	}
	p.mostWords = max(leastWords, 2*len(p.words))
}

// totals are of all connections, those without a card too.
type totals struct {
	connections, failed     int
	messages, octets        uint64
	errors, warnings, notes uint64 // findings
}

// A budget counts what is held of all connections.
type budget struct {
	held  int
	thin  bool // there was too much: only what matters is held
	limit int  // of what each connection holds then
}

// New returns an empty Page.
func New(o Options) *Page {
	p := &Page{Options: o, open: make(map[*record.Conn]*connection), numbers: make(map[string]word), room: MaxDetailed, mostWords: leastWords, mostConns: 2 * MaxConnections}
	p.word("")
	return p
}

// Start says when the first packet of the capture was captured, in nanoseconds since 1970-01-01 UTC. If nobody says it, times
// count from the first Record.
func (p *Page) Start(ns int64) { p.start = ns }

// Record implements record.Sink.
func (p *Page) Record(r *record.Record) {
	if r.Conn == nil {
		return
	}
	c := p.open[r.Conn]
	if c == nil {
		c = p.begin(r.Conn, r.Time)
	}
	c.record(r)
	if r.Kind == record.KindEnd {
		p.totals.add(c)
		delete(p.open, r.Conn)
		if p.messages.thin {
			p.messages.held += c.messages.thin(p.messages.limit)
		}
		if p.requests.thin {
			p.requests.held += c.requests.thin(p.requests.limit)
		}
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
	if len(p.words) > p.mostWords {
		p.renumber()
	}
}

// add adds a connection that is over.
func (t *totals) add(c *connection) {
	v := &c.verdict
	if v.failed {
		t.failed++
	}
	t.messages += c.count
	t.octets += c.octets
	t.errors += v.errors
	t.warnings += v.warnings
	t.notes += v.notes
}

// fit makes connections hold less if all together hold too much.
func (b *budget) fit(conns int, thin func(limit int) (held int)) {
	if b.held <= MaxMessages {
		return
	}
	b.thin = true
	b.limit = min(max(MaxMessages/4/conns, min(64, MaxMessages/2/conns)), 4000)
	b.held = thin(b.limit)
}

// maxIntervals is how many intervals all timelines have together.
const maxIntervals = 1 << 14

// begin adds a connection, of which something was seen at a time. Of too many, it forgets the best half of those that are over.
func (p *Page) begin(of *record.Conn, at int64) *connection {
	if p.start == 0 {
		p.start = at
	}
	c := newConnection(p, of, p.start)
	p.open[of] = c
	p.totals.connections++
	if p.conns = append(p.conns, c); len(p.conns) > p.mostConns {
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
		p.conns, p.mostConns = kept, max(2*MaxConnections, 2*len(kept))
		slices.SortFunc(p.conns, byNumber)
	}
	limit := max(maxIntervals/2/len(p.conns), 16)
	if n := len(p.conns); n&(n-1) == 0 { // as often as their number doubles
		for _, c := range p.conns {
			c.line.Limit(limit)
		}
	}
	c.line.Limit(limit)
	return c
}

// rank sorts connections, the worst first.
func (p *Page) rank() {
	slices.SortStableFunc(p.conns, func(a, b *connection) int {
		return cmp.Or(cmp.Compare(b.rank(), a.rank()), cmp.Compare(b.octets, a.octets), byNumber(a, b))
	})
}

func byNumber(a, b *connection) int { return cmp.Compare(a.of.ID, b.of.ID) }
