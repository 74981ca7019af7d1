package main

// docs/conform-siw.md has what lab/known knows: the result of each case, and how many cases fail for each reason.

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/suite"
)

const (
	conformDocument = "../../docs/conform-siw.md"
	conformBegin    = "<!-- go test ./lab/peer -update writes what follows -->\n\n"
)

// A knownFile is one of lab/known.
type knownFile struct {
	name   string   // of the case, without its group
	result string   // what its first line says of the whole run
	why    []string // the reasons, a failure each
}

// knownFiles reads lab/known, a file for each case of the group.
func knownFiles(t *testing.T) (all []knownFile) {
	t.Helper()
	for _, c := range conformCases() {
		name := strings.TrimPrefix(c.Name, "conform/")
		file := filepath.Join("..", "known", strings.ReplaceAll(name, "/", "-")+".txt")
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conform.ReadExpectations(file, bytes.NewReader(b), suite.Questions()); err != nil {
			t.Error(err)
		}
		k := knownFile{name: name}
		for s := bufio.NewScanner(bytes.NewReader(b)); s.Scan(); {
			if line, comment := strings.CutPrefix(s.Text(), "# "); comment && k.result == "" {
				k.result = line
			} else if _, why, ok := strings.Cut(s.Text(), " "); ok && !comment {
				k.why = append(k.why, why)
			}
		}
		all = append(all, k)
	}
	return all
}

// knownTables are both tables of the document.
func knownTables(files []knownFile) string {
	var b strings.Builder
	b.WriteString("| case of the lab | result |\n|---|---|\n")
	for _, k := range files {
		fmt.Fprintf(&b, "| `%s` | %s |\n", k.name, k.result)
	}
	b.WriteString("\n| what siw does, and what that breaks |")
	for _, k := range files {
		fmt.Fprintf(&b, " %s |", k.name)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(files)) + "\n")
	counts := make(map[string][]int)
	var reasons []string
	for i, k := range files {
		for _, why := range k.why {
			if counts[why] == nil {
				counts[why] = make([]int, len(files))
				reasons = append(reasons, why)
			}
			counts[why][i]++
		}
	}
	slices.SortStableFunc(reasons, func(a, b string) int { return counts[b][0] - counts[a][0] })
	for _, why := range reasons {
		fmt.Fprintf(&b, "| %s |", why)
		for _, n := range counts[why] {
			fmt.Fprintf(&b, " %d |", n)
		}
		b.WriteByte('\n')
	}
	return b.String() + "\n"
}

// TestKnown looks whether docs/conform-siw.md has the tables as they are.
func TestKnown(t *testing.T) {
	b, err := os.ReadFile(conformDocument)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begun := strings.Cut(string(b), conformBegin)
	has, after, ended := strings.Cut(rest, generatedEnd)
	if !begun || !ended {
		t.Fatalf("%s lacks the marks of the tables", conformDocument)
	}
	want := knownTables(knownFiles(t))
	switch {
	case has == want:
	case !*update:
		t.Fatalf("%s does not have the tables as they are: go test ./lab/peer -update", conformDocument)
	default:
		if err := os.WriteFile(conformDocument, []byte(before+conformBegin+want+generatedEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestKnownRequirements looks whether the requirements that reasons name are there.
func TestKnownRequirements(t *testing.T) {
	for _, k := range knownFiles(t) {
		for _, why := range k.why {
			_, ids, _ := strings.Cut(why, " (")
			for _, id := range strings.Split(strings.TrimSuffix(ids, ")"), ", ") {
				if rfc.Lookup(id) == nil {
					t.Errorf("%s: the requirement %q of %q is none", k.name, id, why)
				}
			}
		}
	}
}
