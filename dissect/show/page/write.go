package page

// The page as HTML.

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed" // the page's own files
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/dissect/stats"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

var (
	//go:embed head.html
	headHTML string // of each page, with its policy
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
	//go:embed uplot/uplot.js
	plotJS string
	//go:embed uplot/uplot.css
	plotCSS string
	//go:embed uplot/LICENSE
	plotLicence string
)

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{"breakable": breakable, "grouped": quantity.Grouped[uint64]}).Parse(headHTML + pageHTML))
})

// A document is what the template reads.
type document struct {
	Title    string
	Policy   string // Content-Security-Policy
	CSS      template.CSS
	Scripts  []template.JS
	Data     template.HTML
	Licence  string
	Filter   string
	Headline string
	Grade    string // class of the headline
	Totals   []string
	Damage   []string
	Partial  string // what the page does not have; empty if it has all
	Hosts    []hostRow
	Hostless string   // how many hosts are left out; empty if none is
	Notes    []string // what the captures are
	Cards    []card   // of connections with a section
	More     []card   // of others
	Others   string   // connections without a card
	Listed   bool     // there are tables of what connections without a section said
	Lone     bool     // there is one connection, with a section: the headline is that of its section too
	Sections []section
	Keys     bool // there is something that keys move
}

// A card is a connection among the others.
type card struct {
	ID             int
	Linked         bool // it has a section
	Listed         bool // else, what it said is in tables
	Grade, Word    string
	Client, Server string
	File           string // that has it; empty if that is not one of several
	About          string
	Summary        string
	Chart          template.HTML
}

// A section is all about a connection.
type section struct {
	card
	Text, Advice, Explain string
	Asides                []string
	Ladder                []stretch
	Findings              []*group
	Withheld              string
	Waits                 bool // there are silences that requests have waited through
	Terms                 []term
	Operations            []operation
	Sizes                 []histogram
	HasRequests           bool
	HasMessages           bool
	Whole                 bool      // the page has all messages and requests
	More                  string    // how many connections failed like this one; empty if there are none
	Alike                 []section // of those, below this one and folded
	failure               text.Failure
}

// A term is a row of what was negotiated and counted.
type term struct {
	Name, Client, Server string
	Counted              bool // of each side, not agreed by both
}

// An operation is how often one kind of request came, and how long it took.
type operation struct {
	Name string
	stats.Outcomes
	P50, P90, P99, Max string
	Bars               []bar
}

// A histogram counts lengths.
type histogram struct {
	Of   int // what has the lengths
	Name string
	Bars []bar
}

// A bar is a row of a histogram.
type bar struct {
	Name  string
	Count uint64
	Width float64 // of 100
}

// Write writes the page, of at most MaxOctets. The totals are the Engine's.
func (p *Page) Write(w io.Writer, totals *dissect.Totals) error {
	p.rank()
	for level := gzip.BestSpeed; ; level = gzip.DefaultCompression {
		if !p.whole() {
			for _, c := range p.conns[p.detailed():] {
				p.forget(c)
			}
		}
		p.renumber()
		packed, err := p.pack(level)
		if err != nil {
			return err
		}
		doc := p.document(totals)
		doc.Data, doc.Partial = template.HTML(packed), p.partial()
		var b bytes.Buffer
		if err := pageTemplate().Execute(&b, doc); err != nil {
			return err
		}
		if b.Len() <= MaxOctets {
			_, err = w.Write(b.Bytes())
			return err
		}
		if level != gzip.BestSpeed && !p.shrink() {
			return fmt.Errorf("the page needs %s, and must not exceed %s", quantity.GroupedCount(b.Len(), "octet"), quantity.Grouped(MaxOctets))
		}
	}
}

// whole reports whether the page has the messages and requests of all connections.
func (p *Page) whole() bool { return !p.messages.thin && !p.requests.thin }

// detailed is how many connections, the first ones, have a section.
func (p *Page) detailed() int { return min(len(p.conns), p.room) }

