package ends

// Sets of octets of a stream.

import (
	"cmp"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
)

// A stretch is the octets from one place up to another.
type stretch struct{ from, to int64 }

// union is the octets that packets hold, in disjoint stretches in order, all moved by shift.
func union(packets []packet, shift int64) (all []stretch) {
	for i := range packets {
		p := &packets[i]
		if n := len(all); !p.carries() {
			continue
		} else if s := (stretch{p.pos + shift, p.end() + shift}); n > 0 && s.from >= all[n-1].from && s.from <= all[n-1].to {
			all[n-1].to = max(all[n-1].to, s.to)
		} else {
			all = append(all, s)
		}
	}
	return joined(all)
}

// joined sorts stretches and joins those that touch.
func joined(all []stretch) []stretch {
	slices.SortFunc(all, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	n := 0
	for _, s := range all {
		if n > 0 && s.from <= all[n-1].to {
			all[n-1].to = max(all[n-1].to, s.to)
			continue
		}
		all[n] = s
		n++
	}
	return all[:n]
}

func octets(all []stretch) (n int64) {
	for _, s := range all {
		n += s.to - s.from
	}
	return n
}

// common calls do with what two sets have in common.
func common(a, b []stretch, do func(stretch)) {
	for len(a) > 0 && len(b) > 0 {
		if s := (stretch{max(a[0].from, b[0].from), min(a[0].to, b[0].to)}); s.from < s.to {
			do(s)
		}
		if a[0].to < b[0].to {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
}

// overlap is how many octets two sets have in common.
func overlap(a, b []stretch) (n int64) {
	common(a, b, func(s stretch) { n += s.to - s.from })
	return n
}

// lacking is what a has and b does not.
func lacking(a, b []stretch) (rest []stretch) {
	for _, s := range a {
		for len(b) > 0 && b[0].to <= s.from {
			b = b[1:]
		}
		for _, t := range b {
			if t.from >= s.to {
				break
			}
			if t.from > s.from {
				rest = append(rest, stretch{s.from, t.from})
			}
			s.from = max(s.from, t.to)
		}
		if s.from < s.to {
			rest = append(rest, s)
		}
	}
	return rest
}

// contains reports whether a set has all octets of s.
func contains(all []stretch, s stretch) bool {
	i, _ := slices.BinarySearchFunc(all, s.from+1, func(t stretch, from int64) int { return cmp.Compare(t.to, from) })
	return i < len(all) && all[i].from <= s.from && s.to <= all[i].to
}

// An arrival is a stretch of octets, and the packet that had them first.
type arrival struct {
	stretch
	time  int64
	frame uint32
}

// arrivals are all octets of a stream, in disjoint stretches in order.
func (s *stream) arrivals() []arrival {
	var places []int64 // where packets begin or end
	for i := range s.packets {
		if p := &s.packets[i]; p.carries() {
			places = append(places, p.pos, p.end())
		}
	}
	slices.Sort(places)
	places = slices.Compact(places)
	all := make([]arrival, len(places)) // each from its place to the next; without a frame as long as nobody has sent it
	free := make([]int, len(places)+1)  // of each, itself if it has no frame, else one after it that may have none
	for i := range free {
		free[i] = i
	}
	for i := range s.packets {
		p := &s.packets[i]
		if !p.carries() {
			continue
		}
		at, _ := slices.BinarySearch(places, p.pos)
		for ; places[at] < p.end(); at++ {
			for free[at] != at { // halve the way on the way
				free[at] = free[free[at]]
				at = free[at]
			}
			if places[at] >= p.end() {
				break
			}
			all[at] = arrival{stretch{places[at], places[at+1]}, p.time, p.frame}
			free[at] = at + 1
		}
	}
	return slices.DeleteFunc(all, func(a arrival) bool { return a.frame == 0 })
}

// carries reports whether a packet has something that takes a place.
func (p *packet) carries() bool { return p.size() > 0 && !p.flags.Has(tcpip.RST) }
