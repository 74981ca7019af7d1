package adversary_test

// The oracle of violations: each is found by its id, and no error besides it but those that follow from it.

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/iwarpkit/iwarp/internal/adversary"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A score is how often the violations of an Injector were found.
type score struct {
	adversary.Injector
	kind         string // of the Conversations
	tried, found int
}

// violated draws a Conversation in which the Injector finds a place, with a seed from first on. It returns nil if there is
// none.
func (s *score) violated(seed uint64) *adversary.Conversation {
	for i := range uint64(200) {
		if c := adversary.New(s.kind, seed+i); s.Inject(c) {
			return c
		}
	}
	return nil
}

// TestViolations breaks requirements, each Injector in turn.
func TestViolations(t *testing.T) {
	var scores []score
	for _, kind := range adversary.Kinds() {
		for _, i := range adversary.Injectors(kind) {
			scores = append(scores, score{Injector: i, kind: kind})
		}
	}
	var lock sync.Mutex
	each(t, func(seed uint64) (wrong []string, packets []pcaps.Record) {
		s := &scores[seed%uint64(len(scores))]
		c := s.violated(seed)
		if c == nil {
			return nil, nil
		}
		packets = c.Packets()
		v := look(c, packets)
		lock.Lock()
		defer lock.Unlock()
		if s.tried++; slices.ContainsFunc(s.Targets(), func(id string) bool { return v.found[id] }) {
			s.found++
		} else {
			wrong = append(wrong, fmt.Sprintf("%v, %s: %s is not found, but %v", c, s.Name, s.Targets(), v.ids()))
		}
		for id, f := range v.errors {
			if !slices.Contains(s.Follows(), id) {
				wrong = append(wrong, fmt.Sprintf("%v, %s: %s: %s", c, s.Name, id, f.Text))
			}
		}
		return wrong, packets
	})
	for _, s := range scores {
		switch {
		case s.tried == 0 && *number > 10*len(scores):
			t.Errorf("%s: no Conversation has a place for it", s.Name)
		case s.found < s.tried:
			t.Logf("%s, %s: %d of %d", s.Name, s.Targets(), s.found, s.tried)
		}
	}
}
