package conform

// What a peer should have done, in words.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// due returns what was expected where a connection went wrong: the step that differed or is missing, or the missing
// step if an unexpected message arrived.
func due(c *outcome.Conn, p *rules.Profile) string {
	s := c.First()
	if s != nil && s.Expected == nil {
		for i := range c.Steps {
			each := &c.Steps[i]
			if e := each.Expected; e != nil && e.Side != c.Role && (each.Verdict == outcome.NotReached || each.Verdict == outcome.Mismatched) {
				s = each
				break
			}
		}
	}
	switch {
	case s == nil:
		return ""
	case s.Expected == nil:
		return "nothing more"
	}
	return actionText(s.Expected.Do, outcome.Line(s.Expected), p)
}

// Outline describes the steps of the first connection of a case, except MPA frames and the ends of connections.
func (s *Setup) Outline(of *scenario.Scenario) (lines []string) {
	for _, step := range of.Conns[0].Steps {
		switch scenario.First(step.Do).(type) {
		case *scenario.Frame, scenario.FIN:
			continue
		}
		who := "iwarp sends "
		if step.Side != s.Side {
			who = "expected from the peer: "
		}
		lines = append(lines, fmt.Sprintf("%d: %s%s", step.Number, who, actionText(step.Do, outcome.Line(step), s.Profile)))
	}
	return lines
}

// actionText returns an action in words. line is its text in a Scenario.
func actionText(a scenario.Action, line string, p *rules.Profile) string {
	switch a := a.(type) {
	case *scenario.Refusal:
		return refusalText(a, p)
	case *scenario.OneOf:
		var words []string
		for _, each := range a.Of {
			words = append(words, actionText(each, outcome.Line(&scenario.Step{Do: each}), p))
		}
		return strings.Join(words, ", or ")
	}
	return line
}

// refusalText describes a Refusal with the Terminate that is due.
func refusalText(r *scenario.Refusal, p *rules.Profile) string {
	text := "the end of the connection"
	if code, ok := p.Exact(r.Situation); ok {
		text = fmt.Sprintf("Terminate %v (%s)", code, code.Describe())
	}
	if r.To > 0 {
		text += fmt.Sprintf(" about step %d", r.To)
	}
	return text + ": " + r.Situation.Text()
}
