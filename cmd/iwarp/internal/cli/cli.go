// Package cli is the command line of iwarp: one file per subcommand. It parses flags, opens files, and chooses colours and
// exit codes. It leaves protocols to the packages below.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
)

// Streams are the environment of a command.
type Streams struct {
	In            io.Reader
	Out, Err      io.Writer
	OutIsTerminal bool
	ErrIsTerminal bool
	Width         int // columns of the terminal; 0 if unknown
	Env           func(key string) string
	LimitMemory   func(octets int64, percent int) // limits what Go takes, and the garbage beside what is in use; nil for no limit
	Disk          Disk                            // nil for that of the system
	AtOnce        <-chan struct{}                 // closed when the user does not wait any longer for the command to end; may be nil
}

// SystemStreams returns the streams and the environment of the process.
func SystemStreams() *Streams {
	out := int(os.Stdout.Fd())
	width, _, err := term.GetSize(out)
	if err != nil {
		width, _, _ = term.GetSize(int(os.Stderr.Fd()))
	}
	return &Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		OutIsTerminal: term.IsTerminal(out),
		ErrIsTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		Width:         width,
		Env:           os.Getenv,
		LimitMemory:   limitMemory,
	}
}

// limitMemory limits what Go takes, and below that limit the garbage beside what is in use.
func limitMemory(octets int64, percent int) {
	debug.SetMemoryLimit(octets)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// An app is one run of the command line.
type app struct {
	*Streams
	*outlets
	color choice
	quiet bool
}

// Main runs the command line args, without the program's name, and returns the exit code. It never panics. When ctx
// is done, the command ends with what it knows so far; if an output takes nothing then, or the user no longer waits, Main does not wait for the command.
func Main(ctx context.Context, s *Streams, args []string) int {
	streams := *s
	a := &app{Streams: &streams, outlets: new(outlets)}
	if streams.Disk == nil {
		streams.Disk = disk{}
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	a.running, a.stop = lifetime{running, ctx}, stop
	streams.Out = a.add(&outlet{Writer: s.Out, lose: a.lose, name: writtenName("")})
	streams.Err = a.add(&outlet{Writer: s.Err})
	done, code := make(chan struct{}), exit.Internal
	go func() {
		defer close(done)
		code = a.execute(ctx, args)
	}()
	if a.stuck(ctx, streams.AtOnce, done) {
		a.abandon(streams.Disk)
		return exit.Interrupted(ctx)
	}
	return code
}

// A lifetime is the context of a command: done when the user ends it, or an output is lost.
type lifetime struct {
	context.Context
	user context.Context
}

// Err implements context.Context.
func (l lifetime) Err() error {
	if err := l.user.Err(); err != nil {
		return err
	}
	return l.Context.Err()
}

// execute runs the command line. It returns the exit code.
func (a *app) execute(ctx context.Context, args []string) (code int) {
	defer func() {
		if fault := recover(); fault != nil {
			fmt.Fprintf(a.Err, "iwarp: internal error: %v\nPlease report it, with this trace and, if you may, the capture.\n\n%s", fault, debug.Stack())
			code = exit.Internal
		}
	}()
	root := newRoot(a)
	root.SetOut(printed{a.Out})
	root.SetArgs(negative(args))
	cmd, err := root.ExecuteContextC(a.running)
	return a.exitCode(ctx, cmd, err)
}

// negative returns the arguments with a blank before each negative number of commands that take numbers: an errno such as -110 is not a flag.
func negative(args []string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		if digits, minus := strings.CutPrefix(arg, "-"); minus && slices.Contains([]string{"explain", "follow"}, args[0]) {
			if _, err := strconv.ParseUint(digits, 10, 16); err == nil {
				args[i] = " " + arg
			}
		}
	}
	return args
}

// printed is the writer of help, versions and completions. It hides errors from cobra, which would print them.
type printed struct{ w io.Writer }

func (p printed) Write(b []byte) (int, error) {
	p.w.Write(b)
	return len(b), nil
}
