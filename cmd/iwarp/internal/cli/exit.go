package cli

// Which errors lead to which exit code.

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/dissect/filter"
)

// unreadable is the failure of a file that cannot be read or written.
func unreadable(err error) error {
	return &exit.Failure{Code: exit.Unreadable, Err: err}
}

// exitCode prints an error to stderr and returns its exit code. What could not be written outweighs all else.
func (a *app) exitCode(ctx context.Context, cmd *cobra.Command, err error) int {
	closed, lost := a.lostBy()
	switch {
	case lost != nil:
		err = unreadable(lost)
	case ctx.Err() != nil:
		return exit.Interrupted(ctx)
	case closed:
		return exit.OK
	}
	var f *exit.Failure
	switch {
	case err == nil:
		return exit.OK
	case !errors.As(err, &f):
		if wrong := new(filter.Error); errors.As(err, &wrong) {
			err = wrong // without its prefix: it shows the filter in lines of its own
		}
		a.complain(err)
		fmt.Fprintln(a.Err, usage.Hint(cmd))
		return exit.Usage
	case f.Err == nil:
	default:
		a.complain(f.Err)
	}
	return f.Code
}

// complain prints an error to stderr.
func (a *app) complain(err error) { fmt.Fprintf(a.Err, "iwarp: %s\n", shown(usage.Plain(err))) }
