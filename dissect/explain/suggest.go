package explain

// What a query that is not known may have meant, and how one that is not whole may go on.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/internal/spelling"
)

// A Suggestion is a query that [Lookup] knows.
type Suggestion struct {
	Query string // "1/2/05"
	Title string // what it is, in a line
}

// Nearest finds up to n queries that differ least from one that is not known: names that begin with it or hold it, and
// names that it becomes by few changes of characters.
func Nearest(query string, n int) []Suggestion {
	q := newQuery(query)
	if n <= 0 {
		return nil
	}
	type candidate struct {
		Suggestion
		rank int // by distance, then by place in the index
	}
	var candidates []candidate
	seen := map[string]bool{}
	ix := theIndex()
	for key, places := range ix.byKey {
		d := spelling.Remoteness(q.folded, key)
		if d < 0 {
			continue
		}
		for _, place := range places {
			t := &ix.topics[place]
			candidates = append(candidates, candidate{Suggestion{t.name, t.title}, d*len(ix.topics) + place})
		}
	}
	for i, r := range nearestRequirements(strings.Join(q.words, ""), n) {
		candidates = append(candidates, candidate{Suggestion{r.ID, r.Text}, len(ix.topics) + i})
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.Query, b.Query))
	})
	var nearest []Suggestion
	for _, c := range candidates {
		if len(nearest) < n && !seen[c.Query] {
			seen[c.Query] = true
			nearest = append(nearest, c.Suggestion)
		}
	}
	return nearest
}

// nearestRequirements are up to n requirements whose ids begin with id, or differ little from it.
func nearestRequirements(id string, n int) (nearest []*rfc.Requirement) {
	const few = 3 // characters that too many ids begin with
	if len(id) > few {
		for _, longer := range rfc.Complete(id) {
			nearest = append(nearest, rfc.Lookup(longer))
		}
	}
	if nearest == nil {
		nearest = rfc.Nearest(id, n)
	}
	return nearest[:min(n, len(nearest))]
}

// Complete lists the queries that begin with prefix, case aside: names, ids of requirements, and after "term ",
// "opcode " and "field " what goes there. Without a prefix it lists only what most people ask for: messages and terms.
func Complete(prefix string) (all []Suggestion) {
	lower := strings.ToLower(prefix)
	seen := map[string]bool{}
	add := func(query, title string) {
		if !seen[query] && strings.HasPrefix(strings.ToLower(query), lower) {
			seen[query] = true
			all = append(all, Suggestion{query, title})
		}
	}
	for _, t := range theIndex().topics {
		if prefix == "" && t.kind != KindMessage && t.kind != KindTerm {
			continue
		}
		add(t.name, t.title)
		switch t.kind {
		case KindTerminate:
			add("term "+t.name, t.title)
		case KindField:
			add("field "+t.name, t.title)
		}
	}
	for o := range rdmap.Opcode(16) {
		add(fmt.Sprintf("opcode %d", o), o.String())
	}
	if prefix != "" {
		for _, id := range rfc.Complete(prefix) {
			add(id, rfc.Lookup(id).Text)
		}
	}
	return all
}
