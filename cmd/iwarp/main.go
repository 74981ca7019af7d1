// Command iwarp decodes and checks iWARP traffic. See docs/json.md for its JSON, and iwarp --help for the rest.
package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/cmd/iwarp/internal/cli"
)

func main() { os.Exit(run()) }

// run runs the command line that the process was started with.
func run() int {
	signal.Ignore(syscall.SIGPIPE) // a closed pipe is met as an error of the write
	ctx, again := exit.Contexts()
	streams := cli.SystemStreams()
	streams.AtOnce = again.Done()
	return cli.Main(ctx, streams, os.Args[1:])
}
