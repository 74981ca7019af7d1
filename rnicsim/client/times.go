package client

import (
	"math"
	"slices"
	"time"
)

// Times summarises the times of a measurement's iterations.
type Times struct {
	Count           int
	Min, Max        time.Duration
	Median          time.Duration
	Mean, Deviation time.Duration // standard deviation of the population
	P99, P999       time.Duration // 99 % and 99.9 % took at most so long
}

// NewTimes summarises all, which it sorts. It returns zero if there are none.
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

// quantile returns the least of sorted times that perMille in a thousand do not exceed.
func quantile(sorted []time.Duration, perMille int) time.Duration {
	rank := (perMille*len(sorted) + 999) / 1000
	return sorted[max(rank, 1)-1]
}
