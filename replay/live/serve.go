package live

// Connections that peers make: which of them is which, and how long they are waited for.

import (
	"context"
	"errors"
	"net"
	"os"
	"time"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

// ErrNobody is why a connection did not come about that the peer should have made.
var ErrNobody = errors.New("live: the peer has not connected in time")

// Serve plays a Scenario over connections that peers make to a listener. It returns when all of them are over, or soon
// after ctx is done: then with what was found out until then. It fails as Accept does if no connection came about.
//
// The listener stays open, without a deadline, so that other Scenarios can be served on it, one after the other.
func Serve(ctx context.Context, l *net.TCPListener, s *scenario.Scenario, o Options) (*Result, error) {
	defer interrupt(ctx, l)()
	r := newRun(s, o, false)
	return r.play(ctx, func(ctx context.Context, one *round, i int) (net.Conn, error) { return one.accept(ctx, l, i) })
}

// interrupt lets Accept return when ctx is done. undo makes the listener as it was.
func interrupt(ctx context.Context, l *net.TCPListener) (undo func()) {
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		l.SetDeadline(time.Unix(0, 1)) // which is past
		close(interrupted)
	})
	return func() {
		if !stop() {
			<-interrupted
		}
		l.SetDeadline(time.Time{})
	}
}

// accept takes in connection i.
func (r *round) accept(ctx context.Context, l *net.TCPListener, i int) (net.Conn, error) {
	for {
		by, forever := r.acceptBy(i)
		if forever {
			by = time.Time{}
		}
		if err := l.SetDeadline(by); err != nil {
			return nil, err
		}
		if ctx.Err() != nil { // and its deadline may be gone
			return nil, ctx.Err()
		}
		nc, err := l.Accept()
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return nc, err
		}
		if by, _ = r.acceptBy(i); !time.Now().Before(by) {
			return nil, ErrNobody
		}
	}
}

// acceptBy is until when connection i is waited for. As long as others are played that is never over yet.
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
	if r.running > 0 {
		return time.Now().Add(patience), false
	}
	return r.idle.Add(patience), false
}

// maxGap is how much longer a connection is waited for because it was so in the Scenario.
const maxGap = 10 * time.Minute
