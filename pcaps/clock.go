package pcaps

import (
	"math"
	"math/bits"
)

// defaultResolution is microseconds.
const defaultResolution = 6

// nanoResolution is the if_tsresol of nanoseconds.
const nanoResolution = 9

// ngClock turns the timestamps of a pcapng interface into nanoseconds.
type ngClock struct {
	resolution byte  // if_tsresol: 10^-n seconds, or 2^-n with the top bit set
	offset     int64 // if_tsoffset: seconds to add
}

// nanoseconds converts a timestamp in the clock's unit to nanoseconds since 1970-01-01 UTC. It saturates: timestamps,
// resolutions and offsets can be absurd.
func (c ngClock) nanoseconds(units uint64) int64 {
	const perSecond = 1e9
	exponent := uint(c.resolution & 0x7f)
	var ns uint64
	switch {
	case c.resolution&0x80 != 0:
		high, low := bits.Mul64(units, perSecond)
		ns = shiftRight(high, low, exponent)
	case exponent <= nanoResolution:
		high, low := bits.Mul64(units, pow10(nanoResolution-exponent))
		ns = shiftRight(high, low, 0)
	case exponent-nanoResolution <= 19: // 10^20 exceeds 64 bits
		ns = units / pow10(exponent-nanoResolution)
	}
	return addSaturating(int64(min(ns, math.MaxInt64)), multiplySaturating(c.offset, perSecond))
}

// shiftRight returns high:low >> n, or the greatest value if that needs more than 64 bits.
func shiftRight(high, low uint64, n uint) uint64 {
	if n >= 64 {
		return high >> (n - 64)
	}
	if high>>n != 0 {
		return math.MaxUint64
	}
	return high<<(64-n) | low>>n
}

func pow10(n uint) uint64 {
	p := uint64(1)
	for range n {
		p *= 10
	}
	return p
}

func addSaturating(a, b int64) int64 {
	switch sum := a + b; {
	case a > 0 && b > 0 && sum < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && sum >= 0:
		return math.MinInt64
	default:
		return sum
	}
}

func multiplySaturating(a, positive int64) int64 {
	switch {
	case a > math.MaxInt64/positive:
		return math.MaxInt64
	case a < math.MinInt64/positive:
		return math.MinInt64
	default:
		return a * positive
	}
}
