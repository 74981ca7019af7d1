package sim

// What an RNIC can be expected to do.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// relaxed returns the connection as an RNIC can be expected to play it: without silenced steps, and loosened.
func relaxed(c *scenario.Conn, plan *Plan) *scenario.Conn {
	c = loosen(c, plan)
	if len(plan.Silenced) == 0 {
		return c
	}
	short := *c
	short.Steps = slices.DeleteFunc(slices.Clone(c.Steps), func(s *scenario.Step) bool {
		return slices.Contains(plan.Silenced, s.Number)
	})
	return &short
}

// restore inserts the silenced steps into the Outcome. The RNIC has skipped them, as it may.
func restore(o *outcome.Conn, c *scenario.Conn, plan *Plan) {
	for i, s := range c.Steps {
		if slices.Contains(plan.Silenced, s.Number) {
			o.Steps = slices.Insert(o.Steps, i, outcome.Step{Expected: s, Verdict: outcome.Accepted,
				Reason: "a Terminate had arrived, after which a side may stop sending"})
		}
	}
}

// loosen returns the connection with variables for STag and TO of the Ready to Receive, which name no memory and may
// have any value.
func loosen(c *scenario.Conn, plan *Plan) *scenario.Conn {
	i := slices.IndexFunc(c.Steps, func(s *scenario.Step) bool { return s.Number == plan.ReadyStep })
	if i < 0 {
		return c
	}
	m, ok := c.Steps[i].Do.(*scenario.Message)
	if !ok || m.Opcode != rdmap.OpWrite {
		return c
	}
	free, step, message := *c, *c.Steps[i], *m
	message.Fields = nil
	for name, kind := range map[string]scenario.Kind{"STag": scenario.STag, "TO": scenario.TO} {
		value, _ := m.Fields.Lookup(name)
		recorded, _ := value.Resolve(c.Recorded())
		message.Fields = append(message.Fields, scenario.Field{Name: name, Value: scenario.Value{Var: "ready" + name}})
		v := &scenario.Var{Name: "ready" + name, Kind: kind, Owner: plan.Side, Value: recorded}
		free.Vars = append(slices.Clip(free.Vars), v)
	}
	step.Do, free.Steps = &message, slices.Clone(c.Steps)
	free.Steps[i] = &step
	return &free
}

// excuse marks the steps as not applicable that no Consumer can cause.
func excuse(c *outcome.Conn, plan *Plan) {
	u := plan.Unplayable
	if u == nil {
		return
	}
	behind := false
	for i := range c.Steps {
		s := &c.Steps[i]
		if s.Expected == nil || s.Expected.Side != plan.Side {
			continue
		}
		behind = behind || s.Expected.Number == u.Step
		if behind && s.Verdict != outcome.Mismatched {
			s.Verdict, s.Reason = outcome.NotApplicable, u.Why
			if s.Expected.Number != u.Step {
				s.Reason = "it follows a step that cannot be played: " + u.Why
			}
		}
	}
}
