package rnicsim

// Transcripts: files in testdata that show how the RNIC behaves. A line that begins in the first column is a command;
// the lines after it, which begin with a tab, are all that came of it. The commands are described in script_test.go.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got, err := play(t, string(text))
			if err != nil {
				t.Fatalf("%s:%v", name, err)
			}
			golden.File(t, name, got)
		})
	}
}

// play runs the commands of a transcript, with RNICs that have additional quirks, and returns the transcript with the results.
func play(t *testing.T, text string, quirks ...quirk.Quirk) (string, error) {
	var out strings.Builder
	s := newScript(t)
	s.quirks = quirks
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		out.WriteString(line + "\n")
		command, _, _ := strings.Cut(line, " # ")
		if command = strings.TrimSpace(command); command == "" || command[0] == '#' {
			continue
		}
		if err := s.run(strings.Fields(command), command); err != nil {
			return "", fmt.Errorf("%d: %s: %w", i+1, command, err)
		}
		out.WriteString(s.take())
	}
	return out.String(), nil
}
