package client

// What a Pinger and a Meter have in common: a connection on which one thing is done after the other.

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
)

// ErrClosed is that the peer has closed the connection before all was done.
var ErrClosed = errors.New("client: the peer has closed the connection")

// A FailedError is a Work Request that failed on this side, as an RDMA Read does when the peer has no IRD.
type FailedError struct {
	Op     rnicsim.Op
	Status rnicsim.Status
	Err    error // as driver.Conn.Err has it: how the connection ended for that
}

// Error says what failed, and how.
func (e *FailedError) Error() string { return fmt.Sprintf("client: %v: %v", e.Op, e.Status) }

// Unwrap returns e.Err.
func (e *FailedError) Unwrap() error { return e.Err }

// A worker has a connection to work on. What is to be posted next is posted where the driver tells what was done: so
// nothing that is measured waits for another goroutine.
type worker struct {
	conn *driver.Conn

	mu     sync.Mutex   // of what is done, and of all that it needs
	failed *FailedError // the first Work Request that was not flushed
}

// A turn acts on Work Requests that were successful, and tells whether all is done.
type turn func(done []rnicsim.Completion) (over bool, err error)

// run calls begin, which posts the first Work Requests, and then next with what was done until that says that it is over
// or fails. If ctx or the connection ends before, it fails with the error of ctx, a *FailedError, what driver.Conn.Err
// says, or ErrClosed.
func (w *worker) run(ctx context.Context, begin func() error, next turn) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	w.mu.Lock()
	w.conn.OnCompletion(func(done []rnicsim.Completion) { w.completed(done, &next, ended) })
	defer w.conn.OnCompletion(nil)
	err := begin()
	w.mu.Unlock()
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return err
	}
	select {
	case err = <-ended:
	case <-w.conn.Done():
		select {
		case err = <-ended:
		default:
			err = net.ErrClosed
		}
	case <-ctx.Done():
		err = ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	next = nil
	if errors.Is(err, net.ErrClosed) {
		return w.blame()
	}
	return err
}

// completed is called by the driver. There is no next any more once it is over.
func (w *worker) completed(done []rnicsim.Completion, next *turn, ended chan<- error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	good := done[:0]
	for _, c := range done {
		switch {
		case c.Status == rnicsim.Success:
			good = append(good, c)
		case c.Status != rnicsim.Flushed && w.failed == nil:
			w.failed = &FailedError{Op: c.Op, Status: c.Status}
		}
	}
	if len(good) == 0 || *next == nil {
		return
	}
	over, err := (*next)(good)
	switch {
	case errors.Is(err, net.ErrClosed): // why is told when the connection is done
	case over || err != nil:
		*next = nil
		ended <- err
	}
}

// blame is why the connection is over.
func (w *worker) blame() error {
	<-w.conn.Done()
	err := w.conn.Err()
	var end *driver.Terminated
	theirs := errors.As(err, &end) && !end.Local
	switch {
	case w.failed != nil && !theirs:
		w.failed.Err = err
		return w.failed
	case err == nil:
		return ErrClosed
	}
	return err
}

// closeConn closes a connection, and resets it if the peer does not close it too until ctx is done.
func closeConn(ctx context.Context, conn *driver.Conn) error {
	conn.Close()
	select {
	case <-conn.Done():
		return conn.Err()
	case <-ctx.Done():
		conn.Abort()
		<-conn.Done()
		return ctx.Err()
	}
}
