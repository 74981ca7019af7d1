package fuzz

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestReadme checks that both tables of README.md have a row for each target, and none for another.
func TestReadme(t *testing.T) {
	names := func(expression string, files ...string) (all []string) {
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(expression).FindAllSubmatch(text, -1) {
				all = append(all, string(m[1]))
			}
		}
		slices.Sort(all)
		return all
	}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	targets := names(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`, files...)
	for table, row := range map[string]string{
		"what targets do": `(?m)^\| (Fuzz\w+) \|.*\|.*\|$`, "how often they have run": `(?m)^\| (Fuzz\w+) \| [^|]*\d[^|]* \|$`,
	} {
		if rows := names(row, "README.md"); !slices.Equal(rows, targets) {
			t.Errorf("%s: rows for %v, targets %v", table, rows, targets)
		}
	}
}
