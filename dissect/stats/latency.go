package stats

import (
	"math/bits"
	"slices"
)

// A Latency sums up how long transactions took, in seconds. A percentile is the least value that this share of them does not exceed.
type Latency struct {
	Count uint64  `json:"count"`
	Min   float64 `json:"min"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
	Error float64 `json:"error"` // by what fraction a percentile may be wrong; 0 if all are exact
}

// maxExact is how many latencies are kept one by one. If there are more, percentiles come from buckets.
const maxExact = 4096

// A bucket holds latencies that agree in their highest bits: its middle differs from each by at most 1/128.
const (
	bucketBits  = 6
	bucketError = 1.0 / (2 << bucketBits)
	numBuckets  = (64 - bucketBits) << bucketBits
)

// latencies collects how long transactions took, in nanoseconds.
type latencies struct {
	count    uint64
	min, max int64
	all      []int64             // of up to maxExact
	buckets  *[numBuckets]uint64 // of more
}

// add adds a latency, which must not be negative.
func (l *latencies) add(ns int64) {
	if l.count == 0 || ns < l.min {
		l.min = ns
	}
	l.max = max(l.max, ns)
	l.count++
	if l.buckets == nil {
		if len(l.all) < maxExact {
			l.all = append(l.all, ns)
			return
		}
		l.buckets = new([numBuckets]uint64)
		for _, n := range l.all {
			l.buckets[bucket(n)]++
		}
		l.all = nil
	}
	l.buckets[bucket(ns)]++
}

// bucket returns the place of the bucket for ns. Each value below 1<<bucketBits has its own bucket; above, the number of
// bits and those after the first decide.
func bucket(ns int64) int {
	shift := bits.Len64(uint64(ns)) - 1 - bucketBits
	if shift <= 0 {
		return int(ns)
	}
	return shift<<bucketBits + int(ns>>shift)
}

// middle returns the value in the middle of a bucket.
func middle(place int) int64 {
	shift := place>>bucketBits - 1
	if shift <= 0 {
		return int64(place)
	}
	low := int64(place-shift<<bucketBits) << shift
	return low + int64(1)<<shift>>1
}

// report returns nil if there is nothing to report.
func (l *latencies) report() *Latency {
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
	return r
}

// percentile returns the least latency that p percent of all do not exceed. all must be sorted.
func (l *latencies) percentile(p uint64) int64 {
	rank := (l.count*p + 99) / 100 // from 1
	if l.buckets == nil {
		return l.all[rank-1]
	}
	for place, n := range l.buckets {
		if n >= rank {
			return min(max(middle(place), l.min), l.max)
		}
		rank -= n
	}
	return l.max
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }
