// Package captures provides the captures of the repository, and their Scenarios, for the tests of replay.
package captures

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/compile"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// patterns are the paths of captures, relative to a package in replay.
var patterns = []string{"../../pcaps/samples/*.pcap*", "../../dissect/testdata/captures/*.pcap.gz"}

// All returns the files of all captures. If several have the same name, it returns the first.
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

// A compiled capture is what became of it, or the error.
type compiled struct {
	scenario *scenario.Scenario
	report   *compile.Report
	err      error
}

var all sync.Map // of functions that return a compiled, by file

// Compile returns the Scenario of the capture in a file. It is compiled once for all tests of a package, which must not
// change it.
func Compile(t testing.TB, file string) (*scenario.Scenario, *compile.Report) {
	t.Helper()
	once, _ := all.LoadOrStore(file, sync.OnceValue(func() (c compiled) {
		capture, err := pcaps.Open(file)
		if err != nil {
			return compiled{err: err}
		}
		defer capture.Close()
		c.scenario, c.report, c.err = compile.Capture(context.Background(), capture, compile.Options{Title: filepath.Base(file)})
		return c
	}))
	c := once.(func() compiled)()
	if c.err != nil {
		t.Fatal(c.err)
	}
	return c.scenario, c.report
}