// shrink makes the page hold those messages and requests only that belong to sections; then half as many; and, if these are few, half as
// many sections. It reports whether it could.
func (p *Page) shrink() bool {
	const least = 16 // rows that are not worth leaving out
	if p.whole() && (p.detailed() < len(p.conns) || len(p.others.Messages.Time)+len(p.others.Requests.Time) > 0) {
		p.messages.thin, p.requests.thin = true, true
		p.forgetOthers()
		return true
	}
	shrunk := false
	for _, c := range p.conns {
		messages, requests := c.messages.thin(max(len(c.messages.all)/2, least)), c.requests.thin(max(len(c.requests.all)/2, least))
		shrunk = shrunk || messages+requests < 0
	}
	if shrunk || p.detailed() == 0 {
		return shrunk
	}
	p.room = p.detailed() / 2
	return true
}

// hash is the source of a Content-Security-Policy that allows one script or style.
func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// end is the length of the time axis, in nanoseconds.
func (p *Page) end() (ns int64) {
	for _, c := range p.conns {
		ns = max(ns, c.of.Latest-p.start, c.latest-p.start, c.verdict.until-p.start)
	}
	return max(ns, 1)
}

// chart plots what a connection carried in at most n intervals.
func (p *Page) chart(c *connection, n int, axes bool) template.HTML {
	all, length := c.intervals()
	step := max(1, (len(all)+n-1)/n)
	k := chart{intervals: joined(all, step), step: length.Seconds() * float64(step), end: float64(p.end()) / 1e9, start: p.start, axes: axes, cause: -1}
	if c.verdict.failed && c.verdict.cause.Time != 0 {
		k.cause = float64(c.verdict.cause.Time-p.start) / 1e9
	}
	k.stalls = c.waits()
	return k.svg()
}

// sections are those of the worst and the busiest connections. Those that failed like an earlier one are folded.
func (p *Page) sections() (all []section) {
	rows := maxRows
	for i, c := range p.conns {
		first := slices.IndexFunc(all, func(s section) bool { return s.failure.Like(&c.verdict.failure) })
		if first >= 0 {
			all[first].failure.Add(&c.verdict.failure)
			all[first].More = printable.String(all[first].failure.String())
		}
		switch {
		case i >= p.detailed():
		case first >= 0:
			all[first].Alike = append(all[first].Alike, p.section(c, &rows))
		default:
			all = append(all, p.section(c, &rows))
		}
	}
	return all
}

func (p *Page) section(c *connection, rows *int) section {
	intervals, _ := c.intervals()
	s := section{
		failure: c.verdict.failure,
		card:    p.card(c), Text: c.verdict.text, Advice: c.verdict.advice, Explain: c.verdict.explain, Asides: c.verdict.asides,
		Ladder: c.ladder(nil, rows), Findings: c.groups(), Terms: c.terms(), Operations: c.operations(), HasRequests: c.requests.count > 0, HasMessages: len(intervals) > 0, Whole: c.whole(), Waits: len(c.waits()) > 0,
	}
	if p.lone() { // its first sentence is the headline
		s.Text = strings.TrimSpace(strings.TrimPrefix(s.Text, c.verdict.summary))
	}
	s.within(c.verdict.file)
	if c.verdict.withheld > 0 {
		s.Withheld = quantity.GroupedCount(c.verdict.withheld, "more finding") + " only counted."
	}
	for of, name := range []string{ofMessages: "Messages, octets of ULP payload", ofFPDUs: "FPDUs, octets"} {
		if bars := c.lengths.bars(of); bars != nil {
			s.Sizes = append(s.Sizes, histogram{of, name, bars})
		}
	}
	return s
}

// within leaves the file that the heading names out of all sentences.
func (s *section) within(file string) {
	sentences := []*string{&s.Text}
	for i := range s.Asides {
		sentences = append(sentences, &s.Asides[i])
	}
	for _, g := range s.Findings {
		sentences = append(sentences, &g.Text, &g.Frames, &g.More, &g.Of)
	}
	for _, each := range sentences {
		*each = show.Within(file, true, *each)
	}
}

// Operations of which there are too few, or that are not among the most frequent, have no histogram.
const (
	leastHistogram = 20
	maxHistograms  = 6
)

