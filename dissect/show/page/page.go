// Package page makes one HTML page of a capture: verdicts, ladders, plots over time, findings and tables.
//
// A [Page] is a record.Sink. The page is self-contained: its styles and scripts are in it, and its
// Content-Security-Policy lets it load nothing and run nothing else. Whatever comes from the capture is text.
//
//	p := page.New(page.Options{Files: []string{"a.pcap"}})
//	err := dissect.NewEngine(judge.New(p, judge.Options{}), dissect.Options{}).Run(ctx, capture)
//	...
//	err = p.Write(w, engine.Totals())
//
// It holds MaxMessages messages and as many requests; those of connections without their own section are in tables of
// all. For a larger capture, it has sums over time, and the messages of connections with a section at the beginning, at
// the end, and around findings.
package page

import (
	"cmp"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// The limits of a page.
const (
	MaxMessages    = 100_000   // that it holds if these are all; and as many requests
	MaxConnections = 1000      // that have a card or a plot; of more, the worst
	MaxDetailed    = 24        // that have a section of their own; of more, the worst and the busiest
	MaxOctets      = 5_000_000 // of the page
)

// Options choose what a Page says of itself.
type Options struct {
	Files   []string // names of the captures
	Name    string   // of all of them, in the title; empty for the names of the first
	Filter  string   // that picked what is shown; empty for none
	Command string   // a command line that shows all messages
	Notes   []string // what the captures are, and whose frames have which names
	Damage  []string // what was wrong with files that could be read in part only
}

// A Page is a record.Sink that keeps what its page shows.
type Page struct {
	Options

	start     int64 // time of the first packet
	totals    totals
	hosts     hosts
	open      map[*flow.Conn]*connection
	conns     []*connection // in the order in which they began
	mostConns int           // more are first reduced to the worst
	messages  budget
	requests  budget
	room      int           // for sections
	others    rows          // of connections that are forgotten
	forgotten [2]int        // messages and requests of such connections that are not in others
	best      []*connection // once there are too many messages: those over that hold some, the worst first

	describer text.Describer
	view      record.View
	label     []byte
	message   record.Message // that is described
	words     []string       // that messages and requests refer to
	numbers   map[string]word
	kinds     [flow.NumOpcodes]kind
	mostWords int // more are first reduced to those in use
}

// A word is the number of one in Page.words.
type word uint32

// A kind is what messages of an opcode are called, and the class of their colour; zero if it was not met yet.
type kind struct{ name, class word }

// leastWords is how many words are held without asking which are in use.
const leastWords = 1 << 16

// word returns the number of a word, which may come from the capture.
func (p *Page) word(s string) word {
	if s == "" {
		return 0
	}
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
	p.words, p.numbers, p.kinds = []string{""}, make(map[string]word), [flow.NumOpcodes]kind{}
	numbers := make([]word, len(old)) // new ones of old words; 0 for those not met yet
	move := func(w *word) {
		if numbers[*w] == 0 {
			numbers[*w] = p.word(old[*w])
		}
		*w = numbers[*w]
	}
	for _, c := range p.conns {
		c.eachWord(move)
	}
	p.others.eachWord(move)
	p.mostWords = max(leastWords, 2*len(p.words))
}

// totals are of all connections, those without a card too.
type totals struct {
	connections, failed     int
	ranks                   [failed + 1]int // connections by rank
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
	return &Page{
		Options: o, hosts: newHosts(), open: make(map[*flow.Conn]*connection), words: []string{""}, numbers: make(map[string]word), room: MaxDetailed,
		mostWords: leastWords, mostConns: 2 * MaxConnections,
	}
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
	p.hosts.record(r, p.start)
	if r.Kind == record.KindEnd {
		p.totals.add(c)
		delete(p.open, r.Conn)
		p.ended(c)
	}
	if p.messages.held > MaxMessages {
		p.messages.held = p.thin(&p.messages, func(c *connection, limit int) int { return c.messages.thin(limit) })
	}
	if p.requests.held > MaxMessages {
		p.requests.held = p.thin(&p.requests, func(c *connection, limit int) int { return c.requests.thin(limit) })
	}
	if len(p.words) > p.mostWords {
		p.renumber()
	}
}

// add adds a connection that is over.
func (t *totals) add(c *connection) {
	v := &c.verdict
	t.ranks[c.rank()]++
	if v.failed {
		t.failed++
	}
	t.messages += c.count
	t.octets += c.octets
	t.errors += v.errors
	t.warnings += v.warnings
	t.notes += v.notes
}

// thin makes connections hold less because all together hold too much: those over nothing except for the worst and the busiest.
func (p *Page) thin(b *budget, thin func(c *connection, limit int) (more int)) (held int) {
	if p.whole() {
		p.forgetOthers()
		for _, c := range p.conns {
			if c.over {
				p.best = append(p.best, c)
			}
		}
	}
	b.thin = true
	slices.SortStableFunc(p.best, worse)
	for len(p.best) > p.room {
		p.forget(p.best[len(p.best)-1])
		p.best = p.best[:len(p.best)-1]
	}
	n := max(len(p.best)+len(p.open), 1)
	b.limit = min(max(MaxMessages/4/n, min(64, MaxMessages/2/n)), 4000)
	for _, c := range p.conns {
		thin(c, b.limit)
		if b == &p.messages {
			held += len(c.messages.all)
		} else {
			held += len(c.requests.all)
		}
	}
	return held
}

// forget makes a connection hold no messages and no requests.
func (p *Page) forget(c *connection) {
	p.messages.held += c.messages.empty()
	p.requests.held += c.requests.empty()
}

// forgetOthers forgets what connections said that are forgotten themselves.
func (p *Page) forgetOthers() {
	p.forgotten[0] += len(p.others.Messages.Time)
	p.forgotten[1] += len(p.others.Requests.Time)
	p.others = rows{}
}

// ended makes a connection that is over hold what it may hold from now on.
func (p *Page) ended(c *connection) {
	if p.messages.thin {
		p.messages.held += c.messages.thin(p.messages.limit)
	}
	if p.requests.thin {
		p.requests.held += c.requests.thin(p.requests.limit)
	}
	if p.whole() {
		return
	}
	at, _ := slices.BinarySearchFunc(p.best, c, worse)
	if p.best = slices.Insert(p.best, at, c); len(p.best) > p.room {
		p.forget(p.best[p.room])
		p.best = p.best[:p.room]
	}
}

// maxIntervals is how many intervals all timelines have together.
const maxIntervals = 1 << 14

// begin adds a connection, of which something was seen at a time. Of too many, it forgets the best half of those that are over.
func (p *Page) begin(of *flow.Conn, at int64) *connection {
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
			if p.whole() {
				p.others.add(c)
				continue
			}
			p.forgotten[0] += c.messages.count
			p.forgotten[1] += c.requests.count
			p.forget(c)
		}
		clear(p.conns[len(kept):])
		p.conns, p.mostConns = kept, len(kept)+MaxConnections
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
	slices.SortStableFunc(p.conns, worse)
}

// worse compares connections: the worse one comes first, then the one that carried more.
func worse(a, b *connection) int {
	return cmp.Or(cmp.Compare(b.rank(), a.rank()), cmp.Compare(b.octets, a.octets), byNumber(a, b))
}

func byNumber(a, b *connection) int { return cmp.Compare(a.of.ID, b.of.ID) }
