package suite

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/internal/golden"
)

// conformDoc has tables that are generated.
const conformDoc = "../../../docs/conform.md"

// kinds are the kinds of mutants by the beginning of their names, and why one fails more cases than those that are about it.
var kinds = []struct{ begins, what, why string }{
	{"suppress ", "leaves an error or rule alone", "the error is in the way of several cases: each that asks for it, in each place where it can be made"},
	{"react ", "answers an error otherwise", "as above; a case that only needs the error to end the connection fails too"},
	{"rewrite MPA", "sends a wrong field in an MPA frame", "no connection begins, or not as it should: each case has one"},
	{"rewrite FPDU", "sends a wrong field of an FPDU", "no FPDU of it can be taken: all cases in which the peer sends anything but a FIN"},
	{"rewrite ", "sends a wrong field in a message", "each case in which it sends that message: Sends are in nearly all, since they prove that all is well"},
	{"fault ", "loses, doubles, cuts or spoils what it sends", "as above"},
	{"rpc careless ", "an RPC server takes what it should refuse", "the error is in the way of several cases"},
	{"rpc hear", "an RPC server takes what comes for something else", "each case with such a message"},
	{"rpc tamper ", "an RPC server sends a wrong word, or loses or doubles a message", "each case with such a message; counted is one mutant for each case, not all that fail it"},
}

// TestCollateral checks that docs/conform.md describes the mutants as they are.
func TestCollateral(t *testing.T) {
	golden.Section(t, conformDoc, "mutants", coverageText()+collateralText(readKills(t)))
}

// coverageText says how many requirements are asked.
func coverageText() string {
	var b strings.Builder
	b.WriteString("\n## How much is asked\n\n| document | show to a peer | asked | cases |\n|---|---|---|---|\n")
	cases := make(map[string]int)
	for _, q := range Questions() {
		cases[q.Section.Document]++
	}
	shows, asked, all := 0, 0, 0
	for _, c := range Covered() {
		fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", c.Document.Name, c.Shows, c.Asked, cases[c.Document.ID])
		shows, asked, all = shows+c.Shows, asked+c.Asked, all+cases[c.Document.ID]
	}
	fmt.Fprintf(&b, "| all | %d | %d | %d |\n", shows, asked, all)
	b.WriteString("\n[requirements.md](generated/requirements.md) names the cases of each, or says why there is none.\n")
	return b.String()
}

// collateralText says how many cases mutants fail, and which cases none fails.
func collateralText(kills map[trial][]string) string {
	failed := make(map[string]map[string]bool) // cases, by the name of the mutant
	for m, cases := range kills {
		if failed[m.mutant] == nil {
			failed[m.mutant] = make(map[string]bool)
		}
		for _, id := range cases {
			failed[m.mutant][id] = true
		}
	}
	counts := make([][]int, len(kinds))
	for _, m := range mutants() {
		for i, k := range kinds {
			if strings.HasPrefix(m.Name, k.begins) {
				counts[i] = append(counts[i], len(failed[m.Name]))
				break
			}
		}
	}
	var b strings.Builder
	b.WriteString("\n## Collateral\n\nMutants by what they do, how many of them any case notices, and how many cases one fails.\n\n" +
		"| a mutant | mutants | noticed | fails, median | fails, most | why it fails more than one |\n|---|---|---|---|---|---|\n")
	for i, k := range kinds {
		all := counts[i]
		slices.Sort(all)
		noticed := all[min(len(all), slices.IndexFunc(append(all, 1), func(n int) bool { return n > 0 })):]
		median, most := 0, 0
		if len(noticed) > 0 {
			median, most = noticed[len(noticed)/2], noticed[len(noticed)-1]
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %s |\n", k.what, len(all), len(noticed), median, most, k.why)
	}
	narrow := make(map[string]int) // cases by how few the best mutant fails
	best := killers(kills)
	for _, m := range best {
		n := len(failed[m.mutant])
		switch {
		case n <= 10:
			narrow["10"]++
		case n <= 50:
			narrow["50"]++
		default:
			narrow["more"]++
		}
	}
	fmt.Fprintf(&b, "\nOf the cases %d fail with a mutant that fails 10 or fewer in all, "+
		"%d with one that fails 50 or fewer, %d only with\none that fails more.\n",
		narrow["10"], narrow["50"], narrow["more"])
	if len(immortal) > 0 {
		b.WriteString("\nNo mutant fails these, so they are not counted as proved:\n\n| case | why |\n|---|---|\n")
		for _, id := range slices.SortedFunc(maps.Keys(immortal), cmp.Compare[string]) {
			fmt.Fprintf(&b, "| %s | %s |\n", id, immortal[id])
		}
	}
	return b.String()
}
