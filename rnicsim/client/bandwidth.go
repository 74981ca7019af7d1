package client

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// A Rate is the speed of operations.
type Rate struct {
	Size       int // octets of one
	Iterations int
	Elapsed    time.Duration // from posting the first until the last is known to be complete
	Best       float64       // operations per second, in the fastest run of tenths
}

// Mean returns the operations per second.
func (r *Rate) Mean() float64 { return float64(r.Iterations) / r.Elapsed.Seconds() }

// Bandwidth measures the speed of operations, up to depth of which are outstanding. An operation ends when it is known
// to be complete at both ends. The time of a run of tenths begins when its first operation is posted and ends when its
// last is known to be complete, so that none seems faster than it was if many become known at once.
//
//   - A Write is complete when an RDMA Read after it has returned its last octet. One such Read follows each tenth of
//     the Writes. Work Requests complete in order, so those after it count against depth until it is complete.
//   - A Read or Atomic is complete when its octets have arrived.
//   - A Send or Immediate Data is complete when the peer has counted the message or sent it back. No more are
//     outstanding than the peer has Receives. Octets sent back do not count.
//
// It fails like Check, with ErrFew, or if the connection is over with its error.
func (m *Meter) Bandwidth(ctx context.Context, op Operation, size, iterations, depth int) (Rate, error) {
	if err := m.Check(op, size); err != nil {
		return Rate{}, err
	}
	if iterations < 1 || iterations > MaxIterations || depth < 1 || depth > m.config.Depth {
		return Rate{}, ErrFew
	}
	f := flow{Meter: m, op: op, size: size, total: iterations, depth: depth, tenth: (iterations + marks - 1) / marks, before: m.counted}
	if op.message() && m.offer.Answer == service.Echoes {
		f.depth = min(depth, int(m.offer.Receives))
	}
	if err := f.run(ctx, f.post, f.next); err != nil {
		return Rate{}, err
	}
	return f.rate(), nil
}

// A flow is a series of operations, several of which are outstanding.
type flow struct {
	*Meter
	op          Operation
	size        int
	total       int // operations
	depth       int
	tenth       int // of total
	posted      int
	outstanding int                   // counted against depth
	known       int                   // operations known to be complete
	before      uint64                // messages that the peer had counted before
	wrs         []rnicsim.WorkRequest // scratch

	tenths [marks]span
	ended  int // tenths known to be complete
}

// A span is a tenth of a flow: when its first operation was posted, and its last was known to be complete.
type span struct{ begin, end time.Time }

// post posts all that can be posted now.
func (f *flow) post() error {
	f.append()
	return f.conn.Post(f.wrs...)
}

// next handles completed Work Requests. over is set when all operations are complete, and all messages are counted.
func (f *flow) next(done []rnicsim.Completion) (over bool, err error) {
	for i := range done {
		if err := f.completed(&done[i]); err != nil {
			return false, err
		}
	}
	for now := time.Now(); f.known >= min((f.ended+1)*f.tenth, f.total) && f.ended*f.tenth < f.total; f.ended++ {
		f.tenths[f.ended].end = now
	}
	if f.known == f.total && f.counted == f.sent {
		return true, nil
	}
	return false, f.post()
}

// append makes the Work Requests that can be posted now.
func (f *flow) append() {
	f.wrs = f.wrs[:0]
	for now := time.Now(); f.outstanding < f.depth && f.posted < f.total && !f.full(); {
		if f.posted%f.tenth == 0 {
			f.tenths[f.posted/f.tenth].begin = now
		}
		f.appendOne()
	}
}

// full reports whether a counting peer has a Receive left only for the message that asks for the count.
func (f *flow) full() bool {
	return f.op.message() && f.offer.Answer == service.Counts && f.sent-f.counted >= uint64(f.offer.Receives)-1
}

// appendOne appends the next operation, and what must follow it.
func (f *flow) appendOne() {
	f.posted++
	f.outstanding++
	last := f.posted == f.total
	switch f.op {
	case Write:
		f.wrs = append(f.wrs, f.write(f.size))
		if last || f.posted%f.tenth == 0 {
			r := f.read(f.size-1, 1)
			r.ID = uint64(f.posted)
			f.wrs = append(f.wrs, r)
		}
	case Read:
		f.wrs = append(f.wrs, f.read(0, f.size))
	case Send:
		f.wrs = append(f.wrs, f.send(f.size))
	case Immediate:
		f.wrs = append(f.wrs, f.immediate())
	case Atomic:
		f.wrs = append(f.wrs, f.add())
	}
	if f.op.message() && f.offer.Answer == service.Counts {
		f.sent++
		if last {
			f.wrs = append(f.wrs, f.send(0)) // asks for the count
			f.outstanding++
			f.sent++
		}
	}
}

// completed handles a completed Work Request.
func (f *flow) completed(c *rnicsim.Completion) error {
	switch {
	case (c.Op == rnicsim.OpSend || c.Op == rnicsim.OpImmediate) && f.offer.Answer == service.Echoes: // done when it is back
	case c.Op == rnicsim.OpReceive:
		return f.answered(c)
	case f.op == Write && c.Op == rnicsim.OpRead:
		f.known = int(c.WRID)
	default:
		f.outstanding--
		if f.op == Read || f.op == Atomic {
			f.known++
		}
	}
	return nil
}

// answered handles a message of the peer: a count, or an echo.
func (f *flow) answered(c *rnicsim.Completion) error {
	if !f.op.message() {
		return ErrAnswer
	}
	if f.offer.Answer == service.Echoes {
		if f.outstanding == 0 {
			return ErrAnswer
		}
		f.known++
		f.outstanding--
	} else {
		count := binary.BigEndian.Uint64(f.heads[c.WRID:])
		if c.Length != headLen || count < f.counted || count > f.sent {
			return ErrAnswer
		}
		f.counted = count
		f.known = min(int(count-f.before), f.total)
	}
	return f.conn.PostReceive(f.receive(c.WRID))
}

// rate returns the speed of all operations, and of the fastest run of tenths.
func (f *flow) rate() Rate {
	tenths := f.tenths[:f.ended]
	r := Rate{Size: f.size, Iterations: f.total, Elapsed: between(tenths[0].begin, tenths[f.ended-1].end)}
	for i := range tenths {
		for j := i; j < len(tenths); j++ {
			operations := min((j+1)*f.tenth, f.total) - i*f.tenth
			r.Best = max(r.Best, float64(operations)/between(tenths[i].begin, tenths[j].end).Seconds())
		}
	}
	return r
}

// between returns the time between two times, at least 1 ns even if the clock is coarse.
func between(from, to time.Time) time.Duration { return max(to.Sub(from), 1) }
