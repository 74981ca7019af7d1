package usage

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

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
