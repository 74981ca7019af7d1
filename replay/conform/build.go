package conform

// From a case to a Scenario.

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

const maxConnections = 512

// alive is the name of the connection after those of a case, which tests whether the peer is still alive.
const alive = "alive"

// Build makes the Scenario of a case: its connections c0, c1 and so on, followed by one called alive. It is nil if the
// case does not apply to this peer. An error is a fault of the case: a *scenario.Error if its scripts are not a valid
// Scenario.
func Build(q Question, s *Setup) (made *scenario.Scenario, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			made, err = nil, fmt.Errorf("conform: %s cannot be made for this peer: %v", q.ID(), fault)
		}
	}()
	if q.Ask == nil || q.If != nil && !q.If(s) { // a case for a client, or for another peer
		return nil, nil
	}
	scripts := q.Ask(s)
	if len(scripts) == 0 {
		return nil, nil
	}
	if len(scripts) > maxConnections {
		return nil, fmt.Errorf("conform: %s has %d connections, more than %d", q.ID(), len(scripts), maxConnections)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# %s\n# %s\nscenario %q\n", q.Says, strings.Join(q.Requirements, " "), q.ID())
	for i, script := range scripts {
		if err := s.connection(&text, fmt.Sprintf("c%d", i), script, q); err != nil {
			return nil, fmt.Errorf("conform: %s, connection c%d: %w", q.ID(), i, err)
		}
	}
	if err := s.connection(&text, alive, "", q.alive()); err != nil {
		return nil, fmt.Errorf("conform: %s: %w", q.ID(), err)
	}
	return scenario.Parse(q.ID(), text.String())
}

// alive returns an empty case, with the service and version of RPC-over-RDMA of q.
func (q Question) alive() Question {
	return Question{Case: &Case{Begin: Begin{RPC: q.Begin.RPC}}, Section: q.Section}
}

func (s *Setup) connection(text *strings.Builder, name, script string, q Question) error {
	w := &writer{Setup: s, service: q.Section.Service, begin: q.Begin, script: script, names: make(map[string]int)}
	if !q.Bare {
		if err := w.start(); err != nil {
			return err
		}
	}
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if err := w.line(line); err != nil {
			return fmt.Errorf("%w, in the line %q", err, line)
		}
	}
	if !w.ended {
		w.end()
	}
	fmt.Fprintf(text, "\nconnection %s\n%s", name, w.out.String())
	return nil
}

// Random returns a source of random numbers for a case. It depends on the seed and the id only.
func Random(seed uint64, id string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(id))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
