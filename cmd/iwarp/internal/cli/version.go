package cli

import (
	_ "embed" // licenses.txt
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
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
		Args:    noArguments,
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

// version names the version of iwarp, the commit it was built from, the version of Go and the platform, as far as the
// build recorded them.
func version() string {
	s := "iwarp"
	if info, ok := debug.ReadBuildInfo(); ok {
		s += " " + info.Main.Version
		settings := map[string]string{}
		for _, setting := range info.Settings {
			settings[setting.Key] = setting.Value
		}
		commit := settings["vcs.revision"]
		if commit = commit[:min(len(commit), 12)]; !strings.Contains(s, commit) { // a pseudo-version has it
			s += " " + commit
		}
		if settings["vcs.modified"] == "true" && !strings.HasSuffix(s, "+dirty") {
			s += " (modified)"
		}
	}
	return fmt.Sprintf("%s %s %s/%s", s, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
