// Package spelling suggests words for a misspelt one.
package spelling

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// maxWord is longer than any known word, in octets: nothing longer is near one.
const maxWord = 80

// Nearest returns up to n of words that are near word, ignoring case: those that equal word after their last dot, differ from
// it in few characters, begin with it or contain it. The nearest come first, equally near ones in the order of words. Those
// much farther than the nearest are omitted.
func Nearest(word string, words []string, n int) []string {
	word = strings.ToLower(word)
	far := func(w string) int { return Remoteness(word, strings.ToLower(w)) }
	nearest := Closest(slices.Values(words), n, far)
	for i, w := range nearest {
		if far(w) > far(nearest[0])+1 {
			return nearest[:i]
		}
	}
	return nearest
}

// Suggest asks whether one of up to n words that are near a wrong one was meant.
func Suggest(word string, words []string, n int) string { return DidYouMean(Nearest(word, words, n)) }

// DidYouMean asks whether one of words was meant: "; did you mean A, B or C?". It is empty if there is none.
func DidYouMean(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return "; did you mean " + Or(words) + "?"
}

// Or joins words with commas, and "or" before the last.
func Or(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Fold returns the letters and digits of a name in lower case, for comparisons that ignore case and punctuation.
func Fold(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, name)
}

// Closest returns up to n of the nearest of all, each once, equally near ones in their order. It omits those with a negative
// distance.
func Closest[T comparable](all iter.Seq[T], n int, far func(T) int) []T {
	type candidate struct {
		item T
		far  int
	}
	var near []candidate
	for item := range all {
		if c := (candidate{item, far(item)}); c.far >= 0 && !slices.Contains(near, c) {
			near = append(near, c)
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.far, b.far) })
	var closest []T
	for _, c := range near[:min(max(n, 0), len(near))] {
		closest = append(closest, c.item)
	}
	return closest
}

// Remoteness returns the distance of w from word: 0 if they are the same or w equals word after its last dot, else the number
// of characters in which they differ, or more if one contains the other; -1 if they have little in common.
func Remoteness(word, w string) int {
	const few = 3 // too few characters to find a word by
	most := min(max(1, len(word)/4), 3)
	surplus := abs(len(word) - len(w))
	if word == "" || len(word) > maxWord {
		return -1
	}
	last := w[strings.LastIndexByte(w, '.')+1:]
	switch {
	case w == word || last == word:
		return 0
	case surplus <= most && Distance(word, w) <= most && Distance(word, w) < max(len(word), len(w)): // something in common is left
		return Distance(word, w)
	case len(word) >= few && strings.HasPrefix(w, word), len(w) > few && strings.HasPrefix(word, w):
		return most + surplus/4
	case len(word) > few && (strings.Contains(w, word) || Distance(word, last) <= most):
		return most + 2 + surplus/4
	}
	return -1
}

func abs(n int) int { return max(n, -n) }

// Distance returns the number of octets to change, remove, insert or swap with the next to turn b into a. It takes time
// proportional to the product of their lengths.
func Distance(a, b string) int {
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
