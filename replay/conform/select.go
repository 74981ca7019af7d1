package conform

// The choice of cases.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/internal/spelling"
)

// ID returns document and number: "RFC5041/7.1".
func (s *Section) ID() string { return s.Document + "/" + s.Number }

// Select chooses cases by words. Each is a document (RFC5041), a section with its subsections (RFC5041/7), a case
// (RFC5041/4.3/msn-left-out) or the id of a requirement (DDP-7.1-5), in any case. Without words it chooses all. It
// keeps the order. It fails for a word that matches none.
func Select(all []Question, words []string) ([]Question, error) {
	if len(words) == 0 {
		return all, nil
	}
	chosen := make([]bool, len(all))
	all = slices.Clone(all)
	for _, word := range words {
		found := false
		for i := range all {
			if all[i].matches(word) {
				chosen[i], found = true, true
				all[i].Named = all[i].Named || strings.EqualFold(all[i].ID(), word)
			}
		}
		if !found {
			return nil, unknown(all, word)
		}
	}
	var some []Question
	for i, q := range all {
		if chosen[i] {
			some = append(some, q)
		}
	}
	return some, nil
}

func (q Question) matches(word string) bool {
	if slices.ContainsFunc(q.Requirements, func(id string) bool { return strings.EqualFold(id, word) }) {
		return true
	}
	id := q.ID()
	if len(word) > len(id) || !strings.EqualFold(id[:len(word)], word) {
		return false
	}
	rest := id[len(word):]
	return rest == "" || rest[0] == '/' || rest[0] == '.' && strings.Contains(word, "/")
}

func unknown(all []Question, word string) error {
	if r := rfc.Lookup(word); r != nil {
		return fmt.Errorf("conform: no case tests %s", r)
	}
	hint := spelling.DidYouMean(nearest(all, word))
	if hint == "" {
		hint = "; tested documents are " + strings.Join(documents(all), ", ")
	}
	return fmt.Errorf("conform: %q is not a tested document, section, case or requirement%s", word, hint)
}

// documents returns the ids of those that questions are about.
func documents(all []Question) (ids []string) {
	for _, q := range all {
		ids = append(ids, q.Section.Document)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// mostNear limits the suggestions for a wrong word.
const mostNear = 3

// nearest returns valid words that are similar to a wrong one.
func nearest(all []Question, word string) []string {
	if near := nearestCases(all, word); len(near) > 0 {
		return near
	}
	var words []string
	for _, q := range all {
		words = append(words, q.Section.Document, q.Section.ID(), q.ID())
		words = append(words, q.Requirements...)
	}
	slices.Sort(words)
	return spelling.Nearest(word, slices.Compact(words), mostNear)
}

// nearestCases returns the ids that are similar to a wrong one: those with the most similar names, and of equal names first
// those of the same section, then those of the same document.
func nearestCases(all []Question, word string) (near []string) {
	parts := strings.Split(strings.ToLower(word), "/")
	if len(parts) != 3 {
		return nil
	}
	document, section, name := parts[0], parts[0]+"/"+parts[1], parts[2]
	far := func(q Question) int {
		d := nameDistance(name, q.Name)
		switch {
		case d < 0:
			return -1
		case strings.EqualFold(q.Section.ID(), section):
			return elsewhere * d
		case strings.EqualFold(q.Section.Document, document):
			return elsewhere*d + 1
		}
		return elsewhere*d + elsewhere
	}
	closest := spelling.Closest(slices.Values(all), mostNear, far)
	for _, q := range closest {
		if far(q) <= far(closest[0])+elsewhere {
			near = append(near, q.ID())
		}
	}
	return near
}

// elsewhere is the distance of a case in another document; in another section of the same document it is 1. A wrong
// character in the name counts as much as elsewhere.
const elsewhere = 2

// nameDistance returns how many characters differ between a word and the name of a case, or its beginning; -1 if too many
// do.
func nameDistance(word, name string) int {
	most := max(1, len(word)/3)
	if len(word) > len(name)+most {
		return -1
	}
	begin := name[:min(len(name), len(word)+1)]
	if d := min(spelling.Distance(word, name), spelling.Distance(word, begin)); d <= most && d < len(word) {
		return d
	}
	return -1
}
