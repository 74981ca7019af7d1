package explain

// What iwarp check finds: breaches of rules, and observations.

import (
	"iter"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/judge"
)

// ruleTopics are the rules that traffic is checked by, by name.
func ruleTopics() (topics []topic) {
	for r := range rpcrules.All() {
		topics = append(topics, topic{
			kind: KindRule, name: r.Name, title: r.Text,
			entry: func() Entry { return ruleEntry(r) },
		})
	}
	return topics
}

func ruleEntry(r *rules.Rule) Entry {
	e := Entry{
		Kind: KindRule, Name: r.Name, Title: "rule of iwarp check, " + r.Severity.String(),
		Text:  []string{sentence(r.Text)},
		Facts: []Fact{{"Requirements", strings.Join(r.IDs, ", ")}},
	}
	if s := r.Situation; s != rules.NoSituation {
		for c := range rules.Situations[s].RFC.Codes.All() {
			e.See = append(e.See, c.String())
		}
		if s.String() != r.Name {
			e.See = append(e.See, s.String())
		}
	}
	g, ok := r.Ground()
	if ok {
		e.addGround(&g, r.Situation)
	}
	if first := rfc.Lookup(r.ID()); g.Words == "" && first != nil {
		e.addQuote(first)
	}
	e.Sources = sourcesOf(r.IDs)
	return e
}

// observationTopics are what iwarp check tells beside breaches of rules, by id and name.
func observationTopics() (topics []topic) {
	for o := range judge.Observations() {
		topics = append(topics, topic{
			kind: KindObservation, name: o.ID, title: o.Text, keys: []string{o.Name},
			entry: func() Entry { return observationEntry(o) },
		})
	}
	return topics
}

func observationEntry(o *judge.Observation) Entry {
	return Entry{
		Kind: KindObservation, Name: o.ID, Title: "observation of iwarp check, " + o.Severity.String(),
		Text:    []string{o.Text, "It breaks no requirement, but may explain why something failed or was slow."},
		Facts:   []Fact{{"Name", o.Name}},
		Advice:  o.Advice,
		Sources: []string{"iwarp check"}, observed: o.Name,
	}
}

// sourcesOf is where requirements stand, each place once.
func sourcesOf(ids []string) (sources []string) {
	for _, id := range ids {
		if r := rfc.Lookup(id); r != nil && !slices.Contains(sources, r.Source()) {
			sources = append(sources, r.Source())
		}
	}
	return sources
}

// sentence makes a sentence of words that begin with a small letter and end without a full stop.
func sentence(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + strings.TrimSuffix(words[1:], ".") + "."
}

// checking yields the rules that check a requirement.
func checking(id string) iter.Seq[*rules.Rule] {
	return func(yield func(*rules.Rule) bool) {
		for r := range rpcrules.All() {
			if slices.Contains(r.IDs, id) && !yield(r) {
				return
			}
		}
	}
}

// checkedBy says which rules check a requirement; empty if none does.
func checkedBy(id string) string {
	var names []string
	for r := range checking(id) {
		names = append(names, r.Name)
	}
	if names == nil {
		return ""
	}
	return strings.Join(names, ", ") + " (iwarp check)"
}
