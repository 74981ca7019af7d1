package rfc

import (
	"strings"

	"github.com/iwarpkit/iwarp/internal/spelling"
)

// Complete is the ids that begin with prefix, in capitals or not, in the order of the catalogue. An empty prefix has
// all of them.
func Complete(prefix string) (ids []string) {
	for r := range All() {
		if len(r.ID) >= len(prefix) && strings.EqualFold(r.ID[:len(prefix)], prefix) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// Nearest is up to n requirements whose ids differ least from a mistyped one: by how many characters must be changed,
// left out, put in or swapped with the next, the nearest first, those of one distance in the order of the catalogue. Two
// characters may differ, or a third of them.
func Nearest(id string, n int) []*Requirement {
	id = strings.ToUpper(id)
	most := max(2, len(id)/3)
	return spelling.Closest(All(), n, func(r *Requirement) int {
		if surplus := len(id) - len(r.ID); surplus > most || -surplus > most {
			return -1
		}
		if d := spelling.Distance(id, strings.ToUpper(r.ID)); d <= most {
			return d
		}
		return -1
	})
}
