package diff

// Which operations became slower.

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// What a comparison of latencies needs and keeps.
const (
	minSamples    = 20   // on each side, to say anything
	maxSamples    = 1024 // of one operation that are kept: evenly spread over all
	maxOperations = 1024
	resamples     = 2000
)

// samples are latencies in nanoseconds. Of many, every 2^k-th is kept.
type samples struct {
	all   []int64
	every int // that is kept
	skip  int // of these to be left out before the next
	count int
}

func (s *samples) add(ns int64) {
	s.count++
	if s.skip > 0 {
		s.skip--
		return
	}
	if len(s.all) == maxSamples {
		for i := range maxSamples / 2 {
			s.all[i] = s.all[2*i]
		}
		s.all, s.every = s.all[:maxSamples/2], 2*s.every+1
	}
	s.all, s.skip = append(s.all, ns), s.every
}

// An Operation is how long one kind of transaction took in both captures.
type Operation struct {
	Name    string  `json:"name"`
	CountA  int     `json:"count_a"`
	CountB  int     `json:"count_b"`
	MedianA float64 `json:"median_a"` // in seconds
	MedianB float64 `json:"median_b"`
	// Low and High bound the difference of the medians, B less A, with a confidence of 99 %, in seconds. They are zero where
	// Verdict is TooFew.
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Verdict Speed   `json:"verdict"`
}

// A Speed says how the time that an operation took in B compares with A.
type Speed string

// The speeds.
const (
	TooFew Speed = "too few" // fewer than 20 samples on a side
	Alike  Speed = "alike"   // the interval includes zero
	Slower Speed = "slower"
	Faster Speed = "faster"
)

// compareLatencies compares the operations that both captures have, the slowest change first.
func compareLatencies(a, b map[string]*samples) []Operation {
	all := []Operation{}
	for name, sa := range a {
		sb := b[name]
		if sb == nil {
			continue
		}
		slices.Sort(sa.all)
		slices.Sort(sb.all)
		o := Operation{
			Name: name, CountA: sa.count, CountB: sb.count, Verdict: TooFew,
			MedianA: seconds(sa.all[len(sa.all)/2]), MedianB: seconds(sb.all[len(sb.all)/2]),
		}
		if min(len(sa.all), len(sb.all)) >= minSamples {
			o.Low, o.High = interval(sa.all, sb.all)
			switch {
			case o.Low > 0:
				o.Verdict = Slower
			case o.High < 0:
				o.Verdict = Faster
			default:
				o.Verdict = Alike
			}
		}
		all = append(all, o)
	}
	slices.SortFunc(all, func(x, y Operation) int {
		return cmp.Or(cmp.Compare(rank(x.Verdict), rank(y.Verdict)), cmp.Compare(y.Low, x.Low), cmp.Compare(x.Name, y.Name))
	})
	return all
}

func rank(s Speed) int { return slices.Index([]Speed{Slower, Faster, Alike, TooFew}, s) }

// interval is the 99 % bootstrap interval of the difference of the medians of two sorted samples. The same samples give the same
// interval.
func interval(a, b []int64) (low, high float64) {
	r := rand.New(rand.NewPCG(uint64(len(a)), uint64(len(b))))
	differences := make([]int64, resamples)
	for i := range differences {
		differences[i] = median(r, b) - median(r, a)
	}
	slices.Sort(differences)
	return seconds(differences[resamples/200]), seconds(differences[resamples-1-resamples/200])
}

// median is that of len(sorted) values drawn from sorted with replacement. Their ranks are uniform, and the median rank of n
// uniform ones is the sum of the first half of n+1 exponential spacings, as a part of the sum of all.
func median(r *rand.Rand, sorted []int64) int64 {
	n := len(sorted)
	half, all := 0.0, 0.0
	for i := range n + 1 {
		all += r.ExpFloat64()
		if i == n/2 {
			half = all
		}
	}
	return sorted[min(int(half/all*float64(n)), n-1)]
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }
