package conform

// Known failures.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/iwarpkit/iwarp/internal/spelling"
)

// maxExpectations limits the lines of a file of known failures, up to the last that names a case.
const maxExpectations = 10_000

// Expectations are known failures with their reasons. Nil has none.
type Expectations struct {
	why map[string]string // by the id of the case
}

// ReadExpectations reads a file of known failures: each line has the id of a case, in any case, and after a blank or a
// tab the reason. Empty lines and those that begin with # are ignored. name is the file name in errors. It fails for an
// unknown id, a repeated one, and one without a reason.
func ReadExpectations(name string, from io.Reader, all []Question) (*Expectations, error) {
	ids := make(map[string]string, len(all)) // by the id in lower case
	for _, q := range all {
		ids[strings.ToLower(q.ID())] = q.ID()
	}
	e := &Expectations{why: make(map[string]string)}
	lines := bufio.NewScanner(from)
	n := 1
	for ; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		word := strings.Fields(line)[0]
		why := strings.TrimSpace(line[len(word):])
		id, known := ids[strings.ToLower(word)]
		_, twice := e.why[id]
		problem := ""
		switch {
		case n > maxExpectations:
			problem = fmt.Sprintf("there are more than %d lines", maxExpectations)
		case !known:
			problem = fmt.Sprintf("%q is not a case%s", word, spelling.DidYouMean(nearestCases(all, word)))
		case twice:
			problem = fmt.Sprintf("%s occurs twice", id)
		case why == "":
			problem = fmt.Sprintf("%s has no reason", id)
		}
		if problem != "" {
			return nil, fmt.Errorf("%s:%d: %s", name, n, problem)
		}
		e.why[id] = why
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%s:%d: the line is longer than %d octets", name, n, bufio.MaxScanTokenSize)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return e, nil
}

// Apply records whether a failure was known, or an expected one did not happen.
func (e *Expectations) Apply(r *Result) {
	if e == nil {
		return
	}
	why := e.why[r.ID()]
	switch r.Verdict {
	case Fail:
		r.Known = why
	case Pass, Accepted:
		r.Newly = why
	}
}
