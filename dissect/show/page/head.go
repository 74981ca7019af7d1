package page

// The head of a page: what it is of, the verdict, totals, a card for each connection, and what is left out.

import (
	"cmp"
	"fmt"
	"html/template"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

func (p *Page) document(totals *dissect.Totals) *document {
	doc := &document{
		Title: title(p.Name, p.Files), Headline: p.headline(totals), Filter: printable.String(p.Filter), Licence: plotLicence, Grade: "fine",
		Lone: p.lone(), Sections: p.sections(), Notes: printables(p.Notes), Damage: printables(p.Damage), Listed: p.whole() && p.totals.connections > p.detailed(),
		CSS: template.CSS("\n" + plotCSS + pageCSS), Scripts: []template.JS{template.JS("\n" + plotJS), template.JS("\n" + pageJS)},
	}
	doc.Keys = len(doc.Sections) > 1 || slices.ContainsFunc(doc.Sections, func(s section) bool { return s.HasMessages })
	doc.Policy = fmt.Sprintf("default-src 'none'; script-src %s %s; style-src %s; img-src data:; base-uri 'none'; form-action 'none'",
		hash(string(doc.Scripts[0])), hash(string(doc.Scripts[1])), hash(string(doc.CSS)))
	doc.Hosts, doc.Hostless = p.hosts.rows()
	switch {
	case len(p.conns) == 0: // nothing was checked
		doc.Grade = grades[halfSeen][0]
		doc.Damage = append(doc.Damage, string(text.AppendNothing(nil, totals))+".")
	case slices.Contains([]int{halfSeen, failed}, p.conns[0].rank()):
		doc.Grade = grades[p.conns[0].rank()][0]
	}
	doc.Totals = p.totals.words(totals.Packets)
	if p.totals.connections > 0 {
		doc.Totals = append(doc.Totals, "times count from "+time.Unix(0, p.start).UTC().Format("2006-01-02 15:04:05.000000 UTC"))
	}
	if doc.Lone {
		doc.Totals = slices.Insert(doc.Totals, 1, p.conns[0].about()...)
	} else {
		p.addCards(doc)
	}
	return doc
}

func printables(all []string) (out []string) {
	for _, s := range all {
		out = append(out, printable.String(s))
	}
	return out
}

// title names the captures, by their files if they have no name: both of two, and the first of more.
func title(name string, files []string) string {
	file := func(i int) string { return printable.String(filepath.Base(files[i])) }
	switch n := len(files); {
	case name != "":
		return printable.String(name) + " - iwarp report"
	case n == 0:
		return "iwarp report"
	case n == 1:
		return file(0) + " - iwarp report"
	case n == 2:
		return file(0) + " and " + file(1) + " - iwarp report"
	default:
		return file(0) + " and " + quantity.Grouped(n-1) + " more - iwarp report"
	}
}

// headline says whether something failed, and what.
func (p *Page) headline(totals *dissect.Totals) string {
	all := quantity.GroupedCount(p.totals.connections, "connection")
	worst := p.worst()
	if worst == nil {
		return text.Nothing(totals)
	}
	summary := show.Within(worst.verdict.file, false, worst.verdict.summary)
	switch {
	case p.totals.failed > 1:
		return quantity.Grouped(p.totals.failed) + " of " + all + " failed. The worst: " + summary
	case p.totals.failed == 1 || worst.rank() == halfSeen && len(p.conns) == 1:
		return summary
	case len(p.conns) == 1:
		return "No failure. " + summary
	}
	return "None of " + all + " failed."
}

// worst is the worst connection; nil if there is none.
func (p *Page) worst() *connection {
	if len(p.conns) == 0 {
		return nil
	}
	return p.conns[0]
}

// lone reports whether there is one connection, with a section. The headline is then the first sentence of that section.
func (p *Page) lone() bool { return p.totals.connections == 1 && p.detailed() == 1 }

// maxCards is how many connections have a card; if these are more than maxOpen, those without a section are folded.
const (
	maxCards = 200
	maxOpen  = 48
)

// addCards adds the cards, those of the worst connections first.
func (p *Page) addCards(doc *document) {
	cards := slices.Clone(p.conns[:min(len(p.conns), maxCards)])
	detailed := p.conns[:p.detailed()]
	slices.SortFunc(cards, func(a, b *connection) int { return cmp.Or(cmp.Compare(b.rank(), a.rank()), byNumber(a, b)) })
	for _, c := range cards {
		card := p.card(c)
		card.Linked, card.Listed, card.Chart = slices.Contains(detailed, c), p.whole(), p.chart(c, 140, false)
		if card.Linked || len(cards) <= maxOpen {
			doc.Cards = append(doc.Cards, card)
		} else {
			doc.More = append(doc.More, card)
		}
	}
	if more := p.totals.connections - len(cards); more > 0 {
		doc.Others = quantity.GroupedCount(more, "more connection") + " without a plot here. iwarp check --all lists each."
	}
}

// words say what a capture of so many packets has.
func (t *totals) words(packets uint64) []string {
	failed := "none failed"
	if t.failed > 0 {
		failed = quantity.Grouped(t.failed) + " failed"
	}
	for rank, words := range [...]string{3: "with errors", 2: "with warnings", halfSeen: "half seen"} {
		if n := t.ranks[rank]; n > 0 && words != "" {
			failed += ", " + quantity.Grouped(n) + " " + words
		}
	}
	if t.connections == 0 {
		return []string{quantity.GroupedCount(packets, "packet")}
	}
	return []string{
		quantity.GroupedCount(t.connections, "connection") + ", " + failed,
		quantity.GroupedCount(packets, "packet"), quantity.GroupedCount(t.messages, "message"), quantity.GroupedCount(t.octets, "octet") + " of ULP payload",
		quantity.GroupedCount(t.errors, "error") + ", " + quantity.GroupedCount(t.warnings, "warning") + ", " + quantity.GroupedCount(t.notes, "note"),
	}
}

// grades are the words for ranks, and their classes.
var grades = [...][2]string{{"fine", "ok"}, {"warning", "half seen"}, {"warning", "warnings"}, {"error", "errors"}, {"failed", "failed"}}

func (p *Page) card(c *connection) card {
	about := append(c.about(), quantity.GroupedCount(c.octets, "octet"))
	if len(c.waits()) > 0 {
		about = append(about, "shaded: silence while a request waits")
	}
	return card{
		ID: c.of.ID, Grade: grades[c.rank()][0], Word: grades[c.rank()][1], Client: c.of.Client.String(), Server: c.of.Server.String(), File: c.verdict.file,
		About: strings.Join(about, ", "), Summary: c.verdict.summary,
	}
}

// about says what a connection carried, and for how long.
func (c *connection) about() (words []string) {
	if c.verdict.ulp != "" {
		words = append(words, c.verdict.ulp)
	}
	lasted := quantity.Duration(c.of.Latest - c.of.Earliest)
	if silent := c.verdict.until - c.of.Latest; silent >= leastStall {
		lasted += ", then silent for " + quantity.Duration(silent)
	}
	return append(words, lasted)
}

// partial says what the page leaves out; it is empty if that is nothing.
func (p *Page) partial() string {
	messages := held{some: len(p.others.Messages.Time), all: len(p.others.Messages.Time) + p.forgotten[0]}
	requests := held{some: len(p.others.Requests.Time), all: len(p.others.Requests.Time) + p.forgotten[1]}
	for i, c := range p.conns {
		messages.add(len(c.messages.all), c.messages.count, i < p.detailed())
		requests.add(len(c.requests.all), c.requests.count, i < p.detailed())
	}
	sections := ""
	switch n := p.detailed(); {
	case n == p.totals.connections:
	case n == 0:
		return "The page has no room for messages. To see them: " + printable.String(p.Command)
	case n == 1:
		sections = "The worst connection has a section. "
	default:
		sections = fmt.Sprintf("The %d worst or busiest connections have a section. ", n)
	}
	if sections != "" && p.whole() {
		sections += "What the others said is in tables at the end. "
	}
	var has []string
	if messages.some < messages.all {
		has = append(has, messages.words("message"))
	}
	if requests.some < requests.all {
		has = append(has, requests.words("transaction"))
	}
	if has == nil {
		return sections
	}
	of := "all of these connections"
	if messages.thin || requests.thin {
		of = "those at the beginning and the end of each of these connections, and around what was found"
	}
	return fmt.Sprintf("%sThe page has %s: %s. Plots of throughput and of what is outstanding sum up all. To see the rest: %s",
		sections, strings.Join(has, " and "), of, printable.String(p.Command))
}

// held counts what the page has of all messages or requests.
type held struct {
	some, all int
	thin      bool // some of a connection with a section are left out
}

func (h *held) add(some, all int, detailed bool) {
	h.some += some
	h.all += all
	h.thin = h.thin || detailed && some < all
}

func (h *held) words(noun string) string {
	return quantity.Grouped(h.some) + " of " + quantity.GroupedCount(h.all, noun)
}
