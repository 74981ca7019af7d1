package player_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/replay/internal/captures"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// compiled returns the Scenario of a capture.
func compiled(t testing.TB, file string) *scenario.Scenario {
	t.Helper()
	s, _ := captures.Compile(t, file)
	return s
}

// TestCaptures plays both sides of each connection of each capture against each other: all steps are exact.
func TestCaptures(t *testing.T) {
	for _, name := range captures.All(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			s := compiled(t, name)
			steps := 0
			for _, c := range s.Conns {
				steps += exact(t, pair(t, c, c, player.Options{}).run(t))
			}
			t.Logf("%d connections, %d steps", len(s.Conns), steps)
		})
	}
}

// exact fails unless all steps of a connection were sent, came, and are exact; it counts them.
func exact(t testing.TB, outcomes [2]*outcome.Conn) (steps int) {
	t.Helper()
	for _, c := range outcomes {
		s := c.Summary()
		steps += s.Steps
		if s.Exact != s.Steps || s.NotSent > 0 || c.End != "" {
			var b strings.Builder
			outcome.WriteText(&b, &outcome.Report{Conns: []*outcome.Conn{c}}, outcome.TextOptions{})
			t.Errorf("%s: %d of %d steps are exact\n%s", c.Role, s.Exact, s.Steps, cut(b.String()))
		}
	}
	return steps
}

func cut(s string) string {
	const most = 3000
	if len(s) > most {
		return s[:most] + fmt.Sprintf("... %d more", len(s)-most)
	}
	return s
}
