package main

// docs/generated/conform-siw.md and docs/generated/conform-nfs.md have what codec/peers/known knows: the result of each case of the lab, and how many
// cases of iwarp conform fail for each reason.

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/rpcclient"
	"github.com/iwarpkit/iwarp/replay/conform/suite"
)

// A knownFile is one of codec/peers/known.
type knownFile struct {
	name   string   // profile and role
	result string   // what its first line says of the whole run
	why    []string // the reasons, a failure each
}

// knownFiles reads what is known of a subject, a file for each case of the lab.
func knownFiles(t *testing.T, s *subject) (all []knownFile) {
	t.Helper()
	for _, profile := range s.profiles {
		for _, who := range s.roles {
			k := readKnown(t, s.knownFile(profile, who), suite.Questions())
			k.name = profile + "/" + string(who)
			all = append(all, k)
		}
	}
	return all
}

// readKnown reads a file about some of the cases.
func readKnown(t *testing.T, name string, all []conform.Question) (k knownFile) {
	t.Helper()
	file := filepath.Join("..", "..", "codec", "peers", "known", name)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conform.ReadExpectations(file, bytes.NewReader(b), all); err != nil {
		t.Error(err)
	}
	for s := bufio.NewScanner(bytes.NewReader(b)); s.Scan(); {
		if line, comment := strings.CutPrefix(s.Text(), "# "); comment && k.result == "" {
			k.result = line
		} else if _, why, ok := strings.Cut(s.Text(), " "); ok && !comment {
			k.why = append(k.why, why)
		}
	}
	return k
}

// knownTables are both tables about a subject.
func knownTables(s *subject, files []knownFile) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n| case of the lab | result |\n|---|---|\n", strings.ToUpper(s.text[:1])+s.text[1:])
	for _, k := range files {
		fmt.Fprintf(&b, "| `conform/%s/%s` | %s |\n", s.name, k.name, k.result)
	}
	b.WriteString("\n| what it does, and what that breaks |")
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

// knownClient is about the kernel's NFS client, which lab/workloads/nfs-client asks.
const knownClient = "nfs-client.txt"

// clientTable is what is known of the client.
func clientTable(k knownFile) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n| what it does, and what that breaks | cases |\n|---|---|\n", k.result)
	counts := make(map[string]int)
	for _, why := range k.why {
		counts[why]++
	}
	for _, why := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&b, "| %s | %d |\n", why, counts[why])
	}
	return b.String() + "\n"
}

// TestKnown checks whether the documents have the tables as they are.
func TestKnown(t *testing.T) {
	tables := make(map[string]string)
	for i := range subjects {
		s := &subjects[i]
		tables[s.document] += knownTables(s, knownFiles(t, s))
	}
	tables["conform.md"] = clientTable(readKnown(t, knownClient, rpcclient.Questions()))
	for document, want := range tables {
		golden.Section(t, filepath.Join("..", "..", "docs", document), "results", "\n"+want)
	}
}

// TestKnownRequirements checks whether the requirements that reasons name are there.
func TestKnownRequirements(t *testing.T) {
	all := []knownFile{readKnown(t, knownClient, rpcclient.Questions())}
	for i := range subjects {
		all = append(all, knownFiles(t, &subjects[i])...)
	}
	for _, k := range all {
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
