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

// Serve plays a Scenario over connections that peers make to a listener, which it closes in the end. It returns when all
// of them are over, or soon after ctx is done: then with what was found out until then. It fails as Accept does if no
// connection came about.
func Serve(ctx context.Context, l *net.TCPListener, s *scenario.Scenario, o Options) (*Result, error) {
	defer l.Close()
	defer context.AfterFunc(ctx, func() { l.Close() })()
	r := newRun(s, o, false)
	return r.play(ctx, func(_ context.Context, one *round, i int) (net.Conn, error) { return one.accept(l, i) })
}

// accept takes in connection i.
func (r *round) accept(l *net.TCPListener, i int) (net.Conn, error) {
	for {
		by, forever := r.acceptBy(i)
		if forever {
			by = time.Time{}
		}
		if err := l.SetDeadline(by); err != nil {
			return nil, err
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
	if i == 0 && r.number == 1 {
		return by, true
	}
	patience := r.options.Player.StepTimeout
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
