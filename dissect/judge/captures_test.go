package judge_test

// Captures of the Linux kernel's siw: what is found in them has to be true, and is written down with an argument.

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/pcaps"
)

// captureFiles are the kernel captures of the repository, by name.
func captureFiles(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, pattern := range []string{"../../pcaps/samples/*.pcap*", "../testdata/captures/*.pcap*"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(found), err)
		}
		for _, file := range found {
			name, _, _ := strings.Cut(filepath.Base(file), ".pcap")
			files[name] = file
		}
	}
	return files
}

// runCapture runs a capture through e.
func runCapture(t *testing.T, e *dissect.Engine, file string) {
	t.Helper()
	runSome(t, e, file, func(*pcaps.Record) bool { return true })
}

// runSome runs through e those packets of a capture that are wanted.
func runSome(t *testing.T, e *dissect.Engine, file string, wanted func(*pcaps.Record) bool) {
	t.Helper()
	c, err := pcaps.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var rec pcaps.Record
	for c.Next(&rec) == nil {
		if wanted(&rec) {
			e.Packet(&rec)
		}
	}
	e.Close()
	if damage := c.Damage(); len(damage) > 0 {
		t.Fatalf("%s: %v", file, damage)
	}
}

// A deviation is what is found in a capture under the profile "rfc", how often, and why it is so.
type deviation struct {
	capture, finding string
	count            int
	argument         string
}

const (
	capturesFile   = "testdata/captures.tsv"
	capturesHeader = "capture\tfinding\tcount\targument"
	noArgument     = "?" // what -update writes for others to fill in
)

func readDeviations(t *testing.T) (all []deviation) {
	for i, row := range readTable(t, capturesFile, 4) {
		count, err := strconv.Atoi(row[2])
		if err != nil {
			t.Fatalf("%s:%d: %v", capturesFile, i+2, err)
		}
		all = append(all, deviation{row[0], row[1], count, row[3]})
	}
	return all
}

// TestCaptures checks whether under the profile "rfc" exactly that is found in the captures which the list has.
func TestCaptures(t *testing.T) {
	files := captureFiles(t)
	want := readDeviations(t)
	var got []deviation
	for _, name := range slices.Sorted(maps.Keys(files)) {
		got = append(got, deviations(t, name, files[name], want)...)
	}
	if golden.Update() {
		writeDeviations(t, got)
	} else if d := diff.Diff(want, got, diff.AllowUnexported(deviation{})); d != "" {
		t.Errorf("%s (-list +found):\n%s", capturesFile, d)
	}
	for _, d := range got {
		if d.argument == noArgument {
			t.Errorf("%s: %s has no argument", d.capture, d.finding)
		}
	}
}

// deviations are what is found in one capture, with the arguments that are known.
func deviations(t *testing.T, name, file string, known []deviation) (all []deviation) {
	f := &finder{}
	runCapture(t, f.engine("rfc", nil), file)
	counts := map[string]int{}
	for i := range f.findings {
		counts[f.findings[i].Name]++
	}
	for _, finding := range slices.Sorted(maps.Keys(counts)) {
		d := deviation{name, finding, counts[finding], noArgument}
		for _, k := range known {
			if k.capture == name && k.finding == finding {
				d.argument = k.argument
			}
		}
		all = append(all, d)
	}
	return all
}

func writeDeviations(t *testing.T, all []deviation) {
	var b strings.Builder
	fmt.Fprintln(&b, capturesHeader)
	for _, d := range all {
		fmt.Fprintf(&b, "%s\t%s\t%d\t%s\n", d.capture, d.finding, d.count, d.argument)
	}
	golden.File(t, capturesFile, b.String())
}

// TestCapturesAsSIW checks whether siw, judged as itself, makes no errors.
func TestCapturesAsSIW(t *testing.T) {
	for name, file := range captureFiles(t) {
		f := &finder{}
		runCapture(t, f.engine("siw", nil), file)
		f.noErrors(t, name)
	}
}

// noErrors fails if there is an error among the findings.
func (f *finder) noErrors(t *testing.T, name string) {
	t.Helper()
	for i := range f.findings {
		if one := &f.findings[i]; one.Severity == rules.Error {
			t.Errorf("%s: frame %d: %s (%s): %s", name, one.Frame, one.Name, one.ID, one.Text)
		}
	}
}
