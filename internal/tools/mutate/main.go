// Mutate counts how many small mistakes in a package its tests notice.
//
//	go run ./internal/tools/mutate [-sample N] [-skip REGEXP] ./rnicsim
//
// In a copy of the module it inserts a switch wherever a condition could be wrong or off by one, or a statement missing. It
// builds the tests once, and runs them once for each mistake, which an environment variable switches on. It prints the
// mistakes that no test notices, with their places, and their number.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

func main() {
	sample := flag.Int("sample", 0, "try so many mutants, chosen at random; 0 for all")
	skip := flag.String("skip", "^$", "tests that are left out as long as others notice")
	limit := flag.Duration("timeout", 30*time.Second, "a mutant whose tests take longer counts as noticed")
	seed := flag.Uint64("seed", 1, "of the choice")
	flag.Parse()
	if err := run(flag.Arg(0), *sample, *seed, *skip, *limit); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run tries the mutants of a package.
func run(dir string, sample int, seed uint64, skip string, limit time.Duration) error {
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.CopyFS(work, os.DirFS(".")); err != nil {
		return err
	}
	mutants, err := instrument(filepath.Join(work, dir))
	if err != nil {
		return err
	}
	binary := filepath.Join(work, "mutants.test")
	build := exec.Command("go", "test", "-c", "-o", binary, "./"+filepath.ToSlash(dir))
	build.Dir = work
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	t := trial{binary: binary, dir: filepath.Join(work, dir), limit: limit}
	if !t.passes(0, "^$") {
		return fmt.Errorf("the tests fail without a mutant")
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
	if sample > 0 && sample < len(mutants) {
		mutants = mutants[:sample]
	}
	t.try(mutants, skip)
	return nil
}

// A trial runs the tests of a package.
type trial struct {
	binary, dir string
	limit       time.Duration
}

// try runs the tests for each mutant, and prints those that are not noticed.
func (t *trial) try(mutants []mutant, skip string) {
	counts := map[string][2]int{}
	for i := range mutants {
		m := &mutants[i]
		c := counts[m.kind]
		c[0]++
		if t.passes(m.number, skip) && (skip == "^$" || t.passes(m.number, "^$")) {
			fmt.Printf("%s: not noticed: %s: %s\n", m.place, m.kind, m.text)
		} else {
			c[1]++
		}
		counts[m.kind] = c
		if (i+1)%100 == 0 {
			fmt.Fprintf(os.Stderr, "%d of %d tried\n", i+1, len(mutants))
		}
	}
	var all [2]int
	for _, kind := range kinds {
		c := counts[kind]
		fmt.Printf("%s: %d of %d noticed\n", kind, c[1], c[0])
		all[0], all[1] = all[0]+c[0], all[1]+c[1]
	}
	fmt.Printf("all: %d of %d noticed\n", all[1], all[0])
}

// passes reports whether the tests, except skipped ones, do not notice a mutant.
func (t *trial) passes(number int, skip string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), t.limit)
	defer cancel()
	c := exec.CommandContext(ctx, t.binary, "-test.failfast", "-test.skip", skip)
	c.Dir = t.dir
	c.Env = append(os.Environ(), variable+"="+strconv.Itoa(number), "GOMEMLIMIT=512MiB")
	return c.Run() == nil
}
