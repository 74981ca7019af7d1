package suite

// Finds out which cases each mutant fails, and records it.

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/reference"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

var updateKills = flag.String("update-kills", "", "ask mutants cases, and write into testdata/kills.tsv what they fail: "+
	"\"all\", \"missing\", the cases that none fails yet, or \"again\", what is there, of mutants that fail few; with -parallel 12 -timeout 2h")

// renewers is how many mutants are asked at a time.
const renewers = 6

// A job is a mutant at home.
type job struct {
	mutant
	home
}

// chosen returns those of some cases that have the ids.
func chosen(some []conform.Question, ids []string) []conform.Question {
	return slices.DeleteFunc(slices.Clone(some), func(q conform.Question) bool { return !slices.Contains(ids, q.ID()) })
}

// few is the most cases that a mutant may fail if it is to be asked them again.
const few = 450

// renewKills writes the file anew, if that is wanted.
func renewKills(t *testing.T) {
	kills := make(map[trial][]string)
	switch *updateKills {
	case "":
		return
	case "missing":
		kills = readKills(t)
	case "again":
		confirmKills(t)
		return
	}
	known := make(map[string]bool)
	for id := range killers(kills) {
		known[id] = true
	}
	at := once(homes(t, 0))
	var mu sync.Mutex
	left := func(some []conform.Question) []conform.Question {
		mu.Lock()
		defer mu.Unlock()
		return slices.DeleteFunc(slices.Clone(some), func(q conform.Question) bool {
			// A mutant in one process has no time for a case that waits for the peer's patience.
			return q.Patient || known[q.ID()]
		})
	}
	work := make(chan job)
	t.Run("trials", func(t *testing.T) {
		for range renewers {
			t.Run("some", func(t *testing.T) {
				t.Parallel()
				for w := range work {
					// A case that fails twice does not fail because the machine is busy.
					killed := kill(t, &w.mutant, w.home, left(at[w.home]))
					killed = kill(t, &w.mutant, w.home, chosen(at[w.home], killed))
					mu.Lock()
					for _, id := range killed {
						if id != noSurvey {
							kills[trial{w.Name, w.home}] = append(kills[trial{w.Name, w.home}], id)
							known[id] = *updateKills == "missing" // one that fails it is enough then
						}
					}
					mu.Unlock()
				}
			})
		}
		go func() {
			defer close(work)
			for _, m := range mutants() {
				for h, questions := range at {
					if len(questions) > 0 && questions[0].Section.Service == m.Service() && len(left(questions)) > 0 {
						work <- job{m, h}
					}
				}
			}
		}()
	})
	writeKills(t, kills)
}

// confirmKills asks mutants again the cases that they are listed as failing: on a busy machine, many cases run out of time.
func confirmKills(t *testing.T) {
	byID := make(map[string]conform.Question)
	for _, q := range Questions() {
		byID[q.ID()] = q
	}
	kills := readKills(t)
	var mu sync.Mutex
	t.Run("again", func(t *testing.T) {
		for m, cases := range readKills(t) {
			if len(cases) > few {
				continue
			}
			t.Run(m.String(), func(t *testing.T) {
				t.Parallel()
				var questions []conform.Question
				for _, id := range cases {
					if q, ok := byID[id]; ok {
						questions = append(questions, q)
					}
				}
				mutant, err := parseMutant(m.mutant)
				if err != nil || len(questions) == 0 {
					return
				}
				killed := kill(t, &mutant, m.home, questions)
				mu.Lock()
				defer mu.Unlock()
				kills[m] = killed
			})
		}
	})
	writeKills(t, kills)
}

// once leaves each case in one place: where this end initiates, if it can.
func once(at map[home][]conform.Question) map[home][]conform.Question {
	asked := make(map[string]bool)
	for _, side := range []scenario.Side{scenario.Client, scenario.Server} {
		for _, v := range reference.Variants() {
			h := home{v.Name, side}
			at[h] = slices.DeleteFunc(at[h], func(q conform.Question) bool { return asked[q.ID()] })
			for _, q := range at[h] {
				asked[q.ID()] = true
			}
		}
	}
	return at
}

// writeKills writes what mutants fail, of cases .
func writeKills(t *testing.T, kills map[trial][]string) {
	exists := make(map[string]bool)
	for _, q := range Questions() {
		exists[q.ID()] = true
	}
	var lines []string
	for m, cases := range kills {
		cases = slices.DeleteFunc(cases, func(id string) bool { return !exists[id] })
		if len(cases) > 0 {
			lines = append(lines, fmt.Sprintf("%s\t%s\t%s\t%s\n", m.mutant, m.variant, m.side, strings.Join(cases, " ")))
		}
	}
	slices.Sort(lines)
	if err := os.WriteFile(killsFile, []byte(strings.Join(lines, "")), 0o666); err != nil {
		t.Fatal(err)
	}
}
