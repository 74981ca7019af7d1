package rfc

import (
	"strings"

	"github.com/iwarpkit/iwarp/internal/spelling"
)

// Complete returns the ids that begin with prefix, in any case, in the order of the catalogue. An empty prefix matches
// all.
func Complete(prefix string) (ids []string) {
	for r := range All() {
		if len(r.ID) >= len(prefix) && strings.EqualFold(r.ID[:len(prefix)], prefix) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// Nearest returns up to n requirements whose ids are closest to a mistyped one, the closest first, equally close ones in
// the order of the catalogue. The distance is the number of characters to change, remove, insert or swap with the next; it
// is at most two, or a third of the characters if that is more.
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
