package stats

import (
	"cmp"
	"math"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/iwarpkit/iwarp/dissect/flow"
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

	Frames flow.Frames // names frames; nil if there is one file
}

// How many latencies are kept one by one. If there are more, percentiles come from a sketch.
const (
	maxExact         = 4096 // of a capture
	maxExactInterval = 64   // of an interval, of which there are many
)

// A sketch counts latencies that agree in their highest bits together, which its number of decimal digits decides. A value differs
// from those counted with it by less than sketchError.
const (
	sketchDigits = 2
	sketchError  = 1.0 / 128
)

// latencies collects how long transactions took, in nanoseconds. What two of them have collected can be joined.
type latencies struct {
	exact    int // how many are kept one by one; 0 for maxExact
	count    uint64
	min, max int64
	all      []int64                       // of up to exact
	sketch   *hdrhistogram.PackedHistogram // of more
}

// add adds a latency, which must not be negative.
func (l *latencies) add(ns int64) {
	l.extend(1, ns, ns)
	l.put(ns)
}

// extend adds to the count, and extends the range.
func (l *latencies) extend(count uint64, least, most int64) {
	if l.count == 0 || least < l.min {
		l.min = least
	}
	l.max = max(l.max, most)
	l.count += count
}

func (l *latencies) put(ns int64) {
	if l.sketch == nil {
		if len(l.all) < cmp.Or(l.exact, maxExact) {
			l.all = append(l.all, ns)
			return
		}
		l.spread()
	}
	_ = l.sketch.RecordValue(ns) // it takes all that are not negative
}

// spread puts those that were kept one by one into a sketch.
func (l *latencies) spread() {
	l.sketch = hdrhistogram.NewPacked(1, math.MaxInt64, sketchDigits)
	for _, ns := range l.all {
		_ = l.sketch.RecordValue(ns)
	}
	l.all = nil
}

// join adds what another has collected.
func (l *latencies) join(o *latencies) {
	if o.count == 0 {
		return
	}
	l.extend(o.count, o.min, o.max)
	if o.sketch != nil {
		if l.sketch == nil {
			l.spread()
		}
		l.sketch.Merge(o.sketch)
	}
	for _, ns := range o.all {
		l.put(ns)
	}
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
	if l.sketch != nil {
		r.Error = sketchError
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
	if l.sketch != nil {
		for ns, n := range l.sketch.ForEachBucket {
			count(max(ns, l.min), uint64(n))
		}
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
	if l.sketch == nil {
		return l.all[rank-1]
	}
	return min(l.sketch.ValueAtPercentile(float64(rank)/float64(l.count)*100), l.max)
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }
