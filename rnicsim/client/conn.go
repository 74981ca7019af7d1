package client

// What a Pinger and a Meter have in common: a connection whose completions are waited for.

import (
	"context"
	"errors"
	"fmt"
	"io"

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

// A waiter takes completions of a connection.
type waiter struct {
	conn   *driver.Conn
	failed *FailedError // the first that was not flushed
	done   [64]rnicsim.Completion
}

// next waits for Work Requests that were successful. Once the connection is over it fails with what is to blame: with a
// *FailedError, with what driver.Conn.Err says, or with ErrClosed.
func (w *waiter) next(ctx context.Context) ([]rnicsim.Completion, error) {
	for {
		if err := ctx.Err(); err != nil { // Wait does not look if there are completions
			return nil, err
		}
		n, err := w.conn.Wait(ctx, w.done[:])
		if err != nil {
			return nil, w.blame(err)
		}
		good := w.done[:0]
		for _, c := range w.done[:n] {
			switch {
			case c.Status == rnicsim.Success:
				good = append(good, c)
			case c.Status != rnicsim.Flushed && w.failed == nil:
				w.failed = &FailedError{Op: c.Op, Status: c.Status}
			}
		}
		if len(good) > 0 {
			return good, nil
		}
	}
}

// blame is why there are no completions any more, where Wait says err.
func (w *waiter) blame(err error) error {
	var end *driver.Terminated
	theirs := errors.As(err, &end) && !end.Local
	closed := errors.Is(err, io.EOF)
	switch {
	case w.failed != nil && !theirs:
		if !closed {
			w.failed.Err = err
		}
		return w.failed
	case closed:
		return ErrClosed
	}
	return err
}

// post posts to the Send Queue. If the connection is over it fails as next does.
func (w *waiter) post(ctx context.Context, wrs ...rnicsim.WorkRequest) error {
	err := w.conn.Post(wrs...)
	if err == nil {
		return nil
	}
	for {
		if _, ended := w.next(ctx); ended != nil {
			return ended
		}
	}
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
