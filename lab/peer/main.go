// Peer tests the Linux kernel's iWARP in the lab's guest. For each case it starts siwtest or rping on the kernel's side, is
// the other end itself, with rnicsim/driver or the commands of iwarp, and checks what both sides have seen.
//
//	peer -out DIR [-run REGEXP]	run the cases, in the guest; results.jsonl, captures and logs go to DIR
//	peer -list			print the table of cases that docs/lab.md has
//
// On the host, lab/judge checks the captures.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/iwarpkit/iwarp/lab/result"
)

func main() {
	out := flag.String("out", "", "folder for results, captures and logs")
	only := flag.String("run", "", "run only cases whose name matches this regular expression")
	list := flag.Bool("list", false, "print the table of cases")
	flag.Parse()
	if *list {
		fmt.Print(table())
		return
	}
	match, err := regexp.Compile(*only)
	if err == nil {
		err = runAll(*out, match)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "peer:", err)
		os.Exit(2)
	}
}

// runAll runs the cases whose names match, and writes the results.
func runAll(out string, match *regexp.Regexp) error {
	if err := os.MkdirAll(filepath.Join(out, "kernel"), 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(out, "results.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close()
	defer os.Remove(filepath.Join(out, result.Running))
	results := json.NewEncoder(f)
	for _, g := range groups() {
		all := func() error { return g.run(out, match, results) }
		if g.Uncaptured {
			err = all()
		} else {
			err = captured(filepath.Join(out, g.file()), all)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// run runs the cases of a group whose names match.
func (g *group) run(out string, match *regexp.Regexp, results *json.Encoder) error {
	for i := range g.Cases {
		if !match.MatchString(g.Cases[i].Name) {
			continue
		}
		if err := os.WriteFile(filepath.Join(out, result.Running), []byte(g.Cases[i].Name), 0o644); err != nil {
			return err
		}
		r := run(&g.Cases[i], out)
		r.Capture = g.file()
		report(r)
		if err := results.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// report prints the result of a case.
func report(r result.Result) {
	fmt.Println(r)
	if r.Reason != "" {
		fmt.Println("        ", r.Reason)
	}
}
