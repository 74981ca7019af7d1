package stats

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Latency sums up how long transactions took, in seconds. A percentile is the smallest value that at least so many do not exceed.
type Latency struct {
	Count uint64  `json:"count"`
	Min   float64 `json:"min"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
	Error float64 `json:"error"` // by what fraction a percentile may be wrong; 0 if all are exact

	Percentiles []Percentile `json:"percentiles,omitempty"` // that were asked for
	Histogram   []Bar        `json:"histogram,omitempty"`   // if it was asked for
}

// A Percentile is the least latency that Percent of all do not exceed.
type Percentile struct {
	Percent float64 `json:"percent"`
	Value   float64 `json:"value"` // in seconds
}

// A Bar counts the latencies above that of the bar before, up to UpTo.
type Bar struct {
	UpTo  float64 `json:"up_to"` // in seconds: 1, 2 or 5 times a power of ten
	Count uint64  `json:"count"`
}

// Details are what is reported beside the usual.
type Details struct {
	Percentiles []float64 // of latencies: above 0, up to 100
	Histogram   bool      // of latencies
	OnlyBusiest bool      // of more than MaxConnections only the busiest, in WriteJSON too

	Frames record.Frames // names frames; nil if there is one file
}

// How many latencies are kept one by one. If there are more, percentiles come from buckets.
const (
	maxExact         = 4096 // of a capture
	maxExactInterval = 64   // of an interval, of which there are many
)

// A bucket holds latencies that agree in their highest bits: its middle differs from each by at most 1/128.
const (
	bucketBits  = 6
	bucketError = 1.0 / (2 << bucketBits)
)

// A bucket counts the latencies in it.
type bucket struct {
	place int
	n     uint64
}

// latencies collects how long transactions took, in nanoseconds. What two of them have collected can be joined.
type latencies struct {
	exact    int // how many are kept one by one; 0 for maxExact
	count    uint64
	min, max int64
	all      []int64  // of up to exact
	buckets  []bucket // of more, in the order of their places
}

// add adds a latency, which must not be negative.
func (l *latencies) add(ns int64) {
	if l.count == 0 || ns < l.min {
		l.min = ns
	}
	l.max = max(l.max, ns)
	l.count++
	if l.buckets == nil {
		if len(l.all) < cmp.Or(l.exact, maxExact) {
			l.all = append(l.all, ns)
			return
		}
		l.spread()
	}
	l.put(placeOf(ns), 1)
}

// spread puts those that were kept one by one into buckets.
func (l *latencies) spread() {
	for _, ns := range l.all {
		l.put(placeOf(ns), 1)
	}
	l.all = nil
}

// put adds n to a bucket.
func (l *latencies) put(place int, n uint64) {
	i, ok := slices.BinarySearchFunc(l.buckets, place, func(b bucket, place int) int { return b.place - place })
	if !ok {
		l.buckets = slices.Insert(l.buckets, i, bucket{place: place})
	}
	l.buckets[i].n += n
}

// join adds what another has collected.
func (l *latencies) join(o *latencies) {
	if o.count == 0 {
		return
	}
	if l.buckets == nil && len(l.all)+len(o.all) > cmp.Or(l.exact, maxExact) || o.buckets != nil {
		l.spread()
	}
	if l.count == 0 || o.min < l.min {
		l.min = o.min
	}
	l.max = max(l.max, o.max)
	l.count += o.count
	for _, b := range o.buckets {
		l.put(b.place, b.n)
	}
	for _, ns := range o.all {
		if l.buckets == nil {
			l.all = append(l.all, ns)
		} else {
			l.put(placeOf(ns), 1)
		}
	}
}

// placeOf is the place of the bucket for ns: below 1<<bucketBits each value has one of its own, above it the place is
// made of the number of bits and of those behind the first.
func placeOf(ns int64) int {
	shift := bits.Len64(uint64(ns)) - 1 - bucketBits
	if shift <= 0 {
		return int(ns)
	}
	return shift<<bucketBits + int(ns>>shift)
}

// middle is the value in the middle of a bucket.
func middle(place int) int64 {
	shift := place>>bucketBits - 1
	if shift <= 0 {
		return int64(place)
	}
	low := int64(place-shift<<bucketBits) << shift
	return low + int64(1)<<shift>>1
}

// report is nil if there is nothing to report.
func (l *latencies) report(d *Details) *Latency {
	if l.count == 0 {
		return nil
	}
	slices.Sort(l.all)
	r := &Latency{
		Count: l.count, Min: seconds(l.min), Max: seconds(l.max),
		P50: seconds(l.percentile(50)), P90: seconds(l.percentile(90)), P99: seconds(l.percentile(99)),
	}
	if l.buckets != nil {
		r.Error = bucketError
	}
	for _, p := range d.Percentiles {
		r.Percentiles = append(r.Percentiles, Percentile{p, seconds(l.percentile(p))})
	}
	if d.Histogram {
		r.Histogram = l.histogram()
	}
	return r
}

// histogram counts the latencies between steps of 1, 2 and 5 times a power of ten, from the least to the greatest.
func (l *latencies) histogram() (bars []Bar) {
	upTo := int64(1)
	for upTo < l.min {
		upTo = step(upTo)
	}
	bars = append(bars, Bar{UpTo: seconds(upTo)})
	count := func(ns int64, n uint64) {
		for ns > upTo {
			upTo = step(upTo)
			bars = append(bars, Bar{UpTo: seconds(upTo)})
		}
		bars[len(bars)-1].Count += n
	}
	for _, ns := range l.all {
		count(ns, 1)
	}
	for _, b := range l.buckets {
		count(min(max(middle(b.place), l.min), l.max), b.n)
	}
	return bars
}

// step is the next of 1, 2, 5, 10, 20 and so on.
func step(ns int64) int64 {
	digit := ns
	for digit >= 10 {
		digit /= 10
	}
	switch {
	case ns > math.MaxInt64/5:
		return math.MaxInt64
	case digit == 2:
		return ns / 2 * 5
	}
	return 2 * ns
}

// percentile returns the smallest latency that at least p percent of all do not exceed. l.all must be sorted.
func (l *latencies) percentile(p float64) int64 {
	rank := max(uint64(math.Ceil(float64(l.count)*p/100)), 1)
	if l.buckets == nil {
		return l.all[rank-1]
	}
	for _, b := range l.buckets {
		if b.n >= rank {
			return min(max(middle(b.place), l.min), l.max)
		}
		rank -= b.n
	}
	return l.max
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }
