package judge_test

// How much is noticed: streams without a fault get one, in every field of every header. The table of what was noticed is
// testdata/mutation.tsv; docs/generated/mutation.md shows it.

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/internal/golden"
)

var (
	everyMutant = flag.Bool("mutants", false, "try every mutant, not a sample")
	showEscapes = flag.String("escapes", "", "log the mutants that escape whose field has this in its name")
)

// sample is how many mutants of a field are tried, of either source.
const sample = 75

// A mutantFate is what became of a mutant.
type mutantFate uint8

const (
	noticed  mutantFate = iota // there is an error or a warning that was not there before
	noted                      // there is a note that was not there before
	harmless                   // nothing is found, and nothing is wrong
	escaped                    // nothing is found
	numFates
)

// A tally counts the mutants of a field, with values of one source, by what became of them.
type tally struct {
	field  string
	source source
	fates  [numFates]int
	why    string // what is not noticed, and why; written by hand
}

// key tells tallies apart.
func (n *tally) key() string { return n.field + " " + n.source.String() }

func (n *tally) mutants() (all int) {
	for _, c := range n.fates {
		all += c
	}
	return all
}

// row is the field and the source, then the given numbers, then how many mutants have each fate.
func (n *tally) row(between string, numbers ...int) string {
	row := n.field + between + n.source.String()
	for _, number := range append(numbers, n.fates[:]...) {
		row += between + strconv.Itoa(number)
	}
	return row
}

// rate is the part of the mutants, in percent, that have one of these fates.
func (n *tally) rate(fates ...mutantFate) float64 {
	sum := 0
	for _, f := range fates {
		sum += n.fates[f]
	}
	return 100 * float64(sum) / float64(max(n.mutants(), 1))
}

// tolerance is how many percent of the mutants the sample may lose by chance, when it takes others than it took before.
const tolerance = 2

const (
	mutationFile   = "testdata/mutation.tsv"
	mutationHeader = "field\tsource\tnoticed\tnoted\tharmless\tescaped\twhy"
	mutationDoc    = "../../docs/generated/mutation.md"
)

// TestMutants checks whether of every field at least as much is noticed as the table says.
func TestMutants(t *testing.T) {
	committed := readTallies(t)
	broken := [numSources]map[string]bool{{}, {}}
	measured := measure(t, &broken)
	for i := range measured {
		m := &measured[i]
		if j := slices.IndexFunc(committed, func(c tally) bool { return c.key() == m.key() }); j >= 0 {
			m.why = committed[j].why
		}
	}
	if testing.Verbose() {
		t.Log(tableOf(measured))
	}
	switch {
	case *everyMutant:
		return // another measure than that of the table
	case golden.Update():
		writeTallies(t, measured)
		committed = measured
	default:
		compareTallies(t, committed, measured)
	}
	golden.File(t, mutationDoc, mutationDocument(t, committed, &broken))
}

func compareTallies(t *testing.T, committed, measured []tally) {
	by := map[string]*tally{}
	for i := range measured {
		by[measured[i].key()] = &measured[i]
	}
	for i := range committed {
		c := &committed[i]
		if m := by[c.key()]; m == nil {
			t.Errorf("%s is not mutated any more", c.key())
		} else {
			for text, fates := range map[string][]mutantFate{"noticed": {noticed}, "noticed or harmless": {noticed, harmless}} {
				if got, want := m.rate(fates...), c.rate(fates...); got < want-tolerance {
					t.Errorf("%s: %.1f%% are %s, it was %.1f%%", c.key(), got, text, want)
				}
			}
		}
		delete(by, c.key())
		if c.fates[noted]+c.fates[escaped] > 0 && c.why == noArgument {
			t.Errorf("%s: %s: nobody says why %d escape", mutationFile, c.field, c.fates[noted]+c.fates[escaped])
		}
	}
	for key := range by {
		t.Errorf("%s is not in %s", key, mutationFile)
	}
}

// measure tries the mutants, or a sample of them, and counts by field and source. broken are the ids that were found, by source.
func measure(t *testing.T, broken *[numSources]map[string]bool) (all []tally) {
	by := map[string][]mutant{} // by key
	for _, s := range cleanStreams(t) {
		for _, m := range s.mutants() {
			n := tally{field: m.spot.name, source: m.source}
			by[n.key()] = append(by[n.key()], m)
		}
	}
	for _, key := range sortedKeys(by) {
		name, source := by[key][0].spot.name, by[key][0].source
		n := tally{field: name, source: source, why: noArgument}
		for _, m := range sampled(by[key]) {
			fate := m.fate(broken[source])
			n.fates[fate]++
			if fate == escaped && *showEscapes != "" && strings.Contains(name, *showEscapes) {
				t.Logf("%s, step %d: %s = %#x", m.s.name, m.step, name, m.value)
			}
		}
		if n.fates[noted]+n.fates[escaped] == 0 {
			n.why = "-"
		}
		all = append(all, n)
	}
	return all
}

// sampled is some of the mutants, spread evenly.
func sampled(all []mutant) (some []mutant) {
	if *everyMutant || len(all) <= sample {
		return all
	}
	for i := range sample {
		some = append(some, all[i*len(all)/sample])
	}
	return some
}

// fate is what becomes of m. It adds the ids of what was not found before to broken.
func (m *mutant) fate(broken map[string]bool) mutantFate {
	f := analyse(m.records(), m.s.profile, nil)
	grave, light := false, false
	for name, n := range f.count() {
		if n > m.s.before[name] {
			f.addIDs(name, broken)
			if f.worst(name) > rules.Note {
				grave = true
			} else {
				light = true
			}
		}
	}
	switch {
	case grave:
		return noticed
	case m.harmless():
		return harmless
	case light:
		return noted
	}
	return escaped
}

// count is how often each finding is there.
func (f *finder) count() map[string]int {
	n := map[string]int{}
	for i := range f.findings {
		n[f.findings[i].Name]++
	}
	return n
}

// addIDs adds the requirements that findings with a name are about.
func (f *finder) addIDs(name string, ids map[string]bool) {
	for i := range f.findings {
		if one := &f.findings[i]; one.Name == name && one.Rule != nil {
			for _, id := range one.Rule.IDs {
				ids[id] = true
			}
		}
	}
}

// worst is how much the gravest finding with one of the names weighs, or of all if no name is given.
func (f *finder) worst(names ...string) (worst rules.Severity) {
	for i := range f.findings {
		if one := &f.findings[i]; len(names) == 0 || slices.Contains(names, one.Name) {
			worst = max(worst, one.Severity)
		}
	}
	return worst
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func tableOf(all []tally) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nfield\tsource\tmutants\tnoticed\tnoted\tharmless\tescaped")
	for i := range all {
		fmt.Fprintln(w, all[i].row("\t", all[i].mutants()))
	}
	w.Flush()
	return b.String()
}

func readTallies(t *testing.T) (all []tally) {
	for i, row := range readTable(t, mutationFile, 3+int(numFates)) {
		n := tally{field: row[0], why: row[2+numFates]}
		if row[1] == random.String() {
			n.source = random
		}
		for fate := range n.fates {
			var err error
			if n.fates[fate], err = strconv.Atoi(row[2+fate]); err != nil {
				t.Fatalf("%s:%d: %v", mutationFile, i+2, err)
			}
		}
		all = append(all, n)
	}
	return all
}

func writeTallies(t *testing.T, all []tally) {
	var b strings.Builder
	fmt.Fprintln(&b, mutationHeader)
	for i := range all {
		fmt.Fprintln(&b, all[i].row("\t")+"\t"+all[i].why)
	}
	golden.File(t, mutationFile, b.String())
}

const mutationIntro = `# Mutation

How much does ` + "`dissect/judge`" + ` notice? The test takes connections without errors, captured ones and ones written by hand,
and changes one field of one header. It corrects the CRC, so that this reveals nothing. *Mistaken* values are those that an
implementation with a mistake would write: one unit more or less, which is 4 octets for a position, a length or an offset; the value
of the same field in an earlier message, such as a neighbour's STag; the octets in the other order. *Random* values are 0, 1, all ones
and one bit flipped, as far as they are not mistaken ones.

A mutant is *noticed* if there is a new error or warning, *noted* if there is only a new
note, *harmless* if there is nothing to find because the documents leave the value to its sender; otherwise it *escaped*.

The numbers are those of a sample; ` + "`go test ./dissect/judge -run Mutants -mutants -v`" + ` tries every mutant. The test fails if
fewer are noticed than here. This file is generated: ` + "`make golden`" + `.

| field | values | mutants | noticed | noted | harmless | escaped | what escapes, and why |
|---|---|---|---|---|---|---|---|
`

func mutationDocument(t *testing.T, all []tally, broken *[numSources]map[string]bool) string {
	var b strings.Builder
	b.WriteString(mutationIntro)
	sums := [numSources]tally{{field: "all", source: mistaken}, {field: "all", source: random}}
	line := func(n *tally) {
		fmt.Fprintf(&b, "| %s | %s |\n", n.row(" | ", n.mutants()), strings.TrimPrefix(n.why, "-"))
	}
	for i := range all {
		line(&all[i])
		for fate, n := range all[i].fates {
			sums[all[i].source].fates[fate] += n
		}
	}
	for i := range sums {
		line(&sums[i])
	}
	b.WriteString("\n## What is harmless\n\n")
	for _, h := range harmlessFields {
		fmt.Fprintf(&b, "- %s: %s\n", h.field, h.why)
	}
	only := maps.Clone(broken[random])
	maps.DeleteFunc(only, func(id string, _ bool) bool { return broken[mistaken][id] })
	fmt.Fprintf(&b, "\n## Which requirements they break\n\nMistaken values break %d requirements. Random ones alone break %d more: %s.\n",
		len(broken[mistaken]), len(only), strings.Join(sortedKeys(only), ", "))
	violations, _ := os.ReadFile("../../docs/generated/violations.md")
	maps.DeleteFunc(only, func(id string, _ bool) bool { return bytes.Contains(violations, []byte("| "+id+" |")) })
	if len(only) > 0 {
		t.Errorf("nothing that a mistaken implementation would send breaks %v", sortedKeys(only))
	}
	fmt.Fprint(&b, "For each of these [violations.md](violations.md) has a violation that no single value is: a segment at another place, a "+
		"message too many. A random value alone does not count as a check.\n")
	return b.String()
}
