// Package exit has the exit codes of iwarp and iwarp-fleet, and ends a program on Ctrl-C, SIGTERM and SIGHUP: pass the context of
// [Contexts] to what it does, and exit with [Interrupted].
package exit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// The exit codes of a program that no signal ends.
const (
	OK         = 0
	Findings   = 1 // a connection failed, captures differ, a peer does something wrong
	Usage      = 2 // the command line is wrong
	Unreadable = 3 // a file cannot be read or written, a peer or server cannot be reached
	Internal   = 4 // a bug of the program
)

// A Failure ends a program with an exit code other than that for wrong usage. Err is nil if there is nothing to print.
type Failure struct {
	Code int
	Err  error
}

// Error returns the text of Err.
func (f *Failure) Error() string { return fmt.Sprint(f.Err) }

// ErrTerminated is the cause of a context that is done because of SIGTERM or SIGHUP, and not of Ctrl-C.
var ErrTerminated = errors.New("terminated")

// Contexts returns a context that is done after a SIGINT, SIGTERM or SIGHUP, and one that is done after the second, when the program has to end
// at once. A third ends the process.
func Contexts() (ctx, again context.Context) {
	ctx, end := context.WithCancelCause(context.Background())
	again, endAtOnce := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as by nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		cause := context.Canceled
		if <-signals != os.Interrupt {
			cause = ErrTerminated
		}
		end(cause)
		<-signals
		signal.Stop(signals)
		endAtOnce()
	}()
	return ctx, again
}

// Interrupted is the exit code of a program whose context is done because of a signal.
func Interrupted(ctx context.Context) int {
	if errors.Is(context.Cause(ctx), ErrTerminated) {
		return 143
	}
	return 130
}
