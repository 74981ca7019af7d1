package client

// The connection of a Pinger or Meter, for successive measurements.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// ErrClosed is the error if the peer closed the connection too early.
var ErrClosed = errors.New("client: the peer closed the connection")

// A FailedError is a Work Request that failed on this side, such as an RDMA Read when the peer has no IRD.
type FailedError struct {
	Op     rnicsim.Op
	Status rnicsim.Status
	Err    error // driver.Conn.Err: how it ended the connection
}

// Error returns the operation and its status.
func (e *FailedError) Error() string { return fmt.Sprintf("client: %v: %v", e.Op, e.Status) }

// Unwrap returns e.Err.
func (e *FailedError) Unwrap() error { return e.Err }

// A ServiceError is a peer whose Private Data announces another service than the one that is needed.
type ServiceError struct{ Runs, Wants string } // names of service.Services

// Error says which service runs, and how to start the other one.
func (e *ServiceError) Error() string {
	return fmt.Sprintf("client: the peer runs the service %s, not %s: start it with 'iwarp serve --service %s'", e.Runs, e.Wants, e.Wants)
}

// A worker runs measurements on a connection. It posts the next Work Requests where the driver delivers completions, so
// that the measurement does not wait for another goroutine.
type worker struct {
	conn *driver.Conn

	mu     sync.Mutex           // guards the measurement
	failed *FailedError         // the first Work Request that was not flushed
	due    []rnicsim.Completion // of successful Work Requests, for the measurement, or for the next one
}

// wants resets the connection and returns a *ServiceError if the peer announces none of the services, the first of which is
// the usual one, but another.
func (w *worker) wants(services ...string) error {
	reply := w.conn.Reply()
	runs := service.Announced(reply.ULPPrivateData())
	if runs == "" || slices.Contains(services, runs) {
		return nil
	}
	w.conn.Abort()
	return &ServiceError{Runs: runs, Wants: services[0]}
}

// A turn handles successful Work Requests, and reports whether the measurement is over.
type turn func(done []rnicsim.Completion) (over bool, err error)

// run calls begin, which posts the first Work Requests, then next with the successful ones, until next reports the end
// or fails. If ctx or the connection ends before, run fails with the error of ctx, a *FailedError, driver.Conn.Err or
// ErrClosed.
func (w *worker) run(ctx context.Context, begin func() error, next turn) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	w.mu.Lock()
	w.conn.OnCompletion(func(done []rnicsim.Completion) { w.completed(done, &next, ended) })
	defer w.conn.OnCompletion(nil)
	err := begin()
	if err == nil {
		w.take(&next, ended)
	}
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
		err = cmp.Or(w.conn.Cause(), ctx.Err()) // a peer that has sent a Terminate may stay open
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	next = nil
	if errors.Is(err, net.ErrClosed) {
		return w.blame()
	}
	return err
}

// completed is called by the driver.
func (w *worker) completed(done []rnicsim.Completion, next *turn, ended chan<- error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range done {
		switch {
		case c.Status == rnicsim.Success:
			w.due = append(w.due, c)
		case c.Status != rnicsim.Flushed && w.failed == nil:
			w.failed = &FailedError{Op: c.Op, Status: c.Status}
		}
	}
	w.take(next, ended)
}

// take gives the measurement what is due. It sets next to nil when the measurement is over; what comes later waits for the
// next one. mu is held.
func (w *worker) take(next *turn, ended chan<- error) {
	if len(w.due) == 0 || *next == nil {
		return
	}
	over, err := (*next)(w.due)
	w.due = w.due[:0]
	switch {
	case errors.Is(err, net.ErrClosed): // blame returns why
	case over || err != nil:
		*next = nil
		ended <- err
	}
}

// blame returns why the connection is over.
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

// closeConn closes a connection, and resets it if the peer has not closed it when ctx is done.
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
