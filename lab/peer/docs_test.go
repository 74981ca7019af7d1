package main

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of cases into docs/lab.md")

// The marks between which docs/lab.md has the table.
const (
	document   = "../../docs/lab.md"
	tableBegin = "<!-- go test ./lab/peer -update writes what follows -->\n\n"
	tableEnd   = "<!-- until here -->\n"
)

// TestTable looks whether docs/lab.md has the table of cases as it is.
func TestTable(t *testing.T) {
	b, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begun := strings.Cut(string(b), tableBegin)
	has, after, ended := strings.Cut(rest, tableEnd)
	if !begun || !ended {
		t.Fatalf("%s lacks the marks of the table", document)
	}
	if has == table() {
		return
	}
	if !*update {
		t.Fatalf("%s does not have the table of cases as it is: go test ./lab/peer -update", document)
	}
	if err := os.WriteFile(document, []byte(before+tableBegin+table()+tableEnd+after), 0o644); err != nil {
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
