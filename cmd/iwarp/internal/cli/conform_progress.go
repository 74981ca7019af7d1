package cli

// How far the cases are.

import (
	"fmt"

	cases "github.com/iwarpkit/iwarp/replay/conform"
)

// A conformProgress is a line that says how many cases are over.
type conformProgress struct {
	*statusLine
	total, done, failed int // failed as was not expected
}

// over counts a case that is over.
func (p *conformProgress) over(r *cases.Result) {
	p.done++
	if r.Verdict == cases.Fail && r.Known == "" {
		p.failed++
	}
	p.set(fmt.Sprintf("%d of %d, %s: %d failed", p.done, p.total, r.Section.ID(), p.failed))
}
