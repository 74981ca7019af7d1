package client

import (
	"math"
	"slices"
	"time"
)

// Times sum up how long the iterations of a measurement took.
type Times struct {
	Count           int
	Min, Max        time.Duration
	Median          time.Duration
	Mean, Deviation time.Duration // standard deviation, of all that there are
	P99, P999       time.Duration // the least time that 99 and 99.9 in a hundred are not above
}

// NewTimes sums up all, which it sorts. Of none it is zero.
func NewTimes(all []time.Duration) Times {
	if len(all) == 0 {
		return Times{}
	}
	slices.Sort(all)
	var sum float64
	for _, t := range all {
		sum += float64(t)
	}
	mean := sum / float64(len(all))
	var squares float64
	for _, t := range all {
		squares += (float64(t) - mean) * (float64(t) - mean)
	}
	return Times{
		Count: len(all), Min: all[0], Max: all[len(all)-1],
		Median: quantile(all, 500), P99: quantile(all, 990), P999: quantile(all, 999),
		Mean:      time.Duration(math.Round(mean)),
		Deviation: time.Duration(math.Round(math.Sqrt(squares / float64(len(all))))),
	}
}

// quantile is the least of sorted times that so many in a thousand are not above.
func quantile(sorted []time.Duration, perMille int) time.Duration {
	rank := (perMille*len(sorted) + 999) / 1000
	return sorted[max(rank, 1)-1]
}
