package ends

// The difference of the clocks of two captures.

import (
	"cmp"
	"math"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/transit"
)

// A Clock says how the clock of the second capture differs from that of the first one.
type Clock struct {
	Known  bool    // there are packets from which to tell
	Epoch  int64   // a time by the first clock, in nanoseconds since 1970-01-01 UTC
	Ahead  int64   // nanoseconds by which the second clock was ahead at Epoch; less than 0 if it was behind
	Drift  float64 // nanoseconds that the second clock gains in one of the first; 0 if that is too little to be told
	Within int64   // nanoseconds by which Ahead may be wrong: half of the shortest round trip, for packets may be slower one way
}

// First is what the first clock shows when the second one shows t.
func (c *Clock) First(t int64) int64 {
	since := t - c.Ahead - c.Epoch
	return c.Epoch + since - int64(float64(since)*c.Drift/(1+c.Drift))
}

// ahead is by how much the second clock was ahead when the first one showed t.
func (c *Clock) ahead(t int64) int64 { return c.Ahead + int64(float64(t-c.Epoch)*c.Drift) }

// maxDrift is the most that a clock is taken to gain or lose, as a share.
const maxDrift = 1e-3

// A sample is a packet that both captures have.
type sample struct {
	at   int64 // by the first clock
	diff int64 // time in the second capture less that in the first
}

// samples are the packets of a direction that both captures show when they bring something new. A packet that was sent
// again proves nothing: nobody knows which copy is which.
func (p *Connection) samples(d int) []sample {
	a, b := &p.both[0].streams[d], &p.both[1].streams[d]
	return append(matched(a.news(), b.news()), matched(behindFirst(a.acks()), behindFirst(b.acks()))...)
}

// behindFirst leaves out the first acknowledgement that a capture has, which may repeat another.
func behindFirst(acks []novelty) []novelty { return acks[min(1, len(acks)):] }

// A novelty is what a packet brings: an octet, or an acknowledgement of one.
type novelty struct{ place, time int64 }

// news are the first octets of packets after all that came before them.
func (s *stream) news() (all []novelty) {
	next := int64(math.MinInt64)
	for i := range s.packets {
		if p := &s.packets[i]; p.carries() && p.pos >= next {
			all = append(all, novelty{p.pos, p.time})
			next = p.end()
		}
	}
	return all
}

// acks are the acknowledgements that go beyond all before them.
func (s *stream) acks() (all []novelty) {
	latest := int64(unacked)
	for i := range s.packets {
		if p := &s.packets[i]; p.acked > latest {
			all = append(all, novelty{p.acked, p.time})
			latest = p.acked
		}
	}
	return all
}

