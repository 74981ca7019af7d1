package report

import (
	"io"
	"strings"

	"github.com/iwarpkit/iwarp/internal/junit"
	"github.com/iwarpkit/iwarp/replay/conform"
)

// WriteJUnit writes a Report as a JUnit document: a suite for each section, a test for each case. Expected failures,
// and cases that did not run, are skipped.
func WriteJUnit(w io.Writer, r *conform.Report) error {
	var suites []*junit.Suite
	for _, p := range parts(r) {
		s := &junit.Suite{Name: p.Document + "/" + p.Number}
		for _, each := range p.Results {
			s.Time += each.Took
			s.Add(newTest(s.Name, each, r.Again))
		}
		suites = append(suites, s)
	}
	return junit.Write(w, "iwarp conform", suites)
}

func newTest(class string, r *conform.Result, again func(conform.Question) string) *junit.Test {
	t := &junit.Test{Class: class, Name: r.Name, Time: r.Took}
	switch r.Verdict {
	case conform.Fail:
		if r.Known != "" {
			t.Skipped = &junit.Note{Message: "known to fail: " + r.Known}
			break
		}
		t.Failure = &junit.Note{Message: r.Detail, Type: r.Verdict.String(), Text: strings.Join(failure(r, again), "\n") + "\n"}
	case conform.Error:
		t.Fault = &junit.Note{Message: r.Detail, Type: r.Verdict.String()}
	case conform.Unsupported, conform.NotRun:
		t.Skipped = &junit.Note{Message: r.Detail}
	case conform.Accepted:
		t.Output = "accepted: " + r.Detail + "\n"
	}
	t.Output += newly(r)
	return t
}
