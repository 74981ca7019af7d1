package rfc

import (
	"cmp"
	"slices"
	"strings"
)

// Complete is the ids that begin with prefix, in capitals or not, in the order of the catalogue. An empty prefix has
// all of them.
func Complete(prefix string) (ids []string) {
	for r := range All {
		if len(r.ID) >= len(prefix) && strings.EqualFold(r.ID[:len(prefix)], prefix) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// Nearest is up to n requirements whose ids differ least from a mistyped one: by how many characters must be changed,
// left out or put in, the nearest first, those of one distance in the order of the catalogue. Two characters may differ,
// or a third of them.
func Nearest(id string, n int) []*Requirement {
	type candidate struct {
		r        *Requirement
		distance int
	}
	id = strings.ToUpper(id)
	if len(id) > maxID {
		return nil
	}
	var candidates []candidate
	for r := range All {
		if d := distance(id, strings.ToUpper(r.ID)); d <= max(2, len(id)/3) {
			candidates = append(candidates, candidate{r, d})
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	some := make([]*Requirement, 0, max(0, min(n, len(candidates))))
	for _, c := range candidates[:cap(some)] {
		some = append(some, c.r)
	}
	return some
}

// maxID is more than the octets of any id: nothing longer is near one.
const maxID = 64

// distance is the edit distance (Levenshtein) of a and b, of which a has at most maxID octets.
func distance(a, b string) int {
	var row [maxID + 1]int // distances of what there is of b from every begin of a
	for i := range len(a) + 1 {
		row[i] = i
	}
	for j := range len(b) {
		corner := row[0]
		row[0] = j + 1
		for i := range len(a) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[i+1]
			row[i+1] = min(change, corner+1, row[i]+1)
		}
	}
	return row[len(a)]
}
