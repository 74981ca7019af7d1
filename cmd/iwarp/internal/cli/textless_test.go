package cli

import (
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/internal/textless"
)

// judging are the commands that judge a capture.
var judging = []string{
	"check -o json FILE", "check -o json --profile verbs FILE", "check -o json --profile draft-00 FILE",
	"check -o json --profile siw FILE", "check -o json --profile irdma FILE", "check -o json --profile cxgb4 FILE",
	"check --fail-on warning FILE",
	"replay --sim -o json FILE", "replay --sim --profile siw -o json FILE",
}

// forPeople are the members of JSON objects that are texts. The verdict of replay is a word.
var forPeople = []string{"text", "seen", "expected", "reason", "habit", "grounds", "decided", "words", "quote", "advice"}

// Whatever the texts of requirements, rules, situations and peers say, the verdicts, codes and exit statuses are the same. The
// large captures say nothing that the small ones do not say: two commands judge them. The short form takes one capture in 24.
func TestTextsDecideNothing(t *testing.T) {
	const large = 1 << 20 // octets
	judge := func() (all []string) {
		for i, file := range goldenCaptures(t) {
			if testing.Short() && i%24 != 0 {
				continue
			}
			commands := judging
			if info, err := os.Stat(file); err != nil {
				t.Fatal(err)
			} else if info.Size() > large {
				commands = []string{"check -o json FILE", "replay --sim -o json FILE"}
			}
			for _, command := range commands {
				args := strings.Fields(strings.ReplaceAll(command, "FILE", file))
				got := run(t.Context(), strings.NewReader(""), false, nil, args...)
				all = append(all, strings.Join(args, " ")+": "+decisions(t, got.out)+string(rune('0'+got.code)))
			}
		}
		return all
	}
	with := judge()
	textless.Blank(t)
	for i, without := range judge() {
		if without != with[i] {
			n := 0
			for without[n] == with[i][n] {
				n++
			}
			begin := max(0, n-200)
			t.Errorf("%.60s: without texts it is\n%.400s, with them\n%.400s", without, without[begin:], with[i][begin:])
		}
	}
}

// decisions are the values in JSON except for texts.
func decisions(t *testing.T, text string) string {
	var all []any
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var v any
		if err := d.Decode(&v); err == io.EOF {
			break
		} else if err != nil {
			return "" // it is not JSON
		}
		all = append(all, decided(v))
	}
	b, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// decided is a value without texts.
func decided(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = decided(v[i])
		}
	case map[string]any:
		for name, member := range v {
			text, isText := member.(string)
			sentence := name == "verdict" && strings.Contains(text, " ") || slices.Contains(forPeople, name)
			if isText && sentence {
				delete(v, name)
			} else {
				v[name] = decided(member)
			}
		}
	}
	return v
}
