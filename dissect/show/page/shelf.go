package page

// What is held of many: all, or else the first ones, the latest ones, and those around what matters.

import "slices"

// A shelf holds messages or requests of a connection.
type shelf[T any] struct {
	all   []item[T]
	count int // that there were
}

// An item is one on a shelf.
type item[T any] struct {
	it     T
	n      int  // its place among all there were, from 0
	marked bool // it matters
}

// around is how many neighbours of a marked item are held, on either side.
const around = 40

func (s *shelf[T]) add(it T, marked bool) {
	if len(s.all) == cap(s.all) {
		s.all = slices.Grow(s.all, max(len(s.all), 2)) // many connections have few
	}
	s.all = append(s.all, item[T]{it, s.count, marked})
	s.count++
}

// find returns the first item that a test finds, if it is still there; else nil.
func (s *shelf[T]) find(is func(*T) bool) *item[T] {
	for i := range s.all {
		if is(&s.all[i].it) {
			return &s.all[i]
		}
	}
	return nil
}

// thin keeps at most limit: the latest half, a quarter from the beginning, what is around the first marked ones, and as much more
// from the beginning as there is room. It returns how many more there are now: zero or less.
func (s *shelf[T]) thin(limit int) (more int) {
	n := len(s.all)
	if n <= limit {
		return 0
	}
	keep := make([]bool, n)
	left := limit - limit/2 - limit/4
	for i := range keep {
		keep[i] = i < limit/4 || i >= n-limit/2
	}
	for i := range s.all {
		if !s.all[i].marked {
			continue
		}
		for j := max(i-around, 0); j <= min(i+around, n-1) && left > 0; j++ {
			if !keep[j] && s.near(i, j) {
				keep[j] = true
				left--
			}
		}
	}
	for i := limit / 4; left > 0; i++ {
		if !keep[i] {
			keep[i] = true
			left--
		}
	}
	kept := s.all[:0]
	if cap(s.all) > 4*limit { // give back what is left out
		kept = make([]item[T], 0, limit)
	}
	for i := range s.all {
		if keep[i] {
			kept = append(kept, s.all[i])
		}
	}
	clear(s.all[min(len(kept), n):])
	s.all = kept
	return len(kept) - n
}

// empty gives all up, and returns how many more there are now.
func (s *shelf[T]) empty() (more int) {
	more, s.all = -len(s.all), nil
	return more
}

// near reports whether two items were neighbours before others were left out.
func (s *shelf[T]) near(i, j int) bool {
	d := s.all[i].n - s.all[j].n
	return -around <= d && d <= around
}
