package usage

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// NewVersion returns the command that writes the version of a program, or the licences of the modules that are part of it.
func NewVersion(program, licenses string, write func(string) error) *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of " + program,
		Args:  NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if all {
				return write(licenses)
			}
			return write(Version(program) + "\n")
		},
	}
	cmd.Flags().BoolVar(&all, "licenses", false, "print the licences of what "+program+" is made of")
	return cmd
}

// Version names the version of a program, the commit it was built from, the version of Go and the platform, as far as the
// build recorded them.
func Version(program string) string {
	s := program
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
