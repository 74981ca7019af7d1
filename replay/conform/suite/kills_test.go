package suite

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/reference"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// killsFile has a line for each mutant, variant and role of the asker: these three, and the cases that fail.
const killsFile = "testdata/kills.tsv"

// A trial is a mutant of a variant that is asked in a role.
type trial struct {
	mutant string
	home
}

// readKills reads which cases each mutant fails.
func readKills(t *testing.T) map[trial][]string {
	t.Helper()
	file, err := os.Open(killsFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	kills := make(map[trial][]string)
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Split(lines.Text(), "\t")
		if len(words) != 4 {
			t.Fatalf("%s: %q has no four columns", killsFile, lines.Text())
		}
		m := trial{words[0], home{words[1], scenario.Client}}
		if words[2] == scenario.Server.String() {
			m.side = scenario.Server
		}
		kills[m] = strings.Fields(words[3])
	}
	return kills
}

// killers are, for each case, the mutant that fails it and the fewest others.
func killers(kills map[trial][]string) map[string]trial {
	best := make(map[string]trial)
	for m, cases := range kills {
		for _, id := range cases {
			if than, ok := best[id]; !ok || better(m, than, kills) {
				best[id] = m
			}
		}
	}
	return best
}

// better reports whether one mutant is better evidence than another that a case tests its demand: it fails fewer cases.
func better(m, than trial, kills map[trial][]string) bool {
	a, b := len(kills[m]), len(kills[than])
	return a < b || a == b && fmt.Sprint(m) < fmt.Sprint(than)
}

// For each case there is a mutant that fails it. This test shows it again.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of mutants take a while")
	}
	renewKills(t)
	best := killers(readKills(t))
	work := make(map[trial][]conform.Question)
	for _, q := range Questions() {
		m, ok := best[q.ID()]
		if ok {
			work[m] = append(work[m], q)
		} else if immortal[q.ID()] == "" {
			t.Errorf("no mutant fails %s, and there is no reason why", q.ID())
		}
		if ok && immortal[q.ID()] != "" {
			t.Errorf("%s fails %s, and yet there is a reason why none does", m, q.ID())
		}
	}
	for m, questions := range work {
		t.Run(m.mutant+"/"+m.side.String(), func(t *testing.T) {
			t.Parallel()
			mutant, err := parseMutant(m.mutant)
			if err != nil {
				t.Fatal(err)
			}
			killed := kill(t, &mutant, m.home, questions)
			for _, q := range questions {
				if !slices.Contains(killed, q.ID()) {
					t.Errorf("%s passes %s", m, q.ID())
				}
			}
		})
	}
}

// kill returns the cases that a mutant fails.
func kill(t *testing.T, m *mutant, h home, questions []conform.Question) []string {
	c, ok := reference.Lookup(h.variant)
	if !ok {
		t.Fatalf("there is no variant %s", h.variant)
	}
	killed, err := kills(context.Background(), m, c, questions, h.side)
	if err != nil {
		t.Fatal(err)
	}
	return killed
}

// String returns the trial in a few words.
func (m trial) String() string {
	return fmt.Sprintf("%s (%s, asked by the %s)", m.mutant, m.variant, m.side)
}

// immortal are cases that no mutant fails, and why.
var immortal = map[string]string{
	"RFC5044/7.1.2/no-request":         patient,
	"RFC5044/7.1.2/half-a-request":     patient,
	"RFC5044/7.1.2/no-reply":           patient,
	"RDMAC-VERBS-1.0/6.2.3/not-closed": patient,
}

// patient is why cases are not asked of mutants.
const patient = "it waits for a time-out of the peer's own, and no mutant is without one"
