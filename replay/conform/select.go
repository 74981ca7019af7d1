package conform

// The choice of cases.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/internal/spelling"
)

// Select chooses cases by words, each of them a document (RFC5041), a section with those below it (RFC5041/7), a case
// (RFC5041/7.1/msn-left-out) or the id of a requirement (DDP-7.1-5), in capitals or not. Without words it is all. The order
// stays. It fails for a word that chooses none.
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

// matches tells whether a word chooses the case.
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

// unknown is the error for a word that chooses nothing.
func unknown(all []Question, word string) error {
	if r := rfc.Lookup(word); r != nil {
		return fmt.Errorf("conform: no case asks for %s", r)
	}
	var words []string
	for _, q := range all {
		section := q.Section.Document + "/" + q.Section.Number
		words = append(words, q.Section.Document, section, q.ID())
		words = append(words, q.Requirements...)
	}
	slices.Sort(words)
	near := spelling.Nearest(word, slices.Compact(words), 3)
	if len(near) == 0 {
		return fmt.Errorf("conform: %q is no document, section, case or requirement that is asked for", word)
	}
	return fmt.Errorf("conform: %q is no document, section, case or requirement that is asked for; do you mean %s?", word, strings.Join(near, ", "))
}
