package live

// Connections to the peer: when each begins.

import (
	"cmp"
	"context"
	"net"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/internal/link"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// Dial plays a Scenario over connections to a TCP address. It returns when all of them are over or, with a partial
// result, soon after ctx is done. If no connection can be established it returns the error of net.Dialer.
func Dial(ctx context.Context, address string, s *scenario.Scenario, o Options) (*Result, error) {
	r := newRun(s, o, true)
	d := &dialer{address: address, before: make([][]int, len(r.conns))}
	d.order(r.conns)
	return r.play(ctx, d.open)
}

type dialer struct {
	address string
	before  [][]int // for each connection: those that ended after the previous one began, but before it began
}

func end(c *scenario.Conn) time.Duration {
	at := c.At
	for _, s := range c.Steps {
		at = max(at, c.At+s.At)
	}
	return at
}

// order finds out which connections had ended when others began.
func (d *dialer) order(conns []*scenario.Conn) {
	ends := make([]time.Duration, len(conns))
	byEnd := make([]int, len(conns))
	for i, c := range conns {
		ends[i], byEnd[i] = end(c), i
	}
	slices.SortStableFunc(byEnd, func(a, b int) int { return cmp.Compare(ends[a], ends[b]) })
	for i, c := range conns {
		for len(byEnd) > 0 && byEnd[0] < i && ends[byEnd[0]] <= c.At {
			d.before[i] = append(d.before[i], byEnd[0])
			byEnd = byEnd[1:]
		}
	}
}

// open connects for connection i at its time, once those before it are over.
func (d *dialer) open(ctx context.Context, r *round, i int) (net.Conn, error) {
	for _, j := range d.before[i] {
		select {
		case <-r.each[j].over:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if err := r.until(ctx, r.conns[i].At); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, r.options.Player.StepTimeout)
	defer cancel()
	dialer := net.Dialer{Control: link.Unpaced}
	return dialer.DialContext(limited, "tcp", d.address)
}

// until waits for a time of the Scenario, if times are kept.
func (r *round) until(ctx context.Context, at time.Duration) error {
	speed := r.options.Player.Speed
	if speed <= 0 {
		return ctx.Err()
	}
	at -= r.conns[0].At
	t := time.NewTimer(time.Until(r.begin.Add(time.Duration(float64(at) / speed))))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
