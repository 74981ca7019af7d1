// Package golden compares what a test makes with what is stored in the repository. The flag -update stores it instead:
//
//	go test ./rnicsim -update
//
// `make golden` does so for all tests that use this package. Read the changes before you commit them.
package golden

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "store what the tests make, instead of comparing it")

// Update reports whether the test stores what it makes.
func Update() bool { return *update }

// File fails the test if a file does not have the text, or stores it there.
func File(t testing.TB, name, text string) {
	t.Helper()
	if Update() {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if stored := Read(t, name); stored != text {
		t.Errorf("%s is not current; `make golden` makes it so\n%s", name, difference(stored, text))
	}
}

// Lines fails the test if a file lacks one of the lines, which end in a line feed. It stores nothing.
func Lines(t testing.TB, name string, lines []string) {
	t.Helper()
	stored := slices.Collect(strings.Lines(Read(t, name)))
	for _, line := range lines {
		if !slices.Contains(stored, line) {
			t.Errorf("%s lacks %s", name, line)
		}
	}
}

// Section compares a part of a file, as File does the whole. Two lines enclose the part:
//
//	<!-- generated: NAME -->
//	<!-- end: NAME -->
func Section(t testing.TB, file, name, text string) {
	t.Helper()
	stored := Read(t, file)
	first, last := "<!-- generated: "+name+" -->\n", "<!-- end: "+name+" -->\n"
	before, rest, begun := strings.Cut(stored, first)
	_, after, ended := strings.Cut(rest, last)
	if !begun || !ended {
		t.Fatalf("%s lacks the lines %q and %q", file, first, last)
	}
	File(t, file, before+first+text+last+after)
}

// Read returns the contents of a file.
func Read(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// shown is the maximal number of lines in a difference.
const shown = 40

// difference lists the lines of each text that the other one lacks.
func difference(stored, text string) string {
	var lines []string
	collect := func(sign, from, other string) {
		known := strings.Split(other, "\n")
		for line := range strings.SplitSeq(from, "\n") {
			if !slices.Contains(known, line) {
				lines = append(lines, fmt.Sprintf("%s %.500s", sign, line))
			}
		}
	}
	collect("-", stored, text)
	collect("+", text, stored)
	switch {
	case len(lines) == 0:
		return "its lines stand in another order, or more or less often"
	case len(lines) > shown:
		lines = append(lines[:shown], fmt.Sprintf("and %d more lines", len(lines)-shown))
	}
	return strings.Join(lines, "\n")
}
