// Package signals ends a program on Ctrl-C, SIGTERM and SIGHUP: pass the context of [Contexts] to what it does, and
// exit with [ExitCode].
package signals

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

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

// ExitCode is that of a program whose context is done because of a signal.
func ExitCode(ctx context.Context) int {
	if errors.Is(context.Cause(ctx), ErrTerminated) {
		return 143
	}
	return 130
}
