package main

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the tables into docs/lab.md")

// document has parts that are written by the test.
const document = "../../docs/lab.md"

// generated are these parts: the mark behind which each stands, and what it is.
var generated = []struct {
	begin string
	text  func() string
}{
	{"<!-- go test ./lab/peer -update writes the differences -->\n\n", differenceTable},
	{"<!-- go test ./lab/peer -update writes what follows -->\n\n", table},
}

// generatedEnd stands behind each of them.
const generatedEnd = "<!-- until here -->\n"

// TestTables looks whether docs/lab.md has the tables as they are.
func TestTables(t *testing.T) {
	b, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for _, g := range generated {
		before, rest, begun := strings.Cut(text, g.begin)
		_, after, ended := strings.Cut(rest, generatedEnd)
		if !begun || !ended {
			t.Fatalf("%s lacks the marks of a table", document)
		}
		text = before + g.begin + g.text() + generatedEnd + after
	}
	if text == string(b) {
		return
	}
	if !*update {
		t.Fatalf("%s does not have the tables as they are: go test ./lab/peer -update", document)
	}
	if err := os.WriteFile(document, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestNames looks whether each case has a name of its own in its group.
func TestNames(t *testing.T) {
	var seen []string
	for _, g := range groups() {
		for i := range g.Cases {
			name := g.Cases[i].Name
			if !strings.HasPrefix(name, g.Name+"/") || slices.Contains(seen, name) {
				t.Errorf("the name %q", name)
			}
			seen = append(seen, name)
		}
	}
}

// TestDifferences looks whether each difference is one of a case.
func TestDifferences(t *testing.T) {
	cases := replayCases()
	for _, d := range differences {
		if !slices.ContainsFunc(cases, func(c testCase) bool { return c.Name == "replay/"+d.name }) {
			t.Errorf("there is no case replay/%s", d.name)
		}
	}
}
