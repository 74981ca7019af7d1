// Judge reads the output of lab/peer in a folder: results.jsonl and captures. It checks the traffic of each case with
// "iwarp check", "iwarp stats" and, if it is installed, tshark. It prints a table of all cases, and exits with 1 if one
// failed.
//
//	judge -iwarp PROGRAM DIR
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/iwarpkit/iwarp/lab/result"
)

func main() {
	iwarp := flag.String("iwarp", "iwarp", "the program iwarp")
	flag.Parse()
	failed, err := judge(*iwarp, flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

// judge judges all cases of a folder, and reports whether one has failed.
func judge(iwarp, dir string) (failed bool, err error) {
	results, err := read(filepath.Join(dir, "results.jsonl"))
	if err != nil {
		return false, err
	}
	captures := make(map[string]*traffic)
	for i := range results {
		r := &results[i]
		if r.Capture == "" {
			continue
		}
		if captures[r.Capture] == nil {
			if captures[r.Capture], err = newTraffic(iwarp, filepath.Join(dir, r.Capture)); err != nil {
				return false, err
			}
		}
		if why := captures[r.Capture].judge(r); why != "" && r.Status == result.Passed {
			r.Status, r.Reason = result.Failed, why
		}
	}
	return show(append(results, unfinished(dir)...)), nil
}

func read(name string) (all []result.Result, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for d := json.NewDecoder(bufio.NewReader(f)); d.More(); {
		var r result.Result
		if err := d.Decode(&r); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// broken matches what a crashing kernel prints on the console.
var broken = regexp.MustCompile(`BUG: .*|Oops: .*|Kernel panic .*`)

// unfinished is the case in which the guest crashed, if there is one.
func unfinished(dir string) []result.Result {
	name, err := os.ReadFile(filepath.Join(dir, result.Running))
	if err != nil {
		return nil
	}
	console, _ := os.ReadFile(filepath.Join(dir, "console.log"))
	why := cmp.Or(strings.TrimSpace(string(broken.Find(console))), "console.log does not say why")
	return []result.Result{{
		Case: string(name), Status: result.Failed,
		Reason: "the guest has ended in it, what follows was not run: " + why,
	}}
}

// show prints the table, and reports whether a case has failed.
func show(results []result.Result) (failed bool) {
	count := make(map[result.Status]int)
	for _, r := range results {
		fmt.Println(r)
		if r.Reason != "" {
			fmt.Println("        ", r.Reason)
		}
		count[r.Status]++
	}
	tshark := "tshark agrees about the FPDUs wherever it counts well"
	if _, err := exec.LookPath("tshark"); err != nil {
		tshark = "tshark is not installed, so nobody else has counted FPDUs"
	}
	fmt.Printf("%d cases: %d passed, %d failed, %d skipped; %s\n", len(results), count[result.Passed],
		count[result.Failed], count[result.Skipped], tshark)
	return count[result.Failed] > 0
}
