package cli

// Where output goes. The first error ends the command, and a reader that takes nothing does not keep it from ending.

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// An outlet is a writer of a command.
type outlet struct {
	io.Writer
	mu    sync.Mutex // held while it writes
	since atomic.Int64
	lose  func(error) error // nil if errors do not matter
}

// outlets are all that a command writes to.
type outlets struct {
	mu   sync.Mutex
	all  []*outlet
	lost error // the first error
	stop func()
}

// outlet returns w as a writer whose first error ends the command.
func (a *app) outlet(w io.Writer) io.Writer { return a.outlets.add(&outlet{Writer: w, lose: a.lose}) }

func (o *outlets) add(out *outlet) *outlet {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all = append(o.all, out)
	return out
}

// lose ends the command because something could not be written. It returns the failure.
func (o *outlets) lose(err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lost == nil {
		o.lost = err
		o.stop()
	}
	return unreadable(err)
}

// lostBy returns the first error of an output. If a reader has closed it, that is no error, and reported as closed.
func (o *outlets) lostBy() (closed bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if errors.Is(o.lost, syscall.EPIPE) {
		return true, nil
	}
	return false, o.lost
}

func (o *outlet) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.since.Store(time.Now().UnixNano())
	defer o.since.Store(0)
	n, err := o.Writer.Write(b)
	if err != nil && o.lose != nil {
		o.lose(err)
	}
	return n, err
}

// patient is how long a write may take when the user wants the command to end.
const patient = 500 * time.Millisecond

// stuck waits until done is closed. It reports true earlier if ctx is done and an output has taken nothing for too long.
func (o *outlets) stuck(ctx context.Context, done <-chan struct{}) bool {
	select {
	case <-ctx.Done():
	case <-done:
		return false
	}
	tick := time.NewTicker(patient / 5)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-done:
			return false
		}
		if o.waiting() > patient {
			return true
		}
	}
}

// waiting returns how long the slowest write has taken that is not over.
func (o *outlets) waiting() (longest time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, out := range o.all {
		if since := out.since.Load(); since != 0 {
			longest = max(longest, time.Since(time.Unix(0, since)))
		}
	}
	return longest
}
