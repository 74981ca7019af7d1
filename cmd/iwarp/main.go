// Command iwarp decodes and checks iWARP traffic. See docs/json.md for its JSON, and iwarp --help for the rest.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/iwarpkit/iwarp/cmd/iwarp/internal/cli"
)

func main() { os.Exit(run()) }

// run runs the command line that the process was started with.
func run() int {
	signal.Ignore(syscall.SIGPIPE) // a closed pipe is met as an error of the write
	ctx, end := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as by nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		cause := context.Canceled
		if <-signals != os.Interrupt {
			cause = cli.ErrTerminated
		}
		signal.Stop(signals) // a second signal ends the process at once
		end(cause)
	}()
	return cli.Main(ctx, cli.SystemStreams(), os.Args[1:])
}
