package mutants

import (
	"context"
	"fmt"
	"time"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/reference"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// stepTime is the step timeout of a mutant, which is in the same process.
const stepTime = 400 * time.Millisecond

// NoSurvey stands for all cases of a Mutant that fails the survey.
const NoSurvey = "(the survey)"

// Kills runs cases against a Mutant in a role, and returns the ids of those that fail. c is the Peer without the
// mutation.
func Kills(ctx context.Context, m *Mutant, c reference.Config, questions []conform.Question, side scenario.Side) ([]string, error) {
	p, err := reference.Open(m.in(c))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	defer p.Close()
	o := conform.Options{Crashers: true, GoOn: true, Alone: true, StepTimeout: stepTime, Profile: c.Device.RNIC.Profile}
	report, err := p.Ask(ctx, questions, side, o)
	if err != nil {
		return []string{NoSurvey}, ctx.Err()
	}
	var killed []string
	for i := range report.Results {
		if r := &report.Results[i]; r.Verdict == conform.Fail {
			killed = append(killed, r.ID())
		}
	}
	return killed, ctx.Err()
}
