// Package captures provides the captures of the repository, and their Scenarios, for the tests of replay.
package captures

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/compile"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// patterns are the paths of captures, relative to a package in replay.
var patterns = []string{"../../pcaps/samples/*.pcap*", "../../dissect/testdata/captures/*.pcap.gz"}

// All returns the files of all captures. Of those with the same name it has the first.
func All(t testing.TB) (files []string) {
	t.Helper()
	const least = 70
	seen := make(map[string]bool)
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			if name := Name(file); !seen[name] {
				seen[name] = true
				files = append(files, file)
			}
		}
	}
	if len(files) < least {
		t.Fatalf("there are only %d captures", len(files))
	}
	return files
}

// Name returns the name of the capture in a file.
func Name(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".gz"), ".pcap")
}

// Compile returns the Scenario of the capture in a file.
func Compile(t testing.TB, file string) (*scenario.Scenario, *compile.Report) {
	t.Helper()
	c, err := pcaps.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s, report, err := compile.Capture(t.Context(), c, compile.Options{Title: filepath.Base(file)})
	if err != nil {
		t.Fatal(err)
	}
	return s, report
}
