package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rfc"
)

// requirement explains the requirement with an id; nil if there is none.
func requirement(id string) []Entry {
	r := rfc.Lookup(id)
	if r == nil {
		return nil
	}
	return []Entry{requirementEntry(r)}
}

func requirementEntry(r *rfc.Requirement) Entry {
	e := Entry{
		Kind: KindRequirement, Name: r.ID, Title: r.Level.String() + ", " + r.Source(),
		Text:    []string{r.Text},
		Sources: []string{r.Source()},
	}
	if d := r.Document(); d != nil {
		e.Facts = append(e.Facts, Fact{"Document", d.Name + ", " + d.Title})
	}
	e.Facts = append(e.Facts, Fact{"Section", r.Section}, Fact{"Level", r.Level.String()})
	e.addQuote(r)
	if r.Basis != "" {
		e.Facts = append(e.Facts, Fact{"Why this level", "iwarp chose it: this is " + r.Basis})
	}
	e.Facts = append(e.Facts, Fact{"Binds", r.Who}, Fact{"Shows in", observable(r.Observable)})
	if rule := checkedBy(r.ID); rule != "" {
		e.Facts = append(e.Facts, Fact{"Checked by", rule})
	}
	if r.Violation != "" {
		e.Facts = append(e.Facts, Fact{"Violation", r.Violation})
	}
	e.addReaction(r)
	if r.Scope != "" {
		e.Facts = append(e.Facts, Fact{"Our RNIC", scopes[r.Scope]})
	}
	e.See = codeInText().FindAllString(r.Reaction, -1)
	slices.Sort(e.See)
	e.See = slices.Compact(e.See)
	return e
}

// addQuote adds what the document says.
func (e *Entry) addQuote(r *rfc.Requirement) {
	if r.Quote != "" {
		e.Facts = append(e.Facts, Fact{"In their words", fmt.Sprintf("%q (%s)", r.Quote, r.Source())})
	}
}

// addReaction says what a receiver does about a breach, and which part of that, and of the weight of a breach, is decided here.
func (e *Entry) addReaction(r *rfc.Requirement) {
	type reason struct{ rules, text string }
	demanded, decided, reasons := false, false, []reason(nil)
	for rule := range checking(r.ID) {
		g, ok := rule.Ground()
		if !ok {
			continue
		}
		demanded, decided = demanded || g.Demanded(), decided || !g.Demanded()
		same := slices.IndexFunc(reasons, func(r reason) bool { return r.text == g.Decided })
		switch {
		case g.Decided == "":
		case same >= 0:
			reasons[same].rules = rule.Name + ", " + reasons[same].rules
		default:
			reasons = append(reasons, reason{rule.Name, g.Decided})
		}
	}
	name := "Reaction"
	if decided && !demanded {
		name = "iwarp expects"
	}
	if r.Reaction != "" {
		e.Facts = append(e.Facts, Fact{name, r.Reaction})
	}
	for _, r := range reasons {
		e.Facts = append(e.Facts, Fact{"Decided by iwarp", r.rules + ": " + r.text})
	}
}

// sectionForms are how a section of a document is written, in lower case: "rfc 5040, section 4.8", "5040 §4.8", "rfc5040/4.8",
// "rfc-5040-4.8", "https://www.rfc-editor.org/rfc/rfc5040#section-4.8", and "section 4.8 of rfc 5040".
var (
	sectionForm = pattern(`^(?:https?://\S*/)?(.*?)(?:\.html|\.txt)?[\s,#-]*` +
		`(?:§+|/|\bsection\b|\bsect?\b\.?|\bchapter\b|\bs\.?|\s|-)[\s-]*([0-9a-z]+(?:\.[0-9]+)*)\.?$`)
	sectionFirst = pattern(`^(?:§+|section|sect?\.?|chapter)\s*([0-9a-z]+(?:\.[0-9]+)*),? (?:of|in) (.*)$`)
)

// section explains a section of a document by its requirements.
func (q query) section() []Entry {
	text := strings.Join(q.words, " ")
	var doc, number string
	if m := sectionFirst().FindStringSubmatch(text); m != nil {
		doc, number = m[2], m[1]
	} else if m := sectionForm().FindStringSubmatch(text); m != nil {
		doc, number = m[1], m[2]
	}
	doc = strings.Join(strings.Fields(doc), " ")
	for _, name := range []string{doc, "rfc " + doc, strings.ReplaceAll(doc, " ", ""), strings.ReplaceAll(doc, "-", " ")} {
		d := rfc.LookupDocument(name)
		if d == nil {
			continue
		}
		for within := true; within; { // a section without requirements is part of one that may have some
			if some := rfc.Section(d.ID, number); len(some) > 0 {
				return []Entry{sectionEntry(d, number, some)}
			}
			last := strings.LastIndexByte(number, '.')
			if within = last > 0; within {
				number = number[:last]
			}
		}
	}
	return nil
}

func sectionEntry(d *rfc.Document, number string, some []*rfc.Requirement) Entry {
	source := d.Name + ", section " + strings.ToUpper(number)
	e := Entry{Kind: KindSection, Name: source, Title: fmt.Sprintf("requirements: %d", len(some)), Sources: []string{source}}
	for _, r := range some {
		e.Facts = append(e.Facts, Fact{r.ID, "(" + r.Level.String() + ") " + r.Text})
	}
	return e
}

var codeInText = pattern(`\b[0-9A-F]/[0-9A-F]/[0-9A-F]{2}\b`)

// observables spells out where a breach shows.
var observables = map[string]string{
	"capture": "a capture",
	"codec":   "a single header",
	"peer":    "how a live peer answers",
	"api":     "the local interface",
	"none":    "nothing that can be observed",
}

// scopes spells out whether the software RNIC does what the Verbs demand.
var scopes = map[string]string{
	"IN":  "does so",
	"OPT": "does so if the option is there",
	"SIM": "does so, simulated",
	"OUT": "has nothing of the kind: this is a matter of hardware or of the operating system",
}

func observable(words string) string {
	var places []string
	for word := range strings.SplitSeq(words, ",") {
		word = strings.TrimSpace(word)
		if place := observables[word]; place != "" {
			word = place
		}
		places = append(places, word)
	}
	return strings.Join(places, "; ")
}

// documentTopics are the documents that requirements are from.
func documentTopics() (topics []topic) {
	for d := range rfc.Documents() {
		topics = append(topics, topic{
			kind: KindDocument, name: d.Name, title: d.Title, keys: []string{d.ID},
			entry: func() Entry { return documentEntry(d) },
		})
	}
	return topics
}

func documentEntry(d *rfc.Document) Entry {
	e := Entry{
		Kind: KindDocument, Name: d.Name, Title: d.Title,
		Text:    []string{"One of the documents that the catalogue of requirements is taken from."},
		Sources: []string{d.Name},
	}
	var ids []string
	for r := range rfc.All() {
		if r.Doc == d.ID {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) > 0 {
		e.Facts = []Fact{{"Requirements", fmt.Sprintf("%d, from %s to %s", len(ids), ids[0], ids[len(ids)-1])}}
	}
	return e
}
