package client

import (
	"context"
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
	took := make([]time.Duration, iterations)
	for i := range took {
		begin := time.Now()
		if err := m.post(ctx, round...); err != nil {
			return Times{}, err
		}
		if err := m.until(ctx, last); err != nil {
			return Times{}, err
		}
		took[i] = time.Since(begin) / legs
	}
	return NewTimes(took), nil
}

// round is what is posted for one operation, the completion that ends it, and by what the time is to be divided.
func (m *Meter) round(op Operation, size int) (wrs []rnicsim.WorkRequest, last rnicsim.Op, legs time.Duration) {
	switch op {
	case Write:
		return []rnicsim.WorkRequest{m.write(size), m.read(size-1, 1)}, rnicsim.OpRead, 1
	case Read:
		return []rnicsim.WorkRequest{m.read(0, size)}, rnicsim.OpRead, 1
	case Send:
		return []rnicsim.WorkRequest{m.send(size)}, rnicsim.OpReceive, 2
	case Immediate:
		return []rnicsim.WorkRequest{m.immediate()}, rnicsim.OpReceive, 2
	}
	return []rnicsim.WorkRequest{m.add()}, rnicsim.OpFetchAdd, 1
}

// until waits for the completion of an operation.
func (m *Meter) until(ctx context.Context, last rnicsim.Op) error {
	for {
		done, err := m.next(ctx)
		if err != nil {
			return err
		}
		for i := range done {
			if done[i].Op != last {
				continue
			}
			if last == rnicsim.OpReceive {
				return m.conn.PostReceive(m.receive(done[i].WRID))
			}
			return nil
		}
	}
}
