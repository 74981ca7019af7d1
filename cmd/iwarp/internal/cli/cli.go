// Package cli is the command line of iwarp: one file a subcommand. It parses flags, opens files, chooses colours and
// exit codes, and leaves what concerns protocols to the packages below.
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
	exitFindings    = 1 // something is wrong in a capture
	exitUsage       = 2 // the command line is wrong
	exitUnreadable  = 3 // a file cannot be read or written, a peer cannot be reached
	exitInternal    = 4 // our own fault
	exitInterrupted = 130
	exitTerminated  = 143
)

// ErrTerminated is the cause of a context that is done because of SIGTERM, and not of Ctrl-C.
var ErrTerminated = errors.New("terminated")

// Streams are all that a command knows of the world around it.
type Streams struct {
	In            io.Reader
	Out, Err      io.Writer
	OutIsTerminal bool
	ErrIsTerminal bool
	Width         int // characters in a line of the terminal; 0 if that is not known
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

// A failure ends a command with an exit code other than that for wrong usage. err is nil if nothing is left to say.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string { return fmt.Sprint(f.err) }

// unreadable is the failure of a file that cannot be read or written.
func unreadable(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) && err == error(path) {
		err = fmt.Errorf("%s: %w", path.Path, path.Err) // the name of the system call says nothing to a user
	}
	return &failure{exitUnreadable, err}
}

// Main runs the command line args, without the program's name, and returns the exit code. It never panics. When ctx
// is done the command ends with what it knows by then.
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

// printed is what cobra prints to: help, versions and completions. It keeps the first error, which cobra drops.
type printed struct {
	w   io.Writer
	err error
}

func (p *printed) Write(b []byte) (int, error) {
	n, err := p.w.Write(b)
	if p.err == nil {
		p.err = err
	}
	return n, err
}

// exitCode says on stderr what went wrong, and turns it into an exit code.
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
			err = wrong // without what is in front: the filter is in its own lines
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

// complain says what went wrong on stderr.
func (a *app) complain(err error) { fmt.Fprintf(a.Err, "iwarp: %s\n", shown(err.Error())) }
