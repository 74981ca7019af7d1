package page

// How long messages and FPDUs were, in intervals of time.

import (
	"math/bits"
	"slices"

	"github.com/iwarpkit/iwarp/internal/quantity"
)

// What has a length.
const (
	ofMessages = iota
	ofFPDUs
)

// maxParts is how many intervals lengths have; of more, two become one.
const maxParts = 64

// lengths counts lengths in octets between powers of two: those of 0, of 1, of 2 to 3, of 4 to 7 and so on.
type lengths struct {
	start int64 // of the first interval
	step  int64 // of an interval, in nanoseconds
	parts []part
}

// A part counts the lengths in an interval by their bits.
type part struct {
	messages [33]uint32
	fpdus    [18]uint32
}

// of are the counts of what has a length.
func (p *part) of(what int) []uint32 {
	if what == ofFPDUs {
		return p.fpdus[:]
	}
	return p.messages[:]
}

// add adds a length at a time.
func (l *lengths) add(what int, at int64, n uint64) {
	if l.parts == nil {
		l.start = at
	}
	i := max(at-l.start, 0) / l.step
	for ; i >= maxParts; i /= 2 {
		l.join()
	}
	for int(i) >= len(l.parts) {
		l.parts = append(l.parts, part{})
	}
	counts := l.parts[i].of(what)
	counts[min(bits.Len64(n), len(counts)-1)]++
}

// join makes intervals twice as long.
func (l *lengths) join() {
	for i := range l.parts {
		if i%2 == 1 {
			for what := range 2 {
				for b, n := range l.parts[i].of(what) {
					l.parts[i/2].of(what)[b] += n
				}
			}
		} else {
			l.parts[i/2] = l.parts[i]
		}
	}
	l.parts = l.parts[:(len(l.parts)+1)/2]
	l.step *= 2
}

// rows are all counts, for the scripts: what has the length, its bits, the interval, and how many there are.
func (l *lengths) rows() [][4]int {
	all := [][4]int{}
	for i := range l.parts {
		for what := range 2 {
			for b, n := range l.parts[i].of(what) {
				if n > 0 {
					all = append(all, [4]int{what, b, i, int(n)})
				}
			}
		}
	}
	return all
}

// leastLengths is how many lengths have a histogram; of fewer, the table of messages says as much.
const leastLengths = 10

// bars are the rows of a histogram, from the first to the last that has anything. Empty ones in a row are one.
func (l *lengths) bars(what int) (all []bar) {
	var sums [33]uint64 // by bits
	count := uint64(0)
	for i := range l.parts {
		for b, n := range l.parts[i].of(what) {
			sums[b] += uint64(n)
			count += uint64(n)
		}
	}
	if count < leastLengths {
		return nil
	}
	most := slices.Max(sums[:])
	next := uint64(0) // octets that no row counts yet
	for i, n := range sums {
		to := uint64(1)<<i - 1
		switch {
		case n == 0 && all == nil:
			next = to + 1
		case n > 0:
			if before := to >> 1; all != nil && next <= before {
				all = append(all, bar{Name: between(next, before)})
				next = before + 1
			}
			all = append(all, bar{between(next, to), n, float64(n) / float64(most) * 100})
			next = to + 1
		}
	}
	return all
}

// between names lengths from one to another.
func between(from, to uint64) string {
	if from == to {
		return quantity.Grouped(from)
	}
	return quantity.Grouped(from) + " to " + quantity.Grouped(to)
}
