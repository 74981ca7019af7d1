package structure

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestAttacks checks that each test in the tables of docs/attacks.md is there, in the package that stands before it.
func TestAttacks(t *testing.T) {
	b, err := os.ReadFile(root + "/docs/attacks.md")
	if err != nil {
		t.Fatal(err)
	}
	between, named := regexp.MustCompile("[`, ]+"), 0
	for line := range strings.Lines(string(b)) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		folder := ""
		for _, word := range between.Split(cells[3], -1) {
			switch {
			case strings.HasPrefix(word, "Test"):
				if named++; !hasTest(folder, word) {
					t.Errorf("%s has no %s", folder, word)
				}
			case word != "":
				folder = word
			}
		}
	}
	if named < 30 {
		t.Errorf("%d tests are named", named)
	}
}

// hasTest reports whether a package has a test.
func hasTest(folder, name string) bool {
	files, _ := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
	for _, file := range files {
		if b, _ := os.ReadFile(file); strings.Contains(string(b), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
