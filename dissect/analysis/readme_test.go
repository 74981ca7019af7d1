package analysis_test

// The figures of README.md are those of the generated documents.

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
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
	if !found || len(all) != 5 {
		t.Fatalf("%s: the row of all is %q", file, row)
	}
	return all
}

// grouped is a number with a comma before the last three digits.
func grouped(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
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
		fmt.Sprintf("Of %s such mutants %s are noticed, %s are harmless", grouped(mutants), grouped(noticed), grouped(m[3])),
		fmt.Sprintf("and %d escape (%.1f %%)", escaped, 100*float64(escaped)/float64(mutants)),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s does not say %q", readme, want)
		}
	}
}
