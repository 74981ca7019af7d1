package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/internal/golden"
)

// TestTables compares the tables of docs/lab.md with the cases.
func TestTables(t *testing.T) {
	const document = "../../docs/lab.md"
	golden.Section(t, document, "differences", "\n"+differenceTable())
	golden.Section(t, document, "cases", "\n"+table())
}

// differenceTable is the differences as docs/lab.md has them.
func differenceTable() string {
	var b strings.Builder
	b.WriteString("| case | steps | why |\n|---|---|---|\n")
	for _, d := range differences {
		why := d.why
		if d.may {
			why += " Each of them can be as recorded, too."
		}
		fmt.Fprintf(&b, "| `replay/%s` | %s | %s |\n", d.name, strings.Join(d.steps, ", "), why)
	}
	b.WriteByte('\n')
	return b.String()
}

// TestNames checks whether each case has a name of its own in its group.
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

// TestDifferences checks whether each difference is one of a case.
func TestDifferences(t *testing.T) {
	cases := replayCases()
	for _, d := range differences {
		if !slices.ContainsFunc(cases, func(c testCase) bool { return c.Name == "replay/"+d.name }) {
			t.Errorf("there is no case replay/%s", d.name)
		}
	}
}
