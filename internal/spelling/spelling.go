// Package spelling finds the words that somebody may have meant who wrote another.
package spelling

import (
	"cmp"
	"slices"
	"strings"
)

// maxWord is more than the octets of any word that is looked for: nothing longer is near one.
const maxWord = 80

// Nearest is up to n of words that are near word, case aside, the nearest first and those equally near in the order of
// words: such as are word behind their last dot, differ from it by few characters, begin with it or hold it. What is
// much farther than the nearest is left out.
func Nearest(word string, words []string, n int) []string {
	type candidate struct {
		word string
		far  int
	}
	if word == "" || len(word) > maxWord {
		return nil
	}
	word = strings.ToLower(word)
	var near []candidate
	for _, w := range words {
		if far := remoteness(word, strings.ToLower(w)); far >= 0 && !slices.Contains(near, candidate{w, far}) {
			near = append(near, candidate{w, far})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.far, b.far) })
	var nearest []string
	for _, c := range near[:min(n, len(near))] {
		if c.far <= near[0].far+1 {
			nearest = append(nearest, c.word)
		}
	}
	return nearest
}

// remoteness is how far w is from word: 0 if they are the same or w is word behind its last dot, else the number of
// characters in which they differ, or more if one holds the other; -1 if they have little in common.
func remoteness(word, w string) int {
	const few = 3 // characters that are too little to find a word by
	most := min(max(1, len(word)/4), 3)
	surplus := abs(len(word) - len(w))
	last := w[strings.LastIndexByte(w, '.')+1:]
	switch {
	case w == word || last == word:
		return 0
	case surplus <= most && Distance(word, w) <= most:
		return Distance(word, w)
	case len(word) >= few && strings.HasPrefix(w, word), len(w) > few && strings.HasPrefix(word, w):
		return most + surplus/4
	case len(word) > few && (strings.Contains(w, word) || Distance(word, last) <= most):
		return most + 2 + surplus/4
	}
	return -1
}

func abs(n int) int { return max(n, -n) }

// Distance is the number of octets that must be changed, left out, put in or swapped with the next to make a of b. It
// takes time in proportion to the product of their lengths.
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
