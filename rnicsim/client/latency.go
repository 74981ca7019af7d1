package client

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// Latency measures how long one operation takes. Each begins when the previous one is complete.
//
//   - Write: from posting an RDMA Write, with an RDMA Read of its last octet after it, until that octet has arrived.
//     The order of RFC 5040 ensures that all octets are then in the peer's memory. This is a round trip.
//   - Read: from posting an RDMA Read until its octets have arrived. This is a round trip.
//   - Send and Immediate: half of the time from posting it until the peer has sent it back.
//   - Atomic: from posting a FetchAdd until the old value has arrived. This is a round trip.
//
// It fails like Check, with ErrFew or ErrNoEcho, or if the connection is over with its error.
func (m *Meter) Latency(ctx context.Context, op Operation, size, iterations int) (Times, error) {
	if err := m.Check(op, size); err != nil {
		return Times{}, err
	}
	if iterations < 1 || iterations > MaxIterations {
		return Times{}, ErrFew
	}
	round, last, legs := m.round(op, size)
	if op.message() && m.offer.Answer != service.Echoes {
		return Times{}, ErrNoEcho
	}
	var began time.Time
	took := make([]time.Duration, 0, iterations)
	begin := func() error {
		began = time.Now()
		return m.conn.Post(round...)
	}
	err := m.run(ctx, begin, func(done []rnicsim.Completion) (bool, error) {
		i := slices.IndexFunc(done, func(c rnicsim.Completion) bool { return c.Op == last })
		if i < 0 {
			return false, nil
		}
		took = append(took, time.Since(began)/legs)
		over := len(took) == iterations
		if !over {
			if err := begin(); err != nil {
				return false, err
			}
		}
		if last == rnicsim.OpReceive { // other Receives serve what comes meanwhile
			return over, m.conn.PostReceive(m.receive(done[i].WRID))
		}
		return over, nil
	})
	if err != nil {
		return Times{}, err
	}
	return NewTimes(took), nil
}

// round returns the Work Requests of one operation, the completion that ends it, and by what to divide the time. The
// others are unsignaled.
func (m *Meter) round(op Operation, size int) (wrs []rnicsim.WorkRequest, last rnicsim.Op, legs time.Duration) {
	unsignaled := func(wr rnicsim.WorkRequest) rnicsim.WorkRequest {
		wr.Unsignaled = true
		return wr
	}
	switch op {
	case Write:
		return []rnicsim.WorkRequest{unsignaled(m.write(size)), m.read(size-1, 1)}, rnicsim.OpRead, 1
	case Read:
		return []rnicsim.WorkRequest{m.read(0, size)}, rnicsim.OpRead, 1
	case Send:
		return []rnicsim.WorkRequest{unsignaled(m.send(size))}, rnicsim.OpReceive, 2
	case Immediate:
		return []rnicsim.WorkRequest{unsignaled(m.immediate())}, rnicsim.OpReceive, 2
	}
	return []rnicsim.WorkRequest{m.add()}, rnicsim.OpFetchAdd, 1
}

// Times summarises the times of a measurement's iterations.
type Times struct {
	Count           int
	Min, Max        time.Duration
	Median          time.Duration
	Mean, Deviation time.Duration // standard deviation of the population
	P99, P999       time.Duration // 99 % and 99.9 % took at most this long
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
