package judge_test

// The figures of docs/captures.md are those of the generated documents.

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// totals returns the numbers in the last row of a generated table.
func totals(t *testing.T, file string) (all []int) {
	t.Helper()
	_, row, found := strings.Cut(golden.Read(t, file), "\n| all |")
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

func TestTotals(t *testing.T) {
	const document = "../../docs/captures.md"
	r, m := totals(t, requirementsFile), totals(t, mutationDoc)
	golden.Section(t, document, "requirements", fmt.Sprintf(`
- %d of %d requirements can show in a capture. %[3]d of these are checked.
- %[5]d of the %[4]d requirements that show to a peer are asked by %[6]siwarp conform%[6]s.

`, r[1], r[0], r[2], r[5], r[6], "`"))
	grouped := func(n int) string { return quantity.Grouped(n) }
	golden.Section(t, document, "mutants", fmt.Sprintf(`
- %s of %s mutants with a value that a mistaken implementation would write are noticed.
- %s are harmless by the documents.
- %d escape (%.1f %%).

`, grouped(m[1]+m[2]), grouped(m[0]), grouped(m[3]), m[4], 100*float64(m[4])/float64(m[0])))
}
