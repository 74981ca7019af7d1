package cli

import (
	_ "embed" // licenses.txt
	"io"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
)

// licenses are those of the modules that are part of the program.
//
//go:embed licenses.txt
var licenses string

func newVersion(a *app) *cobra.Command {
	cmd := usage.NewVersion("iwarp", licenses, func(text string) error {
		_, err := io.WriteString(a.Out, text)
		return failed(err)
	})
	cmd.GroupID = groupOther
	return cmd
}

func version() string { return usage.Version("iwarp") }
