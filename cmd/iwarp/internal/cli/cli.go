// Package cli is the command line of iwarp: one file per subcommand. It parses flags, opens files, and chooses colours and
// exit codes. It leaves protocols to the packages below.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/iwarpkit/iwarp/dissect/filter"
)

// The exit codes.
const (
	exitOK          = 0
	exitFindings    = 1 // a capture has errors
	exitUsage       = 2 // the command line is wrong
	exitUnreadable  = 3 // a file cannot be read or written, a peer cannot be reached
	exitInternal    = 4 // a bug of iwarp
	exitInterrupted = 130
	exitTerminated  = 143
)

// ErrTerminated is the cause of a context that is done because of SIGTERM, and not of Ctrl-C.
var ErrTerminated = errors.New("terminated")

// Streams are the environment of a command.
type Streams struct {
	In            io.Reader
	Out, Err      io.Writer
	OutIsTerminal bool
	ErrIsTerminal bool
	Width         int // columns of the terminal; 0 if unknown
	Env           func(key string) string
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
	}
}

// An app is one run of the command line.
type app struct {
	*Streams
	color choice
	quiet bool
}

// A failure ends a command with an exit code other than that for wrong usage. err is nil if there is nothing to print.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string { return fmt.Sprint(f.err) }

// unreadable is the failure of a file that cannot be read or written.
func unreadable(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) && err == error(path) {
		err = fmt.Errorf("%s: %w", path.Path, path.Err) // users do not care about the system call
	}
	return &failure{exitUnreadable, err}
}

// Main runs the command line args, without the program's name, and returns the exit code. It never panics. When ctx
// is done, the command ends with what it knows so far.
func Main(ctx context.Context, s *Streams, args []string) (code int) {
	defer func() {
		if fault := recover(); fault != nil {
			fmt.Fprintf(s.Err, "iwarp: internal error: %v\nPlease report it, with this trace and, if you may, the capture.\n\n%s", fault, debug.Stack())
			code = exitInternal
		}
	}()
	a := &app{Streams: s}
	root := newRoot(a)
	out := printed{w: s.Out}
	root.SetOut(&out)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if out.err != nil {
		err = unreadable(out.err)
	}
	return a.exitCode(ctx, cmd, err)
}

// printed is the writer of help, versions and completions. It keeps the first error from cobra, which would print it.
type printed struct {
	w   io.Writer
	err error
}

func (p *printed) Write(b []byte) (int, error) {
	if p.err == nil {
		_, p.err = p.w.Write(b)
	}
	return len(b), nil
}

// exitCode prints an error to stderr and returns its exit code.
func (a *app) exitCode(ctx context.Context, cmd *cobra.Command, err error) int {
	switch {
	case errors.Is(context.Cause(ctx), ErrTerminated):
		return exitTerminated
	case ctx.Err() != nil:
		return exitInterrupted
	}
	var f *failure
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return exitOK
	case !errors.As(err, &f):
		if wrong := new(filter.Error); errors.As(err, &wrong) {
			err = wrong // without its prefix: it shows the filter in lines of its own
		}
		a.complain(err)
		fmt.Fprintf(a.Err, "Run '%s --help' for usage.\n", cmd.CommandPath())
		return exitUsage
	case f.err == nil:
	case errors.Is(f.err, syscall.EPIPE):
		return exitOK
	default:
		a.complain(f.err)
	}
	return f.code
}

// complain prints an error to stderr.
func (a *app) complain(err error) { fmt.Fprintf(a.Err, "iwarp: %s\n", shown(err.Error())) }
