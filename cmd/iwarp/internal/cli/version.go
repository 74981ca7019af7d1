package cli

import (
	_ "embed" // licenses.txt
	"fmt"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
)

// licenses are those of the modules that are part of the program.
//
//go:embed licenses.txt
var licenses string

func newVersion(a *app) *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use:     "version",
		GroupID: groupOther,
		Short:   "Print the version of iwarp",
		Args:    usage.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			text := version() + "\n"
			if all {
				text = licenses
			}
			if _, err := fmt.Fprint(a.Out, text); err != nil {
				return unreadable(err)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&all, "licenses", false, "print the licences of what iwarp is made of")
	return cmd
}

func version() string { return usage.Version("iwarp") }
