package compile

// The order of the steps of a connection.

import (
	"sort"
	"time"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

// merge puts the steps of both sides into one order and numbers them. The order is that of the capture, but no step comes
// before one that it waits for.
func (c *conn) merge() []*draft {
	var waits [2][]int // by side: for each draft, how many drafts of the other side must be complete before it
	for i := range c.sides {
		waits[i] = c.sides[i].waits(&c.sides[1-i])
	}
	var next [2]int
	var merged []*draft
	for {
		i := c.earlier(next)
		if i < 0 {
			return merged
		}
		if waits[i][next[i]] > next[1-i] {
			if other := 1 - i; waits[other][next[other]] <= next[i] {
				i = other
			} else { // each waits for the other, which acknowledgements cannot mean
				waits[i][next[i]] = next[1-i]
			}
		}
		d := c.sides[i].drafts[next[i]]
		d.Number = len(merged) + 1
		d.At = time.Duration(max(0, d.time-c.source.Earliest))
		if n := waits[i][next[i]]; n > 0 && (next[i] == 0 || n > waits[i][next[i]-1]) {
			d.After = c.sides[1-i].drafts[n-1].Number
		}
		next[i]++
		merged = append(merged, d)
	}
}

// waits returns, for each draft of a side, how many of the other side it waits for. The numbers ascend.
func (s *side) waits(other *side) []int {
	all := make([]int, len(s.drafts))
	for i, d := range s.drafts {
		all[i] = sort.Search(len(other.drafts), func(j int) bool { return other.drafts[j].end > d.acked })
		if i > 0 {
			all[i] = max(all[i], all[i-1])
		}
	}
	return all
}

// earlier returns the side whose next draft comes first in the capture; -1 if none is left.
func (c *conn) earlier(next [2]int) int {
	client, server := c.sides[scenario.Client].drafts[next[0]:], c.sides[scenario.Server].drafts[next[1]:]
	switch {
	case len(client) == 0 && len(server) == 0:
		return -1
	case len(server) == 0, len(client) > 0 && client[0].Frame <= server[0].Frame:
		return 0
	}
	return 1
}
