// Command iwarp-fleet checks captures on many hosts as if they were one. See docs/fleet.md.
package main

import (
	"context"
	_ "embed" // licenses.txt
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/internal/printable"
)

func main() { os.Exit(run(os.Args[1:])) }

// run runs a command line, and returns the exit code.
func run(args []string) int {
	signal.Ignore(syscall.SIGPIPE) // a closed pipe is met as an error of the write
	ctx, again := exit.Contexts()
	store, code := make(chan string, 1), make(chan int, 1)
	go func() { code <- execute(ctx, store, args) }()
	select {
	case code := <-code:
		return code
	case <-again.Done():
	}
	select {
	case folder := <-store:
		for range 100 {
			if os.RemoveAll(folder) == nil { // else the server has written another file meanwhile
				break
			}
		}
	default:
	}
	return exit.Interrupted(ctx)
}

// execute runs a command line. It sends the name of the folder that it removes in the end.
func execute(ctx context.Context, store chan<- string, args []string) (code int) {
	defer func() {
		if fault := recover(); fault != nil {
			fmt.Fprintf(os.Stderr, "iwarp-fleet: internal error: %v\nPlease report it, with this trace.\n\n%s", fault, debug.Stack())
			code = exit.Internal
		}
	}()
	root := newRoot(store)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	f := &exit.Failure{Code: exit.Usage, Err: err}
	errors.As(err, &f)
	switch {
	case ctx.Err() != nil:
		return exit.Interrupted(ctx)
	case err == nil, errors.Is(f.Err, errClosed):
		return exit.OK
	case f.Err == nil:
		return f.Code
	}
	fmt.Fprintf(os.Stderr, "iwarp-fleet: %s\n", printable.Lines(usage.Plain(f.Err)))
	if f.Code == exit.Usage {
		fmt.Fprintln(os.Stderr, usage.Hint(cmd))
	}
	return f.Code
}

func newRoot(store chan<- string) *cobra.Command {
	root := &cobra.Command{
		Use:   "iwarp-fleet",
		Short: "Check the iWARP captures of many hosts as one",
		Long: `iwarp-fleet checks the captures of many hosts as if they were on one, with the
output of 'iwarp check'. On one host:

  iwarp-fleet check --dir CAPTURES

On many, an agent on each sends the packets of its files to a NATS server with
JetStream, and judges, on any hosts, judge the connections:

  iwarp-fleet serve --store DIR                       # or any nats-server
  iwarp-fleet agent --dir CAPTURES --nats nats://HOST # where captures are
  iwarp-fleet judge --nats nats://HOST                # one per CPU
  iwarp-fleet check --nats nats://HOST
  iwarp-fleet report --nats nats://HOST -w report.html
  iwarp-fleet fetch FILE:FRAME --nats nats://HOST     # with its payload

The exit status is 0 if all is well, 1 if a connection failed, 2 for wrong
usage, 3 if a file or the server cannot be read, and 130 or 143 after SIGINT or
SIGTERM.`,
		Args: usage.KnownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return usage.Check(cmd) },
		Version:           version(),
	}
	root.Flags().Bool("version", false, "print the version of iwarp-fleet")
	root.SetVersionTemplate("{{.Version}}\n")
	root.AddCommand(newCheck(store), newReport(store), newServe(), newAgent(), newJudge(), newStatus(), newFetch(), newVersion())
	usage.AddHelp(root)
	usage.Shape(root)
	return root
}

// licenses are those of the modules that are part of the program.
//
//go:embed licenses.txt
var licenses string

func version() string { return usage.Version("iwarp-fleet") }

func newVersion() *cobra.Command {
	return usage.NewVersion("iwarp-fleet", licenses, func(text string) error {
		if _, err := io.WriteString(stdout, text); err != nil {
			return &exit.Failure{Code: exit.Unreadable, Err: err}
		}
		return nil
	})
}

// stdout is standard output, with errors that say so.
var stdout io.Writer = printed{}

// errClosed is the error of output that nobody reads any more.
var errClosed = errors.New("standard output is closed")

type printed struct{}

// Write implements io.Writer.
func (printed) Write(b []byte) (int, error) {
	n, err := os.Stdout.Write(b)
	switch {
	case errors.Is(err, syscall.EPIPE):
		err = errClosed
	case err != nil:
		err = usage.Unwritten("standard output", err)
	}
	return n, err
}
