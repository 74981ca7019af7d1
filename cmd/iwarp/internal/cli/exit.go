package cli

// Exit codes, and the errors that lead to them.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/signals"
	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/dissect/filter"
)

// The exit codes.
const (
	exitOK         = 0
	exitFindings   = 1 // a connection failed, captures differ, a peer does something wrong
	exitUsage      = 2 // the command line is wrong
	exitUnreadable = 3 // a file cannot be read or written, a peer cannot be reached
	exitInternal   = 4 // a bug of iwarp
)

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

// exitCode prints an error to stderr and returns its exit code. What could not be written outweighs all else.
func (a *app) exitCode(ctx context.Context, cmd *cobra.Command, err error) int {
	closed, lost := a.lostBy()
	switch {
	case lost != nil:
		err = unreadable(lost)
	case ctx.Err() != nil:
		return signals.ExitCode(ctx)
	case closed:
		return exitOK
	}
	var f *failure
	switch {
	case err == nil:
		return exitOK
	case !errors.As(err, &f):
		if wrong := new(filter.Error); errors.As(err, &wrong) {
			err = wrong // without its prefix: it shows the filter in lines of its own
		}
		a.complain(err)
		fmt.Fprintln(a.Err, usage.Hint(cmd))
		return exitUsage
	case f.err == nil:
	default:
		a.complain(f.err)
	}
	return f.code
}

// complain prints an error to stderr.
func (a *app) complain(err error) { fmt.Fprintf(a.Err, "iwarp: %s\n", shown(usage.Plain(err))) }
