package adversary_test

// The oracle of violations: each is found by its id, and no error besides it but those that follow from it.
// docs/generated/violations.md says by which of them which requirement is seen to be broken.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/internal/adversary"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A score is how often the violations of an Injector were found.
type score struct {
	adversary.Injector
	kind  string            // of the Conversations
	fired map[string]uint64 // the first seed for each of its ids that was found
}

// count takes what was seen of a Conversation, and says what is wrong with that.
func (s *score) count(c *adversary.Conversation, v *view) (wrong []string) {
	if !slices.ContainsFunc(s.Targets(), func(id string) bool { return v.found[id] }) {
		wrong = append(wrong, fmt.Sprintf("%v, %s: %s is not found, but %v", c, s.Name, s.Targets(), v.ids()))
	}
	for _, id := range s.Follows() {
		for _, id := range v.rules[id] {
			if judge.LookupObservation(id) != nil {
				continue // is no requirement
			}
			if seed, ok := s.fired[id]; !ok || c.Seed < seed {
				s.fired[id] = c.Seed
			}
		}
	}
	for id, f := range v.errors {
		if !slices.Contains(s.Follows(), id) {
			wrong = append(wrong, fmt.Sprintf("%v, %s: %s: %s", c, s.Name, id, f.Text))
		}
	}
	return wrong
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

// placed are the scores of all Injectors that find a place in one of the first Conversations of a kind.
func placed(t *testing.T) (scores []score) {
	t.Helper()
	names, used := map[string]bool{}, map[string]bool{}
	for _, kind := range adversary.Kinds() {
		rest := slices.Clone(adversary.Injectors(kind))
		for seed := range uint64(200) {
			c := adversary.New(kind, seed)
			rest = slices.DeleteFunc(rest, func(i adversary.Injector) bool {
				names[i.Name] = true
				if !i.Inject(c) {
					return false
				}
				c, used[i.Name] = adversary.New(kind, seed), true
				scores = append(scores, score{Injector: i, kind: kind, fired: map[string]uint64{}})
				return true
			})
		}
	}
	for name := range names {
		if !used[name] {
			t.Errorf("%s: no Conversation has a place for it", name)
		}
	}
	return scores
}

// TestViolations breaks requirements, each Injector in turn.
func TestViolations(t *testing.T) {
	scores := placed(t)
	var lock sync.Mutex
	each(t, func(seed uint64) ([]string, []pcaps.Record) {
		s := &scores[seed%uint64(len(scores))]
		c := s.violated(seed)
		if c == nil {
			return nil, nil
		}
		packets := c.Packets()
		v := look(c, packets)
		lock.Lock()
		defer lock.Unlock()
		return s.count(c, v), packets
	})
	if *number == usualNumber && *first == usualFirst && !testing.Short() {
		golden.File(t, "../../docs/generated/violations.md", violationsDocument(t, scores))
	}
}

// TestViolatedSeeds breaks what was not found once, or was found with something that does not follow from it.
func TestViolatedSeeds(t *testing.T) {
	for _, row := range rows(t, violatedFile, 4) {
		c := conversation(t, row)
		i := slices.IndexFunc(adversary.Injectors(c.Kind), func(i adversary.Injector) bool { return i.Name == row[2] })
		if i < 0 || !adversary.Injectors(c.Kind)[i].Inject(c) {
			t.Errorf("%v: no place for %s", c, row[2])
			continue
		}
		s := score{Injector: adversary.Injectors(c.Kind)[i], fired: map[string]uint64{}}
		for _, wrong := range s.count(c, look(c, c.Packets())) {
			t.Error(wrong)
		}
	}
}

const violationsIntro = `# Violations

` + "`internal/adversary`" + ` draws conversations from seeds, and breaks one requirement in each. This table has every requirement that
is then found to be broken, the first of its violations, and the kind and seed of the conversation. The test fails if a violation is
not found, or an error that does not follow from it. This file is generated: ` + "`make golden`" + `.

| id | what is wrong | conversation |
|---|---|---|
`

// violationsDocument is the table by id, and of those that rules check and that are not in it, the reason.
func violationsDocument(t *testing.T, scores []score) string {
	t.Helper()
	fired := map[string]string{}
	for _, s := range scores {
		for id, seed := range s.fired {
			if fired[id] == "" || slices.Contains(s.Targets(), id) && !strings.HasPrefix(fired[id], "**") {
				row := fmt.Sprintf("%s | %s %d |", s.Name, s.kind, seed)
				if slices.Contains(s.Targets(), id) {
					row = "**" + s.Name + "**" + row[len(s.Name):]
				}
				fired[id] = row
			}
		}
	}
	var b strings.Builder
	b.WriteString(violationsIntro)
	for _, id := range slices.Sorted(maps.Keys(fired)) {
		fmt.Fprintf(&b, "| %s | %s\n", id, fired[id])
	}
	fmt.Fprint(&b, "\nThe name of a violation is bold where the requirement is what it is about; others follow from it.\n\n"+
		"## Broken by none\n\nEach is broken by a stream in `dissect/judge/testdata/streams`.\n\n| ids | why |\n|---|---|\n")
	silent := map[string]bool{}
	for r := range rpcrules.All() {
		for _, id := range r.IDs {
			silent[id] = silent[id] || fired[id] == ""
		}
	}
	for _, row := range rows(t, "testdata/unbroken.tsv", 2) {
		for id := range strings.FieldsSeq(row[0]) {
			if !silent[id] {
				t.Errorf("%s is broken, or is not checked: it needs no reason why not", id)
			}
			silent[id] = false
		}
		fmt.Fprintf(&b, "| %s | %s |\n", row[0], row[1])
	}
	for id, still := range silent {
		if still {
			t.Errorf("no violation breaks %s, and no reason says why", id)
		}
	}
	return b.String()
}
