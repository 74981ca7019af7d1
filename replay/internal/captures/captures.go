// Package captures gives the tests of replay the captures that are at hand, and what becomes of them.
package captures

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/compile"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// Where captures are, seen from a package in replay: those that a clone has, and those that may be beside it.
var (
	bundled = []string{"../../pcaps/samples/*.pcap*", "../../dissect/testdata/captures/*.pcap.gz"}
	beside  = []string{"../../../shared/captures/*.pcap"}
)

// Bundled is the files of all captures that a clone has.
func Bundled(t testing.TB) []string {
	t.Helper()
	return find(t, bundled...)
}

// All is Bundled, and further ones if there are some.
func All(t testing.TB) []string {
	t.Helper()
	return find(t, append(bundled, beside...)...)
}

// find is the files of some patterns; of those with one name the first.
func find(t testing.TB, patterns ...string) (files []string) {
	t.Helper()
	const least = 70 // that a clone has
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

// Name is the name of the capture in a file.
func Name(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".gz"), ".pcap")
}

// Compile makes a Scenario of the capture in a file.
func Compile(t testing.TB, file string) (*scenario.Scenario, *compile.Report) {
	t.Helper()
	c, err := pcaps.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s, report, err := compile.Capture(c, compile.Options{Title: filepath.Base(file)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, report
}
