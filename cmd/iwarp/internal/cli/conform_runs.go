package cli

// A capture of the traffic of each case.

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	cases "github.com/iwarpkit/iwarp/replay/conform"
	overtcp "github.com/iwarpkit/iwarp/replay/live"
)

// runs writes captures into a folder. nil does nothing.
type runs struct {
	*conform
	mu   sync.Mutex
	open map[string]*recorder // by the id of the case
}

// newRuns creates the folder of --save-runs. Without one it returns nil.
func (c *conform) newRuns() (*runs, error) {
	if c.saveRuns == "" {
		return nil, nil
	}
	if err := os.MkdirAll(c.saveRuns, 0o777); err != nil {
		return nil, unreadable(usage.Unwritten(c.saveRuns, err))
	}
	return &runs{conform: c, open: make(map[string]*recorder)}, nil
}

// tap returns what makes the tap of each case; nil without a folder.
func (r *runs) tap() func(cases.Question) func(overtcp.Traffic) {
	if r == nil {
		return nil
	}
	return func(q cases.Question) func(overtcp.Traffic) {
		if record := r.begin(q); record != nil {
			return record.replayTap()
		}
		return nil
	}
}

// begin begins the capture of a case; nil without a folder.
func (r *runs) begin(q cases.Question) *recorder {
	if r == nil {
		return nil
	}
	name := filepath.Join(r.saveRuns, strings.ReplaceAll(q.ID(), "/", "-")+".pcapng")
	record, err := r.record("--save-runs", name)
	if err != nil {
		r.lose(err)
		return nil
	}
	record.atOnce = true
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open[q.ID()] = record
	return record
}

// over completes the capture of a case.
func (r *runs) over(result *cases.Result) {
	if r == nil {
		return
	}
	r.mu.Lock()
	record := r.open[result.ID()]
	delete(r.open, result.ID())
	r.mu.Unlock()
	record.close() // the command fails if this does
}
