package main

// iwarp conform, which asks conformd on the kernel's side all that the documents demand: in both roles, judged by two
// profiles. lab/known has what is known to fail.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/replay/conform"
)

const (
	// known is the folder of the known failures in the guest, a file for each case.
	known = "/payload/known"
	// conformLimit is the time that the whole suite may take.
	conformLimit = 10 * time.Minute
	// conformStep is how long siw has for a step. What is only late would be a failure.
	conformStep = "4s"
	// conformDelay keeps our first FPDU from coming with, or just behind, siw's Reply: siw then never looks at it.
	conformDelay = "3ms"
)

// documents are what is asked: DDP and RDMAP. Cases about MPA frames have crashed this kernel in too many ways for it to
// come to the end of the others.
var documents = []string{"RFC5041", "RFC5042", "RFC5040", "draft-ietf-rddp-rdmap-00"}

// mended are cases that are known to crash kernels, but not this one.
var mended = []string{"RFC5041/4.1/version-first", "RFC5040/4.1/version-in-first-fpdu", "RFC5040/4.1/opcode-in-first-fpdu"}

func conformCases() (all []testCase) {
	for _, profile := range []string{"rfc", "siw"} {
		for _, who := range roles {
			all = append(all, testCase{
				Name:  "conform/" + profile + "/" + string(who),
				Text:  "`iwarp conform --profile " + profile + "`: what fails is known, see [conform-siw.md](conform-siw.md)",
				Net:   network{Delay: conformDelay},
				Limit: conformLimit,
				Run:   func(t *T) { t.conform(who, profile) },
			})
		}
	}
	return all
}

// conform asks the kernel's side, and wants the failures that are known, and no others.
func (t *T) conform(who role, profile string) {
	name := profile + "-" + string(who)
	report := filepath.Join(t.logs, "conform", name+".json")
	t.must(os.MkdirAll(filepath.Dir(report), 0o755), "make a folder")
	args := append([]string{"conform", "--profile", profile, "--expect", filepath.Join(known, name+".txt"),
		"--timeout", conformStep, "-o", "json", "-w", report}, t.words(who)...)
	port := strconv.Itoa(t.port)
	if who == weConnect {
		t.start("conformd", "-a", t.kernelIP, "-p", port).prints("listening")
		t.launch("iwarp conform", "iwarp", args...).over()
	} else {
		ours := t.launch("iwarp conform", "iwarp", args...)
		ours.prints("listening")
		t.start("conformd", "-c", "-a", t.oursIP, "-p", port)
		ours.over()
	}
	if wrong := surprises(t, report); len(wrong) > 0 {
		t.failf("%s", strings.Join(wrong, "; "))
	}
}

// words say whom to ask, and what.
func (t *T) words(who role) []string {
	words := []string{"--listen", t.address(t.oursIP)}
	if who == weConnect {
		words = []string{t.address(t.kernelIP)}
	}
	return slices.Concat(words, documents, mended)
}

// atTimes begins the reason of a failure that depends on timing: it may come or not.
const atTimes = "at times "

// surprises are the verdicts of a report that nobody has expected.
func surprises(t *T, report string) (wrong []string) {
	b, err := os.ReadFile(report)
	t.must(err, "read the report")
	var r struct {
		Cases []struct{ ID, Verdict, Detail, Known, Newly string }
	}
	t.must(json.Unmarshal(b, &r), "read the report")
	for _, c := range r.Cases {
		switch {
		case c.Verdict == conform.Fail.String() && c.Known == "", c.Verdict == conform.Error.String():
			wrong = append(wrong, fmt.Sprintf("%s: %s: %s", c.ID, c.Verdict, c.Detail))
		case c.Newly != "" && !strings.HasPrefix(c.Newly, atTimes):
			wrong = append(wrong, fmt.Sprintf("%s: %s, and it was known to fail: %s", c.ID, c.Verdict, c.Newly))
		}
	}
	return wrong
}
