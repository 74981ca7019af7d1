package cli

import (
	"os"
	"strings"
	"testing"
)

// TestREADMEExamples runs what README.md shows of captures and of explain: it prints what stands there.
func TestREADMEExamples(t *testing.T) {
	t.Chdir("../../../..")
	b, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(b), "go run ./cmd/iwarp ") // which is prose away from what it prints
	first, text, _ := strings.Cut(text, "\n")
	examples := []string{first}
	for i, block := range strings.Split(text, "```\n") {
		switch line, shown, _ := strings.Cut(block, "\n"); {
		case i == 2:
			examples = append(examples, block)
		case strings.HasPrefix(line, "$ iwarp ") && !strings.Contains(block, "127.0.0.1"):
			examples = append(examples, strings.TrimPrefix(line, "$ iwarp "), shown)
		}
	}
	if len(examples) < 2*4 {
		t.Fatalf("these are too few: %q", examples)
	}
	for i := 0; i < len(examples); i += 2 {
		got := run(t.Context(), nil, false, nil, strings.Fields(examples[i])...).out
		if want := examples[i+1]; got != want {
			t.Errorf("iwarp %s prints\n%s\nREADME.md shows\n%s", examples[i], got, want)
		}
	}
}
