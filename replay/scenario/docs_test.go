package scenario_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// TestDocs parses the examples of the page that describes the text form. Each action has to be in one of them.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "scenario.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = scenario.Parse("broken.scenario", "scenario \"\"\nconnection c0\n  1 client MPARequest Rev=1\n  3 client after 2 ReadRequest SrcTag=$s1")
	if shown := strings.ReplaceAll(err.Error(), "\n", "\n    "); !strings.Contains(string(page), "    "+shown+"\n") {
		t.Errorf("the page does not show what an error is like:\n%v", err)
	}
	seen := make(map[string]bool)
	for _, text := range examples(string(page)) {
		s := parse(t, text)
		if again := parse(t, s.String()); !reflect.DeepEqual(s, again) {
			t.Errorf("it is not the same when it was printed:\n%s", s)
		}
		for _, c := range s.Conns {
			for _, step := range c.Steps {
				seen[step.Do.Verb()] = true
			}
		}
	}
	for o := range rdmap.Opcode(16) {
		if o.Known() && !seen[o.String()] {
			t.Errorf("docs/scenario.md: no example has a %v", o)
		}
	}
	for _, verb := range strings.Fields("MPARequest MPAReply Segment FPDU Octets FIN Reset Silence Probe OneOf Refusal") {
		if !seen[verb] {
			t.Errorf("no example has a %s", verb)
		}
	}
}

// examples returns the Scenarios in a text of Markdown: its code blocks that begin with a line "scenario".
func examples(markdown string) (texts []string) {
	for i, block := range strings.Split(markdown, "```") {
		if inside := i%2 == 1; inside && strings.HasPrefix(block, "\nscenario ") {
			texts = append(texts, block[1:])
		}
	}
	return texts
}
