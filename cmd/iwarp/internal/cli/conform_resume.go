package cli

// A run that goes on where another one ended.

import (
	"io"
	"os"

	cases "github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/report"
)

// A progress keeps results in the file of --resume. nil does nothing.
type progress struct {
	*conform
	out   io.Writer
	known map[string]*cases.Result // of earlier runs, by the ids of the cases
}

// resumed reads the file of --resume, and creates it if there is none. Without the flag it returns nil.
func (c *conform) resumed() (*progress, error) {
	if c.resume == "" {
		return nil, nil
	}
	file, err := c.Disk.OpenFile(c.resume, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, unreadable(err)
	}
	p := &progress{conform: c, out: c.outlet(file)}
	from, err := c.open(c.resume)
	if err != nil {
		return nil, unreadable(err)
	}
	defer from.Close()
	if p.known, err = report.ReadProgress(displayName(c.resume), from, c.questions()); err != nil {
		return nil, unreadable(err)
	}
	if len(p.known) > 0 {
		_, _ = p.out.Write([]byte("\n")) // after a line that was not written to its end
	}
	return p, nil
}

// rest returns the cases without a verdict.
func (p *progress) rest(some []cases.Question) (rest []cases.Question) {
	if p == nil {
		return some
	}
	for _, q := range some {
		if p.known[q.ID()] == nil {
			rest = append(rest, q)
		}
	}
	return rest
}

// join returns the results of all cases, those of earlier runs included, in the order of the cases.
func (p *progress) join(some []cases.Question, results []cases.Result) []cases.Result {
	if p == nil {
		return results
	}
	all := make([]cases.Result, 0, len(some))
	for _, q := range some {
		if r := p.known[q.ID()]; r != nil {
			all = append(all, *r)
			all[len(all)-1].Question = q
		} else {
			all, results = append(all, results[0]), results[1:]
		}
	}
	return all
}

// begin notes that a case begins.
func (p *progress) begin(q cases.Question) {
	if p != nil {
		_ = report.WriteBegun(p.out, q) // the outlet has the error
	}
}

// over notes that a case is over, if it has begun.
func (p *progress) over(r *cases.Result) {
	if p != nil && r.Took > 0 {
		_ = report.WriteOver(p.out, r) // likewise
	}
}
