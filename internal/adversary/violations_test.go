package adversary_test

// The oracle of violations: each is found by its id, and no error besides it but those that follow from it.
// docs/generated/violations.md says by which of them which requirement is broken.

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
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
	for _, id := range s.Targets() {
		if seed, ok := s.fired[id]; v.found[id] && (!ok || c.Seed < seed) {
			s.fired[id] = c.Seed
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

Each requirement that rules check is broken on purpose, and a test fails if it is not then found by its id.
` + "`internal/adversary`" + ` draws conversations from seeds, and breaks one requirement in each. Of the others each is broken in a
line of a stream under ` + "`dissect/judge/testdata/streams`" + `, which names it. A requirement counts only if the violation is about it, not
if it is listed with one that is. This file is generated: ` + "`make golden`" + `.

`

// inStreams are the requirements that lines of streams break, each with the first of these streams.
func inStreams(t *testing.T) map[string]string {
	const folder = "../../dissect/judge/testdata/streams/"
	by := map[string]string{}
	files, _ := filepath.Glob(folder + "*/*.txt")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, names := range regexp.MustCompile(`(?m)^ *!.*`).FindAllString(string(text), -1) {
			for name := range strings.FieldsSeq(names) {
				if rfc.Lookup(name) != nil && by[name] == "" {
					by[name] = strings.TrimSuffix(strings.TrimPrefix(file, folder), ".txt")
				}
			}
		}
	}
	return by
}

// violationsDocument says of each requirement that rules check by what it is broken.
func violationsDocument(t *testing.T, scores []score) string {
	t.Helper()
	drawn, written := map[string]string{}, inStreams(t)
	for _, s := range scores {
		for _, id := range s.Targets() {
			if seed, ok := s.fired[id]; ok && drawn[id] == "" {
				drawn[id] = fmt.Sprintf("%s (%s %d)", s.Name, s.kind, seed)
			}
		}
	}
	checked := map[string]bool{}
	for _, row := range rows(t, "../../dissect/judge/testdata/checked/verbs.tsv", 2) {
		checked[row[0]] = true
	}
	for r := range rpcrules.All() {
		for _, id := range r.IDs {
			checked[id] = true
		}
	}
	tables, counts := [2]strings.Builder{}, [2]int{}
	for _, id := range slices.Sorted(maps.Keys(checked)) {
		by := []string{drawn[id], written[id]}
		if i := slices.IndexFunc(by, func(s string) bool { return s != "" }); i < 0 {
			t.Errorf("%s is checked, and nothing breaks it", id)
		} else {
			counts[i]++
			fmt.Fprintf(&tables[i], "| %s | %s |\n", id, by[i])
		}
	}
	return fmt.Sprintf("%sOf %d requirements %d are broken in conversations, and %d in streams.\n"+
		"\n## In conversations\n\n| id | what is wrong (kind and seed) |\n|---|---|\n%s"+
		"\n## In streams written by hand\n\n| id | stream |\n|---|---|\n%s",
		violationsIntro, len(checked), counts[0], counts[1], &tables[0], &tables[1])
}