// matched are the samples of what both captures show.
func matched(a, b []novelty) (all []sample) {
	for len(a) > 0 && len(b) > 0 {
		switch cmp.Compare(a[0].place, b[0].place) {
		case 0:
			all = append(all, sample{a[0].time, b[0].time - a[0].time})
			a, b = a[1:], b[1:]
		case -1:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return all
}

// compareClocks finds out near whom each capture was taken, and how the clocks differ. A packet arrives after it left: what
// one end sent bounds the difference from above, what the other end sent from below.
func (c *Comparison) compareClocks() {
	var bounds [2][]sample // from above, from below
	var diffs []int64
	for _, p := range c.Connections {
		all := [2][]sample{p.samples(0), p.samples(1)}
		if p.Near = near(all); len(all[0]) == 0 || len(all[1]) == 0 {
			p.Near = p.nearAlone()
		}
		if p.Near < 0 {
			for _, s := range slices.Concat(all[0], all[1]) {
				diffs = append(diffs, s.diff)
			}
			continue
		}
		for d := range all {
			side := d ^ p.Near
			bounds[side] = append(bounds[side], all[d]...)
			if trip := p.shortestTrip(); len(all[1-d]) == 0 && trip > 0 { // nothing bounds it from the other side
				sign := int64(2*side - 1)
				for _, s := range all[d] {
					bounds[1-side] = append(bounds[1-side], sample{s.at, s.diff + sign*trip})
				}
			}
		}
	}
	c.Clock = estimate(bounds)
	if len(diffs) > 0 && (!c.Clock.Known || len(diffs) > len(bounds[0])+len(bounds[1])) { // both captures were taken at one place
		c.Clock = Clock{Known: true, Ahead: median(diffs), Within: leastTrip / 2}
		for _, p := range c.Connections {
			p.Near = -1 // copies that were sent again can look like a path
		}
	}
	for _, p := range c.Connections {
		for d := range p.Ways {
			p.Ways[d].Delay = c.delay(p.samples(d), d^p.Near)
		}
	}
}

// leastTrip is how many nanoseconds a round trip takes at least where there is a path between two captures.
const leastTrip = 1000

// near is the capture near the sender of direction 0: what it sends comes there first. It is -1 if the samples do not show
// it. Samples of both directions are compared where they follow each other, so that drift does no harm.
func near(all [2][]sample) int {
	type directed struct {
		sample
		d int
	}
	var both []directed
	for d := range all {
		for _, s := range all[d] {
			both = append(both, directed{s, d})
		}
	}
	slices.SortStableFunc(both, func(a, b directed) int { return cmp.Compare(a.at, b.at) })
	var trips []int64
	for i := 1; i < len(both); i++ {
		switch a, b := &both[i-1], &both[i]; {
		case a.d < b.d:
			trips = append(trips, a.diff-b.diff)
		case a.d > b.d:
			trips = append(trips, b.diff-a.diff)
		}
	}
	switch trip := median(trips); {
	case trip > leastTrip:
		return 0
	case trip < -leastTrip:
		return 1
	}
	return -1
}

// nearAlone is the capture near the sender of direction 0, told by which end answers sooner in each capture.
func (p *Connection) nearAlone() int {
	for i, c := range p.both {
		own, far := c.answered(1), c.answered(0)
		switch {
		case own == 0 || far == 0:
		case own < far:
			return i
		case far < own:
			return 1 - i
		}
	}
	return -1
}

// shortestTrip is the shortest time from one capture to the other and back, as far as one capture alone shows it; 0 if none does.
func (p *Connection) shortestTrip() (trip int64) {
	for i, c := range p.both {
		d := i ^ p.Near // the direction that begins near capture i
		if t := c.answered(d); t > 0 && (trip == 0 || t < trip) {
			trip = t
		}
	}
	return trip
}

// answered is the shortest time in which an octet of direction d was acknowledged; 0 if none was.
func (c *conn) answered(d int) (least int64) {
	news := c.streams[d].news()
	for _, a := range c.streams[1-d].acks() {
		i, _ := slices.BinarySearchFunc(news, a.place, func(n novelty, place int64) int { return cmp.Compare(n.place, place) })
		if i == 0 {
			continue
		}
		if t := a.time - news[i-1].time; t > 0 && (least == 0 || t < least) {
			least = t
		}
	}
	return least
}

// The samples are reduced to so many of each side, the tightest of each stretch of time.
const maxBounds = 1024

// maxOutliers is how many bounds of each side may contradict the others.
const maxOutliers = 16

// estimate finds the clock that keeps farthest away from what all bounds forbid: that is what it is if the shortest
// way is as long in both directions.
func estimate(bounds [2][]sample) Clock {
	if len(bounds[0]) == 0 || len(bounds[1]) == 0 {
		return Clock{}
	}
	epoch := min(bounds[0][0].at, bounds[1][0].at)
	base := bounds[0][0].diff
	l := line{upper: tightest(bounds[0], epoch, base, 1), lower: tightest(bounds[1], epoch, base, -1)}
	drift := l.drift()
	for range maxOutliers {
		if l.slack(drift) >= 0 || len(l.upper) < 2 || len(l.lower) < 2 {
			break
		}
		l.dropOutlier(drift)
		drift = l.drift()
	}
	slack := l.slack(drift)
	if slack < 0 {
		return Clock{}
	}
	if none := l.slack(0); none >= slack/2 { // without drift it fits as well
		drift, slack = 0, none
	}
	high, _ := l.lowest(drift)
	return Clock{Known: true, Epoch: epoch, Ahead: base + int64(high-slack), Drift: drift, Within: int64(slack)}
}

// A line is the difference of the clocks over time, somewhere between bounds.
type line struct{ upper, lower []bound }

// A bound is a sample from which an epoch and a difference were taken.
type bound struct{ at, diff float64 }

// tightest are the least, by sign, of the samples in each of up to maxBounds stretches of time.
func tightest(all []sample, epoch, base int64, sign float64) (least []bound) {
	from, to := all[0].at, all[0].at
	for _, s := range all {
		from, to = min(from, s.at), max(to, s.at)
	}
	var slots [maxBounds]bound
	var used [maxBounds]bool
	span := float64(to) - float64(from) + 1
	for _, s := range all {
		i := min(maxBounds-1, int((float64(s.at)-float64(from))/span*maxBounds)) // a long span is rounded
		b := bound{float64(s.at - epoch), float64(s.diff - base)}
		if !used[i] || sign*b.diff < sign*slots[i].diff {
			slots[i], used[i] = b, true
		}
	}
	for i := range slots {
		if used[i] {
			least = append(least, slots[i])
		}
	}
	return least
}

// lowest is the least height above a line of some drift through the origin that an upper bound allows, and which one does.
func (l *line) lowest(drift float64) (high float64, which int) {
	high = math.Inf(1)
	for i, b := range l.upper {
		if h := b.diff - drift*b.at; h < high {
			high, which = h, i
		}
	}
	return high, which
}

// highest is the same for the lower bounds.
func (l *line) highest(drift float64) (low float64, which int) {
	low = math.Inf(-1)
	for i, b := range l.lower {
		if h := b.diff - drift*b.at; h > low {
			low, which = h, i
		}
	}
	return low, which
}

// slack is how far a line of some drift can be from all bounds; less than 0 if they contradict each other.
func (l *line) slack(drift float64) float64 {
	high, _ := l.lowest(drift)
	low, _ := l.highest(drift)
	return (high - low) / 2
}

// drift is the one with the most slack: slack is concave.
func (l *line) drift() float64 {
	from, to := -maxDrift, maxDrift
	for range 80 {
		third := (to - from) / 3
		if l.slack(from+third) < l.slack(to-third) {
			from += third
		} else {
			to -= third
		}
	}
	return (from + to) / 2
}

// dropOutlier forgets the two bounds that contradict each other most.
func (l *line) dropOutlier(drift float64) {
	_, i := l.lowest(drift)
	_, j := l.highest(drift)
	l.upper, l.lower = slices.Delete(l.upper, i, i+1), slices.Delete(l.lower, j, j+1)
}

// delay is how long the packets of samples took. side is 0 if they went from the first capture to the second one.
func (c *Comparison) delay(all []sample, side int) transit.Delay {
	if !c.Clock.Known || side < 0 || side > 1 || len(all) == 0 {
		return transit.Delay{}
	}
	took := make([]int64, len(all))
	for i, s := range all {
		took[i] = s.diff - c.Clock.ahead(s.at)
		if side == 1 {
			took[i] = -took[i]
		}
		took[i] = max(0, took[i]) // an outlier of the estimate
	}
	m := median(took)
	return transit.Delay{Least: took[0], Median: m, Most: took[len(took)-1], Samples: len(took)}
}

// median sorts values and returns the middle one; 0 if there is none.
func median(values []int64) int64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}
