package cli

// Playing without a network, against an RNIC in the same process.

import (
	"context"
	"encoding/binary"
	"fmt"

	outcomes "github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/replay/sim"
)

// inMemory plays the connections of a Scenario one after the other. The STags of the RNIC differ in each round.
func (r *replay) inMemory(ctx context.Context, s *scenario.Scenario) *outcomes.Report {
	o := sim.Options{Quirks: r.quirks, Player: r.player()}
	o.Profile = o.Player.Profile
	n := r.newNotes(nil, nil)
	report := &outcomes.Report{Title: s.Title}
	for round := 1; round <= int(r.loop.value) && ctx.Err() == nil; round++ {
		binary.BigEndian.PutUint64(o.Seed[:], uint64(round))
		var conns []*outcomes.Conn
		for _, c := range s.Conns {
			if ctx.Err() != nil {
				return report
			}
			one := sim.Run(c, r.side(), o)
			conns = append(conns, one.Outcome)
			if round == 1 {
				r.tellSim(n, c.Name, one)
			}
		}
		report.AddRound(conns, int(r.loop.value))
	}
	return report
}

// tellSim notes what the RNIC could not do and, with -v, its reports.
func (r *replay) tellSim(n *notes, name string, one *sim.Result) {
	if u := one.Plan.Unplayable; u != nil && u.Step != 0 {
		n.add(fmt.Appendf(nil, "%s: the RNIC stops before step %d: %v", name, u.Step, u.Why))
	}
	if r.verbose {
		for _, each := range one.Reports {
			n.add(fmt.Appendf(nil, "%s: the RNIC reports: %s", name, each))
		}
	}
}
