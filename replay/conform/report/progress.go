package report

// The results of a run so far, for one that goes on where it ended.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/replay/conform"
)

// maxProgress limits the lines of a file that ReadProgress reads.
const maxProgress = 100_000

// What a line of the progress says of a case.
const (
	begun = "begun" // nothing follows if neither the case nor iwarp has come to an end
	over  = "over"  // it has a verdict
	left  = "left"  // it has none, and has to be asked again
)

// A line is one of a file of progress.
type line struct {
	ID         string  `json:"id"`
	State      string  `json:"state"`
	Verdict    string  `json:"verdict,omitempty"`
	Seconds    float64 `json:"seconds,omitempty"`
	Detail     string  `json:"detail,omitempty"`
	Connection string  `json:"connection,omitempty"`
	Expected   string  `json:"expected,omitempty"`
	Actual     string  `json:"actual,omitempty"`
	Known      string  `json:"known,omitempty"`
	Newly      string  `json:"newly,omitempty"`
}

// WriteBegun writes a line which says that a case begins, for ReadProgress.
func WriteBegun(w io.Writer, q conform.Question) error {
	return writeLine(w, &line{ID: q.ID(), State: begun})
}

// WriteOver writes a line with the result of a case, for ReadProgress. It has no verdict if the case was not run, or not to the end.
func WriteOver(w io.Writer, r *conform.Result) error {
	if r.Verdict == conform.NotRun || r.Verdict == conform.Error {
		return writeLine(w, &line{ID: r.ID(), State: left, Detail: printable.String(r.Detail)})
	}
	e := newEntry(r, nil)
	return writeLine(w, &line{
		ID: e.ID, State: over, Verdict: e.Verdict, Seconds: e.Seconds, Detail: e.Detail, Connection: e.Connection, Expected: e.Expected, Actual: e.Actual,
		Known: e.Known, Newly: e.Newly,
	})
}

func writeLine(w io.Writer, l *line) error {
	b, err := json.Marshal(l)
	if err == nil {
		_, err = w.Write(append(b, '\n'))
	}
	return err
}

// ReadProgress reads what WriteBegun and WriteOver have written about some of all cases. It returns the results by the ids of the cases. A
// case that has begun and is not over is a Fail: what ended iwarp has ended the case, too. Cases without a verdict are left out. Lines that
// were not written to their end are ignored. name is the file name in errors.
func ReadProgress(name string, from io.Reader, all []conform.Question) (map[string]*conform.Result, error) {
	questions := make(map[string]conform.Question, len(all))
	for _, q := range all {
		questions[q.ID()] = q
	}
	results := make(map[string]*conform.Result)
	lines := bufio.NewScanner(from)
	for n := 1; lines.Scan(); n++ {
		var l line
		err := json.Unmarshal(lines.Bytes(), &l)
		switch q, known := questions[l.ID]; {
		case n > maxProgress:
			return nil, fmt.Errorf("%s: there are more than %d lines", name, maxProgress)
		case n == 1 && l.State == "":
			return nil, fmt.Errorf("%s: this is no progress of iwarp conform", name)
		case err != nil, !known: // a case of another iwarp
		case l.State == left:
			delete(results, l.ID)
		default:
			results[l.ID] = l.result(q)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return results, nil
}

// result is what a line says of a case.
func (l *line) result(q conform.Question) *conform.Result {
	if l.State == begun {
		const crashed = "iwarp was killed in the middle of the case, or its host crashed"
		return &conform.Result{Question: q, Verdict: conform.Fail, Conn: "client", Expected: "the end of the case", Actual: crashed, Detail: crashed}
	}
	r := &conform.Result{
		Question: q, Took: time.Duration(l.Seconds * float64(time.Second)), Detail: l.Detail,
		Conn: l.Connection, Expected: l.Expected, Actual: l.Actual, Known: l.Known, Newly: l.Newly,
	}
	for v := conform.NotRun; v <= conform.Error; v++ {
		if v.String() == l.Verdict {
			r.Verdict = v
		}
	}
	return r
}
