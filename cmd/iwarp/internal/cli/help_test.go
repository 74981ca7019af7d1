package cli

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
)

// wider are lines of help that cobra itself writes.
var wider = []string{"If it is not installed already, you can install it via your OS's package manager."}

// helpLines is two screens of 24 lines.
const helpLines = 48

// TestHelpFits checks whether the help of every command fits a terminal of 80 columns and, unless cobra wrote it, fits two
// screens and begins with an example.
func TestHelpFits(t *testing.T) {
	root := newRoot(&app{Streams: &Streams{Env: func(string) string { return "" }}})
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	commands := 0
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		commands++
		args := append(strings.Fields(c.CommandPath())[1:], "--help")
		got := run(t.Context(), nil, false, nil, args...)
		if got.code != exit.OK || got.err != "" || !strings.Contains(got.out, "Usage:\n") {
			t.Errorf("%v: %+v", args, got)
		}
		ours := c.Name() != "help" && !strings.Contains(c.CommandPath(), "completion")
		if lines := strings.Count(got.out, "\n"); ours && lines > helpLines {
			t.Errorf("the help of %s has %d lines, want at most %d: shorten its text", c.CommandPath(), lines, helpLines)
		}
		if ours && c.Name() != "version" && !strings.HasPrefix(got.out, "Examples:\n  iwarp ") {
			t.Errorf("%s: begins with %.40q", c.CommandPath(), got.out)
		}
		for line := range strings.Lines(got.out) {
			line = strings.TrimSuffix(line, "\n")
			if n := utf8.RuneCountInString(line); n > foldWidth && !slices.Contains(wider, line) {
				t.Errorf("%s: %d characters: %s", c.CommandPath(), n, line)
			}
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	if commands < 12 {
		t.Errorf("there are only %d commands", commands)
	}
}

// TestHelpExamples checks whether the flags and arguments of the examples in the help are accepted.
func TestHelpExamples(t *testing.T) {
	examples := 0
	for _, c := range append(newRoot(&app{Streams: &Streams{}}).Commands(), newRoot(&app{Streams: &Streams{}})) {
		for line := range strings.Lines(c.Example) {
			line, _, _ = strings.Cut(line, " # ")
			for part := range strings.SplitSeq(strings.TrimSpace(line), " | ") {
				words := shellWords(part)
				if words[0] != "iwarp" {
					continue
				}
				for i := range words {
					words[i] = strings.Trim(words[i], "'")
				}
				root := newRoot(&app{Streams: &Streams{}})
				cmd, args, err := root.Find(words[1:])
				if err == nil {
					err = cmd.ParseFlags(args)
				}
				if err == nil {
					err = cmd.ValidateArgs(cmd.Flags().Args())
				}
				if examples++; err != nil {
					t.Errorf("%s: %v", part, err)
				}
			}
		}
	}
	if examples < 40 {
		t.Errorf("only %d examples", examples)
	}
}
