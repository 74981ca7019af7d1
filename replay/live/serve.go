package live

// Connections of the peer: their order, and how long Serve waits for them.

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

// ErrNobody means that the peer has not connected in time.
var ErrNobody = errors.New("the peer has not connected in time")

// Serve plays a Scenario over connections that the peer makes to a Listener. It returns when all of them are over or,
// with a partial result, soon after ctx is done. If no connection is made it returns ErrNobody, or the error of Accept.
// The Listener stays open, so that it can serve other Scenarios afterwards.
func Serve(ctx context.Context, l *Listener, s *scenario.Scenario, o Options) (*Result, error) {
	r := newRun(s, o, false)
	return r.play(ctx, func(ctx context.Context, one *round, i int) (net.Conn, error) { return one.accept(ctx, l, i) })
}

func (r *round) accept(ctx context.Context, l *Listener, i int) (net.Conn, error) {
	for {
		by, forever := r.acceptBy(i)
		if forever {
			by = time.Time{}
		}
		nc, err := l.Accept(ctx, by)
		if !errors.Is(err, ErrNobody) {
			return nc, err
		}
		if by, _ = r.acceptBy(i); !time.Now().Before(by) {
			return nil, ErrNobody
		}
	}
}

// acceptBy returns the deadline for connection i. While others are played that is in the future.
func (r *round) acceptBy(i int) (by time.Time, forever bool) {
	patience := r.options.Player.StepTimeout
	if i == 0 && r.number == 1 {
		if patience = r.options.Patience; patience == 0 {
			return by, true
		}
	}
	if speed := r.options.Player.Speed; i > 0 {
		gap := r.conns[i].At - r.conns[i-1].At
		if speed > 0 {
			gap = time.Duration(float64(gap) / speed)
		}
		patience += min(gap, maxGap)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.progress.Over < r.progress.Begun {
		return time.Now().Add(patience), false
	}
	return r.changed.Add(patience), false
}

// maxGap limits the extra time for a connection that began late in the Scenario.
const maxGap = 10 * time.Minute
