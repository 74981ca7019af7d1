package analysis_test

// The figures of README.md are those of the generated documents.

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/internal/quantity"
)

const readme = "../../README.md"

// totals are the numbers in the last row of a generated table.
func totals(t *testing.T, file string) (all []int) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, row, found := strings.Cut(string(b), "\n| all |")
	row, _, _ = strings.Cut(row, "\n")
	for cell := range strings.SplitSeq(row, "|") {
		if n, err := strconv.Atoi(strings.TrimSpace(cell)); err == nil {
			all = append(all, n)
		}
	}
	if !found || len(all) < 5 {
		t.Fatalf("%s: the row of all is %q", file, row)
	}
	return all
}

func TestREADME(t *testing.T) {
	b, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(b)), " ")
	r, m := totals(t, requirementsFile), totals(t, mutationDoc)
	mutants, noticed, escaped := m[0], m[1]+m[2], m[4] // a note tells of them, too
	for _, want := range []string{
		fmt.Sprintf("%d of %d can show in a capture; of these %d are checked.", r[1], r[0], r[2]),
		fmt.Sprintf("%d of the %d requirements that show to a peer are asked", r[6], r[5]),
		fmt.Sprintf("Of %s such mutants %s are noticed, %s are harmless", quantity.Grouped(uint64(mutants)), quantity.Grouped(uint64(noticed)), quantity.Grouped(uint64(m[3]))),
		fmt.Sprintf("and %d escape (%.1f %%)", escaped, 100*float64(escaped)/float64(mutants)),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s does not say %q", readme, want)
		}
	}
}