// operations are how often requests of each name came, and how long they took, as iwarp stats counts.
func (c *connection) operations() (all []operation) {
	if c.sums == nil {
		return nil
	}
	r := c.sums.Report(new(dissect.Totals))
	add := func(name string, o stats.Outcomes) {
		op := operation{Name: printable.String(name), Outcomes: o}
		if l := o.Latency; l != nil {
			duration := func(s float64) string { return quantity.Duration(int64(s * 1e9)) }
			op.P50, op.P90, op.P99, op.Max = duration(l.P50), duration(l.P90), duration(l.P99), duration(l.Max)
			most, bars := uint64(1), l.Histogram
			if l.Count < leastHistogram || len(all) >= maxHistograms {
				bars = nil
			}
			for _, b := range bars {
				most = max(most, b.Count)
			}
			for _, b := range bars {
				if n := len(op.Bars); n > 0 && op.Bars[n-1].Count+b.Count == 0 { // empty ones in a row are one
					op.Bars = op.Bars[:n-1]
				}
				op.Bars = append(op.Bars, bar{"up to " + duration(b.UpTo), b.Count, float64(b.Count) / float64(most) * 100})
			}
		}
		all = append(all, op)
	}
	for _, t := range r.Transactions {
		if t.Kind != "upper" {
			add(t.Kind, t.Outcomes)
		}
	}
	for _, y := range r.Procedures {
		add(y.Procedure, y.Outcomes)
	}
	return all
}

// terms are what was negotiated, and counted of each side.
func (c *connection) terms() (all []term) {
	if !c.over {
		return nil
	}
	s := stats.NewConnection(c.of)
	a, b := &s.C2S, &s.S2C
	add := func(name string, client, server any) {
		t := term{Name: name, Client: fmt.Sprint(client), Server: fmt.Sprint(server)}
		if t.Client != "unknown" || t.Server != "unknown" || a.FPDUs+b.FPDUs > 0 && c.of.Transport() == flow.OverTCP { // else that is no news
			all = append(all, t)
		}
	}
	counted := func(name string, client, server uint64) {
		if client > 0 || server > 0 {
			all = append(all, term{name, quantity.Grouped(client), quantity.Grouped(server), true})
		}
	}
	known := func(v *bool) string {
		return map[bool]string{false: "unknown", true: map[bool]string{false: "off", true: "on"}[v != nil && *v]}[v != nil]
	}
	count := func(v *int) string {
		if v == nil {
			return "unknown"
		}
		return quantity.Grouped(*v)
	}
	if s.MPARevision != nil {
		add("MPA revision", *s.MPARevision, *s.MPARevision)
	}
	add("CRC", s.CRCOption, s.CRCOption)
	add("Markers sent", known(s.MarkersC2S), known(s.MarkersS2C))
	add("Reads outstanding, at most (ORD)", count(s.ORDC2S), count(s.ORDS2C))
	counted("Reads and Atomics outstanding, most seen", uint64(c.verdict.most[0]), uint64(c.verdict.most[1]))
	counted("packets", a.Packets, b.Packets)
	counted("messages", a.Messages, b.Messages)
	counted("octets of ULP payload", a.PayloadBytes, b.PayloadBytes)
	counted("FPDUs", a.FPDUs, b.FPDUs)
	counted("octets sent again", a.RetransmittedBytes, b.RetransmittedBytes)
	counted("octets lost before the capture point", a.LostBeforeBytes, b.LostBeforeBytes)
	counted("octets not captured", a.MissingBytes, b.MissingBytes)
	counted("octets not decoded", a.UndecodedBytes, b.UndecodedBytes)
	end := c.of.End.Noun()
	if c.of.End == flow.EndOpen {
		end = "still open"
	}
	add("end", end, end)
	return all
}

// long is a number in hexadecimal that can be wider than a narrow page.
var long = regexp.MustCompile(`[0-9a-fA-F]{18,}`)

// breakable is text as HTML, in which long numbers break after each four octets.
func breakable(s string) template.HTML {
	return template.HTML(long.ReplaceAllStringFunc(escaped(s), func(digits string) string {
		var b strings.Builder
		for part := range slices.Chunk([]byte(digits), 8) {
			b.WriteString(string(part) + "<wbr>")
		}
		return b.String()
	}))
}
