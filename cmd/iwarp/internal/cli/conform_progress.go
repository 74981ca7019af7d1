package cli

// The progress of a run.

import (
	"fmt"

	cases "github.com/iwarpkit/iwarp/replay/conform"
)

// A conformProgress is a status line that counts the cases that are over.
type conformProgress struct {
	*statusLine
	total, done, failed int // failed: not those expected to fail
}

// over counts a case that is over.
func (p *conformProgress) over(r *cases.Result) {
	p.done++
	if r.Verdict == cases.Fail && r.Known == "" {
		p.failed++
	}
	p.set(fmt.Sprintf("%d of %d, %s: %d failed", p.done, p.total, r.Section.ID(), p.failed))
}
