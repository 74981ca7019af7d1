package client

import (
	"context"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// Latency measures how long one operation takes, the next one being begun when it is complete.
//
//   - Write: from posting an RDMA Write, and behind it an RDMA Read of the last octet that was written, until that octet
//     is here. By the order that RFC 5040 gives to both, all octets are in the peer's memory then. It is the time there
//     and back.
//   - Read: from posting an RDMA Read until its octets are here. It is the time there and back.
//   - Send and Immediate: half of the time from posting it until the peer, which sends messages back, has sent it back.
//   - Atomic: from posting a FetchAdd until the old value is here. It is the time there and back.
//
// It fails as Check does, with ErrNoEcho, or if the connection is over with why.
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
		if last == rnicsim.OpReceive { // there are others for what comes meanwhile
			return over, m.conn.PostReceive(m.receive(done[i].WRID))
		}
		return over, nil
	})
	if err != nil {
		return Times{}, err
	}
	return NewTimes(took), nil
}

// round is what is posted for one operation, the completion that ends it, and by what the time is to be divided. There is
// no completion of what ends nothing.
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
