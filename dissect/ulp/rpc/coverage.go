package rpc

// maxIntervals is how many separate parts of a segment are tracked.
const maxIntervals = 8

// A coverage tracks which octets of a segment were moved, in ascending intervals that neither overlap nor touch.
type coverage struct {
	intervals [maxIntervals]interval
	n         int
	lost      bool // there were too many intervals: the coverage is not known
}

// An interval is a range of octets, counted from the start of a segment.
type interval struct{ from, to uint64 }

// add covers an interval.
func (c *coverage) add(i interval) {
	if i.from >= i.to || c.lost {
		return
	}
	if c.n > 0 { // the usual case: it starts where the last one ends
		if last := &c.intervals[c.n-1]; last.to == i.from {
			last.to = i.to
			return
		}
	}
	first := 0
	for first < c.n && c.intervals[first].to < i.from {
		first++
	}
	last := first // after the last that i overlaps or touches
	for last < c.n && c.intervals[last].from <= i.to {
		i.from, i.to = min(i.from, c.intervals[last].from), max(i.to, c.intervals[last].to)
		last++
	}
	if first == last && c.n == maxIntervals {
		c.lost = true
		return
	}
	rest := c.intervals[last:c.n]
	n := first + 1 + len(rest)
	copy(c.intervals[first+1:], rest)
	c.intervals[first] = i
	c.n = n
}

// octets is the number of octets covered.
func (c *coverage) octets() (n uint64) {
	for _, i := range c.intervals[:c.n] {
		n += i.to - i.from
	}
	return n
}

// begin is the number of octets covered without a gap from the start.
func (c *coverage) begin() uint64 {
	if c.n == 0 || c.intervals[0].from > 0 {
		return 0
	}
	return c.intervals[0].to
}

// end is the end of the last interval.
func (c *coverage) end() uint64 {
	if c.n == 0 {
		return 0
	}
	return c.intervals[c.n-1].to
}
