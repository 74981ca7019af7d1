package explain

// What a query that is not known may have meant, and how one that is not whole may go on.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rfc"
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
	if q.folded == "" || len(q.folded) > maxName || n <= 0 {
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
		d := nearness(q.folded, key)
		if d < 0 {
			continue
		}
		for _, place := range places {
			t := &ix.topics[place]
			candidates = append(candidates, candidate{Suggestion{t.name, t.title}, d*len(ix.topics) + place})
		}
	}
	for i, r := range nearestRequirements(strings.Join(q.words, ""), n) {
		text, _ := requirementText(r)
		candidates = append(candidates, candidate{Suggestion{r.ID, text}, len(ix.topics) + i})
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

// maxName is more than the characters of any name: nothing longer is near one.
const maxName = 80

// nearness is how far key is from query: by how many characters they differ, or 1 or 2 if one holds the other; -1 if
// they have little in common.
func nearness(query, key string) int {
	const few = 3 // characters that are too little to find a name by
	switch {
	case len(query) >= few && strings.HasPrefix(key, query):
		return 1
	case len(query) > few && strings.Contains(key, query), len(key) > few && strings.HasPrefix(query, key):
		return 2
	}
	most := max(1, len(query)/4)
	if abs(len(query)-len(key)) > most {
		return -1
	}
	if d := distance(query, key); d <= most {
		return d
	}
	return -1
}

func abs(n int) int { return max(n, -n) }

// distance is the number of characters that must be changed, left out, put in or swapped with the next to make a of b.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// Complete lists the queries that begin with prefix, case aside: names, ids of requirements, and behind "term ",
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
			text, _ := requirementText(rfc.Lookup(id))
			add(id, text)
		}
	}
	return all
}

// Closest is the one of words that a mistyped word differs least from; empty if none is like it.
func Closest(word string, words []string) (closest string) {
	least := -1
	folded := fold(word)
	if folded == "" || len(folded) > maxName {
		return ""
	}
	for _, w := range words {
		if d := nearness(folded, fold(w)); d >= 0 && (least < 0 || d < least) {
			closest, least = w, d
		}
	}
	return closest
}
